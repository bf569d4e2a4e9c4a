# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Building wrong designs: a copy of a configuration's sources, never the working tree.

Either a source is changed, one at a time, or a netlist with many mutations takes the place of the SoC.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from trapeze.common import bounded_processes, paths, processes
from trapeze.common.errors import TrapezeError
from trapeze.common.files import locked
from trapeze.platform import configurations, cores
from trapeze.simulation import building
from trapeze.simulation.engine_files import RtlEngine
from verify.mutate.mutations import Mutation
from verify.random.lockstep import engines
from verify.random.lockstep.engines import Engines

FOLDER = paths.BUILD / "mutate"
_FLAGS = "-O1"
"""Compiling dominates, not running."""


def write_changed(path: Path, text: str) -> None:
    """Write a file unless it holds the text, so that nothing is built again that need not be."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


class Workshop:
    """A build folder for one configuration at a time; several workshops work side by side.

    Attributes:
        folder: everything is below it.
    """

    def __init__(self, name: str, flags: str = _FLAGS) -> None:
        self.folder, self._flags = FOLDER / name, flags
        self._sources = self.folder / "src"
        self._config = ""

    def _copy(self, files: Sequence[Path]) -> list[Path]:
        """Copy sources whose content changed, so that nothing else is built again."""
        copies = []
        for path in files:
            copy = self._sources / path.relative_to(paths.ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            if not copy.exists() or copy.read_bytes() != path.read_bytes():
                shutil.copyfile(path, copy)
            copies.append(copy)
        return copies

    def _describe(self, name: str, soc: Path | None = None) -> Path:
        """Write the settings of the build; with `soc` that netlist replaces the SoC."""
        engine = RtlEngine.of(configurations.load(name), cores.Library())
        sources = self._copy(engine.sources)
        if soc is not None:
            sources = [self._replaced(path, soc) for path in sources]
        folders = [self._sources / path.relative_to(paths.ROOT) for path in engine.include_dirs]
        folder = self.folder / name
        replace(engine, sources=sources, include_dirs=folders, flat=soc is not None).write(folder)
        return folder

    def _replaced(self, source: Path, soc: Path) -> Path:
        """What is compiled in place of a source where a netlist is the SoC."""
        if source.stem == "trapeze_soc":
            return soc
        if source.suffix == ".vlt":
            # It names modules that no longer exist.
            copy = self.folder / "flat.vlt"
            lint = f'lint_off -file "*/{soc.name}"'
            write_changed(copy, f'`verilator_config\npublic_flat_rw -module "tz_sram" -var "mem"\n{lint}\n')
            return copy
        return source

    def _run(self, command: list[str]) -> str | None:
        """Run a step; its output if it fails."""
        done = processes.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.stdout if done.returncode else None

    def _build(self, name: str, checked: bool = False) -> str | None:
        """Build the engine of a configuration from the copy; the end of the output if that fails."""
        folder = self.folder / name
        configure = [
            *("cmake", "-S", str(paths.SIMULATOR), "-B", str(folder), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"),
            f"-DTRAPEZE_CONFIGS={name}",
            f"-DTRAPEZE_CONFIG_DIR={folder}",
            f"-DVERILATOR_ROOT={building.verilator_root()}",
            f"-DPython3_EXECUTABLE={sys.executable}",
            f"-DTRAPEZE_RTL_FLAGS={self._flags}",
            "-DTRAPEZE_TESTS=OFF",
        ]
        if ccache := shutil.which("ccache"):
            configure += [f"-DCMAKE_CXX_COMPILER_LAUNCHER={ccache}", f"-DCMAKE_C_COMPILER_LAUNCHER={ccache}"]
        if not (folder / "build.ninja").exists() and (output := self._run(configure)):
            return output[-2000:]
        command = ["cmake", "--build", str(folder), "--target", engines.library(name, checked), "--", "-j2"]
        with bounded_processes.place():
            output = self._run(bounded_processes.command(command, bounded_processes.COMPILE_SECONDS, 2))
        return None if output is None else output[-2000:]

    def sound(self, name: str) -> Engines:
        """Engines from unchanged sources.

        Raises:
            TrapezeError: they do not build.
        """
        self._describe(name)
        if output := self._build(name):
            raise TrapezeError(f"the sources do not build for mutations:\n{output}", exit_code=1)
        return self._engines(name)

    def of_netlist(self, name: str, soc: Path) -> Engines:
        """Engines whose leader has a netlist in place of the SoC.

        Raises:
            TrapezeError: it does not build.
        """
        self._describe(name, soc)
        if output := self._build(name):
            raise TrapezeError(f"the netlist {soc} does not build:\n{output}", exit_code=1)
        return self._engines(name)

    def _engines(self, name: str, checked: bool = False) -> Engines:
        leader = self.folder / name / "lib" / f"{engines.library(name, checked)}.so"
        return replace(Engines.of(name), leader=leader)

    @contextmanager
    def mutated(self, mutation: Mutation, checked: bool = False) -> Iterator[Engines]:
        """Engines whose leader is wrong.

        Args:
            mutation: What is wrong.
            checked: The variant with the assertions of the design.

        Raises:
            TrapezeError: the mutation does not fit the source, is not part of its configuration, or does not build.
        """
        self._describe(mutation.config)
        copy = self._sources / mutation.file
        if not copy.exists():
            raise TrapezeError(f"mutation {mutation.name}: {mutation.file} is no source of {mutation.config}")
        source = (paths.ROOT / mutation.file).read_text()
        copy.write_text(mutation.apply(source))
        try:
            if output := self._build(mutation.config, checked):
                raise TrapezeError(f"mutation {mutation.name} does not build:\n{output}", exit_code=1)
            yield self._engines(mutation.config, checked)
        finally:
            copy.write_text(source)


@contextmanager
def alone() -> Iterator[None]:
    """All workshops are this process's."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with locked(FOLDER / "lock"):
        yield


@contextmanager
def workshops(count: int) -> Iterator[list[Workshop]]:
    """Workshops for this process alone.

    Args:
        count: how many; mutations of one are built one after another.
    """
    with alone():
        yield [Workshop(f"workshop{index}") for index in range(count)]


def default_jobs() -> int:
    """How many to use on this machine."""
    return max(1, min(4, os.cpu_count() or 1))
