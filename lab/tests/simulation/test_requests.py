# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The value that the simulator runs: its grammar, its schema, and what is refused before it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from trapeze.common import paths
from trapeze.common.edges import Edge, EdgeRange, Stimulus
from trapeze.common.errors import TrapezeError
from trapeze.common.schema import composed
from trapeze.platform import configurations
from trapeze.simulation import refusals, simulator
from trapeze.simulation.calls import EventLog
from trapeze.simulation.events import Event, Span, Until
from trapeze.simulation.options import Options

SCHEMA = json.loads((paths.ROOT / "sim" / "app" / "request.schema.json").read_text())
NEVER = Event("marker:7", "marker", 0, 7)
RISE = Event("edge:1", "edge", 0, 1)
STORE = Event("store:x=1", "store", 1, address=0x8000_0000, size=4, value=1)


def test_every_field_is_as_the_schema_says(tmp_path: Path) -> None:
    """Between them these runs have every field that options can fill."""
    amp = configurations.load("amp")
    plain = Options(
        irq=(Edge(3, 4000, ":pulse=5", 1),),
        spans=(Span("a", NEVER, STORE, 5),),
        until=Until("a", 2),
        trace=Path("log:-"),
        trace_from=1,
        trace_to=2,
        budget=9,
        wait_data=3,
        reset_seed=1,
    )
    runs = (
        plain,
        Options(sweep=EdgeRange(1, 5, 9), sweep_part=(6, 7), uart_in=Path("-")),
        Options(stimuli=(Stimulus.parse("1:3:uniform=5..9,burst=2x3,n=5,seed=7"),), stamps_of=5, max_cycles=None),
        Options(engine="timed", log=EventLog(tmp_path / "log", amp.platform), keys=True, last_hart=0, turn=3),
        Options(engine="model", restarts=((1, 1000),), until=Until(STORE)),
        Options(jtag=0),
        Options(halts=100),
        Options(engine="model", gdb=0, coherence=False, symbols=((0, tmp_path / "x.elf"),), uart="pty"),
    )
    frame = {"schema": simulator.SCHEMA, "command": "", "config": "amp", "engine": "", "programs": ["x.elf"]}
    validator = composed(SCHEMA, ())
    filled = set(frame)
    for options in runs:
        made = frame | options.to_json()
        assert not list(validator.iter_errors(json.loads(json.dumps(made)))), made
        filled |= set(made)
    assert set(SCHEMA["properties"]) - filled == {"platform", "follow", "kernels"}, (
        "those of the program and the engine"
    )


@pytest.mark.parametrize(
    "text",
    [
        *("", "3", "@5", "x@5", "3@", "3@-1", "-3@1", "3@1e3", "3@5:", "3@5:pulse=", "3@5:pulse=0", "3@5:high"),
        *("3@5 ", "5000@1", "3@99999999999999999999", ":3@10", "x:3@10", "1:@10", "1:2:3@10", "-1:3@10"),
    ],
)
def test_edges_that_are_none(text: str) -> None:
    with pytest.raises(TrapezeError, match="--irq"):
        Edge.parse(text)


@pytest.mark.parametrize(
    "text", ["", "7", "7@10", "7@10..", "7@..10", "7@20..10", "7@-5..10", "7@10...20", "7@1..2:x", "5000@1..2"]
)
def test_ranges_that_are_none(text: str) -> None:
    with pytest.raises(TrapezeError, match="--sweep"):
        EdgeRange.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        *("", "3", "3:", "x:every=1", "3:every", "3:every=0", "3:every=x", "3:n=5", "3:every=5,exp=9"),
        *("3:every=5,every=6", "3:uniform=5", "3:uniform=9..5", "3:uniform=0..5", "3:exp=-1", "3:every=9,burst=3"),
        *("3:every=9,burst=0x5", "3:every=9,burst=3x5", "3:every=9,n=0", "3:every=9,pulse=0", "3:every=9,what=1"),
        *("3:every=9,", "4096:every=9", "1:2:3:every=9", "3:every=99999999999999999999", "3:file="),
        *("3:exp=5,burst=99999999999999999x99999999999", "3:file=x,from=3", "3:every=9,from=-1"),
    ],
)
def test_stimuli_that_are_none(text: str) -> None:
    with pytest.raises(TrapezeError, match="--stimulus"):
        Stimulus.parse(text)


def test_every_rule_refuses_something() -> None:
    """Each pair of options that excludes each other, by the rule of its own."""
    edge, span, sweep = (Edge(1, 5),), (Span("a", NEVER, STORE),), EdgeRange(1, 5, 9)
    log = EventLog(Path("x"), configurations.load("amp").platform)
    gdb, jtag, coherent = Options(gdb=0), Options(jtag=0), Options(engine="model", coherence=True)
    refused = (
        replace(gdb, trace=Path("x.vcd")),
        replace(gdb, engine="lockstep"),
        replace(gdb, sweep=sweep),
        replace(gdb, until=Until(STORE)),
        replace(gdb, spans=span),
        replace(jtag, gdb=0),
        replace(gdb, halts=9),
        Options(halts=9, sweep=sweep),
        replace(jtag, engine="lockstep"),
        replace(jtag, sweep=sweep),
        replace(jtag, trace=Path("x.fst"), trace_to=5),
        Options(engine="model", budget=5, irq=edge),
        replace(gdb, budget=5, irq=edge),
        Options(budget=5),
        Options(spans=(Span("a", RISE, NEVER),)),
        Options(until=Until(RISE)),
        Options(trace_from=5),
        Options(trace_to=5),
        replace(gdb, trace=Path("x.fst"), trace_to=5),
        Options(stimuli=(Stimulus.parse("1:every=9"),), sweep=sweep),
        Options(log=log, spans=span),
        Options(engine="lockstep", sweep=sweep),
        replace(coherent, gdb=0),
        Options(engine="model", restarts=((1, 5),), trace=Path("x.log")),
        Options(turn=5),
        Options(uart="pty", uart_in=Path("x")),
    )
    said = []
    for options in refused:
        with pytest.raises(TrapezeError) as error:
            refusals.check(options)
        said.append(str(error.value))
    assert said == [rule.why for rule in refusals.RULES]
    for options, text in (
        (Options(trace=Path("x.log"), trace_from=9, trace_to=5), "--trace-from 9 is behind"),
        (Options(trace=Path("x.log"), sweep=sweep), "--trace shows one run"),
        (Options(trace=Path("x.wave")), "the suffix says what is written"),
    ):
        with pytest.raises(TrapezeError, match=text):
            refusals.check(options)
