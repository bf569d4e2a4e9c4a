# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Campaigns: the product of the lists, what is refused, what is run again after a kill or a change, and why."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random

import pyarrow.parquet as pq
import pytest
import yaml
from distributed import LocalCluster

from trapeze.campaigns import cluster, plan, running
from trapeze.campaigns.store import COLUMNS, Store
from trapeze.campaigns.worker import Chunk, Made, work
from verify.dev.testing import Trapeze

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
	for (int i = 0; i < 50; i++) {
		unsigned int key = irq_lock();
		for (volatile int j = 0; j < 5; j++) {
		}
		irq_unlock(key);
	}
	return 0;
}
"""

FILE = {
    "schema": plan.SCHEMA_NAME,
    "name": "phases",
    "program": {"sources": ["main.c"]},
    "flags": [["-O2"], ["-Os"]],
    "configs": [{"name": "mcu-clint"}],
    "edge": {"line": 3},
    "phases": {"from": 1000, "to": 1019},
    "waits": [{}, {"data": 64}],
    "seeds": [1, 2],
    "max_cycles": 100_000,
}

KILLS = 100
"""Of workers, by `test_workers_are_killed_at_any_moment`, unless five minutes are over before."""

Write = Callable[..., Path]


@pytest.fixture
def written(tmp_path: Path) -> Write:
    """Write a campaign's file that differs from `FILE` in some keys; None removes one."""

    def write(**changes: object) -> Path:
        (tmp_path / "main.c").write_text(PROGRAM)
        path = tmp_path / "campaign.yaml"
        path.write_text(yaml.safe_dump({key: value for key, value in (FILE | changes).items() if value is not None}))
        return path

    return write


class Serial:
    """In the place of a cluster: one run after the other, in this process."""

    def each(self, draw: Callable[[int], Chunk | None]) -> Iterator[tuple[Chunk, Made]]:
        """As that of `cluster.Cluster`."""
        while (chunk := draw(7)) is not None:
            made = work(chunk)
            assert isinstance(made, Made)
            yield chunk, made


