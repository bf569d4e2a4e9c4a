# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""One list of sources: FuseSoC CAPI2 `.core` files, resolved to an ordered file list for a top.

Of CAPI2 (FuseSoC user guide, "CAPI2 reference") this reads `name`, `filesets` (`files`, `file_type`, `depend`) and
`targets` (`filesets`, `toplevel`), with the conditional `flag ? (item)` in lists. Anything else in these three is an
error rather than silently ignored, since a file list that is almost right is worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from trapeze.common import paths
from trapeze.common.errors import TrapezeError, choices

_CONDITION = re.compile(r"^(!?)(\w+)\s*\?\s*\((.+)\)$")
_FILESET_KEYS = {"files", "file_type", "depend"}
_FILE_KEYS = {"file_type", "is_include_file", "include_path"}


@dataclass(frozen=True)
class Source:
    """A file of a core.

    Attributes:
        path: Absolute.
        file_type: Of CAPI2: `systemVerilogSource`, `vlt`, `user`, …
        include: A file that is included by others, not compiled itself.
        core: The core that lists it, without version.
    """

    path: Path
    file_type: str
    include: bool
    core: str


@dataclass(frozen=True)
class Core:
    """A `.core` file: `vlnv` is its name without version (`trapeze:hw:core`)."""

    vlnv: str
    path: Path
    filesets: dict[str, Any]
    targets: dict[str, Any]


@dataclass
class FileList:
    """What a tool needs to build a top.

    Attributes:
        toplevel: Name of the top module, empty if the target names none.
        sources: In compile order: a file comes before those that use it.
    """

    toplevel: str = ""
    sources: list[Source] = field(default_factory=list)

    def of_type(self, *prefixes: str) -> list[Path]:
        """The files to compile whose type starts with one of `prefixes`."""
        return [source.path for source in self.sources if source.file_type.startswith(prefixes) and not source.include]

    def include_folders(self) -> list[Path]:
        """The folders of the include files."""
        return list(dict.fromkeys(source.path.parent for source in self.sources if source.include))


def plain(vlnv: str) -> str:
    """A core's name without version and version operator: `>=trapeze:hw:core:0.1.0` gives `trapeze:hw:core`."""
    return ":".join(vlnv.strip().lstrip("<>=~^").split(":")[:3])


def read(path: Path) -> Core:
    """Read one `.core` file.

    Raises:
        TrapezeError: it is not CAPI2, or contains a key that this resolver does not know.
    """
    text = path.read_text()
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    if not lines or lines[0].split("#")[0].strip() != "CAPI=2:":
        raise TrapezeError(f"{path}: not a CAPI2 core: its first line must be 'CAPI=2:'")
    try:
        raw = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise TrapezeError(f"{path}: not YAML: {' '.join(str(error).split())}") from None
    if not isinstance(raw.get("name"), str) or raw["name"].count(":") != 3:
        raise TrapezeError(f"{path}: name must be vendor:library:name:version")
    filesets = raw.get("filesets") or {}
    for name, fileset in filesets.items():
        if strange := set(fileset) - _FILESET_KEYS:
            raise TrapezeError(f"{path}: fileset {name}: unknown key '{sorted(strange)[0]}'")
    return Core(plain(raw["name"]), path, filesets, raw.get("targets") or {})


class Library:
    """All cores below some folders."""

    def __init__(self, folders: Iterable[Path] = (paths.HARDWARE, paths.ROOT / "regs")) -> None:
        self.cores: dict[str, Core] = {}
        for path in sorted(path for folder in folders for path in folder.rglob("*.core")):
            core = read(path)
            if core.vlnv in self.cores:
                raise TrapezeError(f"{path}: {core.vlnv} is already defined by {self.cores[core.vlnv].path}")
            self.cores[core.vlnv] = core

    def resolve(self, top: str, target: str = "default", flags: Iterable[str] = ()) -> FileList:
        """The files of a core and of everything it depends on.

        Args:
            top: Name of the core, with or without version.
            target: Of the top core; dependencies contribute their `default` target.
            flags: What is true in `flag ? (item)`, such as `tool_verilator`. `target_<target>` and `is_toplevel` hold
                for the top by themselves.

        Raises:
            TrapezeError: an unknown core, target, fileset or file, or a dependency cycle.
        """
        result = FileList()
        self._visit(plain(top), target, frozenset(flags) | {f"target_{target}"}, True, (), set(), result)
        return result

    def _visit(
        self,
        vlnv: str,
        target: str,
        flags: frozenset[str],
        is_top: bool,
        stack: tuple[str, ...],
        done: set[str],
        result: FileList,
    ) -> None:
        if vlnv in stack:
            raise TrapezeError(f"cores depend on each other: {' -> '.join((*stack, vlnv))}")
        if vlnv in done:
            return
        if vlnv not in self.cores:
            user = f"{self.cores[stack[-1]].path}: " if stack else ""
            raise TrapezeError(f"{user}unknown core '{vlnv}'; {choices(vlnv, self.cores)}")
        core = self.cores[vlnv]
        if target not in core.targets:
            raise TrapezeError(f"{core.path}: unknown target '{target}'; {choices(target, core.targets)}")
        here = flags | {"is_toplevel"} if is_top else flags
        filesets = [
            self._fileset(core, name) for name in _select(core.targets[target].get("filesets") or [], here, core.path)
        ]
        for fileset in filesets:
            for wanted in _select(fileset.get("depend") or [], here, core.path):
                self._visit(plain(wanted), "default", flags, False, (*stack, vlnv), done, result)
        for fileset in filesets:
            result.sources += _files(core, fileset, here)
        if is_top:
            result.toplevel = core.targets[target].get("toplevel", "")
        done.add(vlnv)

    @staticmethod
    def _fileset(core: Core, name: str) -> dict[str, Any]:
        if name not in core.filesets:
            raise TrapezeError(f"{core.path}: unknown fileset '{name}'; {choices(name, core.filesets)}")
        fileset: dict[str, Any] = core.filesets[name]
        return fileset


def _select(items: Iterable[Any], flags: frozenset[str], path: Path) -> Iterator[Any]:
    """The items whose condition holds, without their conditions."""
    for item in items:
        if not isinstance(item, str) or "?" not in item:
            yield item
            continue
        condition = _CONDITION.match(item.strip())
        if condition is None:
            raise TrapezeError(f"{path}: '{item}' is not a condition; write: flag ? (item) or !flag ? (item)")
        if (condition[2] in flags) != bool(condition[1]):
            yield from condition[3].split()


def _files(core: Core, fileset: dict[str, Any], flags: frozenset[str]) -> Iterator[Source]:
    for item in _select(fileset.get("files") or [], flags, core.path):
        name, attributes = next(iter(item.items())) if isinstance(item, dict) else (item, {})
        if strange := set(attributes) - _FILE_KEYS:
            raise TrapezeError(f"{core.path}: file {name}: unknown key '{sorted(strange)[0]}'")
        path = (core.path.parent / name).resolve()
        if not path.is_file():
            raise TrapezeError(f"{core.path}: lists {name}, which does not exist")
        file_type = attributes.get("file_type", fileset.get("file_type", "user"))
        yield Source(path, file_type, bool(attributes.get("is_include_file", False)), core.vlnv)
