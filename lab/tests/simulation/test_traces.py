# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Traces as records: what is read of them, and that records and listing of a run say the same."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from jsonschema import Draft202012Validator

from trapeze.common import edges, paths
from trapeze.firmware import toolchain
from trapeze.platform import configurations
from trapeze.simulation import simulator
from trapeze.simulation.options import Options
from trapeze.simulation.traces import Edge, Raised, Record, Retired, Stored, Taken, Written, instructions, read

SCHEMA = json.loads((paths.SIMULATOR / "kernel" / "trace.schema.json").read_text())

RETIRED = {
    "type": "retire",
    "hart": 0,
    "cycle": 20,
    "fetch": 17,
    "execute": 19,
    "order": 7,
    "mode": 3,
    "pc": 0x8000038C,
    "next": 0x80000390,
    "insn": 0x300477F3,
    "bytes": 4,
    "asm": "csrrci\ta5,mstatus,8",
}
INTERRUPT = {"id": 19, "name": "line 3", "level": 127}
LINES = [
    {
        "type": "header",
        "schema": "trapeze.trace/1",
        "config": "x",
        "engine": "rtl",
        "from": 0,
        "harts": [{"hart": 0, "hart_id": 0, "isa": "rv32imc", "interrupts": "clic"}],
    },
    {"type": "line", "hart": 0, "cycle": 10, "line": 3, "high": True},
    RETIRED
    | {"csr": {"number": 0x300, "name": "mstatus", "value": 0}, "rd": {"register": 15, "name": "a5", "value": 8}},
    RETIRED | {"cycle": 22, "asm": "sw\ta0,0(a1)", "store": {"address": 64, "bytes": 4, "value": 5}},
    RETIRED | {"hart": 1, "cycle": 23, "asm": "lw\ta0,0(a1)", "exception": {"cause": 5, "name": "load access fault"}},
    {"type": "claim", "hart": 0, "cycle": 25, "id": 19, "name": "line 3", "level": 127, "epc": 0x80000390},
    {"type": "activity", "hart": 0, "cycle": 25, "kind": "level", "level": 127},
    RETIRED | {"cycle": 30, "asm": "slti\tzero,zero,1", "first": True, "interrupt": INTERRUPT},
    RETIRED | {"cycle": 33, "asm": "emret", "goes_on_to": INTERRUPT},
    {"type": "end", "cycle": 40, "reason": "exit", "hart": 0, "code": 0},
]
TEXT = [json.dumps(one, separators=(",", ":")) + "\n" for one in LINES]


def test_records() -> None:
    for line in LINES:
        Draft202012Validator(SCHEMA).validate(line)
    pc = RETIRED["pc"]
    assert isinstance(pc, int)
    assert list(read(TEXT)) == [
        Edge(10, 3, True),
        Retired(20, pc, "csrrci", "a5,mstatus,8", csr=Written("mstatus", 0)),
        Retired(22, pc, "sw", "a0,0(a1)", store=Stored(64, 5)),
        Retired(23, pc, "lw", "a0,0(a1)", hart=1),
        Raised(23, "load access fault", hart=1),
        Taken(25, "line 3", 0x80000390),
        Retired(30, pc, "slti", "zero,zero,1"),
        Retired(33, pc, "emret", "", goes_on_to="line 3"),
    ]
    assert [one.marker for one in instructions(TEXT)] == [0, 0, 0, 1, 0]
    masking = next(instructions(TEXT))
    assert (masking.mode, masking.result) == (3, Written("a5", 8))
    (taken,) = [one for one in read(TEXT) if isinstance(one, Taken)]
    assert (taken.number, taken.level) == (19, 127)


def test_parts_of_a_trace() -> None:
    """From a cycle on, and of one hart."""
    assert [one.cycle for one in read(TEXT, since=24)] == [25, 30, 33]
    assert [one.cycle for one in read(TEXT, hart=1)] == [23, 23]
    assert [one.cycle for one in instructions(TEXT, since=21, hart=0)] == [22, 30, 33]


