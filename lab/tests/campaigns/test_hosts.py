# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Two hosts, as network namespaces: workers without the campaign's files are given them, and the table is the same."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from trapeze.campaigns.plan import SCHEMA_NAME
from trapeze.common import paths

PROGRAM = """
#include <stddef.h>
#include <trapeze/irq.h>
#include <trapeze/marker.h>
static void on_event(void *arg)
{
	TRAPEZE_MARKER(1);
	(void)arg;
}
int main(void)
{
	irq_connect(IRQ_PLATFORM(3), on_event, NULL);
	irq_enable(IRQ_PLATFORM(3));
	irq_unlock_all();
	for (volatile int i = 0; i < 50; i++) {
	}
	return 0;
}
"""

CAMPAIGN = f"""
schema: {SCHEMA_NAME}
name: hosts
program: {{sources: [main.c]}}
configs: [{{name: mcu-clint}}]
edge: {{line: 3}}
phases: {{from: 300, to: 307}}
max_cycles: 500
"""
"""The limit is behind the latencies and before the end: each run has both a figure and words about its program."""

HERE, THERE = "10.77.0.1", "10.77.0.2"
"""Addresses in networks that nothing else is in."""

Command = list[str]


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True, text=True)


@pytest.fixture
def hosts() -> Iterator[tuple[Command, Command]]:
    """What stands before a command to run it on one host, and on the other."""
    names = [f"trapeze-{os.getpid()}-{side}" for side in "ab"]
    with ExitStack() as stack:
        try:
            for name in names:
                _ip("netns", "add", name)
                stack.callback(subprocess.run, ["ip", "netns", "del", name])
            _ip("-n", names[0], "link", "add", "v", "type", "veth", "peer", "name", "v", "netns", names[1])
            for name, address in zip(names, (HERE, THERE), strict=True):
                _ip("-n", name, "addr", "add", f"{address}/24", "dev", "v")
                for device in ("lo", "v"):
                    _ip("-n", name, "link", "set", device, "up")
        except FileNotFoundError:
            pytest.skip("there is no `ip`, of iproute2, to make network namespaces with")
        except subprocess.CalledProcessError as error:
            pytest.skip(f"no network namespaces can be made here: {error.stderr.strip()}")
        yield (["ip", "netns", "exec", names[0]], ["ip", "netns", "exec", names[1]])


@contextmanager
def running(command: Command, folder: Path, log: Path, **environment: str) -> Iterator[None]:
    with (
        log.open("w") as said,
        subprocess.Popen(command, cwd=folder, env=os.environ | environment, stdout=said, stderr=said) as process,
    ):
        try:
            yield
        finally:
            process.terminate()


def test_the_files_of_a_campaign_travel(hosts: tuple[Command, Command], tmp_path: Path) -> None:
    here, there = hosts
    mine, other = tmp_path / "mine", tmp_path / "other"
    mine.mkdir()
    other.mkdir()
    (mine / "main.c").write_text(PROGRAM)
    (mine / "campaign.yaml").write_text(CAMPAIGN)
    campaign = [sys.executable, "-m", "trapeze", "campaign", "campaign.yaml", "--out"]
    local = subprocess.run([*campaign, "local"], cwd=mine, capture_output=True, text=True)
    assert "8 cases, 8 run" in local.stderr
    assert None not in pq.read_table(mine / "local" / "table.parquet")["worst"].to_pylist()
    assert "'mcu-clint-0.elf' did not exit within --max-cycles 500" in local.stderr

    # Under the paths that the campaign has, the other host finds nothing.
    hide = [f"mount -t tmpfs none {shlex.quote(str(one))}" for one in (mine, paths.BUILD / "sim")]
    script = f'{" && ".join(hide)} && exec "$@"'
    address = f"tcp://{THERE}:8786"
    scheduler = ["-m", "distributed.cli.dask_scheduler", "--host", THERE, "--no-dashboard"]
    worker = ["-m", "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-dashboard"]
    with (
        running([*there, sys.executable, *scheduler], other, tmp_path / "scheduler.log"),
        running(
            [*there, "sh", "-c", script, "worker", sys.executable, *worker],
            other,
            tmp_path / "worker.log",
            TRAPEZE_BUILD=str(other / "build"),
        ),
    ):
        command = [*here, *campaign, "remote", "--cluster", address]
        remote = subprocess.run(command, cwd=mine, capture_output=True, text=True)
    assert remote.returncode == 1, remote.stderr + (tmp_path / "worker.log").read_text()
    assert (mine / "remote" / "table.parquet").read_bytes() == (mine / "local" / "table.parquet").read_bytes()
    kept = {path.name for path in (other / "build" / "campaigns").glob("*/*")}
    assert kept == {"trapeze-sim", "rtl-mcu-clint.so", "mcu-clint-0.elf", "mcu-clint.json"}
