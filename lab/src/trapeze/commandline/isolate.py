# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze isolate`: hostile attempts of a program against the partition that it runs in."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from rich.text import Text

from trapeze.commandline.run_request import require_program
from trapeze.common import output
from trapeze.common.console import err, fitted, out, progress, table
from trapeze.common.errors import TrapezeError, choices
from trapeze.common.files import replacing
from trapeze.isolation import attempts, cells, image, partitions, trials
from trapeze.isolation.attempts import Attempt
from trapeze.isolation.trials import End, Verdict
from trapeze.linux.cell import DELEGATED, Cell
from trapeze.platform import user_configurations
from trapeze.platform.configurations import Config
from trapeze.results import provenance, store
from trapeze.results.rows import Row
from trapeze.simulation import simulator

NAME = "isolate"


def _chosen(known: Sequence[Attempt], only: Sequence[str]) -> list[Attempt]:
    """Those of --only, or all.

    Raises:
        TrapezeError: there is no such attempt.
    """
    by_name = {one.name: one for one in known}
    kinds = {one.kind for one in known}
    for name in only:
        if name not in by_name and name not in kinds:
            near = choices(name, [*kinds]) if " 0x" not in name else "the program has other bounds there"
            raise TrapezeError(f"isolate: --only '{name}': there is no such attempt; {near}")
    return [one for one in known if not only or one.name in only or one.kind in only]


def _rows(verdicts: Sequence[Verdict], config: Config, stem: str) -> list[Row]:
    """Of a result file: how many attempts of each kind ended how, and each that was let through."""
    made = []
    for kind in dict.fromkeys(one.attempt.kind for one in verdicts):
        ends = Counter(one.end for one in verdicts if one.attempt.kind == kind)
        counts = {"tried": ends.total(), **{end.value: ends[end] for end in End if end is not End.ALLOWED or ends[end]}}
        made += [
            Row.of(
                [count],
                id=f"{stem}/{kind}",
                config=config.name,
                engine=trials.ENGINE,
                metric=metric,
                unit="attempts",
                labels=config.labels() | {"test": kind},
            )
            for metric, count in counts.items()
        ]
    for one in verdicts:
        if one.end is End.THROUGH:
            labels = config.labels() | {"test": one.attempt.kind, "name": one.attempt.name, "exit": one.why}
            made.append(
                Row.of(
                    [1],
                    id=f"{stem}/{one.attempt.name}",
                    config=config.name,
                    engine=trials.ENGINE,
                    metric="attempt",
                    unit="attempts",
                    labels=labels,
                )
            )
    return made


def _show(verdicts: Sequence[Verdict], command: Sequence[str]) -> None:
    """The table, and each attempt that was let through with the command that repeats it."""
    console = out()
    listing = table("attempts", ">tried", ">refused", ">let through", ">not known")
    tried = [one for one in verdicts if not one.attempt.own]
    for kind in dict.fromkeys(one.attempt.kind for one in tried):
        ends = Counter(one.end for one in tried if one.attempt.kind == kind)
        through = Text(str(ends[End.THROUGH]), style="bold red" if ends[End.THROUGH] else "")
        listing.add_row(kind, str(ends.total()), str(ends[End.REFUSED]), through, str(ends[End.UNKNOWN]))
    for part in fitted(console, listing, ("not known",)):
        console.print(part, "")
    for one in verdicts:
        if one.end is End.THROUGH:
            console.print(f"let through: {one.attempt.name}: {one.why}", soft_wrap=True)
            console.print(f"  again: {shlex.join([*command, '--only', one.attempt.name])}", soft_wrap=True)
    for why, count in Counter(one.why for one in tried if one.end is End.UNKNOWN).items():
        console.print(f"not known, {count} attempt{'s' if count != 1 else ''}: {why}", soft_wrap=True)
    ends = Counter(one.end for one in tried)
    counts = ", ".join(f"{ends[end]} {end}" for end in (End.REFUSED, End.THROUGH, End.UNKNOWN))
    console.print(f"{ends.total()} attempt{'s' if ends.total() != 1 else ''}, {counts}")


