# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Result files against their schema, and the rows of plain runs and sweeps."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from trapeze.commandline import runner
from trapeze.common import paths, schema
from trapeze.common.errors import TrapezeError
from trapeze.platform import configurations as config
from trapeze.results import store
from trapeze.results.rows import Row
from trapeze.simulation import records
from trapeze.simulation.records import Interrupt, Run, SweepRun

TRAPEZE = paths.LAB / "src" / "trapeze"


@pytest.mark.parametrize("path", sorted(TRAPEZE.rglob("*.schema.json")), ids=lambda path: path.name)
def test_schemas_are_schemas(path: Path) -> None:
    Draft202012Validator.check_schema(json.loads(path.read_text()))


def test_round_trip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    row = Row.of([1, 2, 2], id="a", config="mcu-clint", engine="rtl", metric="latency", unit="cycles")
    built = store.build("test", [row])
    store.write(tmp_path / "r.json", built)
    assert store.load(tmp_path / "r.json") == built
    assert built["created"] == "2023-11-14T22:13:20Z"
    assert built["rows"][0]["histogram"] == [[1, 1], [2, 2]]
    assert {"trapeze", "python", "verilator"} <= set(built["tools"])


def run(**changes: object) -> Run:
    """A plain run that took line 3 twice and a timer interrupt once."""
    fields: dict[str, object] = {
        "config": "mcu-clint",
        "engine": "rtl",
        "elf": "x.elf",
        "reason": "exit",
        "code": 0,
        "cycles": 1000,
        "instructions": 800,
        "markers": (),
        "interrupts": (
            Interrupt(t0=100, tf=101, tx=129, tr=130, line=3),
            Interrupt(t0=200, tf=202, tx=None, tr=None, line=3),
            Interrupt(t0=300, tf=301, tx=302, tr=303, line=None),
        ),
        "sweep": None,
        "sweep_line": None,
    }
    return Run(**(fields | changes))  # type: ignore[arg-type]


def test_plain_run() -> None:
    rows = {(row.id, row.metric): row.statistics for row in runner.rows(run(), config.load("mcu-clint"))}
    assert rows["x", "cycles"].max == 1000
    assert rows["x", "instructions"].max == 800
    assert (rows["x/line3", "latency"].n, rows["x/line3", "latency"].max) == (1, 29)
    assert (rows["x/line3", "first-fetch"].min, rows["x/line3", "first-fetch"].max) == (1, 2)
    assert rows["x/line3", "retire"].max == 30
    assert rows["x/line3", "taken"].max == 2
    assert len(rows) == 6


def test_sweep() -> None:
    sweep = tuple(
        SweepRun(t0=t0, tf=t0 + 1, tx=t0 + 5, tr=t0 + 6, taken_count=1, exit=0, reason="exit", cycles=90, console_crc=0)
        for t0 in range(10)
    )
    rows = runner.rows(run(sweep=sweep, sweep_line=7), config.load("mcu-clint"))
    assert [(row.id, row.metric, row.statistics.n) for row in rows] == [
        ("x", "cycles", 10),
        ("x/line7", "taken", 10),
        ("x/line7", "latency", 10),
        ("x/line7", "first-fetch", 10),
        ("x/line7", "retire", 10),
    ]
    assert records.METRICS["latency"] == "tx"


def test_every_engine_that_is_measured_is_in_the_schema() -> None:
    fields = {"id": "x", "config": "mcu-clint", "metric": "speed", "unit": "MIPS"}
    rows = [Row.of([1.0], engine=name, **fields) for name in ("rtl", "model", "lockstep", "qemu", "generic", "ecp5")]
    assert len(store.build("engine-speed", rows)["rows"]) == 6


STAMPS = {
    "t0": 5,
    "fate": "marked",
    "taken_count": 1,
    "taken": 6,
    "id": 19,
    "level": None,
    "epc": None,
    "tf": 7,
    "tx": None,
    "tr": 9,
}
RECORD: dict[str, Any] = {
    "schema": "trapeze.run/1",
    "config": "mcu-clint",
    "engine": "rtl",
    "elf": "a.elf",
    "exit": {"reason": "exit", "code": 0},
    "harts": [
        {
            "hart": 0,
            "hart_id": 0,
            "elf": "a.elf",
            "instructions": 8,
            "supervisor": None,
            "user": None,
            "statistics": None,
            "exit": {"code": 0, "cycle": 9},
        }
    ],
    "cycles": 9,
    "instructions": 8,
    "console_crc": 7,
    "claims": 1,
    "marker_count": 1,
    "markers": [{"hart": 0, "n": 1, "pc": 16, "tf": 1, "tx": 2, "tr": 3}],
    "interrupts": [STAMPS | {"hart": 0, "line": 3}],
    "stimuli": [
        {
            "spec": "3:every=9",
            "hart": 0,
            "line": 3,
            "raised": 4,
            "merged": 0,
            "left": None,
            "fates": {"marked": 4},
            "taken": [[1, 4]],
            "tf": [[2, 4]],
            "tx": [[3, 4]],
            "tr": [[4, 4]],
            "worst": STAMPS,
            "best": STAMPS,
            "unmarked": None,
        }
    ],
    "other_claims": [{"hart": 1, "id": 7, "taken": 4, "epc": 20}],
    "late": {"hart": 0, "line": 3, "t0": 5},
    "spans": [
        {
            "name": "x",
            "open": 0,
            "missed": 1,
            "unwoken": 0,
            "histogram": [[4, 2]],
            "first": 5,
            "worst": {"from": 5, "to": 9, "swept": None},
        }
    ],
    "signals": {"irq": [1, 2]},
    "signal_counts": None,
    "sweep": {
        "hart": 0,
        "line": 3,
        "from": 5,
        "to": 5,
        "runs": [STAMPS | {"exit": 0, "reason": "exit", "cycles": 9, "console_crc": 7, "handler_markers": 1}],
    },
}


def damaged(value: Any, chance: random.Random) -> Any:
    """A copy with something gone, or something else in its place, at a place of chance."""
    wrong: Any = chance.choice([None, -1, 1.5, "x", [], {}, True])
    if not isinstance(value, dict | list) or not value or chance.random() < 0.2:
        return wrong
    copy = value.copy()
    key: Any = chance.choice(sorted(value)) if isinstance(value, dict) else chance.randrange(len(value))
    if isinstance(copy, dict) and chance.random() < 0.2:
        del copy[key]
    else:
        copy[key] = damaged(copy[key], chance)
    return copy


def test_fast_check_is_the_slow_one(tmp_path: Path) -> None:
    """It says the same of records that are right and of such that are not, and what is wrong is said as ever."""
    path = records.SCHEMA
    slow = Draft202012Validator(json.loads(path.read_text()))
    chance = random.Random(1)
    samples = [RECORD, *(damaged(RECORD, chance) for _ in range(2000))]
    verdicts = [slow.is_valid(record) for record in samples]
    assert 100 < sum(verdicts) < 1900
    assert [schema.accepts(record, path) for record in samples] == verdicts
    file = tmp_path / "r.json"
    file.write_text(json.dumps(RECORD | {"cycles": "many"}))
    with pytest.raises(TrapezeError, match="cycles: 'many' is not of type 'integer'"):
        schema.load_json(file, path, large=True)
    with pytest.raises(ValueError, match="no schema for large files: prefixItems"):
        schema.accepts({}, store.SCHEMA)
