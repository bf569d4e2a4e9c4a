# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""One seed on QEMU and on the RTL, and the report when they differ."""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from trapeze.common import paths
from verify.random.lockstep.engines import base_of
from verify.random.programs import generator
from verify.random.qemu import execute, report
from verify.random.qemu.execute import Outcome, Variation

FAILURES = paths.BUILD / "random"
"""Where programs that failed are kept."""
CONTEXT = 24
"""Instructions at the end of a run without end that a failure report shows."""
HANG_CYCLES = 300_000
"""Length of the trace of such a run."""

Runner = Callable[[Path, Variation, int], Outcome]
"""Runs an ELF under a variation, given the cycles of the undisturbed run."""


class MismatchError(AssertionError):
    """The RTL and QEMU differ; the message says where and how to see it again."""


@dataclass(frozen=True)
class Passed:
    """A seed that passed.

    Attributes:
        instructions: retired on the RTL, by kind of run: `zero` wait states, `wait` states.
        cycles: clock cycles, likewise.
        counts: static occurrences by mnemonic of what every run executes.
    """

    instructions: Counter[str]
    cycles: Counter[str]
    counts: Counter[str]


def rtl(config_name: str) -> Runner:
    """The runner for a configuration's RTL."""
    return lambda elf, variation, cycles: execute.run_rtl(elf, config_name, variation, cycles)


def model(config_name: str) -> Runner:
    """The runner for a configuration's model."""
    return lambda elf, variation, cycles: execute.run_rtl(elf, config_name, variation, cycles, engine="model")


def command(seed: int, config_name: str, options: generator.Options, variation: Variation) -> str:
    """The command that runs one seed under one variation."""
    words = f"python -m verify.random --seed {seed} --config {config_name} --blocks {options.blocks}"
    words += " --async" if options.is_async else ""
    words += "".join(f" --weight {name}={weight}" for name, weight in options.weights)
    return f"PYTHONPATH=lab/src:lab {words} {variation}"


def check(
    seed: int,
    config_name: str,
    options: generator.Options,
    variations: Iterable[Variation],
    runner: Runner | None = None,
) -> Passed:
    """Run a seed on QEMU once and on the RTL under each variation.

    Args:
        seed: of the program.
        config_name: platform configuration.
        options: size and kind of the program.
        variations: of the runs on the RTL.
        runner: something else to run in the RTL's place.

    Raises:
        MismatchError: the machines differ; the program stays in FAILURES.
        TrapezeError: a tool is missing or refuses the program.
    """
    runner = runner or rtl(config_name)
    program = generator.generate(seed, base_of(config_name), options)
    passed = Passed(Counter(), Counter(), program.counts)
    with tempfile.TemporaryDirectory(prefix="trapeze-random-") as name:
        folder = Path(name)
        elf = execute.build(program, folder)
        expected = execute.run_qemu(elf, atomic=program.base.atomic, wide=program.base.wide)
        if expected.code is None or b"E " not in expected.console:
            raise MismatchError(f"seed {seed}: QEMU itself does not finish; kept: {_keep(folder, seed, config_name)}")
        cycles = 0
        for variation in variations:
            if variation.interrupts and not cycles:
                calm = Variation(variation.wait_instr, variation.wait_data, variation.seed)
                cycles = runner(elf, calm, 0).cycles
            actual = runner(elf, variation, cycles)
            kind = "wait" if variation.wait_instr or variation.wait_data else "zero"
            passed.instructions[kind] += actual.instructions
            passed.cycles[kind] += actual.cycles
            if not actual.same(expected):
                text = _explain(program, config_name, folder, runner, variation, cycles, expected, actual)
                kept = _keep(folder, seed, config_name)
                again = command(seed, config_name, options, variation)
                raise MismatchError(f"seed {seed} on {config_name}: {text}\nkept: {kept}\nagain: {again}")
    return passed


def _keep(folder: Path, seed: int, config_name: str) -> Path:
    kept = FAILURES / f"{config_name}-{seed}"
    if kept.exists():
        shutil.rmtree(kept)
    return Path(shutil.copytree(folder, kept))


def _last(elf: Path, config_name: str, variation: Variation, cycles: int) -> str:
    """The end of an instruction trace, which stays beside the program."""
    trace = elf.parent / "rtl-trace.log"
    execute.run_rtl(elf, config_name, variation, cycles, HANG_CYCLES, trace)
    return "\n".join(trace.read_text(errors="replace").splitlines()[-CONTEXT:])


def _explain(
    program: generator.Program,
    config_name: str,
    folder: Path,
    runner: Runner,
    variation: Variation,
    cycles: int,
    expected: Outcome,
    actual: Outcome,
) -> str:
    """Run both machines again with the full log and compare."""
    head = "the program does not end" if actual.code is None else f"exit code {actual.code}, QEMU {expected.code}"
    elf = execute.build(program, folder, verbose=True)
    want, got = (
        execute.run_qemu(elf, atomic=program.base.atomic, wide=program.base.wide),
        runner(elf, variation, cycles),
    )
    (folder / "qemu.log").write_bytes(want.console)
    (folder / "rtl.log").write_bytes(got.console)
    if not got.console:
        return (
            f"{head}; its last instructions within {HANG_CYCLES} cycles:\n{_last(elf, config_name, variation, cycles)}"
        )
    return f"{head}\n{report.first_difference(want.console, got.console)}"
