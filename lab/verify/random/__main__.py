# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`python -m verify.random`: run seeds against QEMU until one fails or all are done."""

from __future__ import annotations

import argparse
import random
import sys
import time

from trapeze.common.errors import TrapezeError
from trapeze.platform import configurations
from verify.random.arguments import seed_range
from verify.random.instructions import isa
from verify.random.programs import generator
from verify.random.qemu import suite
from verify.random.qemu.execute import Variation


def _weight(text: str) -> tuple[str, int]:
    name, _, value = text.partition("=")
    if name not in generator.WEIGHTS or not value.isdigit():
        raise argparse.ArgumentTypeError(f"{text}: write BLOCK=N with a block of {', '.join(generator.WEIGHTS)}")
    return name, int(value)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m verify.random", description=__doc__, allow_abbrev=False)
    parser.add_argument("--seed", "--seeds", dest="seeds", type=seed_range, default=range(1, 11), metavar="A..B")
    parser.add_argument("--config", default="mcu-clint", choices=(*configurations.names(), "app"))
    parser.add_argument("--blocks", type=int, default=generator.Options().blocks, help="top-level blocks of a program")
    parser.add_argument("--async", dest="is_async", action="store_true", help="programs to interrupt anywhere")
    parser.add_argument("--weight", type=_weight, action="append", default=[], metavar="BLOCK=N")
    parser.add_argument("--wait-instr", type=int, help="chance of a wait state in 1/256; default: none, then random")
    parser.add_argument("--wait-data", type=int)
    parser.add_argument("--wait-seed", type=int, default=1)
    parser.add_argument("--interrupts", type=int, default=0, help="platform interrupts at random cycles; with --async")
    parser.add_argument("--engine", choices=("rtl", "model"), default="rtl", help="what is held against QEMU")
    parser.add_argument("--keep-going", action="store_true", help="do not stop at the first failure")
    return parser


def variations(seed: int, interrupts: int) -> list[Variation]:
    """The usual set for a seed: without wait states, and with random ones on either or both ports."""
    rng = random.Random(seed)
    data_heavy = rng.choice((0, 30, 90)), rng.choice((30, 128, 200))
    instr_heavy = rng.choice((60, 128, 200)), rng.choice((0, 60))
    stalls = [(0, 0), data_heavy, instr_heavy]
    return [Variation(instr, data, seed + index, interrupts) for index, (instr, data) in enumerate(stalls)]


def main() -> int:
    """Run the seeds of the command line; 0 if all pass, 1 on a mismatch, 2 on bad input."""
    arguments = _parser().parse_args()
    if arguments.interrupts and not arguments.is_async:
        print("trapeze: error: --interrupts needs --async: other programs observe their traps", file=sys.stderr)
        return 2
    options = generator.Options(arguments.blocks, arguments.is_async, tuple(arguments.weight))
    failures = instructions = 0
    executed: set[str] = set()
    start = time.monotonic()
    for seed in arguments.seeds:
        todo = variations(seed, arguments.interrupts)
        runner = suite.rtl(arguments.config)
        if arguments.engine == "model":
            todo, runner = [Variation()], suite.model(arguments.config)
        if arguments.wait_instr is not None or arguments.wait_data is not None:
            todo = [
                Variation(
                    arguments.wait_instr or 0, arguments.wait_data or 0, arguments.wait_seed, arguments.interrupts
                )
            ]
        try:
            passed = suite.check(seed, arguments.config, options, todo, runner)
        except TrapezeError as error:
            print(f"trapeze: error: {error}", file=sys.stderr)
            return error.exit_code
        except suite.MismatchError as mismatch:
            failures += 1
            print(mismatch, file=sys.stderr)
            if not arguments.keep_going:
                return 1
            continue
        instructions += passed.instructions.total()
        executed |= set(passed.counts)
        print(f"seed {seed}: {passed.instructions.total()} instructions, {passed.cycles.total()} cycles", flush=True)
    never = sorted(set(isa.ALL_MNEMONICS) - executed)
    print(f"{instructions} instructions in {time.monotonic() - start:.0f} s, {failures} failures")
    print(f"never executed: {', '.join(never) or 'none'}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
