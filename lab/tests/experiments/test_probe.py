# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The experiment probe: what it reads and refuses, its tables and figures, and every scheme on the real hardware."""

from __future__ import annotations

import contextlib
import io
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from trapeze import experiment_files
from trapeze.common import paths
from trapeze.common.errors import TrapezeError
from trapeze.experiment_files import Case
from trapeze.experiments import probe_report, probe_samples
from trapeze.experiments.probe import measure as probe
from trapeze.experiments.probe.measure import Measured
from trapeze.experiments.probe_file import comparison
from trapeze.experiments.probe_samples import MARKER_LAST_WORD, Report
from trapeze.platform.configurations import Config
from trapeze.reports.figures import Bars, Distribution
from trapeze.results import store
from trapeze.results.rows import Row
from trapeze.results.statistics import summarize
from trapeze.simulation import simulator
from trapeze.simulation.options import Options
from trapeze.simulation.records import MARKER_WINDOW_BEGIN, Marker, Run
from trapeze.simulation.simulator import Outcome
from verify.dev.testing import Trapeze

EXPERIMENT = experiment_files.load("probe")
CASES = {case.id: case for case in EXPERIMENT.cases}
COUNTS = {"words": 16, "wrong": 0, "missed": 0, "background-wrong": 0, "stress": 0, "accesses": 0}

latencies = st.lists(st.tuples(st.integers(1, 0xFFFF), st.integers(1, 0xFFFF)), min_size=2, max_size=50)


def block(test: str, values: Sequence[int]) -> str:
    """Samples as the firmware prints them."""
    words = [f"{value:04x}" for value in values]
    lines = [" ".join(words[start : start + 16]) for start in range(0, len(words), 16)]
    crc = zlib.crc32(np.asarray(values, "<u2").tobytes())
    return "\n".join([f"samples {test} {len(values)}", *lines, f"crc32 0x{crc:08x}", ""])


def console(samples: Mapping[str, Sequence[int]]) -> bytes:
    """What the firmware prints for these samples."""
    text = "".join(block(test, values) for test, values in samples.items())
    text += f"{'test':6}{'n':>6}{'min':>8}{'max':>8}{'average':>10}{'median':>8}{'jitter':>10}{'deviation':>11}\n"
    for test, values in samples.items():
        one = summarize(values)
        text += (
            f"{test:6}{one.n:6}{one.min:8}{one.max:8}{one.mean:10.2f}{one.p50:8}{one.jitter:10.2f}{one.stdev:11.2f}\n"
        )
    return (text + " ".join(f"{key} {value}" for key, value in COUNTS.items()) + "\n").encode()


def run_of(samples: Mapping[str, Sequence[int]], code: int = 0, reason: str = "exit") -> Run:
    """A run in which the signals rose so; a measurement every 200,000 cycles."""
    pairs = list(enumerate(zip(samples["t1"], samples["t2"], strict=True)))
    timer = tuple(200_000 * number for number, _ in pairs)
    ready = tuple(start + t1 for start, (_, (t1, _)) in zip(timer, pairs, strict=True))
    done = tuple(start + t2 for start, (_, (_, t2)) in zip(ready, pairs, strict=True))
    markers = tuple(Marker(MARKER_LAST_WORD, end, end + 1, end + 2) for end in done)
    signals = {"timer_irq": timer, "data_ready": ready, "read_done": done}
    return Run("mcu-clint", "rtl", "x.elf", reason, code, 10**9, 1000, markers, (), None, None, signals=signals)


def case_of(samples: Mapping[str, Sequence[int]], stress: int = 0) -> Case:
    """A row of as many samples."""
    return replace(CASES["clint/ilp32/idle"], own={"probe": {"samples": len(samples["t1"]), "stress": stress}})


GOOD = {"t1": (32, 32, 32), "t2": (100, 104, 120)}


