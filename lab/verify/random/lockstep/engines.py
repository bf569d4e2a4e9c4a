# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Lockstep of two engines on one program: what to run, how it ended."""

from __future__ import annotations

import os
import random
import re
import shlex
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path

from trapeze.common import paths, processes
from trapeze.common.edges import Edge
from trapeze.common.errors import TrapezeError
from trapeze.platform import configurations
from trapeze.simulation import building, simulator
from trapeze.simulation.options import Options
from verify.random.instructions.addresses import platform
from verify.random.instructions.isa import Base
from verify.random.programs import harness

PASS, MISMATCH, HANG, CRASH = "pass", "mismatch", "hang", "crash"
"""How a run ended: alike on both engines to the program's end; not alike; not at all; the simulator failed."""

_EXIT_ASLEEP = 122
_EXIT_HANG = (_EXIT_ASLEEP, 124)
_EXIT_MISMATCH = 125
_EXIT_INPUT = 2
_SECONDS = 600
_SUMMARY = re.compile(r"exit (\d+)(?: of hart \d+)? after (\d+) cycles, (\d+) instructions")
_COMPARED = re.compile(r"disagree after (\d+) instructions")


@dataclass(frozen=True)
class Settings:
    """The circumstances of a run.

    Attributes:
        irq: edges to make.
        wait_instr: chance of a wait state a cycle at the instruction port, in 1/256.
        wait_data: the same at the data port.
        seed: of the wait states.
        max_cycles: when to give up.
        reset_seed: of registers without reset and of memory without a program; 0: zeros.
        halts: cycles, about, after which a debugger halts the harts again; 0: there is none.
    """

    irq: tuple[Edge, ...] = ()
    wait_instr: int = 0
    wait_data: int = 0
    seed: int = 1
    max_cycles: int = 8_000_000
    reset_seed: int = 0
    halts: int = 0

    def options(self) -> Options:
        """As those of a run."""
        waits = bool(self.wait_instr or self.wait_data)
        return Options(
            irq=self.irq,
            wait_instr=self.wait_instr,
            wait_data=self.wait_data,
            seed=self.seed if waits or self.halts else 0,
            max_cycles=self.max_cycles,
            reset_seed=self.reset_seed,
            halts=self.halts or None,
        )

    def arguments(self) -> list[str]:
        """As `trapeze run` takes them."""
        words = ["--max-cycles", str(self.max_cycles)]
        if self.wait_instr or self.wait_data:
            words += ["--wait-instr", str(self.wait_instr), "--wait-data", str(self.wait_data)]
        if self.wait_instr or self.wait_data or self.halts:
            words += ["--seed", str(self.seed)]
        if self.halts:
            words += ["--halts", str(self.halts)]
        if self.reset_seed:
            words += ["--reset-seed", str(self.reset_seed)]
        return words + [word for one in self.irq for word in ("--irq", str(one))]

    def __str__(self) -> str:
        """As options of a command line."""
        return shlex.join(self.arguments())

    @staticmethod
    def parse(text: str) -> Settings:
        """The inverse of `str`.

        Raises:
            TrapezeError: something else is in it.
        """
        words = shlex.split(text)
        irq: list[Edge] = []
        numbers: dict[str, int] = {}
        for name, value in zip(words[::2], words[1::2], strict=len(words) % 2 == 0):
            key = name.removeprefix("--").replace("-", "_")
            if key == "irq":
                irq.append(Edge.parse(value))
            elif key in ("wait_instr", "wait_data", "seed", "max_cycles", "reset_seed", "halts") and value.isdigit():
                numbers[key] = int(value)
            else:
                known = "--irq, --wait-*, --seed, --max-cycles, --reset-seed, --halts"
                raise TrapezeError(f"settings: '{name} {value}' is none of {known}")
        return Settings(irq=tuple(irq), **numbers)


