# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The record of a run: its schema, the classes that hold it and what the simulator writes have the same fields."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import pytest

from trapeze.common.edges import Edge, EdgeRange, Stimulus
from trapeze.firmware import toolchain
from trapeze.platform import configurations
from trapeze.simulation import cycle_causes, events, records, simulator
from trapeze.simulation.options import Options

SCHEMA: Mapping[str, Any] = json.loads(records.SCHEMA.read_text())


def parts(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """A schema and those it is made of, references followed."""
    yield schema
    if (reference := schema.get("$ref")) is not None:
        yield from parts(SCHEMA["$defs"][reference.removeprefix("#/$defs/")])
    for one in (*schema.get("allOf", ()), *schema.get("oneOf", ())):
        yield from parts(one)


def properties(schema: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The properties of an object."""
    return {name: one for part in parts(schema) for name, one in part.get("properties", {}).items()}


def items(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema of what a list holds."""
    found: Mapping[str, Any] = next(part["items"] for part in parts(schema) if "items" in part)
    return found


def at(place: str) -> Mapping[str, Any]:
    """The schema at a place: names with dots between them; [] behind that of a list stands for what it holds."""
    schema = SCHEMA
    for name in filter(None, place.split(".")):
        schema = properties(schema)[name.removesuffix("[]")]
        schema = items(schema) if name.endswith("[]") else schema
    return schema


@dataclass(frozen=True)
class Pair:
    """A class and the part of the record that it holds.

    Attributes:
        kind: The class.
        place: See `at`.
        moved: By its name in the class, what the record has otherwise: another name, or a place in an object of it.
        unread: What the record has for other readers.
    """

    kind: type
    place: str
    moved: Mapping[str, str]
    unread: frozenset[str] = frozenset()


CLAIM_DETAILS = frozenset({"taken_count", "id", "level"})
"""Fields of an interrupt for who reads a record by eye or in the simulator's tests."""

PAIRS = (
    Pair(
        records.Run,
        "",
        {"reason": "exit", "code": "exit", "sweep_line": "sweep", "sweep_hart": "sweep", "statistics": "harts"},
        # The kind of the file; figures that tests of the simulator and readers of the file take from it.
        frozenset({"schema", "console_crc", "claims", "marker_count", "signal_counts"}),
    ),
    Pair(cycle_causes.Cause, "harts[].statistics[]", {"name": "cause"}),
    Pair(records.Marker, "markers[]", {}),
    Pair(records.Claim, "other_claims[]", {}),
    # Of a pair of sweeps the laboratory knows the outer line's cycle: each of its cycles has a record of its own.
    Pair(records.SpanRecord, "spans[]", {"swept": "worst", "outer": "worst"}),
    Pair(records.Interrupt, "interrupts[]", {}, CLAIM_DETAILS),
    Pair(records.Interrupt, "sweep.runs[].others[]", {}, CLAIM_DETAILS),
    Pair(records.SweepRun, "sweep.runs[]", {"outer": "others"}, frozenset({"id", "level", "epc"})),
    Pair(records.Arrivals, "stimuli[]", {"histograms": "taken"}, frozenset({"tf", "tx", "tr"})),
    *(Pair(records.Stamps, f"stimuli[].{kept}", {}, CLAIM_DETAILS | {"epc"}) for kept in records.KEPT),
)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair.kind.__name__}-{pair.place}")
def test_classes_have_what_the_schema_has(pair: Pair) -> None:
    """A field that only one of them has is named; so is an exception that is none any more."""
    described = set(properties(at(pair.place)))
    held = {pair.moved.get(field.name, field.name) for field in fields(pair.kind)}
    assert sorted(held - described) == [], "only the class has these"
    assert sorted(described - held - pair.unread) == [], "only the schema has these"
    assert sorted(pair.unread - (described - held)) == [], "these are no exceptions"
    assert set(pair.moved) <= {field.name for field in fields(pair.kind)}


def test_histograms_are_those_of_the_metrics() -> None:
    """Where the class has a table by metric, the record has a histogram for the stamp of each."""
    assert set(records.METRICS.values()) == {"taken", "tf", "tx", "tr"} <= set(properties(at("stimuli[]")))


def differences(value: Any, schema: Mapping[str, Any], place: str = "record") -> Iterator[str]:
    """What a record has that its schema does not describe, and what it lacks of that."""
    if isinstance(value, list):
        for one in value:
            yield from differences(one, items(schema), f"{place}[]")
    elif isinstance(value, dict) and (known := properties(schema)):
        yield from (f"{place}.{name}: not in the schema" for name in value.keys() - known.keys())
        yield from (f"{place}.{name}: not in the record" for name in known.keys() - value.keys())
        for name in value.keys() & known.keys():
            yield from differences(value[name], known[name], f"{place}.{name}")


def test_differences_are_named() -> None:
    """The walk sees both kinds, deep inside and behind references."""
    record = {"interrupts": [{"line": 3, "colour": 1}]}
    found = set(differences(record, SCHEMA))
    assert {
        "record.interrupts[].colour: not in the schema",
        "record.interrupts[].t0: not in the record",
        "record.spans: not in the record",
    } <= found


FIRMWARE = """
#include <trapeze/irq.h>
#include <trapeze/irq_fast.h>
#include <trapeze/marker.h>
#include <trapeze/timer.h>

static void on_event(void) { TRAPEZE_MARKER(1); }
static void on_timer(void *arg) { (void)arg; timer_cancel_alarm(); }

int main(void)
{
	irq_connect(IRQ_TIMER, on_timer, NULL);
	irq_enable(IRQ_TIMER);
	for (unsigned int line = 1; line < 4; line++) {
		irq_fast_connect(IRQ_PLATFORM(line), on_event, true);
		irq_enable(IRQ_PLATFORM(line));
	}
	timer_set_alarm(timer_now());
	irq_unlock_all();
	for (int i = 0; i < 3000; i++) { __asm__ volatile(""); }
	return 0;
}
"""
RUNS = (
    Options(irq=(Edge(3, 4000),)),
    Options(stimuli=(Stimulus.parse("1:every=700"),)),
    Options(irq=(Edge(3, 4000),), budget=1),
    Options(irq=(Edge(3, 4100),), sweep=EdgeRange(1, 4000, 4002)),
)
"""Options of the simulator; between them they fill every list of the record."""
OPTIONAL = {"record.sweep.runs[].others: not in the record"}


def test_simulator_writes_what_the_schema_has(tmp_path: Path) -> None:
    """Nothing that the schema does not describe, and all that it does."""
    config = configurations.load("mcu-fastirq")
    source, path = tmp_path / "main.c", tmp_path / "r.json"
    source.write_text(FIRMWARE)
    elf = toolchain.build(config, [source], tmp_path / "main.elf")
    main = events.parse("pc:main", "--span", events.programs_of(elf, (), 1))
    spans = (events.Span("all", main, main),)
    written: list[dict[str, Any]] = []
    for one in RUNS:
        options = replace(one, max_cycles=30_000, spans=spans)
        command = simulator.command_line(tmp_path, elf, config, options, path)
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        assert path.exists(), done.stderr
        written.append(json.loads(path.read_text()))
        records.load(path)
        path.unlink()
    edges, stimulus, late, sweep = written
    for name in ("markers", "interrupts", "other_claims", "spans", "signals"):
        assert edges[name], name
    assert stimulus["stimuli"][0]["worst"]
    assert late["late"]
    assert sweep["sweep"]["runs"][0]["others"]
    for record in written:
        assert set(differences(record, SCHEMA)) <= OPTIONAL