def test_good_run() -> None:
    found = probe.evaluate(console(GOOD), run_of(GOOD), case_of(GOOD))
    assert found.samples == found.host == GOOD
    assert found.retired == (2, 2, 2)


@given(latencies)
def test_any_good_run(pairs: list[tuple[int, int]]) -> None:
    samples = {"t1": tuple(t1 for t1, _ in pairs), "t2": tuple(t2 for _, t2 in pairs)}
    assert probe.evaluate(console(samples), run_of(samples), case_of(samples)).host == samples


@given(latencies, st.data())
def test_any_sample_that_differs_is_named(pairs: list[tuple[int, int]], data: st.DataObject) -> None:
    """One sample changed, and the checksum and the firmware's table with it: nothing but the host can tell."""
    samples = {"t1": tuple(t1 for t1, _ in pairs), "t2": tuple(t2 for _, t2 in pairs)}
    test = data.draw(st.sampled_from(["t1", "t2"]))
    number = data.draw(st.integers(0, len(pairs) - 1))
    value = data.draw(st.integers(1, 0xFFFF).filter(lambda other: other != samples[test][number]))
    changed = samples | {test: (*samples[test][:number], value, *samples[test][number + 1 :])}
    says = rf"{test}: sample {number}: the probe says {value} cycles and the host {samples[test][number]} "
    with pytest.raises(TrapezeError, match=says):
        probe.evaluate(console(changed), run_of(samples), case_of(samples))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (b"0068", b"0069", "t2: the samples do not fit their checksum"),
        (b"samples t2 3", b"samples t2 4", "t2: the firmware printed 3 of 4 samples"),
        (b"samples t1", b"simples t1", "the firmware said 'simples t1 3', which is no part of its report"),
        (b"crc32", b"crc16", "which is no part of its report"),
        (b"108.00", b"108.02", "t2: the firmware computed mean 108.02 and the laboratory 108 from the same"),
        (b"t2         3     100     120", b"t2         3     100     121", "computed max 121 and the laboratory 120"),
        (b"words 16", b"oh dear", "the firmware said 'oh dear wrong 0"),
        (b"t1         3", b"t3         3", "the firmware said 't3 "),
    ],
)
def test_console_that_is_wrong(old: bytes, new: bytes, says: str) -> None:
    text = console(GOOD)
    assert text.count(old) >= 1
    with pytest.raises(TrapezeError, match=says) as caught:
        probe.evaluate(text.replace(old, new, 1), run_of(GOOD), case_of(GOOD))
    assert caught.value.exit_code == 1


def test_console_that_is_not_whole() -> None:
    text = console(GOOD)
    for end in range(0, text.index(b"words"), 7):
        with pytest.raises(TrapezeError):
            probe_samples.parse(text[:end], "x")


def test_runs_that_are_wrong() -> None:
    good = run_of(GOOD)
    ready = good.signals["data_ready"]
    late = (good.markers[0], replace(good.markers[1], tr=good.markers[1].tr + 1), good.markers[2])
    other = {"t1": (32, 32), "t2": (100, 104)}
    for run, says in (
        (run_of(GOOD, code=1), "ended with code 1: words 16, wrong 0, missed 0"),
        (run_of(GOOD, reason="max-cycles"), "ended by max-cycles"),
        (replace(good, signals={}), "the record has no signal 'data_ready'; use --engine rtl or timed"),
        (replace(good, signals={**good.signals, "data_ready": ready[:2]}), "3 samples, but timer_irq rose 3 times"),
        (replace(good, markers=good.markers[1:]), "3 blocks were read, but the marker passed 2 times"),
        (replace(good, markers=late), "sample 1: the instruction behind the last load retired 3 cycles after the end"),
    ):
        with pytest.raises(TrapezeError, match=says) as caught:
            probe.evaluate(console(GOOD), run, case_of(GOOD))
        assert caught.value.exit_code == 1
    with pytest.raises(TrapezeError, match="3 samples, not 2"):
        probe.evaluate(console(GOOD), good, case_of(other))


