# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Building a random program and running it on QEMU and on the engines of the simulator."""

from __future__ import annotations

import random
import subprocess
from dataclasses import dataclass
from pathlib import Path

from trapeze.common import processes
from trapeze.common.edges import Edge
from trapeze.common.errors import TrapezeError
from trapeze.firmware import toolchain
from trapeze.platform import configurations
from trapeze.simulation import simulator
from trapeze.simulation.options import Options
from verify.random.instructions.addresses import platform
from verify.random.programs import harness
from verify.random.programs.generator import Program

QEMU_CPU = "rv32,pmp=on,mmu=off,a=off,f=off,d=off,s=off,h=off,zba=on,zbb=on,zbc=off,zbs=on,debug=off,sstc=off,pmu-num=0"
"""PMP is on because the program uses it to make QEMU's RAM fault where the platform has holes."""
QEMU_CPU_64 = (
    "rv64,pmp=on,mmu=on,h=off,zba=on,zbb=on,zbc=off,zbs=on,debug=off,sstc=off,svinval=off,svnapot=off,svpbmt=off,"
    "pmu-num=0"
)
"""The same for an application hart: RV64GC with supervisor mode."""
QEMU_TIMEOUT = 60
"""Seconds; a program takes well under one."""
MAX_CYCLES = 8_000_000
"""Bound for the RTL; a program takes well under a million, with wait states under two."""


@dataclass(frozen=True)
class Variation:
    """The circumstances of a run on the RTL that must not change its outcome.

    Attributes:
        wait_instr: chance of a wait state a cycle at the instruction port, in 1/256.
        wait_data: the same at the data port.
        seed: of the wait states and of the interrupts' cycles. Registers and memory start with zeros, as QEMU's do.
        interrupts: how many platform interrupts arrive at random cycles (programs made for it only).
    """

    wait_instr: int = 0
    wait_data: int = 0
    seed: int = 1
    interrupts: int = 0

    def __str__(self) -> str:
        """As the command line's options."""
        parts = [f"--wait-instr {self.wait_instr} --wait-data {self.wait_data} --wait-seed {self.seed}"]
        return " ".join(parts + ([f"--interrupts {self.interrupts}"] if self.interrupts else []))


@dataclass(frozen=True)
class Outcome:
    """What a run showed.

    Attributes:
        console: bytes from the UART.
        code: exit code; None if the run had to be stopped.
        instructions: retired ones, 0 where the machine does not tell.
        cycles: clock cycles, likewise.
    """

    console: bytes
    code: int | None
    instructions: int = 0
    cycles: int = 0

    def same(self, other: Outcome) -> bool:
        """Equal in everything that is compared between machines."""
        return self.code is not None and self.console == other.console and self.code == other.code


def build(program: Program, folder: Path, verbose: bool = False) -> Path:
    """Assemble and link.

    Args:
        program: what to build.
        folder: where `program.s`, `link.ld` and the ELF go; made if missing.
        verbose: the program shall print its whole trap log (the code and its addresses are the same).

    Raises:
        TrapezeError: the assembler is missing or refuses the program.
    """
    folder.mkdir(parents=True, exist_ok=True)
    source, script = folder / "program.s", folder / "link.ld"
    source.write_text(program.text)
    script.write_text(harness.linker_script(platform()))
    elf = folder / ("verbose.elf" if verbose else "program.elf")
    command = ["riscv64-unknown-elf-gcc", f"-march={program.base.march}", f"-mabi={program.base.mabi}", "-nostdlib"]
    command += [
        f"-Wa,--defsym,VERBOSE={int(verbose)}",
        "-Wl,--no-relax",
        "-T",
        str(script),
        str(source),
        "-o",
        str(elf),
    ]
    try:
        done = processes.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise TrapezeError("riscv64-unknown-elf-gcc not found; `trapeze doctor` says how to get it") from None
    if done.returncode:
        raise TrapezeError(f"{source}: does not assemble: {done.stderr.strip()[:400]}", exit_code=1)
    return elf


def run_qemu(
    elf: Path, icount: str = "shift=0,sleep=off", extra: tuple[str, ...] = (), atomic: bool = False, wide: bool = False
) -> Outcome:
    """Run a program on QEMU's virt machine.

    Args:
        elf: the program.
        atomic: with the A extension.
        wide: on riscv64.
        icount: value of QEMU's option -icount.
        extra: more options.

    Raises:
        TrapezeError: QEMU is missing.
    """
    command = [
        "qemu-system-riscv64" if wide else "qemu-system-riscv32",
        "-machine",
        "virt",
        "-bios",
        "none",
        "-m",
        "4M",
        "-nographic",
    ]
    narrow = QEMU_CPU.replace("a=off", "a=on") if atomic else QEMU_CPU
    command += ["-cpu", QEMU_CPU_64 if wide else narrow + toolchain.qemu_later()]
    command += ["-kernel", str(elf), "-icount", icount, *extra]
    try:
        # subprocess.run ends the process by SIGKILL; QEMU with sleep=off can ignore SIGTERM.
        done = processes.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=QEMU_TIMEOUT, check=False)
    except FileNotFoundError:
        raise TrapezeError(f"{command[0]} not found; `trapeze doctor` says how to get it") from None
    except subprocess.TimeoutExpired as error:
        return Outcome(error.stdout or b"", None)
    return Outcome(done.stdout, done.returncode)


def interrupts(variation: Variation, cycles: int, lines: int) -> tuple[Edge, ...]:
    """Draw arrivals."""
    rng = random.Random(variation.seed)
    arrivals = sorted(rng.randrange(100, max(200, cycles)) for _ in range(variation.interrupts))
    shapes = ("", "", "", ":pulse", ":pulse=3", ":pulse=20")
    return tuple(Edge(rng.randrange(lines), cycle, rng.choice(shapes)) for cycle in arrivals)


def run_rtl(
    elf: Path,
    config_name: str,
    variation: Variation,
    cycles: int = 0,
    max_cycles: int = MAX_CYCLES,
    trace: Path | None = None,
    engine: str = "rtl",
) -> Outcome:
    """Run a program on the RTL, or on the model.

    Args:
        elf: the program.
        config_name: platform configuration.
        variation: wait states and interrupts.
        cycles: how long the program runs without interrupts; they are spread over it.
        max_cycles: when to give up.
        trace: where to write a trace of all instructions.
        engine: `rtl` or `model`, which knows neither wait states nor interrupts at a cycle.

    Raises:
        TrapezeError: the simulator refused the input or failed.
    """
    config = configurations.load(config_name)
    options = Options(
        irq=interrupts(variation, cycles, config.first.lines),
        max_cycles=max_cycles,
        trace=trace,
        wait_instr=variation.wait_instr,
        wait_data=variation.wait_data,
        seed=variation.seed,
        engine=engine,
    )
    outcome = simulator.measure(elf, config, options)
    code = None if outcome.run.reason == "max-cycles" else outcome.exit_code
    return Outcome(outcome.console, code, outcome.run.instructions, outcome.run.cycles)
