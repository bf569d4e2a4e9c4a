# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What tasks waited for and which task had the cycles: from made traces, and from a program with FreeRTOS."""

from __future__ import annotations

import json
from pathlib import Path

from trapeze.explaining import breakdown, by_task
from trapeze.firmware import toolchain
from trapeze.platform import configurations
from trapeze.simulation import simulator
from trapeze.simulation.options import Options
from trapeze.simulation.traces import Record, Retired, Taken, TaskState, read

NAMES = [(range(0x40), "work"), (range(0x40, 0x80), "spi_transfer"), (range(0x80, 0xC0), "switch")]

PROGRAM = """
#include <stdlib.h>

#include <FreeRTOS.h>
#include <queue.h>
#include <semphr.h>
#include <task.h>

struct spi {
	int unit;
	SemaphoreHandle_t lock;
};

static struct spi spi0;
static SemaphoreHandle_t bus, go;
static QueueHandle_t events;

static void __attribute__((noinline)) spi_transfer(void)
{
	for (volatile int i = 0; i < 100; i++) {
	}
}

static void worker(void *arg)
{
	int event = 0;

	(void)arg;
	xSemaphoreTake(go, portMAX_DELAY);
	xSemaphoreTake(bus, portMAX_DELAY);
	xSemaphoreTake(go, portMAX_DELAY);
	xSemaphoreTake(spi0.lock, portMAX_DELAY);
	xQueueReceive(events, &event, portMAX_DELAY);
	xQueueSend(events, &event, 0);
	xQueueSend(events, &event, portMAX_DELAY);
	exit(0);
}

static void logger(void *arg)
{
	int event = 0;

	(void)arg;
	xSemaphoreTake(bus, portMAX_DELAY);
	xSemaphoreGive(go);
	spi_transfer();
	xSemaphoreGive(bus);
	xSemaphoreTake(spi0.lock, portMAX_DELAY);
	xSemaphoreGive(go);
	xSemaphoreGive(spi0.lock);
	xQueueSend(events, &event, portMAX_DELAY);
	xQueueReceive(events, &event, portMAX_DELAY);
	for (;;) {
	}
}

int main(void)
{
	static StaticQueue_t memory;
	static uint8_t items[4];

	spi0.lock = xSemaphoreCreateMutex();
	bus = xSemaphoreCreateMutex();
	go = xSemaphoreCreateBinary();
	events = xQueueCreateStatic(1, 4, items, &memory);
	vQueueAddToRegistry(go, "start of worker");
	xTaskCreate(worker, "worker", configMINIMAL_STACK_SIZE, NULL, 2, NULL);
	xTaskCreate(logger, "logger", configMINIMAL_STACK_SIZE, NULL, 1, NULL);
	vTaskStartScheduler();
	return 1;
}
"""


def told(trace: list[Record], begin: int, end: int) -> str:
    """The sentence of a part of a trace."""
    return by_task.sentence(trace, breakdown.steps(trace, begin, end, NAMES), begin)


def test_functions_without_tasks() -> None:
    """The largest first, the many small ones together, and nothing is lost."""
    named = [(range(4 * i, 4 * i + 4), f"f{i}") for i in range(40)]
    trace: list[Record] = [Retired(10, 0, "nop", "")]
    for i in range(40):
        trace.append(Retired(trace[-1].cycle + 1 + i % 20, 4 * i, "nop", ""))
    steps = breakdown.steps(trace, 9, trace[-1].cycle - 1, named)
    said = by_task.sentence(trace, steps, 9)
    assert said.startswith("f19 20, f39 20, f18 19, f38 19, ")
    assert said.endswith(f", 32 others {sum(one.cycles for one in steps) - 2 * (20 + 19 + 18 + 17)}")


def test_waits_by_task() -> None:
    """The wait, whose mutex it was, what its holder waited for, and the cycles by task; handlers are no task's."""
    trace: list[Record] = [
        TaskState(10, "worker", "runs"),
        Retired(11, 0x00, "nop", ""),
        TaskState(13, "worker", "waits", "mutex `bus`", "logger"),
        TaskState(14, "logger", "runs"),
        Retired(14, 0x80, "emret", ""),
        TaskState(20, "logger", "waits", "queue `events`"),
        Taken(30, "line 3"),
        Retired(35, 0x00, "nop", ""),
        Retired(40, 0x04, "emret", ""),
        TaskState(45, "logger", "ready"),
        Retired(90, 0x40, "nop", ""),
        TaskState(93, "worker", "ready"),
        TaskState(95, "worker", "runs"),
        Retired(96, 0x80, "emret", ""),
        Retired(101, 0x08, "nop", ""),
    ]
    assert told(trace, 10, 100) == (
        "`worker` waited 80 for mutex `bus`, held by `logger` in `spi_transfer`; "
        "`logger` waited 25 for queue `events`; task `logger` 53: spi_transfer 50, switch 3; "
        "interrupts (line 3) 26: entry of line 3 21, work 5; task `worker` 11: switch 6, work 5"
    )


def test_what_tasks_wait_for(tmp_path: Path) -> None:
    """Names by the registry, by the variable with the handle, and by the structure that has one, in both traces."""
    config = configurations.load("mcu-fastirq")
    source, records, timeline = (tmp_path / name for name in ("main.c", "t.jsonl", "t.json"))
    source.write_text(PROGRAM)
    settings = ["-g", "-DconfigQUEUE_REGISTRY_SIZE=4", "-DconfigSUPPORT_STATIC_ALLOCATION=1"]
    settings.append("-DconfigKERNEL_PROVIDED_STATIC_MEMORY=1")
    elf = toolchain.build(config, [source], tmp_path / "main.elf", settings, "freertos")
    for trace in (records, timeline):
        assert simulator.watch(elf, config, Options(trace=trace, max_cycles=500_000)).exit_code == 0
    with records.open() as lines:
        known = list(read(lines))
    waits = [one for one in known if isinstance(one, TaskState) and one.state == "waits"]
    assert [(one.task, one.what, one.holder) for one in waits] == [
        ("worker", "semaphore `start of worker`", ""),
        ("worker", "mutex `bus`", "logger"),
        ("worker", "semaphore `start of worker`", ""),
        ("worker", "mutex `spi0`", "logger"),
        ("worker", "queue `events`", ""),
        ("worker", "room in queue `events`", ""),
    ]
    ready = [one.cycle for one in known if isinstance(one, TaskState) and one.state == "ready"]
    events = json.loads(timeline.read_text())["traceEvents"]
    track = next(one for one in events if one["ph"] == "M" and one["args"]["name"] == "waits of worker")
    drawn = [one for one in events if one["ph"] == "X" and (one["pid"], one["tid"]) == (track["pid"], track["tid"])]
    assert drawn[1]["name"] == "mutex `bus`, held by `logger`"
    assert [one["ts"] + 1 for one in drawn] == [one.cycle for one in waits]
    assert [one["ts"] + one["dur"] + 1 for one in drawn] == ready

    # A trace that begins in a wait tells what is waited for.
    part = tmp_path / "part.jsonl"
    begin = waits[1].cycle + 50
    simulator.watch(elf, config, Options(trace=part, trace_from=begin, max_cycles=500_000))
    with part.open() as lines:
        first = [one for one in read(lines) if isinstance(one, TaskState)]
    assert [(one.cycle, one.state) for one in first[:2]] == [(begin, "runs"), (begin, "waits")]
    assert first[1].what == "mutex `bus`"