def rows_of(t2: Sequence[int], t1: Sequence[int], retired: Sequence[int] | None = None) -> list[Row]:
    """All rows, each from the same samples; those of 4000 from ten times as many."""
    made = []
    for case in EXPERIMENT.cases:
        times = 10 if "-4000" in case.id else 1
        samples = {"t1": tuple(t1) * times, "t2": tuple(t2) * times}
        measured = Measured(samples, samples, tuple(retired or [2] * len(t2)) * times)
        made += probe.rows(case, EXPERIMENT, measured)
    return made


T2 = [*range(100, 140)] * 10
"""400 values with mean 119.5, nearest-rank median 119, jitter 19.5; variance (40 ** 2 - 1) / 12 * 400 / 399."""


def test_rows() -> None:
    rows = {(row.id, row.metric): row for row in rows_of(T2, [32] * 400)}
    found = rows["fastirq/ilp32e/stress/t2", "time"]
    assert found.labels == {
        "scheme": "fastirq",
        "abi": "ilp32e",
        "handler": "function",
        "load": "stress",
        "test": "t2",
    }
    assert (found.unit, found.statistics.mean, found.statistics.max) == ("ns", 1195, 1390)
    assert rows["clint/ilp32/idle/t1", "latency"].statistics.jitter == 0
    assert rows["clint/ilp32/idle/t2", "agreed"].statistics.histogram == ((1, 400),)
    assert ("clint/ilp32/idle/t1", "retired") not in rows
    assert {row.labels["load"] for row in rows.values()} == {"idle", "stress"}
    assert {case.own["probe"]["samples"] for case in CASES.values()} == {400, 4000}


def shown(rows: Sequence[Row]) -> str:
    """What the experiment prints."""
    text = io.StringIO()
    probe_report.show(Console(file=text, width=100), EXPERIMENT, rows)
    return text.getvalue()


def test_table_in_the_shape_of_the_papers() -> None:
    text = shown(rows_of(T2, [32] * 400))
    lines = text.splitlines()
    assert max(map(len, lines)) <= 100
    assert "…" not in text
    assert "T1: 32 cycles, 320 ns, in each of 28,800 samples; no jitter" in text
    start = next(index for index, line in enumerate(lines) if line.startswith("T2, ns  "))
    assert lines[start].split() == ["T2,", "ns", "n", "Avg.", "Median", "Max.", "Jitter", "Dev.", "pins", "RVFI"]
    ours, published = lines[start + 1 : start + 19], lines[start + 19 : start + 27]
    assert [line.split()[0] for line in ours] == list(CASES)
    assert ours[0].split()[1:] == ["400", "1,195.00", "1,190.00", "1,390.00", "195.00", "115.58", "800/800", "+2"]
    assert " ".join(published[0].split()) == "Standalone A53 * 400 638.15 640.00 650.00 11.86 7.30 - -"
    assert published[-1].startswith("OpenAMP stress *")
    assert "other hardware" in text
    assert "57,600 of 57,600" in text
    assert "asks for 385 (95 % confidence, error 5 %, p = 0.5); every row has 400 or more: enough" in " ".join(
        text.split()
    )


def test_what_the_table_does_not_hide() -> None:
    """T1 that is not constant, retirements at different distances, too few samples."""
    few = shown(rows_of([100, 140], [32, 33], [2, 5]))
    assert "T1, cycles" in few
    assert "+2..5" in few
    assert "every row has 2 or more: not enough" in " ".join(few.split())
    # (1.96 x 28.28 / 1.2) ^ 2
    assert "ask for 2135 at most (clint/ilp32/idle/t2): not enough in 18 rows" in " ".join(few.split())


def test_published_table_by_its_own_definitions() -> None:
    """Jitter is the larger distance from the average; the paper's OpenAMP is the one row where it is not."""
    others = comparison(EXPERIMENT)
    assert others is not None
    odd = [one.name for one in others.rows if one.max - one.mean > one.jitter + 0.02]
    assert odd == ["OpenAMP"]
    assert len(others.rows) == 8


