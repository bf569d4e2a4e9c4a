# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Spans of `trapeze run`: from the words of its command line to rows of results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from trapeze.commandline import clock
from trapeze.common.errors import TrapezeError, choices
from trapeze.explaining.worst_case import LABEL
from trapeze.platform.configurations import Config
from trapeze.reports.tables import centre, number
from trapeze.results.rows import Failure, Row
from trapeze.results.statistics import summarize_counts
from trapeze.simulation import events
from trapeze.simulation.events import Span, Until
from trapeze.simulation.records import Run, SpanRecord

UNTIL = "until"
"""How a run ended that --until ended."""


@dataclass(frozen=True)
class RequestedSpans:
    """What the command line says of spans: the k-th --from goes with the k-th --to and the k-th --name."""

    starts: Sequence[str] = ()
    ends: Sequence[str] = ()
    names: Sequence[str] = ()
    budgets: Mapping[str | None, int] = field(default_factory=dict)
    until: str | None = None

    def resolve(self, elf: Path, others: Sequence[Path], config: Config) -> tuple[tuple[Span, ...], Until | None]:
        """The spans, with addresses, and what ends the run.

        Raises:
            TrapezeError: an event that cannot be, one without its other end, a name that is there twice or stands for
                no span.
        """
        for option, some, other in (("--from", self.starts, "--to"), ("--to", self.ends, "--from")):
            without = max(len(self.starts), len(self.ends)) - len(some)
            if without:
                raise TrapezeError(
                    f"{other} without {option}: a span has two events; give as many of the one as of the other"
                )
        if self.names and len(self.names) != len(self.starts):
            raise TrapezeError(
                f"--name: {len(self.names)} for {len(self.starts)} spans (--from ... --to ...); name all, or none"
            )
        programs = events.programs_of(elf, others, len(config.harts))
        names = self.names or [f"{start}..{end}" for start, end in zip(self.starts, self.ends, strict=True)]
        if len(set(names)) != len(names):
            twice = next(name for name in names if list(names).count(name) > 1)
            raise TrapezeError(f"--name {twice}: there are two spans of this name; give each one of its own")
        for name in self.budgets:
            if name not in names:
                raise TrapezeError(f"--budget {name}=...: there is no such span; {choices(str(name), names)}")
        spans = tuple(
            Span(
                name,
                events.parse(start, "--from", programs),
                events.parse(end, "--to", programs),
                self.budgets.get(name),
            )
            for name, start, end in zip(names, self.starts, self.ends, strict=True)
        )
        return spans, until(self.until, spans, programs)


def until(text: str | None, spans: Sequence[Span], programs: Sequence[events.Program]) -> Until | None:
    """What --until names: a span or an event, and behind `=` how often it has to come.

    Of `store:SYMBOL=VALUE` what stands behind `=` is the value.

    Raises:
        TrapezeError: there is no such span or event, or the number is not above 0.
    """
    if text is None:
        return None
    names = [span.name for span in spans]
    if text in names:
        return Until(text)
    what, equals, number = text.rpartition("=")
    if not equals or (text.startswith("store:") and what not in names):
        what, number = text, "1"
    kind, colon, _ = what.partition(":")
    if what not in names and not (colon and kind in events.FORMS):
        raise TrapezeError(
            f"--until {text}: there is no such span or event; {choices(what, names) if names else 'measure one'}, or "
            f"use an event: {', '.join(events.FORMS.values())}"
        )
    if not (number.isascii() and number.isdecimal()) or not 0 < int(number) < 2**63:
        raise TrapezeError(f"--until {text}: '{number}' is no number of times above 0; use SPAN=N or EVENT=N")
    return Until(what if what in names else events.parse(what, "--until", programs), int(number))


def budgets(words: Sequence[str]) -> dict[str | None, int]:
    """The values of --budget: `N` of interrupts, under None, and `NAME=N` of spans.

    Raises:
        TrapezeError: one that is no number above 0, or comes twice.
    """
    found: dict[str | None, int] = {}
    for word in words:
        name, equals, text = word.rpartition("=")
        key = name if equals else None
        if not text.isdecimal() or int(text) == 0:
            raise TrapezeError(f"--budget {word}: '{text}' is no number of cycles above 0; use N, or NAME=N of a span")
        if key in found:
            raise TrapezeError(f"--budget {word}: there are two for the same; give one")
        found[key] = int(text)
    return found


