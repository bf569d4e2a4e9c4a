# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Draws mutations and tries them: `python -m verify.mutate --drawn COUNT`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from trapeze.common import paths
from verify.mutate import gates
from verify.mutate.netlist import known_survivors, report, sampling
from verify.mutate.netlist.sampling import Drawn
from verify.mutate.netlist.trial import FULL, Effort, Outcome, Trial
from verify.mutate.netlist.yosys import Netlist
from verify.mutate.workshop import Workshop, alone

RESULT = paths.BUILD / "mutate" / "netlist.json"
AGAIN = paths.BUILD / "mutate" / "netlist-again.json"


def draw(count: int, seed: int, configs: Sequence[str]) -> list[tuple[Workshop, Netlist, list[Drawn]]]:
    """Read the netlists of configurations and draw mutations over their rooms."""
    shops = [Workshop(f"netlist-{name}") for name in configs]
    netlists = [Netlist(name, shop.folder / "netlist") for name, shop in zip(configs, shops, strict=True)]
    cells = {(netlist.config, room): number for netlist in netlists for room, number in netlist.cells.items()}
    parts = sampling.shares(cells, count)
    return [
        (shop, netlist, netlist.draw({room: parts[netlist.config, room] for room in netlist.cells}, seed))
        for shop, netlist in zip(shops, netlists, strict=True)
    ]


def run(
    count: int,
    seed: int,
    configs: Sequence[str],
    jobs: int,
    effort: Effort = FULL,
    show: Callable[[Outcome], None] = lambda _: None,
    choose: Callable[[list[Drawn]], list[Drawn]] = lambda drawn: drawn,
) -> list[Outcome]:
    """Draw mutations and try them.

    Args:
        count: How many.
        seed: Of the draw.
        configs: Configurations whose netlists are drawn from.
        jobs: Mutations that are tried at a time.
        effort: For each.
        show: Called with each outcome as it comes.
        choose: Of the mutations of a netlist those that are tried.

    Raises:
        TrapezeError: a netlist is not made or not built, or the right one fails.
    """
    entries = known_survivors.load()
    with alone(), gates.programs() as programs:
        trials = []
        for shop, netlist, drawn in draw(count, seed, configs):
            if chosen := choose(drawn):
                made = shop.of_netlist(netlist.config, netlist.write(chosen))
                trials.append(Trial(netlist, chosen, made, programs(netlist.config), effort))
        # Mixed, so that a part of the outcomes speaks for all.
        todo = [(trial, drawn) for trial in trials for drawn in trial.chosen]
        todo.sort(key=lambda what: sampling.rank(str(seed), what[1]))

        def one(what: tuple[Trial, Drawn]) -> Outcome:
            outcome = what[0].one(what[1])
            show(outcome)
            return outcome

        def more(what: tuple[Trial, Drawn], outcome: Outcome) -> Outcome:
            if not outcome.survived:
                return outcome
            outcome = what[0].more(outcome)
            if outcome.survived:
                outcome = replace(outcome, reason=known_survivors.reason(entries, outcome.drawn))
            show(outcome)
            return outcome

        with ThreadPoolExecutor(max_workers=jobs) as pool:
            return list(pool.map(more, todo, list(pool.map(one, todo))))


def main(count: int, seed: int, configs: Sequence[str], jobs: int, effort: Effort, again: bool = False) -> int:
    """Draw, try and show; 0 if each was found, is proven to change nothing, or is on the list of open ones.

    Args:
        count: How many.
        seed: Of the draw.
        configs: Configurations whose netlists are drawn from.
        jobs: Mutations that are tried at a time.
        effort: For each.
        again: Only those of the draw that survived the last time, by `RESULT`.

    Raises:
        TrapezeError: see `run`; or there is no last time with this seed.
    """
    result, left = (AGAIN, report.survivors(RESULT, seed)) if again else (RESULT, None)
    done: dict[tuple[str, int], Outcome] = {}

    def choose(drawn: list[Drawn]) -> list[Drawn]:
        return [one for one in drawn if left is None or (one.config, one.number, one.what) in left]

    def show(outcome: Outcome) -> None:
        done[outcome.drawn.config, outcome.drawn.number] = outcome
        print(f"[{len(done)}/{count if left is None else len(left)}] {outcome.row()}", file=sys.stderr, flush=True)
        report.write(result, list(done.values()), seed)

    outcomes = run(count, seed, configs, jobs, effort, show, choose)
    report.write(result, outcomes, seed)
    print(report.table(outcomes))
    print(f"drawn with seed {seed}; all outcomes: {result.relative_to(paths.ROOT)}")
    return int(any(one.survived and one.reason is None for one in outcomes))
