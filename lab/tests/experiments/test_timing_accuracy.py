# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Cycles on Rocket's RTL: what is refused, what rows say, where two runs part; and the whole with the RTL, by name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from trapeze import experiment_files
from trapeze.common.errors import TrapezeError
from trapeze.experiment_files import Case
from trapeze.experiments.timing_accuracy import __main__ as command
from trapeze.experiments.timing_accuracy import agreement, compare, measure, model, programs, rocket
from trapeze.experiments.timing_accuracy.agreement import Sum
from trapeze.experiments.timing_accuracy.compare import Symbols, Trace
from trapeze.experiments.timing_accuracy.programs import Result
from trapeze.platform import configurations, user_configurations
from trapeze.platform.configurations import Config
from trapeze.results.rows import Row

EXPERIMENT = experiment_files.load("timing-accuracy")
BOOT = experiment_files.load("timing-accuracy-linux")


def _case(name: str) -> Case:
    """A row of the experiment."""
    (case,) = (one for one in EXPERIMENT.cases if one.id == f"rocket/{name}")
    return case


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (replace(_case("queens"), id="other/queens"), "other/queens: id: has to begin with 'rocket/'"),
        (replace(_case("queens"), sources=()), "rocket/queens: sources are missing"),
        (replace(_case("queens"), config=configurations.load("mcu-clint")), "mcu-clint has no RV64 hart"),
        (replace(_case("queens"), own={"package": {"peer": "ibx", "folder": ".", "sources": ["a.c"]}}), "unknown peer"),
    ],
)
def test_rows_that_cannot_be_measured_are_refused(wrong: Case, message: str) -> None:
    measure.check(EXPERIMENT)
    with pytest.raises(TrapezeError, match=message):
        measure.check(replace(EXPERIMENT, cases=(wrong,)))


def test_a_memory_without_latency_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    text = (programs.FOLDER / "experiment.yaml").read_text()
    (folder / "experiment.yaml").write_text(text.replace("latency: 30", "latency: 0"))
    with pytest.raises(TrapezeError, match=r"memory\.latency: 0 is less than"):
        experiment_files.load("mine", tmp_path)


@pytest.mark.parametrize("said", ["", "queens 1 2\n", "queens 1 2 x\n"])
def test_a_program_says_three_numbers_a_line(said: str) -> None:
    assert programs.results("queens 1 2 3\n") == (Result("queens", 1, 2, 3),)
    with pytest.raises(TrapezeError, match="the program printed"):
        programs.results(said)


def test_what_linux_prints_is_no_result() -> None:
    assert programs.results("[    0.1] Run /init as init process\n\nresults\nwhole 9 8 7\n") == (
        Result("whole", 9, 8, 7),
    )


def test_an_experiment_that_boots_linux_says_instructions() -> None:
    measure.check(BOOT)
    with pytest.raises(TrapezeError, match="its metrics must be cycles, model-cycles, error, instructions"):
        measure.check(replace(BOOT, metrics=EXPERIMENT.metrics))


