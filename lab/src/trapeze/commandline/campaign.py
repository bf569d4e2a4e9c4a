# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze campaign`: every combination of lists of parameters, on many cores, kept in a folder."""

from __future__ import annotations

import shlex
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
from rich.text import Text

from trapeze.campaigns import differences, page, plan, running, silicon, summary
from trapeze.campaigns.keys import Requests
from trapeze.campaigns.plan import Plan, Wait
from trapeze.campaigns.silicon import Silicon
from trapeze.campaigns.store import Row, Store
from trapeze.common import paths
from trapeze.common.console import fitted, out, progress, say, table
from trapeze.common.errors import TrapezeError
from trapeze.simulation import simulator

SHOWN = 8
"""Failures, and parameters, that are printed; the store has all."""

FAILED = 1
"""Exit code if a run failed."""


@dataclass(frozen=True)
class Asked:
    """Options of the command.

    Attributes:
        file: Of the campaign.
        cluster: Address of a cluster.
        resume: Folder of a campaign to go on with.
        failed: Run those that failed once more.
        why: A case to explain.
        dry_run: Run nothing.
        sample: Cases to draw.
        out: Folder of a new campaign.
    """

    file: Path
    cluster: str | None
    resume: Path | None
    failed: bool
    why: int | None
    dry_run: bool
    sample: int | None
    out: Path | None


def run(asked: Asked) -> int:
    """Run a campaign, or say what it would do.

    Returns:
        The exit code.

    Raises:
        TrapezeError: bad input.
    """
    campaign = plan.load(asked.file)
    if asked.resume is not None and asked.out is not None:
        raise TrapezeError("--out begins a campaign, and --resume goes on with one; use one of them")
    folder = asked.resume or asked.out or Path(campaign.name)
    store = Store(folder)
    goes_on = asked.resume is not None or asked.failed or asked.why is not None
    sample = asked.sample
    if goes_on:
        about = store.about(campaign)
        sample = about.get("sample") if sample is None else sample
    elif store.exists and not asked.dry_run:
        raise TrapezeError(f"{folder}: there is a campaign in it; go on with --resume {folder}, or name another --out")
    if asked.dry_run:
        return _dry_run(campaign, sample)
    if asked.why is not None:
        return _why(campaign, store, asked.why)
    return _run(campaign, store, folder, sample, asked)


def _dry_run(campaign: Plan, sample: int | None) -> int:
    numbers = campaign.numbers(sample)
    drawn = f", {len(numbers):,} drawn" if len(numbers) < campaign.count else ""
    lines = [f"{campaign.name}: {campaign.count:,} cases ({campaign.product()}){drawn}; nothing was run"]
    if len(campaign.seeds) > 1 and Wait() in campaign.waits:
        lines.append("  without wait states no seed changes anything: one case in the place of one for each seed")
    for config in campaign.configs:
        lines.append(f"  {shlex.join(config.words)}")
    out().print("\n".join(lines), soft_wrap=True)
    return 0


def _why(campaign: Plan, store: Store, number: int) -> int:
    if number >= campaign.count:
        raise TrapezeError(f"--why {number}: there is no such case; {campaign.path} has 0 to {campaign.count - 1}")
    lines = differences.why(store, Requests(campaign, store.programs), campaign.case(number))
    out().print("\n".join(lines), soft_wrap=True)
    return 0


