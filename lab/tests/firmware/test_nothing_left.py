# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What a program in user mode can have changed is gone for the next one, by the lists of `regs/`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from trapeze.common import paths
from trapeze.firmware import monitored, toolchain
from trapeze.platform import configurations
from trapeze.simulation import simulator
from trapeze.simulation.options import Options

NAME = "mcu-user"
OF = ("suclic", "ufastirq")
"""What has CSRs on this configuration that user mode can write."""

COUNTING = ("mtime_lo", "mtime_hi", "unxti", "uscratchcswl", "alarm_lat")
"""What has another value each time it is read, or none of its own; and the probe's limit, which has none before it is
written."""


VALUES = (0xFFFFFFFF, 0x5A5A5A5B, 0xA5A5A5A4)


def csrs() -> list[dict[str, Any]]:
    """User mode's CSRs that it can write, and the one that shows the level, which uret sets."""
    every = yaml.safe_load((paths.ROOT / "regs/isa/csrs.yaml").read_text())["csrs"]
    own = [one for one in every if one["of"] in OF and one["name"] not in COUNTING]
    return [one for one in own if one["number"] >> 8 in (0, 8) or one["name"] == "uintstatus"]


def registers(monitor: str) -> Iterator[tuple[str, int, dict[str, Any], int]]:
    """Registers of devices that a program can write: the name, address, description, and how many there are."""
    blocks = json.loads((paths.ROOT / "regs/gen/registers.json").read_text())["blocks"]
    regions = json.loads((paths.ROOT / "regs/gen/maps/mcu.json").read_text())["regions"]
    sources = configurations.load(NAME).first.sources
    for part in (one for region in regions for one in (region, *region.get("parts", ()))):
        if (block := part.get("block")) and not (block == "clic" and monitor == "direct"):
            for one in blocks[block]["registers"]:
                if one["access"] == "rw" and one["name"] not in COUNTING and part["name"] != "probe":
                    count = min(one.get("count") or 1, 1 if block == "clint" else sources)
                    yield f"{part['name']}.{one['name']}", part["base"] + one["offset"], one, count


LEVEL = (
    "csr_write(CSR_UCAUSE, UCAUSE_UPIL);"
    '__asm__ volatile("la t0, 1f\\n csrw %0, t0\\n" TRAPEZE_URET "\\n1:" : : "i"(CSR_UEPC) : "t0");'
)
"""Sets user mode's level, by uret."""


def changes(value: int) -> list[str]:
    """Writes a value to each CSR, after the level."""
    return [LEVEL, *(f"csr_write({one['number']}, {value}U);" for one in csrs() if one["name"] != "uintstatus")]


def program(monitor: str, value: int) -> str:
    """Says what it finds, writes the value everywhere, and ends with a fault. The UART, which says it, is the last."""
    shows = [f'printf("{one["name"]} %lx\\n", (unsigned long)csr_read({one["number"]}));' for one in csrs()]
    writes: list[str] = []
    of_uart: list[str] = []
    for name, address, one, count in registers(monitor):
        each = f"uint{one['width']}_t, {address}U, {one.get('stride') or 4}U, {count}U"
        latch = one["mode"] == "dlab"
        shows.append(("LATCH(1) " if latch else "") + f'SHOW("{name}", {each})' + (" LATCH(0)" if latch else ""))
        if not latch:  # a divisor makes the UART slow
            (of_uart if name.startswith("uart.") else writes).append(f"WRITE({each}, {value}U)")
    return "\n".join(
        [
            "#include <stdint.h>",
            "#include <stdio.h>",
            "#include <trapeze/csr.h>",
            "#include <trapeze/uart.h>",
            "#include <trapeze/map.h>",
            "#define EACH(type, base, stride, n) for (uint32_t i = 0U; i < n; i++)",
            "#define AT(type, base, stride) *(volatile type *)((base) + i * (stride))",
            "#define SHOW(name, type, base, stride, n) { uint32_t sum = 0U; "
            "EACH(type, base, stride, n) { sum = (sum << 5 | sum >> 27) + AT(type, base, stride); } "
            'printf(name " %lx\\n", (unsigned long)sum); }',
            "#define WRITE(type, base, stride, n, value) "
            "EACH(type, base, stride, n) { AT(type, base, stride) = (type)(value); }",
            "#define LATCH(on) *(volatile uint8_t *)(TRAPEZE_UART_BASE + TRAPEZE_UART_LCR_OFFSET) = "
            "(on) ? TRAPEZE_UART_LCR_DLAB_MASK : TRAPEZE_UART_LCR_RESET;",
            "int main(void)\n{",
            'puts("begin");',
            *shows,
            'puts("end"); fflush(stdout);',
            *changes(value),
            *writes,
            *of_uart,
            "*(volatile int *)0 = 1;\n}\n",
        ]
    )


