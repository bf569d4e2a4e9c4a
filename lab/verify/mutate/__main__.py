# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`make mutate`: make the design wrong in one way after another and see that the tests find each.

Without --drawn these are the mutations of data/, with it as many as are asked for are drawn by Yosys.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue

from trapeze.common.errors import TrapezeError
from verify.mutate import gates, mutations, room_tests, seeding
from verify.mutate.gates import Found
from verify.mutate.mutations import Mutation
from verify.mutate.netlist import command as drawn
from verify.mutate.netlist import sampling, trial
from verify.mutate.workshop import Workshop, default_jobs, workshops


@dataclass(frozen=True)
class Result:
    """What became of a mutation.

    Attributes:
        mutation: it.
        found: what found it; None: it survived.
        seconds: it took.
    """

    mutation: Mutation
    found: Found | None
    seconds: float

    @property
    def is_right(self) -> bool:
        """Found, or known to survive."""
        return (self.found is None) == (self.mutation.survives is not None)

    def row(self) -> str:
        """One line of the table."""
        if self.found is None:
            outcome = f"survived: {self.mutation.survives}" if self.mutation.survives else "SURVIVED"
        else:
            outcome = f"{self.found.gate}: {self.found.by}: {self.found.how}"
            if self.mutation.survives is not None:
                outcome = f"FOUND, though it is said to survive; {outcome}"
        return f"{self.mutation.name:34} {self.seconds:5.1f} s  {outcome}"


def run(chosen: list[Mutation], jobs: int, show: Callable[[Result], None] = lambda _: None) -> list[Result]:
    """Try mutations.

    Args:
        chosen: which.
        jobs: how many at a time.
        show: called with each result as it comes.

    Raises:
        TrapezeError: a mutation does not fit the sources or does not build.
    """
    mutations.check(chosen)

    def one(mutation: Mutation) -> Result:
        shop = free.get()
        start = time.monotonic()
        try:
            with shop.mutated(mutation) as wrong:
                found = gates.try_all(wrong, programs(mutation.config))
            found = found or room_tests.try_room(mutation, shop.folder / "tree")
        finally:
            free.put(shop)
        result = Result(mutation, found, time.monotonic() - start)
        show(result)
        return result

    free: SimpleQueue[Workshop] = SimpleQueue()
    with workshops(jobs) as shops, gates.programs() as programs, ThreadPoolExecutor(max_workers=jobs) as pool:
        for shop in shops:
            free.put(shop)
        return list(pool.map(one, chosen))


def baseline(chosen: list[Mutation]) -> None:
    """See that the sound design passes all gates.

    Raises:
        TrapezeError: it does not.
    """
    with workshops(1) as (shop,), gates.programs() as programs:
        for config in sorted({mutation.config for mutation in chosen}):
            if found := gates.try_all(shop.sound(config), programs(config)):
                raise TrapezeError(
                    f"the unchanged design fails on {config}: {found.gate} {found.by}: {found.how}", exit_code=1
                )


def table(results: list[Result]) -> str:
    """All results and their summary."""
    by_gate = Counter(result.found.gate for result in results if result.found is not None)
    explained = sum(result.found is None and result.is_right for result in results)
    wrong = [result.mutation.name for result in results if not result.is_right]
    lines = [result.row() for result in results]
    killed = ", ".join(f"{by_gate[gate]} by {gate}" for gate in gates.ALL)
    lines += [f"{len(results)} mutations: {by_gate.total()} found ({killed}), {explained} explained survivors"]
    lines += [f"not as they should be: {', '.join(wrong)}"] if wrong else []
    return "\n".join(lines)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m verify.mutate", description=__doc__, allow_abbrev=False)
    parser.add_argument("names", nargs="*", help="mutations; default all")
    parser.add_argument("--jobs", type=int, default=default_jobs(), help="mutations at a time")
    parser.add_argument("--drawn", type=int, metavar="COUNT", help="draw so many mutations instead of those of data/")
    parser.add_argument("--seed", type=int, default=sampling.SEED, help="of the draw")
    parser.add_argument("--config", choices=sampling.CONFIGS, help="draw in this configuration only")
    parser.add_argument("--again", action="store_true", help="of a draw, only those that survived the last time")
    parser.add_argument("--thorough", action="store_true", help="also programs that take long")
    parser.add_argument("--quick", action="store_true", help="only short programs and simple proofs, for a first look")
    parser.add_argument("--list", action="store_true", help="print the list and stop")
    parser.add_argument("--no-baseline", action="store_true", help="do not try the unchanged design first")
    parser.add_argument("--seed-corpus", action="store_true", help="cut down what finds each and add it to the corpus")
    return parser


def _choose(names: list[str]) -> list[Mutation]:
    every = mutations.load()
    unknown = set(names) - {mutation.name for mutation in every}
    if unknown:
        raise TrapezeError(f"no such mutation: {', '.join(sorted(unknown))}; --list names them")
    return [mutation for mutation in every if not names or mutation.name in names]


def main() -> int:
    """Run; 0 if every mutation is found or explained, 1 if not, 2 on bad input."""
    arguments = _parser().parse_args()
    try:
        if arguments.drawn is not None:
            if arguments.names or arguments.drawn < 1:
                raise TrapezeError("--drawn takes a number of mutations from 1 up, and no names")
            configs = [arguments.config] if arguments.config else sampling.CONFIGS
            usual = trial.THOROUGH if arguments.thorough else trial.FULL
            effort = trial.QUICK if arguments.quick else usual
            return drawn.main(arguments.drawn, arguments.seed, configs, arguments.jobs, effort, arguments.again)
        chosen = _choose(arguments.names)
        if arguments.list:
            print("\n".join(f"{mutation.name:34} {mutation.file}: {mutation.breaks}" for mutation in chosen))
            return 0
        mutations.check(chosen)
        if not arguments.no_baseline:
            baseline(chosen)
        if arguments.seed_corpus:
            return seeding.seed(chosen)
        done = Counter[str]()

        def show(result: Result) -> None:
            done["mutations"] += 1
            print(f"[{done['mutations']}/{len(chosen)}] {result.row()}", file=sys.stderr, flush=True)

        results = run(chosen, arguments.jobs, show)
    except TrapezeError as error:
        print(f"trapeze: error: {error}", file=sys.stderr)
        return error.exit_code
    print(table(results))
    return int(not all(result.is_right for result in results))


if __name__ == "__main__":
    sys.exit(main())