def test_the_boot_of_linux_has_phases_and_instructions_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Timer interrupts come by cycles; only what the first program prints has to be the same."""
    lines = {"whole": (100, 70), "kernel": (80, 60), "init": (20, 10)}
    rtl = tuple(Result(name, *numbers, 5) for name, numbers in lines.items())
    ours = tuple(one._replace(first=one.first * 2, second=one.second + 1) for one in rtl)
    monkeypatch.setattr(programs, "build", lambda *_: Path("x.elf"))
    monkeypatch.setattr(rocket, "run", lambda *_: rocket.Run(rtl, {}))
    monkeypatch.setattr(model, "execute", lambda *_: ours)
    monkeypatch.setattr(model, "timed", lambda *_: ours)
    (case,) = BOOT.cases
    found = {(row.id, row.metric): row.statistics.mean for row in measure.measure(case, BOOT, False, lambda *_: None)}
    assert {found[f"rocket/linux{phase}", "cycles"] for phase in ("", "/kernel", "/init")} == {100, 80, 20}
    assert (found["rocket/linux", "instructions"], found["rocket/linux", "model-instructions"]) == (70, 71)
    assert found["rocket/linux/init", "error"] == 100
    monkeypatch.setattr(model, "execute", lambda *_: tuple(one._replace(third=6) for one in ours))
    with pytest.raises(TrapezeError, match=r"letters of the first program are \(5,\) on Rocket, but \(6,\)"):
        measure.measure(case, BOOT, False, lambda *_: None)


def _rows(monkeypatch: pytest.MonkeyPatch, case: Case, rtl: Result, ours: Result, timed: Result | None) -> list[object]:
    """What the measurement makes of lines of the program."""
    monkeypatch.setattr(programs, "build", lambda *_: Path("x.elf"))
    monkeypatch.setattr(rocket, "run", lambda *_: rocket.Run((rtl,), {}))
    monkeypatch.setattr(model, "execute", lambda *_: (ours,))
    monkeypatch.setattr(model, "timed", lambda *_: None if timed is None else (timed,))
    rows = measure.measure(case, EXPERIMENT, True, lambda *_: None)
    return [(row.id, row.labels["test"], row.metric, row.engine, row.statistics.mean) for row in rows]


def test_rows_have_cycles_and_those_of_the_model_where_there_are_any(monkeypatch: pytest.MonkeyPatch) -> None:
    rtl, ours = Result("whole", 1000, 90, 7), Result("whole", 95, 90, 7)
    cycles = ("rocket/queens", "queens", "cycles", "rtl", 1000)
    assert _rows(monkeypatch, _case("queens"), rtl, ours, None) == [cycles]
    assert _rows(monkeypatch, _case("queens"), rtl, ours, Result("whole", 980, 90, 7)) == [
        cycles,
        ("rocket/queens", "queens", "model-cycles", "timed", 980),
        ("rocket/queens", "queens", "error", "timed", -2),
    ]


def test_programs_run_at_every_latency_and_the_model_has_that_of_the_rtl(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that keeps the latency of its own parameters would be off by each miss."""
    monkeypatch.setattr(programs, "build", lambda *_: Path("x.elf"))
    monkeypatch.setattr(rocket, "run", lambda _, memory: rocket.Run((Result("whole", memory.latency, 90, 7),), {}))

    def execute(elf: Path, config: Config, engine: str = "model") -> tuple[Result, ...]:
        del elf
        told = config.platform.to_json(timed=True)["harts"][0]["timing"]["memory_latency"]
        return (Result("whole", 2 * told if engine == "timed" else 1, 90, 7),)

    monkeypatch.setattr(model, "execute", execute)
    rows = measure.measure(_case("queens"), EXPERIMENT, False, lambda *_: None)
    found = {(row.id, row.labels["latency"]): row.statistics.mean for row in rows if row.metric == "model-cycles"}
    assert found == {
        ("rocket/queens", "30"): 60,
        ("rocket/queens/latency-10", "10"): 20,
        ("rocket/queens/latency-60", "60"): 120,
    }
    assert [word for word, _ in measure.latencies(_case("micro"), EXPERIMENT, False)] == [""]


def test_platforms_of_other_latencies_have_other_files() -> None:
    """Rows are measured beside each other, and each writes the file of its platform."""
    config = _case("queens").config
    assert model.with_latency(config, 30) is config
    assert len({model.with_latency(config, latency).platform.name for latency in (10, 30, 60)}) == 3


def test_a_latency_without_a_time_is_refused() -> None:
    assert user_configurations.choose("app", ["memory_latency=7"]).first.memory_latency == 7
    with pytest.raises(TrapezeError, match="memory_latency: needs timing"):
        user_configurations.choose("mcu-clint", ["memory_latency=7"])


def test_mean_and_worst_are_of_each_set_and_latency() -> None:
    errors = {"queens": -2.0, "nbody": 1.0, "examined/tree": 4.0}
    rows = [
        Row.of(
            [value],
            id=f"rocket/{name}",
            config="",
            engine="timed",
            metric="error",
            unit="%",
            labels={**_case(name).labels, "test": name, "latency": "30"},
        )
        for name, value in errors.items()
    ]
    found = agreement.errors(EXPERIMENT, rows)
    assert {name: Sum.of_errors(of_set[30]) for name, of_set in found.items()} == {
        "fitted": Sum(1.5, -2, "queens"),
        "examined": Sum(4, 4, "examined/tree"),
    }


def test_a_kernel_is_a_row_with_the_cycles_of_a_round(monkeypatch: pytest.MonkeyPatch) -> None:
    rtl, ours = Result("alu-chain", 32, 1088, 1088), Result("alu-chain", 32, 999, 1088)
    assert _rows(monkeypatch, _case("micro"), rtl, ours, None) == [
        ("rocket/micro/alu-chain", "micro/alu-chain", "cycles", "rtl", 34)
    ]


@pytest.mark.parametrize("ours", [Result("whole", 1, 91, 7), Result("whole", 1, 90, 8), Result("other", 1, 90, 7)])
def test_runs_that_did_not_do_the_same_are_refused(monkeypatch: pytest.MonkeyPatch, ours: Result) -> None:
    if ours.name == "other":
        case, rtl = _case("micro"), Result("alu-chain", 1, 90, 7)
    else:
        case, rtl = _case("queens"), Result("whole", 1000, 90, 7)
    with pytest.raises(TrapezeError, match=r"on Rocket, but|only one of Rocket and"):
        _rows(monkeypatch, case, rtl, ours, None)


