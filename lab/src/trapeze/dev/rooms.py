# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The rooms of the repository and the edges between them.

Reads `include`, `import` and package references, module instantiations, the dependencies of `.core` files and Python
imports, and reports every edge that `lab/rooms.toml` does not allow.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from trapeze.common import paths
from trapeze.common.errors import TrapezeError
from trapeze.platform import cores

_VERILOG = {".sv", ".svh", ".v", ".vh"}
_C = {".c", ".h", ".S", ".cpp", ".hpp", ".in"}
_VERILOG_COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)
_DEFINED = re.compile(r"\b(?:module|package|interface|class)\s+(?:automatic\s+|static\s+)?(\w+)")
_VERILOG_INCLUDE = re.compile(r'^\s*`include\s+"([^"]+)"', re.MULTILINE)
_WORD = re.compile(r"\b[A-Za-z_]\w*\b")
_C_INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^">]+)[">]', re.MULTILINE)
_PYTHON_IMPORT = re.compile(r"^\s*(?:from\s+([\w.]+)\s+import|import\s+([\w.]+))", re.MULTILINE)
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
    """What `lab/rooms.toml` allows."""

    rooms: dict[str, list[str]]
    tests: list[str]

    def room(self, path: str) -> str | None:
        """The room of a file, None if it is in none."""
        holding = [room for room in self.rooms if path.startswith(f"{room}/")]
        return max(holding, key=len, default=None)

    def allows(self, edge: Edge) -> bool:
        """Whether an edge is one of the table's."""
        if edge.user == edge.used:
            return True
        allowed = self.rooms[edge.user] + (self.tests if "test" in edge.file.parts else [])
        return any(edge.used == one or (one.endswith("*") and edge.used.startswith(one[:-1])) for one in allowed)


def load(path: Path | None = None) -> Rules:
    """Read the table of rooms."""
    raw = tomllib.loads((path or paths.LAB / "rooms.toml").read_text())
    return Rules(raw["rooms"], raw["tests"])


class _Files:
    """The files of the rooms and what each of them defines."""

    def __init__(self, root: Path, rules: Rules) -> None:
        self.root = root
        self.by_room: dict[str, list[Path]] = defaultdict(list)
        self.modules: dict[str, str] = {}
        self.headers: dict[str, list[Path]] = defaultdict(list)
        self.room_of: dict[Path, str] = {}
        for path in sorted(path for top in _tops(rules) for path in (root / top).rglob("*")):
            relative = path.relative_to(root)
            if not path.is_file() or any(part.startswith((".", "__")) for part in relative.parts):
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
        elif (found := files.find(name, path)) is not None:
            yield files.room_of[found], name


def _core_edges(path: Path, files: _Files, library: cores.Library) -> Iterator[tuple[str, str]]:
    for fileset in cores.read(path).filesets.values():
        for name in fileset.get("depend") or []:
            known = library.cores.get(cores.plain(name))
            if known is not None and known.path in files.room_of:
                yield files.room_of[known.path], name


def _python_edges(path: Path, files: _Files) -> Iterator[tuple[str, str]]:
    for names in _PYTHON_IMPORT.findall(path.read_text()):
        name = names[0] or names[1]
        if name.split(".")[0] == "trapeze":
            yield "lab", name
        else:
            beside = path.parent / f"{name.replace('.', '/')}.py"
            if beside in files.room_of:
                yield files.room_of[beside], name


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
                found = _python_edges(path, files)
            for used, what in found:
                yield Edge(path.relative_to(root), room, used, what)


def check(root: Path = paths.ROOT, rules: Rules | None = None) -> list[str]:
    """Every forbidden edge, as a line each."""
    rules = rules or load()
    wrong = [edge for edge in edges(rules, root) if not rules.allows(edge)]
    return [f"{edge.file}: uses {edge.what}, but {edge.user} may not depend on {edge.used}" for edge in wrong]


def require(root: Path = paths.ROOT) -> None:
    """Fail on a forbidden edge.

    Raises:
        TrapezeError: with a line for each.
    """
    if wrong := check(root):
        raise TrapezeError("forbidden dependencies between rooms:\n" + "\n".join(wrong), exit_code=1)