class _Display:
    """The bar, with the rate and the worst latency so far."""

    def __init__(self, campaign: Plan) -> None:
        self._name = campaign.name
        self._bar = progress()
        self._task = self._bar.add_task(self._name, total=None)
        self._begun = time.monotonic()
        self._done = 0
        self._worst = -1
        self._text = self._name
        self._waits = False

    def __enter__(self) -> _Display:
        self._bar.start()
        return self

    def __exit__(self, *how: object) -> None:
        self._bar.stop()

    def note(self, total: int, rows: Sequence[Row]) -> None:
        """Rows came."""
        if not rows:
            self._begun = time.monotonic()
        self._done += len(rows)
        self._worst = max([self._worst, *(row["worst"] for row in rows if row["worst"] is not None)])
        rate = self._done / max(time.monotonic() - self._begun, 1e-3)
        latency = f", worst latency {self._worst}" if self._worst >= 0 else ""
        self._text = f"{self._name}: {rate:.1f} runs/s{latency}" if self._done else self._name
        self._bar.update(self._task, description=self._text, completed=self._done, total=total)

    def waiting(self, why: str | None, remedy: str) -> None:
        """Nothing comes; why is said once, and in the bar as long as it lasts."""
        if why is not None and not self._waits:
            say([f"trapeze: {why}; {remedy}"])
        if why is not None or self._waits:
            self._bar.update(self._task, description=self._text if why is None else f"{self._name}: {why}")
        self._waits = why is not None


def _run(campaign: Plan, store: Store, folder: Path, sample: int | None, asked: Asked) -> int:
    begun = time.monotonic()
    with _Display(campaign) as display:
        try:
            done = running.run(campaign, store, sample, asked.failed, asked.cluster, display.note, display.waiting)
        except KeyboardInterrupt:
            say([f"trapeze: what is done is kept; go on with --resume {folder}"])
            raise
    seconds = time.monotonic() - begun
    _show(done.table)
    failed = summary.failures(done.table)
    _show_failures(campaign, store, failed)
    rate = f" in {seconds:.1f} s" if done.ran else ""
    if done.same:
        say([f"{done.same:,} cases have the same program as another, whatever their flags, and share its run"])
    say([f"{done.table.num_rows:,} cases, {done.ran:,} run{rate}, {len(failed):,} failed; {folder / 'table.parquet'}"])
    written = page.write(folder, campaign, done.requests, done.table, store.about(campaign), _silicon(campaign))
    say([f"page: {written}"])
    return FAILED if failed else 0


def _silicon(campaign: Plan) -> dict[str, Silicon]:
    """What the configurations cost, if the file asks for it."""
    if not campaign.silicon:
        return {}
    with progress() as display:
        task = display.add_task(f"{campaign.name}: synthesis")
        return silicon.measure(
            campaign.configs, campaign.silicon, lambda done, total: display.update(task, completed=done, total=total)
        )


def _show(rows: pa.Table) -> None:
    made = table("configuration", "flags", ">waits", ">runs", ">failed", ">none", ">min", ">worst", ">phase", ">seed")
    found = summary.groups(rows)
    for one in found[:SHOWN]:
        config, flags, instr, data = one.parameters
        worst = one.worst or {"worst": None, "phase": None, "seed": None}
        figures = (one.runs, one.failed, one.without, one.least, worst["worst"], worst["phase"], worst["seed"])
        cells = (config, flags or "-", f"{instr}/{data}", *("-" if value is None else value for value in figures))
        made.add_row(*(Text(str(cell)) for cell in cells))
    console = out()
    for part in fitted(console, made, ("seed", "none", "waits")):
        console.print(part)
    if len(found) > SHOWN:
        say([f"and {len(found) - SHOWN} more combinations with a smaller worst latency"])


def _show_failures(campaign: Plan, store: Store, failed: Sequence[Row]) -> None:
    requests = Requests(campaign, store.programs)
    lines = []
    for row in failed:
        case = campaign.case(row["number"])
        command = simulator.repeated(requests.elf(case), case.config, campaign.options(case))
        reason = (row["said"].splitlines() or [""])[0].removeprefix("trapeze-sim: error: ")
        lines.append(f"# case {row['number']}: {row['ended']}{f': {reason}' if reason else ''}")
        lines.append(shlex.join([*shlex.split(paths.COMMAND), *command[1:]]))
    path = store.note_failures(lines)
    if failed:
        more = [f"and {len(failed) - SHOWN:,} more: {path}"] if len(failed) > SHOWN else []
        say([*lines[: 2 * SHOWN], *more])
