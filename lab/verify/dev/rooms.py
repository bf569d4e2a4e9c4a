# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The rooms of the repository and the edges between them.

Reads `include`, `import` and package references, module instantiations, the dependencies of `.core` files and Python
imports, and reports every edge that `lab/rooms.toml` does not allow, every folder that is in no room, and rooms that
lead back to themselves.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from trapeze.common import paths
from trapeze.platform import cores

_VERILOG = {".sv", ".svh", ".v", ".vh"}
_C = {".c", ".h", ".S", ".cpp", ".hpp", ".in"}
_VERILOG_COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)
_DEFINED = re.compile(r"\b(?:module|package|interface|class)\s+(?:automatic\s+|static\s+)?(\w+)")
_VERILOG_INCLUDE = re.compile(r'^\s*`include\s+"([^"]+)"', re.MULTILINE)
_WORD = re.compile(r"\b[A-Za-z_]\w*\b")
_C_INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^">]+)[">]', re.MULTILINE)
PACKAGES = {"trapeze": Path("lab") / "src" / "trapeze", "verify": Path("lab") / "verify"}
"""Where the modules of each package are."""

_LIBRARY = {"assert.h", "signal.h", "stdatomic.h", "stdlib.h", "string.h", "time.h"}
"""Headers of the C library. A file of the repository that is named like one is never meant without its folder."""

_VERILATED = re.compile(r"^(V\w+|verilated\w*)\.h$")


@dataclass(frozen=True)
class Edge:
    """A use of one room by another: `file` of room `user` names `what`, which belongs to room `used`."""

    file: Path
    user: str
    used: str
    what: str


@dataclass(frozen=True)
class Rules:
    """What `lab/rooms.toml` allows: by room, or by pattern of rooms, the rooms that it may use."""

    rooms: dict[str, list[str]]
    tests: list[str]

    def room(self, path: str) -> str | None:
        """The room of a file, None if it is in none.

        A room holds its folder with all below, unless there are other rooms below: then the files of the folder itself.
        """
        holding = [room for name in self.rooms if (room := _held(name, path)) is not None]
        found = max(holding, key=len, default=None)
        if found is None or found == path or path.rpartition("/")[0] == found:
            return found
        return None if any(_is_below(name, found) for name in self.rooms) else found

    def allows(self, edge: Edge) -> bool:
        """Whether an edge is one of the table's."""
        if edge.user == edge.used:
            return True
        allowed = self._of(edge.user) + (self.tests if "test" in edge.file.parts else [])
        return any(edge.used == one or (one.endswith("*") and edge.used.startswith(one[:-1])) for one in allowed)

    def _of(self, room: str) -> list[str]:
        """What a room may use, by its name or else by the pattern that it is one of."""
        if room in self.rooms:
            return self.rooms[room]
        return next((uses for name, uses in self.rooms.items() if _held(name, f"{room}/") == room), [])


def _held(name: str, path: str) -> str | None:
    """The room of this name, or pattern, that a file is in or is; None if it is in none."""
    parts, wanted = path.split("/"), name.split("/")
    head = parts[: len(wanted)]
    if len(head) < len(wanted) or not all(two in ("*", one) for one, two in zip(head, wanted, strict=True)):
        return None
    return "/".join(head) if len(parts) > len(wanted) or "*" not in name else None


def _is_below(name: str, room: str) -> bool:
    """Whether a room, which is not a single file, is below another one."""
    return name.startswith(f"{room}/") and "." not in name.rpartition("/")[2]


def load(path: Path | None = None) -> Rules:
    """Read the table of rooms.

    Names in a table `within` are those of rooms in a folder, for short: its own, or those of another such table.
    """
    raw = tomllib.loads((path or paths.LAB / "rooms.toml").read_text())
    rooms = dict(raw["rooms"])
    within = raw.get("within", {})
    every = {name: f"{folder}/{name}" for folder, table in within.items() for name in table}
    for folder, table in within.items():
        short = every | {name: f"{folder}/{name}" for name in table}
        for name, uses in table.items():
            rooms[f"{folder}/{name}"] = [short.get(one, one) for one in uses]
    return Rules(rooms, raw["tests"])


class _Files:
    """The files of the rooms, and the names that each defines."""

    def __init__(self, root: Path, rules: Rules) -> None:
        self.root = root
        self.by_room: dict[str, list[Path]] = defaultdict(list)
        self.modules: dict[str, str] = {}
        self.headers: dict[str, list[Path]] = defaultdict(list)
        self.room_of: dict[Path, str] = {}
        for path in sorted(path for top in _tops(rules) for path in (root / top).rglob("*")):
            relative = path.relative_to(root)
            if not path.is_file() or any(part.startswith(".") or part == "__pycache__" for part in relative.parts):
                continue
            room = rules.room(relative.as_posix())
            if room is None:
                continue
            self.by_room[room].append(path)
            self.room_of[path] = room
            if path.suffix in _VERILOG:
                for name in _DEFINED.findall(_verilog(path)):
                    self.modules[name] = room
            if path.suffix in _C | _VERILOG:
                self.headers[path.name].append(path)

    def find(self, name: str, user: Path) -> Path | None:
        """The file that an include of `name` means: beside the user, in the user's room, or the only one that fits."""
        beside = (user.parent / name).resolve()
        if beside in self.room_of:
            return beside
        tail = f"/{name}"
        fitting = [path for path in self.headers[Path(name).name] if path.as_posix().endswith(tail)]
        own = [path for path in fitting if self.room_of[path] == self.room_of[user]]
        return next(iter(own or fitting), None)


