# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Which events count for spans, and whose they are: start-up code, harts, monitors, tasks, what happens twice."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from trapeze.firmware import cc, toolchain
from trapeze.platform import configurations
from trapeze.results import store
from verify.dev.testing import Trapeze

BOOT = """volatile int zeroed, given = 5, marks;
int main(void)
{
	marks = 1;
	zeroed = given;
	marks = 2;
	marks = 1;
	return 0;
}
"""


def test_one_that_never_ended_beside_others(trapeze: Trapeze, firmware: Callable[[str], Path], tmp_path: Path) -> None:
    """Its figure may be the worst one: exit code 121. The last event of a period has begun nothing that is missing."""
    result = tmp_path / "r.json"
    words = ["run", firmware(BOOT), "--config", "mcu-clint", "--engine", "model", "--json", result]
    said = trapeze(*words, "--from", "store:marks=1", "--to", "store:marks=2", "--name", "one")
    assert said.code == 121
    assert "n = 1" in said.err
    assert "1 open (never ended)" in said.err
    written = store.load(result)
    assert "failed" not in written or not written["failed"]
    assert [row["open"] for row in written["rows"] if row["metric"] == "span"] == [1]
    period = trapeze(*words, "--from", "store:marks=1", "--to", "store:marks=1", "--name", "period")
    assert (period.code, "open" in period.err) == (0, False)


def test_start_up_code_is_no_event(trapeze: Trapeze, firmware: Callable[[str], Path]) -> None:
    """It zeroes .bss: `zeroed` is stored to once by the program, behind main."""
    words = ["run", firmware(BOOT), "--config", "mcu-clint", "--engine", "model"]
    said = trapeze(*words, "--from", "store:marks", "--to", "store:zeroed", "--from", "load:given", "--to", "pc:main")
    assert re.search(r"span store:marks..store:zeroed: (\d+), .*; worst", said.err), said.err
    before = trapeze(*words, "--from", "store:zeroed", "--to", "pc:main")
    assert "no figure, store:zeroed came 1 times, and pc:main never after it" in before.err


HARTS = """#include <trapeze/hart.h>

TZ_SHARED static volatile int word;

static void other(void *arg)
{
	(void)arg;
	word = 2;
}

int main(void)
{
	word = 1;
	hart_start(1, other, 0);
	hart_wait(1);
	return 0;
}
"""


def test_the_hart_of_a_store(trapeze: Trapeze, tmp_path: Path) -> None:
    """With several harts each event, row and line says whose it is."""
    source, result = tmp_path / "two.c", tmp_path / "r.json"
    source.write_text(HARTS)
    elf = toolchain.build(configurations.load("duo"), [source], tmp_path / "two.elf")
    words = ["run", elf, "--config", "duo", "--engine", "model", "--json", result]
    said = trapeze(*words, "--from", "store:word", "--to", "store:1:word", "--name", "shared")
    assert said.code == 0
    assert "span shared (store:0:word to store:1:word): " in said.err
    (row,) = (row for row in store.load(result)["rows"] if row["metric"] == "span")
    assert (row["from"], row["to"], row["labels"]["hart"]) == ("store:0:word", "store:1:word", "1")
    never = trapeze(*words, "--from", "store:1:word=1", "--to", "store:word")
    assert never.code == 121
    assert "store:1:word=1 never came" in never.err


GUARDED = """#include <stddef.h>

#include <trapeze/irq.h>
#include <trapeze/irq_clic.h>
#include <trapeze/marker.h>

static volatile int events;

static void on_event(void *arg)
{
	(void)arg;
	TRAPEZE_MARKER(1);
	events++;
}

int main(void)
{
	irq_connect(IRQ_PLATFORM(3), on_event, NULL);
	irq_trigger_set(IRQ_PLATFORM(3), IRQ_TRIGGER_RISING);
	irq_enable(IRQ_PLATFORM(3));
	irq_unlock_all();
	while (events < 6) {
		unsigned int key = irq_lock();

		for (volatile int i = 0; i < 100; i++) {
		}
		irq_unlock(key);
		for (volatile int i = 0; i < 100; i++) {
		}
	}
	return 0;
}
"""