def draw(rng: random.Random, lines: int, blocks: int) -> Settings:
    """Draw interrupts and wait states for a program with this many blocks.

    Args:
        rng: the source.
        lines: platform lines of the configuration.
        blocks: size of the program; interrupts are spread over its likely length.
    """
    cycle, irq = rng.randint(100, 400), []
    gap = rng.choice((40, 150, 150, 400, 1500))
    while cycle < 220 * blocks:
        for _ in range(rng.choice((1, 1, 1, 2, 5, 16))):  # bursts nest, and compete
            shape = rng.choice(("", "", "", "", ":pulse", ":pulse=3", ":pulse=20"))
            irq.append(Edge(rng.randrange(lines), cycle, shape))
            cycle += rng.choice((0, 0, 1, 2, 3, 10))
        cycle += rng.randint(1, 2 * gap)
    data_heavy = rng.choice((0, 30)), rng.choice((30, 128, 200))
    instr_heavy = rng.choice((60, 128, 200)), rng.choice((0, 60))
    instr, data = rng.choice(((0, 0), (0, 0), (0, 0), data_heavy, instr_heavy))
    return Settings(tuple(irq), instr, data, rng.randrange(1, 1000))


def library(config: str, checked: bool) -> str:
    """Name of the RTL engine's library and of the target that builds it; `checked`: the variant with assertions."""
    return f"rtl-{config}{'-wave' if checked else ''}"


@dataclass(frozen=True)
class Engines:
    """A simulator, the library of the engine that leads and that of the one that follows.

    Attributes:
        config: name of the platform configuration.
        binary: trapeze-sim.
        leader: library of the RTL.
        follower: library of the model; None: no lockstep.
        environment: additional variables of the simulator's environment.
    """

    config: str
    binary: Path
    leader: Path
    follower: Path | None
    environment: tuple[tuple[str, str], ...] = ()

    @staticmethod
    def of(config: str, checked: bool = False) -> Engines:
        """Those of the working tree, built if need be.

        Args:
            config: name of the platform configuration.
            checked: the variant of the RTL engine with the assertions of the design, which is slower.

        Raises:
            TrapezeError: they do not build.
        """
        leader = library(config, checked)
        building.ensure(["trapeze-sim", leader, building.MODEL])
        binary, lib = building.BUILD / "bin" / "trapeze-sim", building.BUILD / "lib"
        return Engines(config, binary, lib / f"{leader}.so", lib / f"{building.MODEL}.so")

    def request(self, elf: Path, settings: Settings, uart_in: Path | None = None) -> dict[str, object]:
        """What the simulator is to run."""
        lockstep = self.follower is not None
        again = ["trapeze", "run", str(elf), "--config", self.config, *(["--engine", "lockstep"] if lockstep else [])]
        made: dict[str, object] = {
            "schema": simulator.SCHEMA,
            "command": shlex.join([*again, *settings.arguments()]),
            "config": self.config,
            "engine": str(self.leader),
            "programs": [str(elf)],
        }
        if lockstep:
            platform_file = building.platform_file(configurations.load(self.config))
            made |= {"follow": str(self.follower), "platform": str(platform_file)}
        return made | replace(settings.options(), uart_in=uart_in).to_json()

    def command(self, folder: Path, elf: Path, settings: Settings, uart_in: Path | None = None) -> list[str]:
        """The simulator's command line; `folder`: where its request is written."""
        return [str(self.binary), *simulator.command_of(folder, self.request(elf, settings, uart_in))[1:]]

    def run(self, elf: Path, settings: Settings, uart_in: Path | None = None) -> Verdict:
        """Run a program, with a file of what the console receives.

        Raises:
            TrapezeError: the simulator refuses the input.
        """
        try:
            environment = os.environ | dict(self.environment)
            with simulator.scratch() as folder:
                command = self.command(folder, elf, settings, uart_in)
                done = processes.run(
                    command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_SECONDS, env=environment
                )
        except subprocess.TimeoutExpired:
            return Verdict(HANG, None, f"no end after {_SECONDS} s")
        said = done.stderr.decode(errors="replace").strip()
        if done.returncode == _EXIT_INPUT and not _SUMMARY.search(said):
            raise TrapezeError(said or f"{self.binary} failed")
        if done.returncode == _EXIT_MISMATCH:
            compared = _COMPARED.search(said)
            return Verdict(MISMATCH, None, said, int(compared[1]) if compared else 0, console=done.stdout)
        if found := _SUMMARY.search(said):
            return Verdict(PASS, int(found[1]), said, int(found[3]), int(found[2]), done.stdout)
        kind = HANG if done.returncode in _EXIT_HANG else CRASH
        code = _EXIT_ASLEEP if done.returncode == _EXIT_ASLEEP else None
        return Verdict(kind, code, said or f"ended by signal {-done.returncode}", console=done.stdout)


