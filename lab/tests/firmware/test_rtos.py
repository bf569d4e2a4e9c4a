# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`cc --rtos`, the FreeRTOS port in lockstep, its experiment, and the example of its README."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from trapeze import experiment_files
from trapeze.common import crates, paths
from trapeze.common.errors import TrapezeError
from trapeze.experiment_files import Case
from trapeze.experiments.context_switch import measure as context_switch
from trapeze.experiments.context_switch.measure import calls, find_period, split, switches, woken
from trapeze.experiments.context_switch.timeline import timeline
from trapeze.experiments.iterations import measure as iterations
from trapeze.experiments.measured_window import QUICK_PHASES, Window
from trapeze.experiments.throughput import measure as throughput
from trapeze.firmware import kernels, toolchain, toolchain_file
from trapeze.platform import configurations as config
from trapeze.simulation import simulator
from trapeze.simulation.options import Options
from trapeze.simulation.records import Marker, SweepRun
from trapeze.simulation.traces import Retired
from verify.dev import directed as firmware
from verify.dev import histograms
from verify.dev.directed import Directed
from verify.dev.testing import Trapeze

MAIN = """
#include <FreeRTOS.h>
#include <task.h>
#include <stdio.h>
#include <stdlib.h>
static void task(void *arg)
{
	vTaskDelay(2);
	printf("%s %d\\n", (const char *)arg, configMAX_PRIORITIES);
	exit(0);
}
int main(void)
{
	xTaskCreate(task, "task", 512, "hello", 1, NULL);
	vTaskStartScheduler();
	return 1;
}
"""
DIRECTED = [test for test in firmware.collect() if test.rtos is not None and test.monitor is None]
CASES = {case.id: case for case in experiment_files.load("context-switch").cases}
THROUGHPUT = experiment_files.load("rtos-throughput")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "main.c"
    path.write_text(MAIN)
    return path


def console(trapeze: Trapeze, elf: Path, name: str) -> str:
    said = trapeze("run", elf, "--config", name, "--max-cycles", "5000000")
    assert said.code == 0
    return said.out


@pytest.mark.parametrize("option", ["--rtos freertos", "--rtos=freertos"])
def test_an_application(trapeze: Trapeze, source: Path, tmp_path: Path, option: str) -> None:
    output = tmp_path / "x.elf"
    said = trapeze("cc", "--config", "mcu-fastirq", *option.split(), "-DconfigTICK_RATE_HZ=10000", source, "-o", output)
    assert (said.code, said.err) == (0, "")
    assert console(trapeze, output, "mcu-fastirq") == "hello 8\n"


def test_settings_of_an_application(trapeze: Trapeze, source: Path, tmp_path: Path) -> None:
    output = tmp_path / "x.elf"
    (tmp_path / "FreeRTOSConfig.h").write_text(
        "#define configMAX_PRIORITIES 5\n#define configTICK_RATE_HZ 10000\n#include_next <FreeRTOSConfig.h>\n"
    )
    assert trapeze("cc", "--config", "mcu-clic", "--rtos", "freertos", source, "-o", output).code == 0
    assert console(trapeze, output, "mcu-clic") == "hello 5\n"


PLAIN = """
#define configCPU_CLOCK_HZ 1000000
#define configTICK_RATE_HZ 100
#define configUSE_PREEMPTION 1
#define configUSE_IDLE_HOOK 0
#define configUSE_TICK_HOOK 0
#define configMAX_PRIORITIES 6
#define configMINIMAL_STACK_SIZE 256
#define configTOTAL_HEAP_SIZE 16384
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS
#define INCLUDE_vTaskDelay 1
"""