def test_an_experiment_without_a_table_of_others() -> None:
    """All but the rows of the others, and the figure beside them, is there."""
    alone, rows = replace(EXPERIMENT, own=without("comparison")), rows_of(T2, [32] * 400)
    probe.check(alone)
    text = io.StringIO()
    probe_report.show(Console(file=text, width=100), alone, rows)
    others = comparison(EXPERIMENT)
    assert others is not None
    assert shown(rows).count(" * ") == len(others.rows)
    assert "*" not in text.getvalue()
    assert all(row.id.rpartition("/")[0] in text.getvalue() for row in rows)
    assert [type(one) for one in probe_report.figures(alone, rows)] == [
        type(one) for one in probe_report.figures(EXPERIMENT, rows)[1:]
    ]


def test_figures() -> None:
    bars, *distributions = probe_report.figures(EXPERIMENT, rows_of(T2, [32] * 400))
    assert isinstance(bars, Bars)
    assert bars.ours == 6
    assert bars.names[:2] == ("clint/ilp32/idle", "clint/ilp32/stress")
    assert bars.names[6:8] == ("Standalone A53", "Xen")
    assert bars.series["average"][5:7] == (1195, 638.15)
    assert bars.series["maximum"][5:7] == (1390, 650)
    assert [isinstance(one, Distribution) and list(one.series) for one in distributions] == [
        ["clint", "clic", "fastirq"]
    ] * 2


def without(name: str) -> dict[str, Any]:
    """What the file says for this kind alone, but one thing."""
    return {key: value for key, value in EXPERIMENT.own.items() if key != name}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"own": without("clock")}, "'clock' is missing"),
        ({"own": without("sampling")}, "'sampling' is missing"),
        ({"metrics": experiment_files.load("irq-latency").metrics}, "'entry' is not one of latency, time, agreed"),
        ({"cases": (replace(CASES["clint/ilp32/idle"], own={}),)}, "clint/ilp32/idle: 'probe' is missing"),
        (
            {"cases": (replace(CASES["clint/ilp32/idle"], own={"probe": {"samples": 400, "stress": 9}}),)},
            "with stress 9 the label 'load' must be 'stress'",
        ),
    ],
)
def test_refuses(change: dict[str, object], says: str) -> None:
    with pytest.raises(TrapezeError, match=says):
        probe.check(replace(EXPERIMENT, **change))  # type: ignore[arg-type]
    probe.check(EXPERIMENT)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("clock: 100", "clock: 0", "clock: 0 is less than or equal to the minimum of 0"),
        ("samples: 400,", "samples: 1,", "1 is less than the minimum of 2"),
        ("stress: 128}", "stress: 256}", "256 is greater than the maximum of 255"),
        ("{samples: 400, stress: 0}", "{sample: 400, stress: 0}", "unknown key 'sample'; did you mean 'samples'"),
        ("confidence: 0.95", "confidence: 95", "95 is greater than or equal to the maximum of 1"),
        (", stdev: 7.30", "", "missing key 'stdev'"),
    ],
)
def test_bad_files(tmp_path: Path, old: str, new: str, says: str) -> None:
    source = paths.BENCH / "probe"
    folder = tmp_path / "probe"
    folder.mkdir()
    text = (source / "experiment.yaml").read_text()
    assert old in text
    (folder / "experiment.yaml").write_text(text.replace(old, new))
    with pytest.raises(TrapezeError, match=says) as caught:
        experiment_files.load("probe", tmp_path)
    assert str(folder / "experiment.yaml") in str(caught.value)


def test_firmware_refuses_settings(tmp_path: Path) -> None:
    case = CASES["clint/ilp32/idle"]
    for options, says in ((("-DSAMPLES=0U",), "SAMPLES must be"), (("-DSTRESS=256U",), "STRESS must be")):
        with pytest.raises(TrapezeError, match=says):
            replace(case, id=tmp_path.name, options=options).firmware("probe")