@pytest.mark.parametrize("monitor", ["paper", "soft", "emulate", "direct"])
def test_a_marker_under_a_monitor(trapeze: Trapeze, tmp_path: Path, monitor: str) -> None:
    """It ends the latency of the interrupt that the monitor handed on, or held back while interrupts were disabled."""
    source, elf, result = tmp_path / "guarded.c", tmp_path / "guarded.elf", tmp_path / "r.json"
    source.write_text(GUARDED)
    assert cc.command(["--config", "mcu-user", "--monitor", monitor, str(source), "-o", str(elf)]) == 0
    edges = "3:every=20011,from=300000,n=6"
    words = ["run", elf, "--config", "mcu-user", "--stimulus", edges, "--from", "edge:3", "--to", "marker:1"]
    said = trapeze(*words, "--name", "handler", "--json", result)
    assert said.code == 0, said.err
    by_metric = {row["metric"]: row for row in store.load(result)["rows"]}
    assert by_metric["span"]["n"] == by_metric["latency"]["n"] == 6
    assert by_metric["span"]["histogram"] == by_metric["latency"]["histogram"]
    locked = 0 if monitor == "emulate" else 100
    assert by_metric["latency"]["max"] > by_metric["latency"]["min"] + locked, "some came in the section"


BUSY = """#include <stdlib.h>

#include <FreeRTOS.h>
#include <task.h>

#include <trapeze/irq.h>

static TaskHandle_t waiting;
static volatile int served;

static void on_event(void *arg)
{
	BaseType_t woken = pdFALSE;

	(void)arg;
	vTaskNotifyGiveFromISR(waiting, &woken);
	portYIELD_FROM_ISR(woken);
}

static void worker(void *arg)
{
	(void)arg;
	for (int n = 0; n < 30; n++) {
		ulTaskNotifyTake(pdFALSE, portMAX_DELAY);
		for (volatile int i = 0; i < 400; i++) {
		}
		served++;
	}
	exit(0);
}

static void idler(void *arg)
{
	(void)arg;
	for (;;) {
	}
}

int main(void)
{
	xTaskCreate(worker, "worker", configMINIMAL_STACK_SIZE, NULL, 2, &waiting);
	xTaskCreate(idler, "idler", configMINIMAL_STACK_SIZE, NULL, 1, NULL);
	irq_connect(IRQ_PLATFORM(3), on_event, NULL);
	irq_enable(IRQ_PLATFORM(3));
	vTaskStartScheduler();
	return 1;
}
"""


def test_a_task_that_works_when_the_edge_comes(trapeze: Trapeze, tmp_path: Path) -> None:
    """Such an edge wakes nothing: it is no span, and is counted apart; all others take what a wake takes."""
    source, elf, result = tmp_path / "busy.c", tmp_path / "busy.elf", tmp_path / "r.json"
    source.write_text(BUSY)
    assert cc.command(["--config", "mcu-fastirq", "--rtos", "freertos", "-g", str(source), "-o", str(elf)]) == 0
    words = ["run", elf, "--config", "mcu-fastirq", "--stimulus", "3:uniform=500..8000,n=30,from=100000"]
    for start in ("edge:3", "claim:19"):
        words += ["--from", start, "--to", "task:worker", "--name", start.partition(":")[0]]
    said = trapeze(*words, "--json", result)
    assert said.code == 0, said.err
    for row in (row for row in store.load(result)["rows"] if row["metric"] == "span"):
        assert row["n"] + row["unwoken"] == 30
        assert row["unwoken"] > 4
        assert row["max"] < row["min"] + 10, "none began with an edge that woke nothing"
        assert (row["missed"], row["open"]) == (0, 0)
    assert re.search(r"span edge: .*; \d+ edges were served without a wake", said.err)
    assert re.search(r"span claim: .*; \d+ interrupts were served without a wake", said.err)


BOUND = """#include <trapeze/bound_task.h>
#include <trapeze/exit.h>
#include <trapeze/irq.h>

BOUND_TASK_DEFINE(sensor, 512);
BOUND_TASK_DEFINE(other, 512);

static void sensor_main(void *arg)
{
	for (;;) {
		BOUND_TASK_WAIT(sensor);
		BOUND_TASK_WAIT(sensor);
	}
	(void)arg;
}

static void other_main(void *arg)
{
	BOUND_TASK_WAIT(other);
	trapeze_exit(0);
	(void)arg;
}

int main(void)
{
	bound_task_start(&sensor, IRQ_PLATFORM(3), 0x7f, sensor_main, NULL);
	bound_task_start(&other, IRQ_PLATFORM(4), 0xff, other_main, NULL);
	irq_unlock_all();
	for (;;) {
	}
}
"""