def _cell(read: image.Image, config: Config, interrupts: str | None) -> Cell | None:
    """The cell that a program is; None: it is none.

    Raises:
        TrapezeError: it says how interrupts come to a cell, and is none; or it cannot be one on this configuration.
    """
    partitions.check_built_for(read, config)
    if not cells.is_cell(read, config):
        if interrupts is not None:
            raise TrapezeError(
                f"{read.path}: is no cell for {config.name}, and --cell-interrupts is for cells; "
                "build one by `trapeze cc --config amp-2 --cell`"
            )
        return None
    cell = Cell(read.path, interrupts if interrupts is not None else DELEGATED)
    cell.check(config)
    return cell


def run(
    path: Path,
    config_name: str,
    settings: Sequence[str] = (),
    only: Sequence[str] = (),
    json: Path | None = None,
    elf: Path | None = None,
    cell_interrupts: str | None = None,
) -> int:
    """Try everything against the partition of an image, and print what was let through.

    Args:
        path: The image.
        config_name: What it runs on.
        settings: Parameters of the configuration, `KEY=VALUE` each.
        only: Attempts by name, or kinds of them; empty: all.
        json: Where a result file goes.
        elf: Where the image of the one attempt goes.
        cell_interrupts: How interrupts come to a cell; None: the default of `trapeze linux`.

    Returns:
        0 if nothing was let through, else 1.

    Raises:
        TrapezeError: bad input, or the attempts do not reach the program's own memory, so that nothing can be said.
    """
    config = user_configurations.choose(config_name, settings)
    require_program(path, config_name)
    output.check_writable(json)
    output.check_writable(elf)
    output.check_distinct({"the program": path}, {"--json": json, "--elf": elf})
    read = image.load(path)
    cell = _cell(read, config, cell_interrupts)
    measured_by = provenance.here() if json is not None else None
    with simulator.scratch() as folder:
        if cell is not None:
            partition = cells.partition(cell, config)
            read = cells.build(cell, config, folder)
            known = cells.all_of(partition, config)
        else:
            partition = partitions.of(read, config)
            known = attempts.all_of(partition, config)
        chosen = _chosen(known, only)
        if elf is not None and len(chosen) != 1:
            raise TrapezeError(f"isolate: --elf is for one attempt, and there are {len(chosen)}; name it by --only")
        wanted = [*(one for one in known if one.own and one not in chosen), *chosen]
        made = trials.Trials(read, config, partition, folder)
        reference = made.reference()
        ended = "does not end" if reference.exit_code == trials.GAVE_UP else f"exit code {reference.exit_code}"
        said = f"{len(reference.console):,} bytes of output"
        err().print(f"{path.name}: {partition.name}; as it is: {ended}, {said}", soft_wrap=True)
        codes = attempts.assemble(wanted, partition, config, reference.place)
        if elf is not None:
            with replacing(elf) as file:
                file.write_bytes(made.patched(wanted[-1], codes[-1], reference))
        with progress() as bar:
            task = bar.add_task("attempts", total=len(wanted))
            verdicts = made.all(wanted, codes, reference, lambda done, of: bar.update(task, completed=done, total=of))
    blind = [one for one in verdicts if one.attempt.own and one.end is not End.ALLOWED]
    if blind:
        one = blind[0]
        raise TrapezeError(
            f"{path}: a load of {one.attempt.name.removeprefix('own ')}, {one.attempt.where}: {one.why}; "
            "while that fails, refusals say nothing",
            1,
        )
    how = ["--cell-interrupts", cell_interrupts] if cell_interrupts is not None else []
    command = ["trapeze", NAME, str(path), *config.words, *how]
    _show(verdicts, command)
    if json is not None:
        again = [*command, *(word for name in only for word in ("--only", name))]
        rows = _rows(verdicts, config, path.stem)
        store.write(json, store.build(NAME, rows, command=again, measured_by=measured_by, configs=[config]))
    return 1 if any(one.end is End.THROUGH for one in verdicts) else 0
