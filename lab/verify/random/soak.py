# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`make soak`: random programs in lockstep, with fresh seeds on every configuration, for as long as asked.

The first failure ends it: the message has the seed, the command that repeats it, and where the program and what it
was cut down to are kept.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import count

from trapeze.common import processes
from trapeze.common.errors import TrapezeError
from trapeze.platform import configurations
from verify.random import seeds as lockstep
from verify.random.arguments import seed_range
from verify.random.lockstep.engines import Engines

_SEED_LIMIT = 1 << 48


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m verify.random.soak", description=__doc__, allow_abbrev=False)
    parser.add_argument("--minutes", type=float, help="how long; default 10, with --seeds as long as they take")
    parser.add_argument("--seeds", type=seed_range, metavar="A..B", help="these seeds instead of fresh ones")
    parser.add_argument("--config", choices=configurations.names(), help="one configuration instead of all")
    parser.add_argument("--blocks", type=int, default=lockstep.BLOCKS, help="size of a program")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="programs at a time")
    return parser


def one(seed: int, on: Engines, blocks: int) -> tuple[str, int, int, str]:
    """Run one seed in a process of its own.

    Returns:
        Configuration, instructions, cycles, and the failure's message or nothing.
    """
    try:
        verdict = lockstep.check(seed, on, blocks)
    except lockstep.LockstepError as error:
        return on.config, 0, 0, str(error)
    return on.config, verdict.instructions, verdict.cycles, ""


class Progress:
    """What was done so far, and a line that says so."""

    def __init__(self) -> None:
        self.instructions: Counter[str] = Counter()
        self.cycles = self.programs = 0
        self._start = self._last = time.monotonic()
        self._terminal = sys.stderr.isatty()

    def add(self, config: str, instructions: int, cycles: int) -> None:
        """Count one program."""
        self.instructions[config] += instructions
        self.cycles += cycles
        self.programs += 1
        now = time.monotonic()
        if now - self._last >= (1 if self._terminal else 30):
            self._last = now
            end = "\r" if self._terminal else "\n"
            print(f"soak: {self}", end=end, file=sys.stderr, flush=True)

    @property
    def seconds(self) -> float:
        """Since the start."""
        return time.monotonic() - self._start

    def __str__(self) -> str:
        """Totals."""
        total = self.instructions.total()
        return f"{total:,} instructions compared, {self.programs} programs, {self.seconds:.0f} s"


def soak(todo: Iterator[tuple[int, Engines]], blocks: int, seconds: float, jobs: int, progress: Progress) -> str:
    """Run programs until the time is over, there are no more, or one fails.

    Returns:
        The failure's message, or nothing.
    """
    failure = ""
    with ProcessPoolExecutor(max_workers=jobs, initializer=processes.end_with_parent) as pool:
        running: set[Future[tuple[str, int, int, str]]] = set()
        while True:
            while len(running) < jobs and not failure and progress.seconds < seconds:
                if (following := next(todo, None)) is None:
                    break
                running.add(pool.submit(one, *following, blocks))
            if not running:
                return failure
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                config, instructions, cycles, message = future.result()
                progress.add(config, instructions, cycles)
                failure = failure or message


def main() -> int:
    """Run; 0 if nothing failed, 1 on a failure, 2 on bad input."""
    arguments = _parser().parse_args()
    try:
        pairs = [Engines.of(name) for name in ([arguments.config] if arguments.config else lockstep.configs())]
    except TrapezeError as error:
        print(f"trapeze: error: {error}", file=sys.stderr)
        return error.exit_code
    start = time.time_ns() // 1_000_000 % _SEED_LIMIT
    seeds = iter(arguments.seeds) if arguments.seeds else count(start)
    minutes = arguments.minutes if arguments.minutes is not None else None if arguments.seeds else 10
    progress = Progress()
    todo = ((seed, on) for seed in seeds for on in pairs)
    limit = float("inf") if minutes is None else 60 * minutes
    try:
        failure = soak(todo, arguments.blocks, limit, arguments.jobs, progress)
    except TrapezeError as error:
        print(f"trapeze: error: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        failure = ""
    if failure:
        print(failure, file=sys.stderr)
    for config, instructions in sorted(progress.instructions.items()):
        print(f"{config}: {instructions:,} instructions")
    print(f"{progress}, {int(bool(failure))} failures")
    return int(bool(failure))


if __name__ == "__main__":
    sys.exit(main())