@pytest.mark.parametrize(("engine", "value"), [*(("model", value) for value in VALUES), ("lockstep", VALUES[1])])
@pytest.mark.parametrize("monitor", ["paper", "soft", "direct"])
def test_restart_by_the_monitor(tmp_path: Path, monitor: str, engine: str, value: int) -> None:
    (tmp_path / "main.c").write_text(program(monitor, value))
    config = configurations.load(NAME)
    words = monitored.words(config, monitor, False, {"--monitor-restarts": "1"})
    elf = toolchain.build(config, [tmp_path / "main.c"], tmp_path / "main.elf", words, monitor=monitor)
    found = simulator.measure(elf, config, Options(engine=engine, max_cycles=10_000_000))
    lives = re.findall(r"^begin\n(.*?)^end\n", found.console.decode(), re.MULTILINE | re.DOTALL)
    assert (found.exit_code, len(lives)) == (134, 2), found.console
    assert found.console.count(b"store access fault, mcause 0x00000007") == 2  # and no fault before
    first, second = (dict(line.split() for line in life.splitlines()) for life in lives)
    assert len(first) > 30
    assert {name: (first[name], second[name]) for name in first if first[name] != second[name]} == {}


TASKS = """
#include <stdio.h>
#include <stdlib.h>
#include <FreeRTOS.h>
#include <port_context.h>
#include <port_rows.h>
#include <task.h>
#include <trapeze/csr.h>
#include <trapeze/map.h>
enum { FIRST, WRITES, SECOND, TASKS };
static struct area {
    uint32_t value[VALUES];
    uint8_t stack[512] __attribute__((aligned(16)));
} areas[TASKS];
static struct port_rows rows[TASKS];
static void reads(void *arg)
{
    struct area *mine = arg;
    READS
    __asm__ volatile("ecall");
}
static void writes(void *arg)
{
    (void)arg;
    WRITE_ALL
    __asm__ volatile("ecall");
}
static void end(void *arg)
{
    (void)arg;
    vTaskDelete(NULL);
}
void port_user_exception(struct port_context *context)
{
    if (port_cause(context) != MCAUSE_ECALL_U) {
        exit(1);
    }
    port_leave_user(context, end, NULL);
}
static void shows(void *arg)
{
    (void)arg;
    for (uint32_t i = 0U; i < VALUES; i++) {
        printf("%lx %lx\\n", (unsigned long)areas[FIRST].value[i], (unsigned long)areas[SECOND].value[i]);
    }
    exit(0);
}
static void create(uint32_t i, TaskFunction_t function)
{
    TaskHandle_t task;
    (void)xTaskCreate(function, "task", configMINIMAL_STACK_SIZE * 2, NULL, 5U - i, &task);
    unsigned int row = port_rows_add(&rows[i], 0U, TRAPEZE_IMEM_BASE, TRAPEZE_IMEM_SIZE, PMP_READ | PMP_EXECUTE);
    (void)port_rows_add(&rows[i], row, (uintptr_t)&areas[i], sizeof(areas[i]), PMP_READ | PMP_WRITE);
    port_enter_user(task, (uintptr_t)function, (uintptr_t)(&areas[i] + 1), 0U, &rows[i])->frame.x[10] =
        (uintptr_t)&areas[i];
}
int main(void)
{
    create(FIRST, reads);
    create(WRITES, writes);
    create(SECOND, reads);
    (void)xTaskCreate(shows, "shows", configMINIMAL_STACK_SIZE * 4, NULL, 1, NULL);
    vTaskStartScheduler();
    return 1;
}
"""


@pytest.mark.parametrize("value", VALUES)
def test_switch_of_protected_tasks(tmp_path: Path, value: int) -> None:
    """A task reads what it would read if no other one had run before."""
    reads = "".join(f"mine->value[{n}] = csr_read({one['number']});" for n, one in enumerate(csrs()))
    text = TASKS.replace("READS", reads).replace("WRITE_ALL", "".join(changes(value)))
    (tmp_path / "main.c").write_text(text.replace("VALUES", f"{len(csrs())}U"))
    config = configurations.load(NAME)
    elf = toolchain.build(config, [tmp_path / "main.c"], tmp_path / "main.elf", rtos="freertos-protected")
    found = simulator.measure(elf, config, Options(engine="model", max_cycles=10_000_000))
    assert found.exit_code == 0, found.console
    both = [line.split() for line in found.console.decode().splitlines()]
    assert {one["name"]: pair for one, pair in zip(csrs(), both, strict=True) if pair[0] != pair[1]} == {}
