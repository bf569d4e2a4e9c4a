# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The latencies T1 and T2 on an application hart, whose handler is called through the PLIC, with modelled time."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from trapeze.common import paths
from trapeze.experiments import probe_samples as probe
from trapeze.firmware import toolchain
from trapeze.platform import configurations
from trapeze.simulation import simulator
from trapeze.simulation.calls import EventLog
from trapeze.simulation.options import Options

APP = configurations.load("app")
SAMPLES, WORDS, T1 = 400, 16, 32
LEAST, MASK = 2000, 511
"""The timer's periods, as in measure.c."""

PARTS = {part.name: part.base for part in APP.platform.region("app_probe").parts}
PERIOD, CONTROL, PULSING = 4, 0, 5
"""Registers of the timer, and what starts it."""


@dataclass(frozen=True)
class Accesses(EventLog):
    """Accesses of hart 0 to the timer and to the generator's data."""

    def to_json(self) -> dict[str, object]:
        """For the simulator."""
        accesses = [
            {"hart": 0, "kind": "store", "address": PARTS["timer"], "size": 8, "step": 4},
            {"hart": 0, "kind": "load", "address": PARTS["random"], "size": 4, "step": 4},
        ]
        return {"file": str(self.path), "accesses": accesses}


@pytest.fixture(scope="module")
def firmware(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """bench/probe in machine mode of `app`."""
    sources = sorted((paths.BENCH / "probe").glob("*.c"))
    elf = tmp_path_factory.mktemp("app") / "probe.elf"
    options = ["-DAPPLICATION_HART", f"-DSAMPLES={SAMPLES}U", f"-DPERIOD_LEAST={LEAST}U"]
    return toolchain.build(APP, sources, elf, options)


def differences(log: Path) -> list[int]:
    """T2 by the accesses alone: the timer's expiries follow from what is stored to it, ends are loads of last words.

    Stores and loads get to the devices the same number of cycles after their instructions begin.
    """
    events = [json.loads(line) for line in log.read_text().splitlines()]
    stores = [one for one in events if one.get("store") == 0]
    loads = [one["cycle"] for one in events if one.get("load") == 1]
    start = next(one["cycle"] for one in stores if one["offset"] == CONTROL and one["value"] == PULSING)
    periods = [one["value"] for one in stores if one["offset"] == PERIOD]
    assert periods[0] == LEAST
    assert {one for one in periods if not LEAST <= one <= LEAST + MASK} == set()
    found, ready = [], start + T1
    for number, last in enumerate(loads[WORDS - 1 :: WORDS]):
        ready += periods[number]
        found.append(last - ready)
    return found


def test_samples_are_those_of_the_accesses(firmware: Path, tmp_path: Path) -> None:
    log = tmp_path / "accesses.jsonl"
    options = Options(max_cycles=5_000_000, engine="timed", log=Accesses(log, APP.platform))
    run = simulator.watch(firmware, APP, options)
    assert run.exit_code == 0, run.console
    report = probe.parse(run.console, "app")
    probe.check_table(report, "app")
    assert report.counts["words"] == SAMPLES * WORDS
    assert set(report.samples["t1"]) == {T1}
    assert list(report.samples["t2"]) == differences(log)
    cold, *warm = report.samples["t2"]
    assert cold > 3 * max(warm), "the first handler is in no cache"
    assert len(set(warm)) > 10, "interrupts come at any point of the program"


def test_the_model_without_time_runs_it(firmware: Path) -> None:
    run = simulator.watch(firmware, APP, Options(max_cycles=5_000_000, engine="model"))
    assert run.exit_code == 0, run.console
    assert set(probe.parse(run.console, "app").samples["t1"]) == {T1}