def play(case: Case, samples: int, stress: int) -> tuple[Case, Outcome]:
    """A short run of a row's firmware."""
    options = (f"-DSAMPLES={samples}U", f"-DSTRESS={stress}U")
    own = {"probe": {"samples": samples, "stress": stress}}
    short = replace(case, id=f"test/{case.id}-{samples}-{stress}", own=own, options=options)
    return short, simulator.measure(short.firmware("probe"), case.config, Options(max_cycles=probe.MAX_CYCLES))


@pytest.mark.parametrize("abi", ["ilp32", "ilp32e"])
@pytest.mark.parametrize("scheme", ["clint", "clic", "fastirq"])
def test_on_the_hardware(scheme: str, abi: str) -> None:
    """Probe, host and RVFI agree for every scheme, idle and stressed; phases differ; a doctored sample is found."""
    found: dict[int, Measured] = {}
    for stress in (0, 128):
        case, outcome = play(CASES[f"{scheme}/{abi}/idle"], 60, stress)
        found[stress] = probe.evaluate(outcome.console, outcome.run, case)
        counts = probe_samples.parse(outcome.console, "x").counts
        assert counts["words"] == 60 * 16
        assert (counts["accesses"] > 1000) == (stress > 0)
    assert set(found[0].samples["t1"]) == set(found[128].samples["t1"]) == {32}
    assert set(found[0].retired) == set(found[128].retired) == {2}
    assert max(found[128].samples["t2"]) > max(found[0].samples["t2"])

    # When the background program began, before data were ready: almost never the same number of cycles.
    begins = np.array([marker.tr for marker in outcome.run.markers if marker.n == MARKER_WINDOW_BEGIN])
    ready = np.array(outcome.run.signals["data_ready"])
    phases = ready[1:] - begins[np.searchsorted(begins, ready[1:]) - 1]
    assert len(set(phases.tolist())) > 50
    gaps = {after - before for before, after in pairwise(outcome.run.signals["timer_irq"])}
    assert min(gaps) >= 640
    assert max(gaps) <= 640 + 511

    # A sample one cycle off, as a probe would say it that counts wrongly.
    report = probe_samples.parse(outcome.console, case.id)
    t2 = list(report.samples["t2"])
    t2[41] += 1
    with pytest.raises(TrapezeError, match=f"t2: sample 41: the probe says {t2[41]} cycles and the host {t2[41] - 1} "):
        probe_samples.compare(Report({**report.samples, "t2": tuple(t2)}, {}, {}), outcome.run, case.id)


def test_the_model_measures_nothing() -> None:
    """It has the devices, so the firmware runs; it has no cycles, so there is nothing to hold the samples against."""
    case, _ = play(CASES["clint/ilp32/idle"], 60, 0)
    outcome = simulator.measure(case.firmware("probe"), case.config, Options(engine="model"))
    assert outcome.exit_code == 0
    assert probe_samples.parse(outcome.console, "x").counts["words"] == 60 * 16
    with pytest.raises(TrapezeError, match="the record has no signal 'data_ready'; use --engine rtl or timed"):
        probe.evaluate(outcome.console, outcome.run, case)


def test_the_load_retires_right_before_the_marker(tmp_path: Path) -> None:
    """So the distance of the marker is that of the load and one cycle more."""
    case, _ = play(CASES["fastirq/ilp32/idle"], 60, 128)
    trace = tmp_path / "t.log"
    # What the simulator says of a run that is cut short is an error; the trace is whole.
    with contextlib.suppress(TrapezeError):
        simulator.measure(case.firmware("probe"), case.config, Options(max_cycles=20_000, trace=trace))
    retired = re.findall(r"^ +(\d+) M [0-9a-f]+:\s+[0-9a-f]+\s+(\S+.*)$", trace.read_text(), re.MULTILINE)
    found = [
        index for index, (_, text) in enumerate(retired) if text.split() == ["slti", f"zero,zero,{MARKER_LAST_WORD}"]
    ]
    assert len(found) > 10
    for index in found:
        assert "[0x10014000]->" in retired[index - 1][1]
        assert int(retired[index][0]) == int(retired[index - 1][0]) + 1


