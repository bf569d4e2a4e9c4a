# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Options of a run that exclude or need each other: all of them, and what is said of each.

What only the engine or the program shows, the simulator refuses (sim/app/refusals.cpp).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from trapeze.common.errors import TrapezeError
from trapeze.simulation.options import WAVES, Options


@dataclass(frozen=True)
class Asked:
    """What is asked of a run.

    Attributes:
        options: Of the run.
        sweeps: There is more than one run.
        spans: Spans are measured.
        until: A span or an event ends the run.
    """

    options: Options
    sweeps: bool
    spans: bool
    until: bool

    @property
    def gdb(self) -> bool:
        """A debugger controls the run."""
        return self.options.gdb is not None

    @property
    def jtag(self) -> bool:
        """A debugger has the JTAG port."""
        return self.options.jtag is not None

    @property
    def raises(self) -> bool:
        """Lines rise by options."""
        return bool(self.options.irq or self.options.stimuli or self.sweeps)

    @property
    def traced(self) -> str:
        """The kind of the trace; empty: there is none."""
        return self.options.trace_kind

    @property
    def spans_an_edge(self) -> bool:
        """A span begins or ends with an edge of a line."""
        return any(one.kind == "edge" for span in self.options.spans for one in (span.start, span.end))

    @property
    def ends_by_an_edge(self) -> bool:
        """An edge of a line ends the run."""
        until = self.options.until
        return until is not None and not isinstance(until.what, str) and until.what.kind == "edge"


@dataclass(frozen=True)
class Rule:
    """What is refused, and with which words."""

    refused: Callable[[Asked], bool]
    why: str


RULES = (
    Rule(
        lambda asked: asked.gdb and asked.traced == "vcd",
        "--gdb: its engine writes waves as FST; name the trace FILE.fst",
    ),
    Rule(
        lambda asked: asked.gdb and asked.options.engine == "lockstep",
        "--gdb stops one engine and lockstep runs two; use --engine rtl or --engine model",
    ),
    Rule(
        lambda asked: asked.gdb and asked.sweeps,
        "--gdb debugs one run and --sweep makes many; use --irq LINE@CYCLE for the run to debug",
    ),
    Rule(
        lambda asked: asked.gdb and asked.until,
        "--gdb stops where you say, and --until ends a run; use one of them",
    ),
    Rule(
        lambda asked: asked.gdb and asked.spans,
        "--gdb stops where you say, and spans measure a run; use one of them",
    ),
    Rule(
        lambda asked: asked.jtag and asked.gdb,
        "--jtag and --gdb: two debuggers would stop the same harts; use one of them",
    ),
    Rule(
        lambda asked: asked.options.halts is not None and (asked.jtag or asked.gdb),
        "--halts is a debugger, and so are --gdb and --jtag; use one of them",
    ),
    Rule(
        lambda asked: asked.options.halts is not None and (asked.sweeps or asked.until),
        "--halts: a debugger halts one run up to its end; leave out --sweep and --until",
    ),
    Rule(
        lambda asked: asked.jtag and asked.options.engine != "rtl",
        "--jtag: the JTAG port is of the design; use --engine rtl, or --gdb",
    ),
    Rule(
        lambda asked: asked.jtag and (asked.sweeps or asked.until or asked.spans or asked.options.budget is not None),
        "--jtag: a debugger stops where it likes, and --sweep, --until, --budget, --from and --to measure a whole run; "
        "leave them out",
    ),
    Rule(
        lambda asked: asked.jtag and asked.traced in WAVES and _bounded(asked.options),
        "--jtag: waves are of the whole run; leave out --trace-from and --trace-to",
    ),
    Rule(
        lambda asked: asked.options.budget is not None and asked.options.engine == "model",
        "--budget counts cycles, which the engine 'model' has not; use --engine rtl",
    ),
    Rule(
        lambda asked: asked.options.budget is not None and asked.gdb,
        "--gdb stops where you say, and --budget where an interrupt is late; use one of them",
    ),
    Rule(
        lambda asked: asked.options.budget is not None and not asked.raises,
        "--budget counts from the edge of a line; say which one rises when, with --irq LINE@CYCLE, "
        "--stimulus LINE:SPEC or --sweep LINE@FROM..TO",
    ),
    Rule(
        lambda asked: asked.spans_an_edge and not asked.raises,
        "--from, --to: no line rises; say which one and when with --irq, --stimulus or --sweep",
    ),
    Rule(
        lambda asked: asked.ends_by_an_edge and not asked.raises,
        "--until: no line rises; say which one and when with --irq, --stimulus or --sweep",
    ),
    Rule(
        lambda asked: asked.options.trace_from is not None and not asked.traced,
        "--trace-from bounds a trace; give one with --trace",
    ),
    Rule(
        lambda asked: asked.options.trace_to is not None and not asked.traced,
        "--trace-to bounds a trace; give one with --trace",
    ),
    Rule(
        lambda asked: asked.gdb and asked.traced in WAVES and _bounded(asked.options),
        "--gdb stops where you say: its waves are of the whole run; leave out --trace-from and --trace-to",
    ),
    Rule(
        lambda asked: bool(asked.options.stimuli) and asked.sweeps,
        "--stimulus raises lines in one run, and --sweep makes many; use one of them",
    ),
    Rule(
        lambda asked: asked.options.log is not None and (asked.spans or asked.sweeps or asked.gdb),
        "calls are listed of one run without spans, --sweep and --gdb; leave them out",
    ),
    Rule(
        lambda asked: asked.options.engine == "lockstep" and asked.sweeps,
        "lockstep compares one run and --sweep makes many; use --irq LINE@CYCLE for the run to compare",
    ),
    Rule(
        lambda asked: asked.options.coherence and (asked.gdb or asked.sweeps or asked.options.engine == "lockstep"),
        "--coherence looks at one run of one engine; leave out --gdb, --sweep and lockstep",
    ),
    Rule(
        lambda asked: bool(asked.options.restarts) and (asked.gdb or asked.sweeps or bool(asked.traced)),
        "--restart: not with --sweep, --gdb or --trace, which follow one program; leave them out",
    ),
    Rule(
        lambda asked: asked.options.turn is not None and asked.options.engine not in ("model", "timed"),
        "--turn is for the model, whose harts execute one after the other; use --engine model",
    ),
    Rule(
        lambda asked: asked.options.uart is not None and asked.options.uart_in is not None,
        "--uart pty: who opens the terminal talks to the console, and so does --uart-in; use one of them",
    ),
)
"""In the order in which they are tried."""


def check(options: Options, *, sweeps: bool = False, spans: bool = False, until: bool = False) -> None:
    """Refuse options that do not go together.

    Args:
        options: As far as they are known.
        sweeps: There will be sweeps, too.
        spans: There will be spans.
        until: Something will end the run.

    Raises:
        TrapezeError: the message says which ones, and what to do.
    """
    asked = Asked(
        options,
        sweeps or options.sweep is not None,
        spans or bool(options.spans),
        until or options.until is not None,
    )
    _ = options.trace_kind, options.trace_path  # which refuse what is no trace
    for rule in RULES:
        if rule.refused(asked):
            raise TrapezeError(rule.why)
    first, last = options.trace_from, options.trace_to
    if first is not None and last is not None and first > last:
        raise TrapezeError(f"--trace-from {first} is behind --trace-to {last}; give the smaller one first")
    if asked.sweeps and asked.traced and options.budget is None:
        raise TrapezeError("--trace shows one run and --sweep makes many; use --irq LINE@CYCLE for the run to trace")


def _bounded(options: Options) -> bool:
    return options.trace_from is not None or options.trace_to is not None
