# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Where the cycles from one event to another went: what the task waited for, then tasks and functions by size.

A task that waits for a mutex, a semaphore or a queue takes no cycles itself. So its waits come first, each with its
length and what it was for; of a mutex with the task that held it, and with the function in which that task was longest.
Behind them all cycles follow by the task that took them, the largest share first; without tasks by function.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from trapeze.explaining import breakdown
from trapeze.explaining.breakdown import ENTRY_OF, HANDLERS, Cause, Step
from trapeze.simulation.traces import Record, TaskState

OF_A_TASK = 4
OF_ALL = 8
"""Functions that are named: of a task, and where no tasks are known."""

WAITS = 4
"""Waits that are told."""


@dataclass(frozen=True)
class Wait:
    """A wait of a task, as far as it lies between two events: what for, and from which cycle to which."""

    of: TaskState
    begin: int
    end: int


def waits(trace: Iterable[Record], begin: int, end: int) -> list[Wait]:
    """The waits of all tasks between two cycles."""
    found, open_ = [], dict[str, TaskState]()
    for one in trace:
        if not isinstance(one, TaskState) or one.cycle > end:
            continue
        if one.state == "waits":
            open_[one.task] = one
        elif one.state == "ready" and one.task in open_:
            since = open_.pop(one.task)
            found.append(Wait(since, max(begin, since.cycle), one.cycle))
    found += [Wait(one, max(begin, one.cycle), end) for one in open_.values()]
    return [one for one in found if one.begin < one.end]


def _chain(task: str, found: Sequence[Wait], seen: Sequence[str] = ()) -> list[Wait]:
    """The waits of a task, the longest first; behind each those of the task that held what it waited for."""
    chain: dict[Wait, None] = {}
    for one in sorted(found, key=lambda one: one.begin - one.end):
        if one.of.task != task:
            continue
        chain[one] = None
        if one.of.holder and one.of.holder not in (task, *seen):
            inside = [other for other in found if other.begin < one.end and other.end > one.begin]
            chain |= dict.fromkeys(_chain(one.of.holder, inside, (*seen, task)))
    return list(chain)


def _told(chain: Sequence[Wait], steps: Sequence[Step]) -> list[str]:
    """The waits in words, those of a task for the same together; and where who held it was meanwhile."""
    same: dict[tuple[str, str, str], list[Wait]] = {}
    for one in chain:
        same.setdefault((one.of.task, one.of.what, one.of.holder), []).append(one)
    said = []
    for (task, what, holder), some in list(same.items())[:WAITS]:
        times = f" in {len(some)} waits" if len(some) > 1 else ""
        words = f"`{task}` waited {sum(one.end - one.begin for one in some):,}{times} for {what}"
        if holder:
            places = Counter[str]()
            for step in steps:
                if step.task == holder and any(one.begin < step.end <= one.end for one in some):
                    places[step.part] += step.cycles
            words += f", held by `{holder}`" + (f" in `{places.most_common(1)[0][0]}`" if places else "")
        said.append(words)
    return said


def _shortened(causes: Sequence[Cause], named: int) -> str:
    """The largest, and how much the others are together; one more is named rather than counted."""
    if len(causes) <= named + 1:
        return breakdown.sentence(causes)
    rest = sum(one.cycles for one in causes[named:])
    return f"{breakdown.sentence(causes[:named])}, {len(causes) - named} others {rest}"


def sentence(trace: Iterable[Record], steps: Sequence[Step], begin: int) -> str:
    """In one line.

    Args:
        trace: In which the steps are.
        steps: From the one event to the other.
        begin: Cycle of the first event.
    """
    if not steps:
        return ""
    tasks = list(dict.fromkeys(one.task for one in steps))
    said = _told(_chain(steps[-1].task, waits(trace, begin, steps[-1].end)), steps)
    if tasks == [""]:
        return _shortened(breakdown.parts(steps), OF_ALL)
    shares = {task: [one for one in steps if one.task == task] for task in tasks}
    sizes = {task: sum(one.cycles for one in some) for task, some in shares.items()}
    for task in sorted(tasks, key=lambda one: -sizes[one]):
        name = f"task `{task}`" if task else "before the first task"
        if task == HANDLERS:
            came = dict.fromkeys(one.part for one in shares[task] if one.part.startswith(ENTRY_OF))
            name = task + (f" ({', '.join(part.removeprefix(ENTRY_OF) for part in came)})" if came else "")
        said.append(f"{name} {sizes[task]:,}: {_shortened(breakdown.parts(shares[task]), OF_A_TASK)}")
    return "; ".join(said)