SYMBOLS = Symbols(0x100, (0x100, 0x200), ("loop", "leaf"))
ADDRESSES = [0x100, 0x104, 0x200, 0x204, 0x108, 0x104, 0x200, 0x204, 0x108]


def test_what_parts_two_runs_is_found() -> None:
    """The second run takes three cycles more for each of two executions of one instruction."""
    first = Trace(list(range(9)), ADDRESSES)
    second = Trace([0, 1, 2, 6, 7, 8, 9, 13, 14], ADDRESSES)
    found = compare.compare(first, second, SYMBOLS)
    assert (found.instructions, found.parted, found.total.difference) == (9, None, 6)
    assert {name: cost.difference for name, cost in found.functions.items()} == {"loop": 0, "leaf": 6}
    assert (found.blocks[0x200].times, found.blocks[0x200].first, found.blocks[0x200].second) == (2, 4, 10)
    assert found.pairs[0x204] == {3: 2}
    lines = compare.report(found, SYMBOLS, 1)
    assert lines[0] == "9 instructions, 8 and 14 cycles: +6, +75.00 %"
    assert [line.split()[0] for line in lines if line.startswith("  ")] == ["leaf", "leaf+0x0", "200", "204"]


def test_runs_are_compared_as_long_as_they_execute_the_same() -> None:
    first = Trace(list(range(4)), [0x100, 0x104, 0x200, 0x204])
    second = Trace(list(range(4)), [0x100, 0x104, 0x108, 0x10C])
    found = compare.compare(first, second, SYMBOLS)
    assert (found.instructions, found.parted) == (2, (0x200, 0x108))
    assert "behind them the runs part, to leaf+0x0 and loop+0x8" in compare.report(found, SYMBOLS)
    with pytest.raises(TrapezeError, match="no two instructions in common"):
        compare.compare(first, second.part(1, 4), SYMBOLS)


def test_a_trace_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "trace").write_text("12 80000000\nnothing\n")
    with pytest.raises(TrapezeError, match="line 2: not a cycle and an address"):
        compare.read(tmp_path / "trace")
    with pytest.raises(TrapezeError, match="No such file"):
        compare.read(tmp_path / "absent")


def test_commands_refuse_what_they_do_not_know(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["trace", "dgemm-11", str(tmp_path / "t")]) == 2
    assert command.main(["trace", "dgemm-10", str(tmp_path / "t"), "--latency", "0"]) == 2
    said = capsys.readouterr().err
    assert "unknown program 'dgemm-11'; did you mean 'dgemm-10'" in said
    assert "--latency: has to be 1 at least" in said


@pytest.mark.slow
def test_rocket_and_the_model_run_the_same_program(tmp_path: Path) -> None:
    """The RTL with its console and its end; the trace has what was counted, and memory that is slower takes longer."""
    elf = programs.build(_case("dgemm-10"), EXPERIMENT.name)
    (ours,) = model.execute(elf, _case("dgemm-10").config)
    fast = rocket.execute(elf, rocket.Memory(latency=10), tmp_path)
    trace = tmp_path / "trace"
    slow = rocket.execute(elf, rocket.Memory(latency=60), tmp_path, trace)
    for one in (fast.results[0], slow.results[0]):
        assert (one.second, one.third) == (ours.second, ours.third)
    assert fast.results[0].first < slow.results[0].first < 1.1 * fast.results[0].first
    assert len(compare.read(trace)) == slow.counters["instructions"]


@pytest.mark.slow
def test_translations_that_the_tlb_does_not_hold_take_a_walk(tmp_path: Path) -> None:
    """The kernels run in supervisor mode on both; 8 entries of 4 pages hold 32 pages next to each other, not 64."""
    case = _case("tlb")
    elf = programs.build(case, EXPERIMENT.name)
    rtl = {one.name: one for one in rocket.execute(elf, rocket.Memory(), tmp_path).results}
    ours = {one.name: one for one in model.execute(elf, case.config)}
    assert {name: one.third for name, one in rtl.items()} == {name: one.third for name, one in ours.items()}
    cycles = {name: one.second / one.first for name, one in rtl.items()}
    assert cycles["data-near-32"] == pytest.approx(cycles["data-plain-64"], abs=1)
    assert cycles["data-near-64"] == pytest.approx(cycles["data-plain-64"] + 16 * 11, abs=1)
