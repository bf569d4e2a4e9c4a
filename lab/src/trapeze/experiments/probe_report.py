# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The tables and figures of the latency probes, in the shape of the Latencies IP paper's: Table 4, Figure 8."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from trapeze.common.console import fitted, table
from trapeze.experiment_files import Experiment, Metric
from trapeze.experiments import probe_file as definition
from trapeze.experiments.probe_file import Comparison, Sampling
from trapeze.reports.figures import Bars, Distribution, Figure
from trapeze.reports.tables import SPARE, metric_table, number, show_question
from trapeze.results.rows import Row
from trapeze.results.statistics import sample_size, sample_size_of_mean

COLUMNS = {"Avg.": "mean", "Median": "p50", "Max.": "max", "Jitter": "jitter", "Dev.": "stdev"}
"""Columns of the paper's Table 4."""

DRAWN_ABI = "ilp32"
"""Figure 8 shows one row for each scheme and load: of this ABI, and of as many samples as the paper's."""


def of(rows: Sequence[Row], metric: str, test: str) -> list[Row]:
    """The rows of one metric and test."""
    return [row for row in rows if row.metric == metric and row.labels.get("test") == test]


def scenario(row: Row) -> str:
    """The id without the test."""
    return row.id.rpartition("/")[0]


def _agreement(rows: Sequence[Row], name: str) -> str:
    """How many samples of how many are what the host saw, both tests together."""
    found = [row.statistics for row in rows if row.metric == "agreed" and scenario(row) == name]
    if not found:
        return "-"
    agreed = sum(value * count for one in found for value, count in one.histogram)
    return f"{agreed:.0f}/{sum(one.n for one in found)}"


def paper_table(rows: Sequence[Row], comparison: Comparison | None) -> Table:
    """Table 4: T2 of each row in ns, how far the host agrees, and the rows of others below, if there are any."""
    made = table("T2, ns", ">n", *(f">{name}" for name in COLUMNS), ">pins", ">RVFI")
    retired = {scenario(row): row.statistics for row in of(rows, "retired", "t2")}

    def distance(name: str) -> str:
        if (one := retired.get(name)) is None:
            return "-"
        return f"+{number(one.min)}" if one.min == one.max else f"+{one.min:g}..{one.max:g}"

    for row in of(rows, "time", "t2"):
        name = scenario(row)
        figures = [f"{getattr(row.statistics, column):,.2f}" for column in COLUMNS.values()]
        made.add_row(name, f"{row.statistics.n:,}", *figures, _agreement(rows, name), distance(name))
    if comparison is None:
        return made
    for one in comparison.rows:
        figures = [f"{getattr(one, column):,.2f}" for column in COLUMNS.values()]
        made.add_row(f"{one.name} *", f"{comparison.n:,}", *figures, "-", "-")
    return made


def t1_lines(rows: Sequence[Row], metric: Metric) -> Iterator[str | Text | Table]:
    """T1: one line if it is the same everywhere, as it has to be, else a table."""
    cycles, times = of(rows, "latency", "t1"), of(rows, "time", "t1")
    values = sorted({value for row in cycles for value, _ in row.statistics.histogram})
    if len(values) == 1:
        n = sum(row.statistics.n for row in cycles)
        yield Text.assemble(
            ("T1", "bold"),
            f": {number(values[0])} cycles, "
            + "".join(f"{number(one.statistics.max)} ns, " for one in times[:1])
            + f"in each of {n:,} samples; no jitter, as in the paper",
        )
    else:
        yield Text.from_markup("[bold]T1[/], cycles")
        yield metric_table(metric, cycles)


def sampling_lines(rows: Sequence[Row], sampling: Sampling) -> Iterator[str]:
    """Whether the samples suffice: by Equation 3, and by the deviation that each row of the least samples shows."""
    wanted = sample_size(sampling.confidence, sampling.error)
    latencies = of(rows, "latency", "t2")
    if not latencies:
        return
    least = min(row.statistics.n for row in latencies)
    level = f"{100 * sampling.confidence:g} % confidence"
    yield (
        f"Samples: Equation 3 asks for {wanted} ({level}, error {100 * sampling.error:g} %, p = 0.5); every row has "
        f"{least} or more: {'enough' if least >= wanted else 'not enough'}"
    )
    needs = {
        row.id: sample_size_of_mean(
            row.statistics.stdev, sampling.confidence, sampling.mean_error * row.statistics.mean
        )
        for row in latencies
    }
    short = [row for row in latencies if row.statistics.n < needs[row.id]]
    most = max(needs, key=lambda name: needs[name])
    yield (
        f"For the average to within {100 * sampling.mean_error:g} % ({level}) the deviations ask for {needs[most]} at "
        f"most ({most}): {'enough' if not short else f'not enough in {len(short)} rows'}"
    )