@dataclass(frozen=True)
class Verdict:
    """How a run ended.

    Attributes:
        kind: PASS, MISMATCH, HANG or CRASH.
        code: the firmware's exit code, of a run that ended; that of the simulator, where all harts sleep for ever.
        report: the simulator's report.
        instructions: compared.
        cycles: of the leader, of a run that ended.
        console: what the firmware printed.
    """

    kind: str
    code: int | None
    report: str
    instructions: int = 0
    cycles: int = 0
    console: bytes = b""

    @property
    def passed(self) -> bool:
        """Alike on both engines, and the program came to its own end."""
        return self.kind == PASS and self.code == 0


def base_of(config_name: str) -> Base:
    """The instructions of a platform configuration."""
    config = configurations.load(config_name)
    registers = 16 if config.first.base == "rv32e" else 32
    return Base(
        registers,
        f"{config.first.isa}_zicsr_zifencei",
        config.first.abi,
        frozenset(config.first.extensions),
        config.first.reset_vector,
        64 if config.first.base.startswith("rv64") else 32,
        config.first.supervisor,
        config.first.whole_frames,
    )


def configs() -> list[str]:
    """The configurations with one hart and a CLINT, but for those that are there to be tested."""
    chosen = map(configurations.load, configurations.names(several_harts=False, corners=False))
    return [config.name for config in chosen if config.first.scheme == "clint"]


def assemble(text: str, base: Base, folder: Path, stem: str = "program") -> Path:
    """Assemble and link a program for lockstep.

    Args:
        text: its assembly.
        base: integer base.
        folder: where source, linker script and ELF go; made if missing.
        stem: of the files' names.

    Raises:
        TrapezeError: the assembler is missing or refuses the text.
    """
    folder.mkdir(parents=True, exist_ok=True)
    source, script = folder / f"{stem}.s", folder / "link.ld"
    elf, compiled = folder / f"{stem}.elf", folder / f"{stem}.o"
    source.write_text(text)
    script.write_text(harness.linker_script(platform(), base.reset))
    # Programs hold instructions that the core lacks, but none of them in another size.
    march = f"rv32{'e' if base.registers == 16 else 'i'}ma{'c' if base.compressed else ''}_zba_zbb_zbs"
    steps = (
        ["as", f"-march={march}", f"-mabi={base.mabi}", "-misa-spec=2.2", str(source), "-o", str(compiled)],
        ["ld", "-m", "elf32lriscv", "--no-relax", "-T", str(script), str(compiled), "-o", str(elf)],
    )
    for name, *rest in steps:
        try:
            done = processes.run([f"riscv64-unknown-elf-{name}", *rest], capture_output=True, text=True)
        except FileNotFoundError:
            raise TrapezeError(f"riscv64-unknown-elf-{name} not found; `trapeze doctor` says how to get it") from None
        if done.returncode:
            raise TrapezeError(f"{source}: does not assemble: {done.stderr.strip()[:400]}", exit_code=1)
    return elf


def kept(config: str) -> Path:
    """Where programs that failed in lockstep are kept."""
    return paths.BUILD / "random" / "lockstep" / config