def rows(record: Run, spans: Sequence[Span], config: Config) -> list[Row]:
    """A row for each span that ended at least once."""
    unit = "instructions" if record.engine == "model" else "cycles"
    made = []
    for span, one in zip(spans, record.spans, strict=True):
        if one.worst is None:
            continue
        made.append(
            Row(
                id=f"span/{span.name}",
                config=config.name,
                engine=record.engine,
                metric="span",
                unit=unit,
                statistics=summarize_counts(one.histogram),
                labels={**config.labels(span.end.hart), "name": span.name, **_whose(span, record)},
                more={
                    "from": str(span.start),
                    "to": str(span.end),
                    "open": one.open,
                    "missed": one.missed,
                    "worst": list(one.worst),
                }
                | ({"unwoken": one.unwoken} if one.unwoken else {}),
            )
        )
    return made


def _whose(span: Span, record: Run) -> dict[str, str]:
    """The hart of the end, with several harts."""
    return {"hart": str(span.end.hart)} if record.harts > 1 and span.end.kind != "signal" else {}


def _events(span: Span, record: Run) -> str:
    """With several harts: the events, which say whose they are."""
    return f" ({span.start} to {span.end})" if record.harts > 1 else ""


def _unwoken(span: Span, one: SpanRecord) -> str:
    """Interrupts that did not wake the task, which ran or was ready."""
    what = {"edge": "edge", "claim": "interrupt"}.get(span.start.kind, str(span.start))
    several = one.unwoken > 1
    if what == str(span.start):
        return f"{one.unwoken} times {what} was served without a wake"
    return f"{one.unwoken} {what}{'s were' if several else ' was'} served without a wake"


def _left(span: Span, one: SpanRecord, cut: bool) -> str:
    """Starts without an end of their own."""
    said = [_unwoken(span, one)] if one.unwoken else []
    said += [f"{one.missed} missed (began while one was open)"] if one.missed else []
    said += [f"{lacks} open ({'cut off by --until' if cut else 'never ended'})"] if (lacks := _lacks(span, one)) else []
    return ", ".join(said)


def never(record: Run, spans: Sequence[Span]) -> list[Failure]:
    """The spans that never ended."""
    return [
        Failure("run", f"span/{span.name}", _why_never(span, one))
        for span, one in zip(spans, record.spans, strict=True)
        if one.worst is None
    ]


def incomplete(record: Run, spans: Sequence[Span]) -> bool:
    """Whether a figure is missing: a span never ended, or one of its starts has no end and may be the worst.

    What --until cuts off is not missing.
    """
    return any(
        one.worst is None or (_lacks(span, one) != 0 and record.reason != UNTIL)
        for span, one in zip(spans, record.spans, strict=True)
    )


def _lacks(span: Span, one: SpanRecord) -> int:
    """Starts whose figure is missing. Of a period the last event only ends the one before it."""
    return 0 if span.start == span.end else one.open


def _why_never(span: Span, one: SpanRecord) -> str:
    if started := one.open + one.missed + one.unwoken:
        served = f"; {_unwoken(span, one)}" if one.unwoken else ""
        return f"{span.start} came {started} times, and {span.end} never after it{served}"
    return f"{span.start} never came"


def summary(record: Run, spans: Sequence[Span], made: Sequence[Row], mhz: float | None = None) -> list[str]:
    """What the spans took, for the terminal, and why the longest took so long, which the rows know."""
    reasons = {row.labels["name"]: row.labels.get(LABEL) for row in made if row.metric == "span"}
    unit = "instructions" if record.engine == "model" else "cycles"
    said = []
    for span, one in zip(spans, record.spans, strict=True):
        if one.worst is None:
            said.append(f"span {span.name}: no figure, {_why_never(span, one)}")
            continue
        found = summarize_counts(one.histogram)
        spread = number(found.min) if found.min == found.max else f"{number(found.min)} to {number(found.max)}"
        left = _left(span, one, record.reason == UNTIL)
        said.append(
            f"span {span.name}{_events(span, record)}: {spread}, {centre(found)} {unit}, n = {found.n}"
            + clock.beside(mhz, (found.min, found.max))
            + f"; worst from {one.worst[0]} to {one.worst[1]}"
            + (f"; {left}" if left else "")
        )
        if reason := reasons.get(span.name):
            said.append(f"  worst: {reason}")
    return said