def show(console: Console, experiment: Experiment, rows: Sequence[Row]) -> None:
    """Print the experiment: cycles, the paper's table, and notes on the comparison."""
    comparison, sampling = definition.comparison(experiment), definition.sampling(experiment)
    if sampling is None:
        raise ValueError(f"{experiment.name}: a checked experiment has 'sampling'")
    show_question(console, experiment, rows)
    metric = experiment.metrics["latency"]
    for line in t1_lines(rows, metric):
        console.print(line)
    console.print("", Text.from_markup(f"[bold]T2[/], cycles: {metric.what}"), sep="\n")
    console.print(*fitted(console, metric_table(metric, of(rows, "latency", "t2")), SPARE), "")
    if of(rows, "time", "t2"):
        clock = definition.clock(experiment)
        console.print(Text.from_markup(f"[bold]T2[/], ns at {clock:g} MHz, as in the paper's Table 4"))
        console.print(*fitted(console, paper_table(rows, comparison)), "")
        if comparison is not None:
            console.print(f"* {comparison.source}: other hardware, {comparison.what}")
    if agreed := [row.statistics for row in rows if row.metric == "agreed"]:
        total, same = sum(one.n for one in agreed), sum(one.mean * one.n for one in agreed)
        console.print(
            f"pins: samples, T1 and T2, that are to the cycle what the host saw on the signals: {same:,.0f} of "
            f"{total:,}"
        )
    if of(rows, "retired", "t2"):
        console.print("RVFI: cycles from the end of T2 to the retirement of the instruction behind the last load")
    for line in sampling_lines(rows, sampling):
        console.print(line)
    console.print()


def _figure_8(experiment: Experiment, rows: Sequence[Row], comparison: Comparison, abi: str | None) -> Bars:
    """Average and maximum beside those of the others."""
    drawn = [row for row in of(rows, "time", "t2") if abi in (None, row.labels.get("abi"))]
    ours = [row for row in drawn if row.statistics.n == comparison.n]
    names = (*(scenario(row) for row in ours), *(one.name for one in comparison.rows))
    everything = [row.statistics for row in ours] + list(comparison.rows)
    series = {"average": tuple(one.mean for one in everything), "maximum": tuple(one.max for one in everything)}
    clock = definition.clock(experiment)
    what = "" if abi is None else f", {abi}"
    return Bars(f"T2, ns at {clock:g} MHz{what} (Figures 8 and 9)", "ns", names, series, len(ours))


def published_bars(experiment: Experiment, rows: Sequence[Row], abi: str | None = DRAWN_ABI) -> list[Bars]:
    """Figure 8, with the rows of Figure 9 in it, where there is a table of others; of one ABI, or of all."""
    comparison = definition.comparison(experiment)
    return [] if comparison is None else [_figure_8(experiment, rows, comparison, abi)]


def figures(experiment: Experiment, rows: Sequence[Row]) -> list[Figure]:
    """Figure 8, with the rows of Figure 9 in it, and the distribution of T2 in cycles by load."""
    drawn: list[Figure] = list(published_bars(experiment, rows))
    latencies = [row for row in of(rows, "latency", "t2") if row.labels.get("abi") == DRAWN_ABI]
    largest = max((row.statistics.n for row in latencies), default=0)
    for load in dict.fromkeys(row.labels.get("load", "") for row in latencies):
        chosen = {
            row.labels.get("scheme", row.id): row.statistics.histogram
            for row in latencies
            if row.labels.get("load") == load and row.statistics.n == largest
        }
        if chosen:
            drawn.append(Distribution(f"T2, cycles, {load}, {largest:,} samples each, {DRAWN_ABI}", "cycles", chosen))
    return drawn
