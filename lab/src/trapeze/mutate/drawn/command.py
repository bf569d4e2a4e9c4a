# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Draws mutations and tries them: `python -m trapeze.mutate --drawn COUNT`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from trapeze.common import paths
from trapeze.mutate import gates
from trapeze.mutate.drawn import drawing, opened, report
from trapeze.mutate.drawn.drawing import Drawn
from trapeze.mutate.drawn.netlist import Netlist
from trapeze.mutate.drawn.trying import FULL, Effort, Outcome, Trial
from trapeze.mutate.workshop import Workshop, alone

RESULT = paths.BUILD / "mutate" / "drawn.json"


def draw(count: int, seed: int, configs: Sequence[str]) -> list[tuple[Workshop, Netlist, list[Drawn]]]:
    """Read the netlists of configurations and draw mutations over their rooms."""
    shops = [Workshop(f"drawn-{name}") for name in configs]
    netlists = [Netlist(name, shop.folder / "netlist") for name, shop in zip(configs, shops, strict=True)]
    cells = {(netlist.config, room): number for netlist in netlists for room, number in netlist.cells.items()}
    parts = drawing.shares(cells, count)
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
    entries = opened.load()
    outcomes: list[Outcome] = []
    with alone(), gates.programs() as programs:
        for shop, netlist, drawn in draw(count, seed, configs):
            chosen = choose(drawn)
            made = shop.of_netlist(netlist.config, netlist.write(chosen))
            trial = Trial(netlist, chosen, made, programs(netlist.config), effort)
            outcomes += trial.all(lambda one: opened.reason(entries, one), jobs, show)
    return outcomes


def main(count: int, seed: int, configs: Sequence[str], jobs: int, effort: Effort) -> int:
    """Draw, try and show; 0 if each was found, is proven to change nothing, or is on the list of open ones."""
    done: list[Outcome] = []

    def show(outcome: Outcome) -> None:
        done.append(outcome)
        print(f"[{len(done)}/{count}] {outcome.row()}", file=sys.stderr, flush=True)
        report.write(RESULT, done, seed)

    outcomes = run(count, seed, configs, jobs, effort, show)
    report.write(RESULT, outcomes, seed)
    print(report.table(outcomes))
    print(f"drawn with seed {seed}; all outcomes: {RESULT.relative_to(paths.ROOT)}")
    return int(any(one.survived and one.reason is None for one in outcomes))
