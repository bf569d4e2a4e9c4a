# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Each setting of FreeRTOSConfig.h with another value, alone: the application works, or is refused by name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from trapeze.common import paths
from verify.dev.testing import Trapeze

CONFIG = "mcu-clint"
TICKS = "-DconfigTICK_RATE_HZ=20000"

APPLICATION = """
#include <FreeRTOS.h>
#include <stdio.h>
#include <stdlib.h>
#include <task.h>
static volatile int hooks;
void vApplicationIdleHook(void) { hooks = hooks | 1; }
void vApplicationTickHook(void) { hooks = hooks | 2; }
static void task(void *arg)
{
	(void)arg;
	vTaskDelay(2);
	puts("ok");
	exit(hooks != ((configUSE_IDLE_HOOK ? 1 : 0) | (configUSE_TICK_HOOK ? 2 : 0)));
}
#if configSUPPORT_DYNAMIC_ALLOCATION
int main(void) { xTaskCreate(task, "t", 400, NULL, 2, NULL); vTaskStartScheduler(); return 9; }
#else
static StaticTask_t control;
static StackType_t stack[400];
int main(void) { xTaskCreateStatic(task, "t", 400, NULL, 2, stack, &control); vTaskStartScheduler(); return 9; }
#endif
"""

STATIC = "configSUPPORT_STATIC_ALLOCATION=1 configKERNEL_PROVIDED_STATIC_MEMORY=1"
WORKS: dict[str, list[str]] = {
    "configTRAPEZE_CHECKS": ["1"],
    "configTRAPEZE_BORROW": ["1"],
    "configUSE_PREEMPTION": ["0"],
    "configUSE_TIME_SLICING": ["1"],
    "configUSE_PORT_OPTIMISED_TASK_SELECTION": ["0", "0 configMAX_PRIORITIES=56"],
    "configMAX_PRIORITIES": ["3", "32"],
    "configIDLE_SHOULD_YIELD": ["1"],
    "configUSE_TICKLESS_IDLE": ["1"],
    "configUSE_IDLE_HOOK": ["1"],
    "configUSE_TICK_HOOK": ["1"],
    "configCPU_CLOCK_HZ": ["50000000"],
    "configTICK_RATE_HZ": ["1000"],
    "configTICK_TYPE_WIDTH_IN_BITS": ["TICK_TYPE_WIDTH_32_BITS"],
    "configMINIMAL_STACK_SIZE": ["128"],
    "configTOTAL_HEAP_SIZE": ["8192"],
    "configMAX_TASK_NAME_LEN": ["1"],
    "configSUPPORT_DYNAMIC_ALLOCATION": [f"0 {STATIC}", f"0 {STATIC} configUSE_TIMERS=1"],
    "configSUPPORT_STATIC_ALLOCATION": ["1 configKERNEL_PROVIDED_STATIC_MEMORY=1"],
    "configUSE_TASK_NOTIFICATIONS": ["0"],
    "configUSE_MUTEXES": ["0"],
    "configUSE_RECURSIVE_MUTEXES": ["0"],
    "configUSE_COUNTING_SEMAPHORES": ["0"],
    "configUSE_TIMERS": ["1"],
    "configTIMER_TASK_PRIORITY": ["1 configUSE_TIMERS=1"],
    "configTIMER_QUEUE_LENGTH": ["1 configUSE_TIMERS=1"],
    "configTIMER_TASK_STACK_DEPTH": ["300 configUSE_TIMERS=1"],
    "configCHECK_FOR_STACK_OVERFLOW": ["1", "2"],
    "configUSE_MALLOC_FAILED_HOOK": ["1"],
    "configASSERT": ["configASSERT(x)=((void)(x))"],
}
REFUSED = {
    "configTICK_TYPE_WIDTH_IN_BITS=TICK_TYPE_WIDTH_16_BITS": "this port has ticks of 32 bits",
    "configTICK_RATE_HZ=0": "takes 1 to configCPU_CLOCK_HZ",
    "configMAX_PRIORITIES=33": "at most 32 priorities",
    "configNUMBER_OF_CORES=2": "for one hart",
    "configUSE_CO_ROUTINES=1": "without co-routines",
    "configUSE_NEWLIB_REENTRANT=1": "configUSE_PICOLIBC_TLS",
    "configUSE_RECURSIVE_MUTEXES=1 configUSE_MUTEXES=0": "set both to 0",
}


def options(name: str, value: str) -> list[str]:
    """The options for a value, and for what else stands behind it."""
    words = (value if value.startswith(name) else f"{name}={value}").split()
    return [f"-D{word}" for word in words]


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in WORKS.items() for value in values])
def test_alone(trapeze: Trapeze, tmp_path: Path, name: str, value: str) -> None:
    source, elf = tmp_path / "main.c", tmp_path / "main.elf"
    source.write_text(APPLICATION)
    ticks = [] if name == "configTICK_RATE_HZ" else [TICKS]
    built = trapeze("cc", "--config", CONFIG, "--rtos", "freertos", *ticks, *options(name, value), source, "-o", elf)
    assert (built.code, built.err) == (0, "")
    said = trapeze("run", elf, "--config", CONFIG, "--engine", "model", "--max-cycles", "3000000")
    assert (said.code, said.out) == (0, "ok\n")


@pytest.mark.parametrize("settings", REFUSED)
def test_refused(trapeze: Trapeze, tmp_path: Path, settings: str) -> None:
    source, elf = tmp_path / "main.c", tmp_path / "main.elf"
    source.write_text(APPLICATION)
    words = [f"-D{word}" for word in settings.split()]
    said = trapeze("cc", "--config", CONFIG, "--rtos", "freertos", *words, source, "-o", elf)
    assert said.code == 1
    assert len(said.err.splitlines()) == 1
    assert REFUSED[settings] in said.err
    assert not elf.exists()


def test_all_settings_are_here() -> None:
    text = (paths.FIRMWARE / "freertos" / "settings" / "FreeRTOSConfig.h").read_text()
    assert set(re.findall(r"#ifndef (config\w+)", text)) == set(WORKS)