@pytest.mark.parametrize(("config", "monitor"), [("mcu-fastirq", None), ("mcu-user", "direct")])
def test_a_bound_task_wakes_wherever_it_waits(
    trapeze: Trapeze, tmp_path: Path, config: str, monitor: str | None
) -> None:
    """It waits at two places, another task of its kind has one of its own, in machine mode and in user mode."""
    (tmp_path / "bound.c").write_text(BOUND)
    elf = tmp_path / "bound.elf"
    toolchain.build(configurations.load(config), [tmp_path / "bound.c"], elf, monitor=monitor)
    words = ["run", elf, "--config", config, "--stimulus", "3:every=500,n=5,from=40000", "--irq", "4@44000"]
    for line, task in ((3, "sensor"), (4, "other")):
        words += ["--from", f"edge:{line}", "--to", f"task:{task}", "--name", task]
    said = trapeze(*words, "--json", tmp_path / "r.json")
    assert said.code == 0, said.err
    found = store.load(tmp_path / "r.json")["rows"]
    rows = {row["labels"]["name"]: row for row in found if row["metric"] == "span"}
    assert [(name, row["n"], row["missed"]) for name, row in rows.items()] == [("sensor", 5, 0), ("other", 1, 0)]
    assert rows["sensor"]["min"] == rows["sensor"]["max"]
    said = trapeze("run", elf, "--config", config, "--from", "edge:3", "--to", "task:senso", "--name", "x")
    assert said.code == 2


TWICE = """#include <trapeze/marker.h>

volatile int same = 1, word;

__attribute__((noinline)) static void down(int n)
{
	word = n;
	if (n > 0) {
		down(n - 1);
		__asm__ volatile("" ::: "memory");
	}
}

int main(void)
{
	TRAPEZE_MARKER(2);
	TRAPEZE_MARKER(2);
	same = 1;
	same = 1;
	down(3);
	TRAPEZE_MARKER(3);
	return 0;
}
"""


@pytest.mark.parametrize(
    ("start", "n"), [("marker:2", 2), ("store:same=1", 2), ("store:same", 2), ("pc:down", 4), ("store:word", 4)]
)
def test_an_event_that_happens_twice(trapeze: Trapeze, firmware: Callable[..., Path], start: str, n: int) -> None:
    """Each time counts; a value that was there from the beginning was not stored."""
    words = ["run", firmware(TWICE), "--config", "mcu-clint", "--engine", "model"]
    said = trapeze(*words, "--from", start, "--to", "marker:3")
    assert said.code == 0
    assert "n = 1; worst from" in said.err
    assert f"; {n - 1} missed (began while one was open)" in said.err
    never = trapeze(*words, "--from", "marker:3", "--to", start)
    assert never.code == 121
    assert f"no figure, marker:3 came 1 times, and {start} never after it" in never.err


HIGH = """#include <trapeze/marker.h>
#include <trapeze/timer.h>

int main(void)
{
	timer_set_alarm(0);
	TRAPEZE_MARKER(2);
	for (volatile int i = 0; i < 50; i++) {
	}
	timer_set_alarm(timer_now() + 1000000);
	TRAPEZE_MARKER(3);
	timer_set_alarm(0);
	for (volatile int i = 0; i < 50; i++) {
	}
	return 0;
}
"""


def test_a_signal_that_is_high_already(trapeze: Trapeze, tmp_path: Path) -> None:
    """It is no event until it falls and rises again."""
    source = tmp_path / "high.c"
    source.write_text(HIGH)
    elf = toolchain.build(configurations.load("mcu-fastirq"), [source], tmp_path / "high.elf")
    words = ["run", elf, "--config", "mcu-fastirq", "--from", "marker:2", "--to", "signal:mtip", "--name", "high"]
    said = trapeze(*words, "--from", "marker:3", "--to", "signal:mtip", "--name", "again")
    assert said.code == 0
    found = dict(re.findall(r"span (high|again): ([\d,]+), ", said.err))
    high, again = (int(found[name].replace(",", "")) for name in ("high", "again"))
    assert high > again + 50, "the first rise behind marker 2 is the one behind marker 3"