def test_a_kernel_depends_on_every_header_of_its_port(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also on those that only the kernel's own headers include, which are the system's: a change compiles it again."""
    read: set[str] = set()
    read_bytes = Path.read_bytes

    def noting(path: Path) -> bytes:
        read.add(path.name)
        return read_bytes(path)

    monkeypatch.setattr(Path, "read_bytes", noting)
    kernels.build("freertos", config.load("mcu-fastirq"), ["main.c"])
    assert read >= {"port_common.h", "portmacro.h", "port_scheme.h", "FreeRTOSConfig.h"}


def test_settings_that_know_nothing_of_this_port(trapeze: Trapeze, source: Path, tmp_path: Path) -> None:
    (tmp_path / "FreeRTOSConfig.h").write_text(PLAIN)
    for name in ("mcu-clint", "mcu-fastirq-e"):
        output = tmp_path / f"{name}.elf"
        said = trapeze("cc", "--config", name, "--rtos", "freertos", "-O0", source, "-o", output)
        assert (said.code, said.err) == (0, "")
        assert console(trapeze, output, name) == "hello 6\n"


def test_one_kernel_for_the_same_options() -> None:
    platform = config.load("mcu-clint")
    first = kernels.build("freertos", platform, ["main.c", "-o", "x", "-Wall"])
    assert kernels.build("freertos", platform, ["-Wextra", "other.c"]) == first
    assert kernels.build("freertos", platform, ["-DconfigMAX_PRIORITIES=9"]).objects != first.objects
    assert kernels.build("freertos", platform, ["-D", "configMAX_PRIORITIES=10"]).objects != first.objects
    assert all(path.is_file() for path in first.objects)


def test_kernel_is_the_one_that_the_lock_file_names() -> None:
    source = toolchain_file.data()["rtos"]["freertos"]["source"]
    root = crates.sources(paths.ROOT / source["manifest"], source["package"], source["folder"], "--rtos")
    assert '"V11.2.0"' in (root / "include" / "task.h").read_text()
    assert (
        'name = "freertos-next"\nversion = "0.12.0"'
        in (paths.ROOT / source["manifest"]).with_name("Cargo.lock").read_text()
    )


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--rtos", "freertoss"], "unknown kernel 'freertoss'; did you mean 'freertos'"),
        (["--rtos"], "--rtos needs a name; choices: freertos, freertos-jobs, freertos-protected, freertos-stock"),
        (["--rtos="], "--rtos needs a name"),
        (["--rtos", "freertos-stock"], "freertos-stock: has no port for configuration mcu-clic, .* one for clint"),
        (["--rtos", "freertos", "-DconfigMAX_PRIORITIES=40"], "at most 32 priorities"),
    ],
)
def test_wrong_input(trapeze: Trapeze, source: Path, arguments: list[str], says: str) -> None:
    said = trapeze("cc", "--config", "mcu-clic", source, *arguments)
    assert said.code != 0
    assert re.search(says, said.err)
    assert "Traceback" not in said.err


def test_without_cargo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda *_, **__: None)
    with pytest.raises(TrapezeError, match=r"cargo-web not found.*apt-get install cargo-web"):
        crates.cargo("--rtos")


def test_registry_that_cannot_be_reached(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake = tmp_path / "cargo"
    fake.write_text("#!/bin/sh\necho 'error: no network' >&2\nexit 101\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr(paths, "BUILD", tmp_path)
    source = toolchain_file.data()["rtos"]["freertos"]["source"]
    with pytest.raises(TrapezeError, match=r"Cargo\.toml names.*\n.*no network"):
        crates.sources.__wrapped__(paths.ROOT / source["manifest"], source["package"], source["folder"], "--rtos")


# ---------------------------------------------------------------- lockstep


@pytest.mark.parametrize(
    ("test", "name"),
    [pytest.param(test, name, id=f"{test.name}-{name}") for test in DIRECTED for name in test.configs],
)
def test_lockstep(test: Directed, name: str) -> None:
    platform = config.load(name)
    options = Options(engine="lockstep", max_cycles=firmware.MAX_CYCLES)
    outcome = simulator.measure(firmware.build(test, platform), platform, options)
    assert test.complaint(outcome.exit_code, outcome.console.decode(errors="replace")) is None


STRESS = next(test for test in DIRECTED if test.name == "rtos_stress")


@pytest.mark.parametrize(("engine", "cycles", "seed"), [("model", 50_000_000, 1), ("lockstep", 1_000_000, 2)])
@pytest.mark.parametrize("name", STRESS.configs)
def test_stress(tmp_path: Path, name: str, engine: str, cycles: int, seed: int) -> None:
    platform = config.load(name)
    options = [f"-I{firmware.FOLDER}", *STRESS.args, f"-DCYCLES={cycles}U", f"-DSEED={seed}U"]
    elf = toolchain.build(platform, [STRESS.path], tmp_path / "stress.elf", options, STRESS.rtos)
    outcome = simulator.measure(elf, platform, Options(engine=engine, max_cycles=2 * cycles))
    assert STRESS.complaint(outcome.exit_code, outcome.console.decode(errors="replace")) is None


# ---------------------------------------------------------------- experiment


def marker(n: int, cycle: int) -> Marker:
    return Marker(n, cycle - 3, cycle, cycle + 1)


def test_calls_are_pairs() -> None:
    markers = [marker(10, 5), marker(10, 20), marker(11, 65), marker(11, 70), marker(10, 80), marker(11, 90)]
    assert [one.cycles for one in calls(markers, Options())] == [45, 10]


BEGINS = [Marker(2, at - 2, at - 1, at) for at in range(100, 700, 100)]
BACKGROUND = [Retired(at + offset, 4 * offset, "nop", "") for at in range(0, 700, 100) for offset in (3, 50, 100)]


def test_period() -> None:
    assert find_period(BEGINS, BACKGROUND, "x") == Window(500, 599)
    assert find_period([*BEGINS, marker(5, 640)], BACKGROUND[:-2], "x").length == 100


def test_background_that_does_not_repeat() -> None:
    with pytest.raises(TrapezeError, match=r"x: .* cycles \[100, 200, 300\], not equally far apart"):
        find_period(BEGINS[:3], BACKGROUND, "x")
    with pytest.raises(TrapezeError, match="not equally far apart"):
        find_period([*BEGINS[:5], Marker(2, 599, 600, 601)], BACKGROUND, "x")
    for at in (BACKGROUND.index(Retired(503, 12, "nop", "")), BACKGROUND.index(Retired(350, 200, "nop", ""))):
        one = BACKGROUND[at]
        for other in ([], [replace(one, cycle=one.cycle + 1)], [replace(one, pc=one.pc + 2)]):
            with pytest.raises(TrapezeError, match="does not repeat"):
                find_period(BEGINS, [*BACKGROUND[:at], *other, *BACKGROUND[at + 1 :]], "x")


def test_distance_that_a_sweep_does_not_record() -> None:
    runs = [SweepRun(at, None, None, None, 1, 0, "exit", at + took, 0) for at, took in enumerate((70, 90, 60, 80))]
    asked: list[int] = []

    def ending(cycle: int) -> int:
        asked.append(cycle)
        return 8

    assert woken(runs, ending, "x") == [62, 82, 52, 72]
    assert asked == [0, 2, 1]
    with pytest.raises(TrapezeError, match=r"takes \[1, 2\] cycles, not always the same"):
        woken(runs, lambda cycle: 1 + cycle % 2, "x")


TRACE = [
    Retired(10, 0x8000_0100, "slti", "zero,zero,10"),
    Retired(12, 0x8000_0200, "nop", ""),
    Retired(20, 0x8000_0300, "nop", ""),
    Retired(29, 0x8000_0304, "ret", ""),
    Retired(33, 0x8000_0204, "nop", ""),
    Retired(40, 0x8000_0208, "ret", ""),
    Retired(42, 0x8000_0104, "slti", "zero,zero,11"),
]
NAMED = [
    (range(0x8000_0100, 0x8000_0200), "task"),
    (range(0x8000_0200, 0x8000_0300), "port"),
    (range(0x8000_0300, 0x8000_0400), "vTaskSwitchContext"),
]


def test_stages() -> None:
    (one,) = switches(TRACE)
    assert one[0] == Retired(10, 0x8000_0100, "slti", "zero,zero,10")
    assert split(one, NAMED) == {"entry": 2, "save": 8, "schedule": 13, "restore": 7, "exit": 2}
    with pytest.raises(TrapezeError, match="does not pass vTaskSwitchContext"):
        split(one, NAMED[:2])


def test_timeline() -> None:
    (one,) = switches(TRACE)
    events = json.loads(timeline("x", one, split(one, NAMED), NAMED))["traceEvents"]
    slices = [
        [(e["name"], e["ts"], e["dur"]) for e in events if e["ph"] == "X" and e["tid"] == tid] for tid in (1, 2, 3)
    ]
    assert [name for name, _, _ in slices[0]] == ["entry: 2", "save: 8", "schedule: 13", "restore: 7", "exit: 2"]
    assert [name for name, _, _ in slices[1]] == ["port", "vTaskSwitchContext", "port", "task"]
    assert [name for name, _, _ in slices[2]] == ["nop", "nop", "ret", "nop", "ret", "slti zero,zero,11"]
    for track in slices:
        assert (track[0][1], sum(duration for _, _, duration in track)) == (10, 32)
        assert all(a[1] + a[2] == b[1] for a, b in pairwise(track))


def silent(done: int, total: int) -> None:
    """Shows no progress."""
    del done, total


def test_yield_is_as_fast_as_it_should_be() -> None:
    experiment = experiment_files.load("context-switch")
    worst = {}
    wrong = []
    for name in (
        f"{scheme}/{abi}/{test}"
        for scheme in ("clic", "fastirq")
        for abi in ("ilp32", "ilp32e")
        for test in ("yield", "yield-call")
    ):
        rows = context_switch.measure(CASES[name], experiment, True, silent)
        assert {row.metric for row in rows} == {"switch", *context_switch.STAGES}
        worst[name] = max(row.statistics.max for row in rows if row.metric == "switch")
        wrong += histograms.differences(experiment.name, rows)
    assert wrong == []
    assert worst["clic/ilp32/yield"] - worst["fastirq/ilp32/yield"] >= 31
    assert worst["clic/ilp32e/yield"] - worst["fastirq/ilp32e/yield"] >= 16


@pytest.mark.parametrize(("suffix", "quick", "phases"), [("ilp32", False, 2500), ("ilp32e", True, QUICK_PHASES)])
def test_above_the_maximum_level_the_latency_is_the_bare_one(suffix: str, quick: bool, phases: int) -> None:
    """Every phase once: a single one may be that in which the kernel writes to the CLIC."""
    experiment = experiment_files.load("context-switch")
    (row,) = context_switch.measure(CASES[f"fastirq/{suffix}/above"], experiment, quick, silent)
    assert (row.statistics.n, row.statistics.min, row.statistics.max) == (phases, 4, 4)


def test_wake_up_at_every_phase() -> None:
    experiment = experiment_files.load("context-switch")
    case = CASES["fastirq/ilp32e/isr-wake-direct"]
    (row,) = context_switch.measure(case, experiment, True, silent)
    assert row.statistics.n == QUICK_PHASES
    # Some of these phases are in a critical section, which the interrupt has to wait for.
    assert row.statistics.max > row.statistics.min + 20


@pytest.mark.parametrize("name", ["stock/ilp32", "fastirq/ilp32"])
def test_calls_in_machine_mode(name: str) -> None:
    experiment = experiment_files.load("rtos-calls")
    case = next(case for case in experiment.cases if case.id == name)
    rows = {row.id.rpartition("/")[2]: row for row in iterations.measure(case, experiment, True, silent)}
    assert set(rows) == {"mask", "critical", "mutex", "flags", "nomessage", "waiting", "yield", "message"}


UNCONTENDED = ("mutex", "flags", "nomessage")


def test_uncontended_calls_take_no_longer_than_with_the_stock_port() -> None:
    experiment = experiment_files.load("rtos-calls")
    cases = {case.id: case for case in experiment.cases}
    cycles: dict[str, dict[str, float]] = {}
    for scheme in ("stock", "clint", "clic", "fastirq"):
        rows = iterations.measure(cases[f"{scheme}/ilp32"], experiment, True, silent)
        cycles[scheme] = {row.id.rpartition("/")[2]: row.statistics.max for row in rows if row.metric == "cycles"}
    for scheme, found in cycles.items():
        assert all(found[call] <= cycles["stock"][call] for call in UNCONTENDED), scheme


# ---------------------------------------------------------------- throughput


def quick_events(case: Case) -> float:
    rows = {row.metric: row.statistics for row in throughput.measure(case, THROUGHPUT, True, silent)}
    assert rows["events"].n == 1
    assert rows["events"].p50 == pytest.approx(throughput.WINDOW / rows["cycles"].p50, rel=0.01)
    return rows["events"].p50


@pytest.mark.parametrize("test", throughput.TESTS)
def test_throughput_is_not_below_that_of_the_stock_port(test: str) -> None:
    cases = {case.labels["scheme"]: case for case in THROUGHPUT.cases if case.labels["test"] == test}
    events = {scheme: quick_events(case) for scheme, case in cases.items()}
    assert set(events) == {"stock", "clint", "clic", "fastirq"}
    assert min(events.values()) == events["stock"] > 0


@pytest.mark.parametrize("optimisation", ["-O0", "-Os", "-O3"])
@pytest.mark.parametrize("test", ["message", "semaphore"])
def test_nor_at_any_optimisation(test: str, optimisation: str) -> None:
    cases = {case.labels["scheme"]: case for case in THROUGHPUT.cases if case.labels["test"] == test}
    events = {
        scheme: quick_events(replace(cases[scheme], options=(*cases[scheme].options, optimisation)))
        for scheme in ("stock", "fastirq")
    }
    assert events["fastirq"] >= events["stock"]


@pytest.mark.parametrize(
    ("was", "becomes"), [("counters[TAKEN]++;", "counters[TAKEN] += 2U;"), ("!= pdTRUE", "== pdTRUE")]
)
def test_throughput_whose_counters_contradict_each_other(tmp_path: Path, was: str, becomes: str) -> None:
    case = next(case for case in THROUGHPUT.cases if case.id == "fastirq/ilp32/semaphore")
    source = case.sources[0]
    (tmp_path / source.name).write_text(source.read_text().replace(was, becomes, 1))
    sources = (tmp_path / source.name, *case.sources[1:])
    options = (f"-I{source.parent}", *case.options)
    with pytest.raises(TrapezeError, match="code 1; its counters contradict each other, or a call failed"):
        throughput.measure(replace(case, sources=sources, options=options), THROUGHPUT, True, silent)


def test_throughput_as_the_firmware_says_it() -> None:
    assert throughput.parse(b"events 2500 cycles 300003\n", "x") == {"events": 25000, "cycles": 120.0}
    for said in (b"", b"events 1 cycles 2", b"events 0 cycles 300000\n", b"events 5 cycles 6\nevents 5 cycles 6\n"):
        with pytest.raises(TrapezeError, match=r"x: the firmware said .*, which is no figure"):
            throughput.parse(said, "x")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"labels": {"test": "message-box"}}, "label 'test': one of cooperative, "),
        ({"rtos": None}, "rtos is missing"),
    ],
)
def test_throughput_that_cannot_be_measured(change: dict[str, Any], says: str) -> None:
    strange = replace(THROUGHPUT, cases=(replace(THROUGHPUT.cases[0], **change),))
    with pytest.raises(TrapezeError, match=says):
        throughput.check(strange)
    throughput.check(THROUGHPUT)


def test_a_task_that_only_computes_pays_for_the_tick() -> None:
    """fastirq's tick is the cheapest one; without a kernel the schemes are the same machine."""
    experiment = experiment_files.load("rtos-calls")
    cases = {case.id: case for case in experiment.cases}
    figures: dict[str, dict[tuple[str, str], float]] = {}
    for name in ("clint", "fastirq"):
        rows = iterations.measure(cases[f"{name}/ilp32/compute"], experiment, True, silent)
        figures[name] = {(row.id.rpartition("/")[2], row.metric): row.statistics.p50 for row in rows}
        assert set(figures[name]) == {
            *(("bare", metric) for metric in ("cycles", "instructions")),
            *(("task", metric) for metric in ("cycles", "instructions", "overhead")),
        }
    assert figures["clint"]["bare", "cycles"] == figures["fastirq"]["bare", "cycles"]
    assert 0 < figures["fastirq"]["task", "overhead"] < figures["clint"]["task", "overhead"] < 0.2


def test_overhead_as_the_firmware_asks_for_it() -> None:
    said = b"bare cycles 200 instructions 100\ntask cycles 203 instructions 101 over bare\n"
    assert iterations.parse(said, "x") == {
        "bare": {"cycles": 200, "instructions": 100},
        "task": {"cycles": 203, "instructions": 101, "overhead": 1.5},
    }
    with pytest.raises(TrapezeError, match=r"'task .* over bare', and there is no such figure before"):
        iterations.parse(said.splitlines()[1], "x")


# ---------------------------------------------------------------- the example of docs/freertos.md

DOCUMENT = (paths.ROOT / "docs" / "freertos.md").read_text()


def test_example_of_the_documentation(tmp_path: Path) -> None:
    program = re.search(r"```c\n(.*?)```", DOCUMENT, re.DOTALL)
    session = re.search(r"```console\n(.*?)```", DOCUMENT, re.DOTALL)
    assert program
    assert session
    (tmp_path / "echo.c").write_text(program[1])
    (tmp_path / "trapeze").symlink_to(paths.ROOT / "trapeze")
    command, shown = "", ""
    for line in [*session[1].splitlines(), "$ "]:
        if not line.startswith("$ "):
            shown += f"{line}\n"
            continue
        if command:
            done = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
            assert done.stdout == shown
        command, shown = line.removeprefix("$ "), ""