def test_several_rounds() -> None:
    """More samples than the RAM of a probe holds: cleared and measured again."""
    case, outcome = play(CASES["fastirq/ilp32/idle"], 1001, 0)
    measured = probe.evaluate(outcome.console, outcome.run, case)
    assert len(measured.samples["t2"]) == 1001
    # The same program, whatever the number: the first samples are those of a shorter run.
    case, outcome = play(CASES["fastirq/ilp32/idle"], 60, 0)
    assert probe.evaluate(outcome.console, outcome.run, case).samples["t2"] == measured.samples["t2"][:60]


def test_command_ends_where_they_disagree(trapeze: Trapeze, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One rise seen a cycle late on the real hardware: no figure, and for each row a line that says which rise."""

    def late(elf: Path, config: Config, options: Options) -> Outcome:
        outcome = measure(elf, config, options)
        ready = list(outcome.run.signals["data_ready"])
        ready[17] += 1
        run = replace(outcome.run, signals={**outcome.run.signals, "data_ready": tuple(ready)})
        return replace(outcome, run=run)

    measure = simulator.measure
    monkeypatch.setattr(simulator, "measure", late)
    said = trapeze("bench", "probe", "--quick", "--json", tmp_path / "r.json")
    assert said.code == 1
    assert "clint/ilp32/idle: t1: sample 17: the probe says 32 cycles and the host 33 (timer_irq rose" in said.err
    assert "Traceback" not in said.err
    found = store.load(tmp_path / "r.json")
    assert found["rows"] == []
    assert [one["row"] for one in found["failed"]] == [case.id for case in CASES.values() if case.quick]
    assert all("sample 17: the probe says" in one["error"] for one in found["failed"])


def test_bench(trapeze: Trapeze, tmp_path: Path) -> None:
    """The whole command: tables, result file, page with figures."""
    path, pages = tmp_path / "r.json", tmp_path / "pages"
    said = trapeze("bench", "probe", "--quick", "--json", path, "--html", pages)
    assert said.code == 0, said.err
    assert "Standalone A53 *" in said.out
    assert "▇▇▇ average ▇▇▇ maximum" in said.out
    rows = store.load(path)["rows"]
    quick = [case.id for case in CASES.values() if case.quick]
    assert len(quick) == 6
    assert {row["id"] for row in rows} == {f"{name}/{test}" for name in quick for test in ("t1", "t2")}
    assert all(row["n"] == 400 for row in rows)
    assert all(row["min"] == row["max"] == 1 for row in rows if row["metric"] == "agreed")
    t2 = {row["id"]: row for row in rows if row["metric"] == "latency" and row["labels"]["test"] == "t2"}
    assert t2["fastirq/ilp32/idle/t2"]["max"] < min(t2[f"{name}/ilp32/idle/t2"]["min"] for name in ("clint", "clic"))
    # Whatever the interrupt meets; the first one with fastirq does not find its vector in the core yet.
    assert all(t2[f"{name}/ilp32/idle/t2"]["jitter"] == 0 for name in ("clint", "clic"))
    assert [count for _, count in t2["fastirq/ilp32/idle/t2"]["histogram"]] == [399, 1]
    for name, row in t2.items():
        assert row["labels"]["worst"].startswith("cycles ")
        assert (paths.BUILD / "bench" / "probe" / f"{name.replace('/', '-')}-worst.json").is_file()
    assert " more than the best one: " in t2["clic/ilp32/stress/t2"]["labels"]["worst"]
    page = (pages / "index.html").read_text()
    assert page.count('class="chart"') > 3
    assert '<script src="http' not in page
    assert "Standalone A53 *" in page