@pytest.fixture
def serial(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have campaigns run without a cluster."""

    @contextmanager
    def connected(address: str | None, waiting: object) -> Iterator[Serial]:
        del waiting
        assert address is None
        yield Serial()

    monkeypatch.setattr(running, "connected", connected)


@pytest.mark.parametrize(("last", "cycles"), [(23, [10, 17]), (24, [10, 17, 24]), (25, [10, 17, 24])])
def test_phases_end_where_the_file_says(written: Write, last: int, cycles: list[int]) -> None:
    assert list(plan.load(written(phases={"from": 10, "to": last, "step": 7})).phases) == cycles


def test_a_run_made_again_replaces_its_row(tmp_path: Path) -> None:
    store = Store(tmp_path)
    (tmp_path / "runs").mkdir()
    row = dict.fromkeys(COLUMNS.names) | {"number": 5, "key": "same", "lines": []}
    for code in (124, 0):
        store.append([row | {"code": code}])
    assert store.finish({5: "same"}, lambda _: {})["code"].to_pylist() == [0]


def test_the_cases_are_the_product(written: Write) -> None:
    """Each combination is one case, and the phase changes fastest."""
    made = plan.load(written(configs=[{"name": "mcu-fastirq", "set": {"banks": [1, 2]}}, {"name": "mcu-clint"}]))
    assert made.count == 3 * 2 * (1 + 2) * 20
    cases = [made.case(number) for number in made.numbers(None)]
    assert len({tuple(case.parameters().values()) for case in cases}) == made.count
    assert [case.parameters()["phase"] for case in cases[:21]] == [*range(1000, 1020), 1000]
    assert {case.config.name for case in cases} == {"mcu-fastirq.banks-1", "mcu-fastirq.banks-2", "mcu-clint"}


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"sedes": [1]}, "unknown key 'sedes'; did you mean 'seeds'?"),
        ({"seeds": []}, "seeds: [] should be non-empty"),
        ({"seeds": [1, 2, 1]}, "seeds: 1 is there twice"),
        ({"configs": [{"name": "mcu-clnt"}]}, "configs.0: unknown configuration 'mcu-clnt'; did you mean 'mcu-clint'?"),
        (
            {"configs": [{"name": "mcu-fastirq", "set": {"bnks": [1]}}]},
            "configs.0.set: unknown parameter 'bnks'; did you mean 'banks'?",
        ),
        ({"configs": [{"name": "mcu-fastirq", "set": {"banks": []}}]}, "configs.0.set.banks: [] should be non-empty"),
        ({"configs": [{"name": "mcu-clint", "set": {"banks": [2]}}]}, "irq.banks: not for scheme clint"),
        ({"waits": [{}, {"data": 0}]}, "waits: {'instr': 0, 'data': 0} is there twice"),
        ({"waits": None}, "seeds: are those of wait states, and there are none in waits"),
        ({"waits": [{"instr": 0}]}, "seeds: are those of wait states, and there are none in waits"),
        ({"phases": None}, "edge: needs phases"),
        ({"phases": {"from": 5, "to": 4}}, "phases: the range is reversed"),
        ({"program": {"elf": "main.elf"}}, "flags: the program is an ELF, compiled already"),
        ({"engine": "model"}, "edge: the engine 'model' has no cycles"),
        (
            {"phases": {"from": 1, "to": 1_000_000}},
            "6,000,000 cases (2 lists of flags x 3 waits with their seeds x 1,000,000",
        ),
    ],
)
def test_refusals(trapeze: Trapeze, written: Write, changes: dict[str, object], says: str) -> None:
    path = written(**changes)
    said = trapeze("campaign", path, "--dry-run")
    assert said.code == 2
    assert said.error.startswith(f"trapeze: error: {path}: ")
    assert says in said.error


def test_a_killed_campaign_goes_on(trapeze: Trapeze, written: Write, tmp_path: Path, serial: None) -> None:
    """Killed in the middle and resumed, its table is that of a campaign that ran in one process, byte for byte."""
    del serial
    path, killed, whole = written(), tmp_path / "killed", tmp_path / "whole"
    said = trapeze("campaign", path, "--out", whole)
    assert said.code == 0, said.err
    assert "120 cases, 120 run" in said.err
    assert f"page: {whole / 'index.html'}" in said.err

    command = [sys.executable, "-m", "trapeze", "campaign", str(path)]
    with subprocess.Popen([*command, "--out", str(killed)], start_new_session=True) as process:
        until = time.monotonic() + 60
        while not list(killed.glob("runs/*.parquet")) and time.monotonic() < until:
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGKILL)
    kept = len(Store(killed).ends())
    assert 0 < kept < 120
    assert not (killed / "table.parquet").exists()

    done = subprocess.run([*command, "--resume", str(killed)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert f"120 cases, {120 - kept} run" in done.stderr
    assert (killed / "table.parquet").read_bytes() == (whole / "table.parquet").read_bytes()


def test_what_changes_is_run(
    trapeze: Trapeze, written: Write, tmp_path: Path, serial: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing of an unchanged campaign is run; of a changed one, what differs, and --why says what that is."""
    del serial
    monkeypatch.chdir(tmp_path)
    path = written(waits=None, seeds=None)
    assert trapeze("campaign", path).code == 0
    assert ", 0 run, 0 failed" in trapeze("campaign", path, "--resume", "phases").err
    assert "nothing of its key differs" in trapeze("campaign", path, "--why", 25).out
    assert "go on with --resume phases" in trapeze("campaign", path).error

    path = written(waits=None, seeds=None, flags=[["-O2"], ["-O1"]])
    why = trapeze("campaign", path, "--why", 25).out
    assert "flags of the compiler: -Os there, -O1 now\n" in why
    assert "the program: another content" in why
    assert len(why.splitlines()) == 3
    assert "nothing of its key differs" in trapeze("campaign", path, "--why", 5).out
    assert "40 cases, 20 run" in trapeze("campaign", path, "--resume", "phases").err
    (tmp_path / "main.c").write_text(PROGRAM.replace("j < 5", "j < 6"))
    why = trapeze("campaign", path, "--why", 25).out
    assert "the program: another content" in why
    assert len(why.splitlines()) == 2

    other = written(name="other")
    assert "holds campaign 'phases'" in trapeze("campaign", other, "--resume", "phases").error


def test_failures_are_kept_named_and_run_again(
    trapeze: Trapeze, written: Write, tmp_path: Path, serial: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that fails is not run again unasked, and the command that repeats it does."""
    del serial
    monkeypatch.chdir(tmp_path)
    path = written(flags=None, waits=None, seeds=None, max_cycles=1200)
    said = trapeze("campaign", path)
    assert said.code == 1
    assert "20 failed" in said.err
    assert ", 0 run," in trapeze("campaign", path, "--resume", "phases").err
    assert ", 20 run in" in trapeze("campaign", path, "--failed").err
    comment, command = (tmp_path / "phases" / "failed.txt").read_text().splitlines()[:2]
    assert comment.startswith("# case 0: max-cycles: 'mcu-clint-0.elf' did not exit within --max-cycles 1200")
    assert trapeze(*command.split()[1:]).code == 124
    assert pq.read_table(tmp_path / "phases" / "table.parquet")["code"].to_pylist() == [124] * 20


def test_a_cluster_that_is_there(
    trapeze: Trapeze, written: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address="127.0.0.1:0") as there:
        said = trapeze(
            "campaign", written(), "--sample", 8, "--out", tmp_path / "o", "--cluster", there.scheduler_address
        )
    assert said.code == 0, said.err
    assert "8 cases, 8 run" in said.err
    monkeypatch.setattr(cluster, "PATIENCE", 1)
    nobody = trapeze("campaign", written(), "--resume", tmp_path / "o", "--sample", 9, "--cluster", "tcp://127.0.0.1:9")
    assert nobody.error.startswith("trapeze: error: --cluster tcp://127.0.0.1:9: no scheduler answers")


def test_without_wait_states_no_seed_is_a_case(trapeze: Trapeze, written: Write) -> None:
    """The dry run says so, and the rows have seed 0."""
    path = written()
    assert "without wait states no seed changes anything" in trapeze("campaign", path, "--dry-run").out
    assert "no seed" not in trapeze("campaign", written(seeds=[1]), "--dry-run").out
    made = plan.load(written())
    seeds = {(case.wait.data, case.seed) for case in map(made.case, made.numbers(None))}
    assert seeds == {(0, 0), (64, 1), (64, 2)}


def test_cases_of_the_same_program_share_a_run(
    trapeze: Trapeze, written: Write, tmp_path: Path, serial: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Flags that change nothing make rows, not runs, and that is said."""
    del serial
    monkeypatch.chdir(tmp_path)
    path = written(flags=[["-O2"], ["-O2", "-DUNUSED"], ["-Os"]], waits=None, seeds=None)
    said = trapeze("campaign", path).err
    assert "20 cases have the same program as another" in said
    assert "60 cases, 40 run" in said
    table = pq.read_table(tmp_path / "phases" / "table.parquet")
    assert table["number"].to_pylist() == list(range(60))
    assert table["flags"].to_pylist() == ["-O2"] * 20 + ["-O2 -DUNUSED"] * 20 + ["-Os"] * 20
    assert table["cycles"].to_pylist()[:20] == table["cycles"].to_pylist()[20:40]


def _workers(command: int) -> list[int]:
    """The processes that a campaign's command started as its workers."""
    children = [one for task in Path(f"/proc/{command}/task").glob("*/children") for one in task.read_text().split()]
    lines = {int(one): Path(f"/proc/{one}/cmdline").read_bytes() for one in children}
    return [process for process, line in lines.items() if b"multiprocessing.spawn" in line]


@pytest.mark.prove
def test_workers_are_killed_at_any_moment(trapeze: Trapeze, written: Write, tmp_path: Path, serial: None) -> None:
    """However often, no run is lost: the table is that of a campaign that ran in one process, byte for byte."""
    del serial
    path = written(phases={"from": 1000, "to": 1299})
    assert trapeze("campaign", path, "--out", tmp_path / "whole").code == 0
    whole = (tmp_path / "whole" / "table.parquet").read_bytes()
    random, kills, until = Random(1), 0, time.monotonic() + 300
    for number in itertools.count():
        out = tmp_path / str(number)
        command = [sys.executable, "-m", "trapeze", "campaign", str(path), "--out", str(out)]
        with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as process:
            while process.poll() is None:
                time.sleep(random.uniform(0, 3))
                with suppress(OSError):  # it ended meanwhile
                    workers = _workers(process.pid)
                    if workers and kills < KILLS and time.monotonic() < until:
                        os.kill(random.choice(workers), signal.SIGKILL)
                        kills += 1
            said = process.communicate()[1]
        print(f"{kills} kills, {number + 1} campaigns: {said.strip()}")
        assert process.returncode == 0, said
        assert "Traceback" not in said
        assert (out / "table.parquet").read_bytes() == whole
        if kills == KILLS or time.monotonic() > until:
            break
