# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""A campaign from its file to its table: which cases are to be run, and keeping what comes back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice

import pyarrow as pa

from trapeze.campaigns import keys
from trapeze.campaigns.cluster import Cluster, Waiting, connected
from trapeze.campaigns.keys import Requests
from trapeze.campaigns.plan import Case, Plan
from trapeze.campaigns.store import Row, Store
from trapeze.campaigns.worker import Chunk, Ended, Made
from trapeze.common.errors import TrapezeError

LOST = -1
"""In the place of an exit code, of a run whose workers died."""

Note = Callable[[int, Sequence[Row]], None]
"""Told how many cases are to be run, and each time the rows that came."""


@dataclass(frozen=True)
class Finished:
    """A campaign that is done.

    Attributes:
        table: Of all its cases, in order.
        ran: Runs that were made for that.
        same: Cases whose run is that of another case: their flags give the same program.
        requests: Of its cases.
    """

    table: pa.Table
    ran: int
    same: int
    requests: Requests


def worst(ended: Ended) -> int | None:
    """The longest latency of a run, of whatever line."""
    return max((one.most for one in ended.lines if one.most is not None), default=None)


def _row(case: Case, identity: str, ended: Ended) -> Row:
    figures = {"cycles": ended.cycles, "instructions": ended.instructions, "worst": worst(ended)}
    kept = {"ended": ended.how, "code": ended.code, "said": ended.said, "identity": identity}
    lines = [asdict(one) for one in ended.lines]
    return {"number": case.number, "key": keys.key(identity), **case.parameters(), **kept, **figures, "lines": lines}


class _Due:
    """Cases that are to be run, in chunks."""

    def __init__(self, plan: Plan, requests: Requests, numbers: Sequence[int]) -> None:
        self._plan = plan
        self._requests = requests
        self._rest: Iterator[int] = iter(numbers)

    def draw(self, count: int) -> Chunk | None:
        """The next ones."""
        cases = [self._plan.case(number) for number in islice(self._rest, count)]
        if not cases:
            return None
        return self._requests.chunk(cases)

    def rows(self, chunk: Chunk, made: Made | None) -> list[Row]:
        """Of a chunk that came back."""
        lost = [
            Ended(one.number, "lost", LOST, said="each worker that ran it died, also when it ran nothing else")
            for one in chunk.runs
        ]
        found = []
        for ended in lost if made is None else made.ends:
            case = self._plan.case(ended.number)
            found.append(_row(case, self._requests.identity(case), ended))
        return found


def run(
    plan: Plan, store: Store, sample: int | None, again: bool, address: str | None, note: Note, waiting: Waiting
) -> Finished:
    """Run the cases of a campaign that are not in its store.

    Args:
        plan: The campaign.
        store: Where its runs are kept.
        sample: Cases to draw; None: all.
        again: Run those that failed once more.
        address: Of a cluster; None: the cores of this machine.
        note: Told what comes.
        waiting: Told why nothing comes.

    Raises:
        TrapezeError: bad input that shows before the first run, a simulator that refuses the first runs, or a cluster
            that has no workers for long.
    """
    numbers = plan.numbers(sample)
    with store.writing(plan, sample):
        requests = Requests(plan, store.programs)
        of = {number: keys.key(requests.identity(plan.case(number))) for number in numbers}
        wanted = {key: number for number, key in reversed(of.items())}  # the first case of each run
        ends = store.ends()
        due = _due(wanted, ends, again)
        note(len(due), ())
        if due:
            with connected(address, waiting) as cluster:
                _execute(store, _Due(plan, requests, due), cluster, lambda rows: note(len(due), rows))
        table = store.finish(of, lambda number: plan.case(number).parameters())
        return Finished(table, len(due), len(of) - len(wanted), requests)


def _due(wanted: Mapping[str, int], ends: Mapping[str, int], again: bool) -> list[int]:
    """The cases to run, in order."""
    return sorted(number for key, number in wanted.items() if (bool(ends[key]) and again if key in ends else True))


def _execute(store: Store, due: _Due, cluster: Cluster, note: Callable[[Sequence[Row]], None]) -> None:
    first = True
    for chunk, made in cluster.each(due.draw):
        rows = due.rows(chunk, made)
        if first and all(row["ended"] == "refused" for row in rows):
            raise TrapezeError(f"the simulator refuses the campaign's runs: {rows[0]['said']}")
        first = False
        store.append(rows)
        note(rows)