def _tops(rules: Rules) -> list[str]:
    return sorted({room.split("/")[0] for room in rules.rooms})


def _verilog(path: Path) -> str:
    """The text without comments and strings, but with the names of included files."""
    return _VERILOG_COMMENT.sub(lambda found: found[0] if found[0].startswith('"') else " ", path.read_text())


def _verilog_edges(path: Path, files: _Files) -> Iterator[tuple[str, str]]:
    text = _verilog(path)
    for name in _VERILOG_INCLUDE.findall(text):
        if (found := files.find(name, path)) is not None:
            yield files.room_of[found], name
    plain = re.sub(r'"[^"\n]*"', " ", text)
    for word in sorted(set(_WORD.findall(plain))):
        if word in files.modules:
            yield files.modules[word], word


def _c_edges(path: Path, files: _Files) -> Iterator[tuple[str, str]]:
    for name in _C_INCLUDE.findall(path.read_text()):
        if _VERILATED.match(name):
            yield "verilated", name
        elif name not in _LIBRARY and (found := files.find(name, path)) is not None:
            yield files.room_of[found], name


def _core_edges(path: Path, files: _Files, library: cores.Library) -> Iterator[tuple[str, str]]:
    for fileset in cores.read(path).filesets.values():
        for name in fileset.get("depend") or []:
            known = library.cores.get(cores.plain(name))
            if known is not None and known.path in files.room_of:
                yield files.room_of[known.path], name


def _imports(path: Path) -> Iterator[tuple[str, list[str]]]:
    """The modules that a file imports, and the names that it takes from each."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module is not None and node.level == 0:
            yield node.module, [alias.name for alias in node.names]
        elif isinstance(node, ast.Import):
            yield from ((alias.name, []) for alias in node.names)


def _module(name: str, files: _Files) -> str:
    """The file of a module of one of the packages, from the root; where there is none, the one that it would be."""
    place = PACKAGES[name.split(".")[0]].parent / name.replace(".", "/")
    package = place / "__init__.py"
    return (package if files.root / package in files.room_of else place.with_suffix(".py")).as_posix()


def _python_edges(path: Path, files: _Files, rules: Rules) -> Iterator[tuple[str, str]]:
    for module, names in _imports(path):
        package = PACKAGES.get(module.split(".")[0])
        if package is None:
            beside = path.parent / f"{module.replace('.', '/')}.py"
            if beside in files.room_of:
                yield files.room_of[beside], module
            continue
        # What is taken from a package may be a module of it, in a room of its own.
        inside = [one for name in names if files.root / (one := _module(f"{module}.{name}", files)) in files.room_of]
        for file in inside if len(inside) == len(names) and names else [*inside, _module(module, files)]:
            yield rules.room(file) or package.as_posix(), module


def edges(rules: Rules, root: Path = paths.ROOT) -> Iterator[Edge]:
    """Every use of a room by a file."""
    files = _Files(root, rules)
    library = cores.Library(folder for folder in (root / "hw", root / "regs") if folder.is_dir())
    for room, members in files.by_room.items():
        for path in members:
            found: Iterator[tuple[str, str]] = iter(())
            if path.suffix in _VERILOG:
                found = _verilog_edges(path, files)
            elif path.suffix in _C:
                found = _c_edges(path, files)
            elif path.suffix == ".core":
                found = _core_edges(path, files, library)
            elif path.suffix == ".py":
                found = _python_edges(path, files, rules)
            for used, what in found:
                yield Edge(path.relative_to(root), room, used, what)


def unknown(rules: Rules, tracked: Iterable[Path]) -> list[str]:
    """Every folder with files that is in no room, as a line each; `tracked`: files, from the root."""
    folders = {path.parent for path in tracked if len(path.parts) > 1 and rules.room(path.as_posix()) is None}
    return [f"{folder}: is in no room; enter it in lab/rooms.toml, with what it may use" for folder in sorted(folders)]


def circles(found: Iterable[Edge]) -> list[str]:
    """A line for rooms that use each other in a circle, whatever the table allows; tests may use what they like."""
    graph: dict[str, set[str]] = defaultdict(set)
    for edge in found:
        if edge.user != edge.used and not {"test", "tests"} & {*edge.file.parts}:
            graph[edge.user].add(edge.used)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return [f"rooms use each other in a circle: {' <- '.join(error.args[1])}"]
    return []


def check(root: Path = paths.ROOT, rules: Rules | None = None) -> list[str]:
    """Every forbidden edge, as a line each, and a circle if there is one."""
    rules = rules or load()
    found = list(edges(rules, root))
    wrong = [edge for edge in found if not rules.allows(edge)]
    said = [f"{edge.file}: uses {edge.what}, but {edge.user} may not depend on {edge.used}" for edge in wrong]
    return said or circles(found)