PROGRAM = """
#include <trapeze/irq.h>
#include <trapeze/marker.h>
static volatile int events;
static void on_event(void *arg) { TRAPEZE_MARKER(1); (void)arg; events++; }
int main(void)
{
	irq_connect(IRQ_PLATFORM(3), on_event, 0);
	irq_enable(IRQ_PLATFORM(3));
	irq_unlock_all();
	while (events < 2) { }
	return 0;
}
"""
LISTED = re.compile(r" *(\d+) \w ([0-9a-f]{8}):\t[0-9a-f]+\s+(\S+)\t?([^;]*)(?:; (.*))?")
TOLD = re.compile(r" *(\d+) >>> (interrupt|line)(?:: | )(.*)")


def of_listing(lines: Sequence[str]) -> list[tuple[object, ...]]:
    """What a listing says, for comparison."""
    found: list[tuple[object, ...]] = []
    for line in lines:
        if one := LISTED.match(line):
            csr = re.search(r"(\w+)<-(0x\w+)", one[5] or "") if "]<-" not in (one[5] or "") else None
            written = (csr[1], int(csr[2], 16)) if csr else None
            found.append((int(one[1]), int(one[2], 16), one[3], one[4].strip(), written))
        elif event := TOLD.match(line):
            found.append((int(event[1]), event[3].split(" (")[0]))
    return found


def of_records(records: Sequence[Record]) -> list[tuple[object, ...]]:
    """The same of records."""
    found: list[tuple[object, ...]] = []
    for one in records:
        if isinstance(one, Retired):
            written = (one.csr.name, one.csr.value) if one.csr else None
            found.append((one.cycle, one.pc, one.name, one.operands, written))
        elif isinstance(one, Taken):
            found.append((one.cycle, one.name))
        elif isinstance(one, Edge):
            found.append((one.cycle, f"{one.line} {'rises' if one.high else 'falls'}"))
    return found


def test_records_and_listing_say_the_same(firmware: Callable[[str], Path], tmp_path: Path) -> None:
    elf, config = firmware(PROGRAM), configurations.load("mcu-clint")
    irq = tuple(edges.Edge(3, cycle, ":pulse=40") for cycle in (3000, 3400))
    for suffix in ("log", "jsonl"):
        options = Options(irq=irq, max_cycles=100_000, trace=tmp_path / f"t.{suffix}")
        outcome = simulator.watch(elf, config, options)
        assert outcome.exit_code == 0
    lines = (tmp_path / "t.jsonl").read_text().splitlines()
    check = Draft202012Validator(SCHEMA)
    for line in lines[:200]:
        check.validate(json.loads(line))
    records = list(read(lines))
    assert sum(isinstance(one, Taken) for one in records) == 2
    assert sum(isinstance(one, Retired) and one.is_marker(1) for one in records) == 2
    assert of_records(records) == of_listing((tmp_path / "t.log").read_text().splitlines())
    assert list(read(lines, since=3000)) == [one for one in records if one.cycle >= 3000]


WIDE = """
static volatile long total = 1;
static volatile int count = 1;
int main(void)
{
	total += (long)count << 40;
	count++;
	return total == (1L << 40) + 1 && count == 2 ? 0 : 1;
}
"""


def test_instructions_of_rv64_have_their_names(tmp_path: Path) -> None:
    """A listing of a hart of 64 bits has loads, stores and sums of RV64, and no word that it does not know."""
    config, source, log = configurations.load("app"), tmp_path / "main.c", tmp_path / "x.log"
    source.write_text(WIDE)
    elf = toolchain.build(config, [source], tmp_path / "main.elf", ())
    assert simulator.watch(elf, config, Options(engine="model", trace=log, max_cycles=100_000)).exit_code == 0
    listed = [found for line in log.read_text().splitlines() if (found := LISTED.match(line))]
    assert {"ld", "sd", "addiw"} <= {one[3] for one in listed}
    assert [one[0] for one in listed if one[3] in (".4byte", ".2byte")] == []
    assert any(one[3] == "sd" and "<-0x0000010000000001" in (one[5] or "") for one in listed)
