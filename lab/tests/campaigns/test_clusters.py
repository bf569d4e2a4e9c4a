# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Clusters that fail: workers that a run kills, workers that are not there, a scheduler that goes away."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import dask
import pytest
from distributed import Client, LocalCluster

from trapeze.campaigns import cluster
from trapeze.campaigns.cluster import Cluster
from trapeze.campaigns.delivery import digest
from trapeze.campaigns.worker import Chunk, Work
from trapeze.common.errors import TrapezeError

SIMULATOR = """#!/bin/sh
grep -q kill-the-worker "$1" && kill -9 $PPID
grep -q kill-the-simulator "$1" && kill -9 $$
echo refused >&2
exit 2
"""
"""In the place of trapeze-sim: it refuses each run, or kills whom the request names."""

Draw = Callable[[int], Chunk | None]


def draws(folder: Path, commands: Sequence[str]) -> Draw:
    """Runs of that simulator, in chunks of five."""
    simulator = folder / "simulator"
    simulator.write_text(SIMULATOR)
    simulator.chmod(0o755)
    runs = [Work(number, {"command": command, "programs": []}) for number, command in enumerate(commands)]
    chunks = (Chunk(runs[at : at + 5], {str(simulator): digest(simulator)}, str(simulator)) for at in range(0, 99, 5))
    return lambda _: next((one for one in chunks if one.runs), None)


def heard(waiting: list[str]) -> cluster.Waiting:
    """Keep what a cluster says while it waits."""
    return lambda why, remedy: waiting.append(f"{why}; {remedy}") if why is not None else None


def test_a_run_that_kills_its_worker_takes_no_other_with_it(tmp_path: Path) -> None:
    """Of its chunk, and of those beside it, all others are made; so is that of a simulator that is killed."""
    commands = ["fine"] * 15
    commands[3] = commands[4] = "kill-the-worker"
    commands[6] = "kill-the-simulator"
    found: dict[int, str] = {}
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=50) as there,
        Client(there) as client,
    ):
        for chunk, made in Cluster(client, None, heard([])).each(draws(tmp_path, commands)):
            ends = {one.number: "lost" for one in chunk.runs} if made is None else {e.number: e.how for e in made.ends}
            assert not found.keys() & ends.keys()
            found |= ends
    wanted = dict.fromkeys(range(15), "refused") | {3: "lost", 4: "lost", 6: "signal 9"}
    assert found == wanted


def test_without_workers_it_waits_says_so_and_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that comes is given the runs; without one for long the campaign ends, as it does without a scheduler."""
    for name, value in {"LOOK": 0.2, "GRACE": 0.0, "LIMIT": 60.0}.items():
        monkeypatch.setattr(cluster, name, value)
    waiting: list[str] = []
    with LocalCluster(n_workers=0, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=50) as there:
        address = there.scheduler_address

        def waits(why: str | None, remedy: str) -> None:
            heard(waiting)(why, remedy)
            if len(waiting) == 3:
                there.scale(1)

        with Client(address) as client:
            assert len(list(Cluster(client, address, waits).each(draws(tmp_path, ["fine"])))) == 1
        assert waiting[0] == f"no worker is there for 0 s; start some with `dask worker {address}`; " + (
            "the campaign ends after 60 s"
        )
        there.scale(0)
        monkeypatch.setattr(cluster, "LIMIT", 1.0)
        with Client(address) as client, pytest.raises(TrapezeError, match="no worker is there for 1 s; start some"):
            list(Cluster(client, address, heard([])).each(draws(tmp_path, ["fine"])))

        monkeypatch.setattr(cluster, "LIMIT", 60.0)
        with Client(address) as client, pytest.raises(TrapezeError, match=f"{address}: the scheduler is gone"):
            list(Cluster(client, address, lambda why, _: there.close() if why else None).each(draws(tmp_path, ["x"])))
