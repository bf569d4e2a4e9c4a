# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""One seed in lockstep, and what to do when the engines disagree: keep the program, cut it down, say how to repeat."""

from __future__ import annotations

import random
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

from trapeze.platform import configurations, corner_configurations
from trapeze.simulation import power_up
from verify.random.clic import program as clic
from verify.random.fastirq import program as fast
from verify.random.harts import posts
from verify.random.harts import program as harts
from verify.random.lockstep import corpus, engines, shrink
from verify.random.lockstep.engines import Engines, Settings, Verdict
from verify.random.pmp import program as pmp
from verify.random.programs import generator

_HALTS = (0, 100, 500, 2000)
"""Cycles, about, from one halt by a debugger to the next, where the harts have debug mode; 0: there is no debugger."""

BLOCKS = 600
"""Top-level blocks of a program; some 150 instructions are executed for each. With a CLIC it has a quarter of them,
with fastirq a tenth, each of several harts a fifteenth. With memory protection of 16 rows three of four seeds are
programs that change them; where harts post user interrupts, programs that do."""
_REPORT_LINES = 60


class LockstepError(AssertionError):
    """The engines disagree, or a program does not end; the message says where and how to see it again."""


def usual() -> list[str]:
    """Configurations worth many programs: all but variants, and variants with the CLINT, of CLIC and fastirq."""
    variants = ("mcu-clint-a", "mcu-clint-m", *clic.VARIANTS, *fast.VARIANTS, *pmp.CONFIGS, *posts.CONFIGS)
    return list(dict.fromkeys((*configurations.names(variants=False), *variants)))


def configs() -> list[str]:
    """Configurations that programs are made for: the usual ones, and those that exist only for tests."""
    return [*usual(), *corner_configurations.every()]


def make(seed: int, config: str, blocks: int = BLOCKS) -> tuple[generator.Program, Settings]:
    """The program of a seed and its circumstances, among them a start of registers and memory of its own."""
    program, settings = _draw(seed, config, blocks)
    settings = replace(settings, reset_seed=power_up.seed(seed))
    halts = _HALTS[seed % len(_HALTS)]
    if halts and configurations.load(config).first.debug:  # most of the cycles are then those of halts
        settings = replace(settings, halts=halts, max_cycles=20 * settings.max_cycles)
    return program, settings


def _draw(seed: int, config: str, blocks: int) -> tuple[generator.Program, Settings]:
    """What a seed draws."""
    if config in posts.CONFIGS and seed % 4 != 0:
        return posts.make(seed, config, max(1, blocks // 15))
    if len(configurations.load(config).harts) > 1:
        return harts.make(seed, config, max(1, blocks // 15))
    if configurations.load(config).first.scheme == "clic":
        return clic.make(seed, config, max(1, blocks // 4))
    if configurations.load(config).first.scheme == "fastirq":
        if configurations.load(config).first.regions == pmp.ROWS and seed % 4 != 0:
            return pmp.make(seed, config, max(1, blocks // 10))
        return fast.make(seed, config, max(1, blocks // 10))
    options = generator.Options(blocks, lockstep=True)
    program = generator.generate(seed, engines.base_of(config), options)
    rng = random.Random(f"{seed}/settings")
    return program, engines.draw(rng, configurations.load(config).first.lines, blocks)


def command(seed: int, config: str, blocks: int) -> str:
    """The command that runs a seed again."""
    return f"make soak SEEDS={seed} CONFIG={config}" + (f" BLOCKS={blocks}" if blocks != BLOCKS else "")


def check(seed: int, on: Engines, blocks: int = BLOCKS, cut: bool = True) -> Verdict:
    """Run a seed.

    Args:
        seed: of program and circumstances.
        on: the engines.
        blocks: size of the program.
        cut: on a failure, cut the program down.

    Raises:
        LockstepError: it failed; program, settings and what was cut down stay below build/random/lockstep.
        TrapezeError: a tool is missing or refuses the program.
    """
    program, settings = make(seed, on.config, blocks)
    with tempfile.TemporaryDirectory(prefix="trapeze-lockstep-") as name:
        elf = engines.assemble(program.text, program.base, Path(name))
        verdict = on.run(elf, settings)
        if verdict.passed:
            return verdict
        folder = engines.kept(on.config) / str(seed)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(name, folder)
    raise LockstepError(_explain(seed, on, blocks, program, settings, verdict, folder, cut))


def _explain(
    seed: int,
    on: Engines,
    blocks: int,
    program: generator.Program,
    settings: Settings,
    verdict: Verdict,
    folder: Path,
    cut: bool,
) -> str:
    (folder / "report.txt").write_text(verdict.report + "\n")
    (folder / "settings.txt").write_text(f"{settings}\n")
    report = "\n".join(verdict.report.splitlines()[:_REPORT_LINES])
    if verdict.kind == engines.PASS and verdict.code:
        report = f"exit code {verdict.code}: the program went astray on both engines\n{report}"
    text = f"seed {seed} on {on.config}: {verdict.kind}\n{report}\nkept: {folder}\n"
    if cut and verdict.kind == engines.MISMATCH and program.parts is not None:
        found = cut_down(seed, on, program, settings, verdict, folder)
        text += f"cut down: {found}\n" if found else "cutting it down failed: it does not fail every time\n"
    return text + f"again: {command(seed, on.config, blocks)}"


def cut_down(
    seed: int, on: Engines, program: generator.Program, settings: Settings, verdict: Verdict, folder: Path
) -> Path | None:
    """Shrink a program that shows a mismatch.

    Returns:
        The small program, in the corpus's format; None if the program does not fail again.
    """
    if program.parts is None:
        return None
    fails = shrink.Still(on, None, program.base, shrink.signature(verdict), folder)
    settings = shrink.bounded(settings, verdict)
    if not fails(program.parts, settings):
        return None
    parts, settings = shrink.shrink(program.parts, settings, fails, everything=False)
    # Once the mistake is corrected the program runs on to its end.
    settings = replace(settings, max_cycles=settings.max_cycles + 100_000)
    path = folder / f"seed-{seed}.s"
    corpus.write(path, on.config, settings, f"seed {seed}: {shrink.signature(verdict)}", parts.text())
    return path
