# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""FreeRTOS under interrupts that come faster than it gets done: no task's stack grows with their number."""

from __future__ import annotations

from pathlib import Path

import pytest

from trapeze.common.edges import Stimulus
from trapeze.firmware import toolchain
from trapeze.platform import configurations
from trapeze.simulation import simulator
from trapeze.simulation.options import Options

PROGRAM = """
#include <stdlib.h>

#include <FreeRTOS.h>
#include <task.h>

#include <trapeze/irq.h>

static TaskHandle_t waiting, idling;

static void on_event(void *arg)
{
	BaseType_t woken = pdFALSE;

	(void)arg;
	vTaskNotifyGiveFromISR(waiting, &woken);
	portYIELD_FROM_ISR(woken);
}

/* Switches away from the idler and back to it, again and again, while it hardly gets to anything. */
static void worker(void *arg)
{
	(void)arg;
	for (int i = 0; i < 400; i++) {
		ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
	}
	exit(uxTaskGetStackHighWaterMark(idling) > 100U ? 0 : 1);
}

static void idler(void *arg)
{
	(void)arg;
	for (;;) {
		taskENTER_CRITICAL();
		for (volatile int i = 0; i < 5; i++) {
		}
		taskEXIT_CRITICAL();
	}
}

int main(void)
{
	xTaskCreate(worker, "worker", 400, NULL, 2, &waiting);
	xTaskCreate(idler, "idler", 400, NULL, 1, &idling);
	irq_connect(IRQ_PLATFORM(3), on_event, NULL);
	irq_enable(IRQ_PLATFORM(3));
	vTaskStartScheduler();
	return 1;
}
"""


@pytest.mark.parametrize("gap", ["uniform=250..450", "uniform=330..360"])
@pytest.mark.parametrize(
    "name", ["mcu-clint", "mcu-clic", "mcu-clic-e", "mcu-fastirq", "mcu-fastirq-e", "mcu-fastirq-inplace"]
)
def test_an_arrival_while_a_task_is_left_to(tmp_path: Path, name: str, gap: str) -> None:
    """An interrupt that was kept back comes when the kernel leaves to a task, on that task's stack."""
    config = configurations.load(name)
    source = tmp_path / "arrivals.c"
    source.write_text(PROGRAM)
    settings = ["-DconfigUSE_TRACE_FACILITY=1", "-DINCLUDE_uxTaskGetStackHighWaterMark=1"]
    elf = toolchain.build(config, [source], tmp_path / "arrivals.elf", settings, "freertos")
    options = Options(stimuli=(Stimulus.parse(f"3:{gap},from=100000"),), max_cycles=2_000_000)
    assert simulator.watch(elf, config, options).exit_code == 0
