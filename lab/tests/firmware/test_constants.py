# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze cc` compiles any constant: GCC 12 with Zbs does not get 2048 into a register."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from verify.dev.testing import Trapeze

PATTERNS = (
    "unsigned {name}(void) {{ return {value}u; }}",
    "unsigned {name}(unsigned x) {{ return x + {value}u; }}",
    "unsigned {name}(unsigned x) {{ return {value}u - x; }}",
    "unsigned {name}(unsigned x) {{ return x & {value}u; }}",
    "unsigned {name}(unsigned x) {{ return x & ~{value}u; }}",
    "unsigned {name}(unsigned x) {{ return x | {value}u; }}",
    "unsigned {name}(unsigned x) {{ return x ^ {value}u; }}",
    "unsigned {name}(unsigned x) {{ return x * {value}u; }}",
    "int {name}(int x) {{ return x == (int){value}u; }}",
    "int {name}(int x) {{ return x < (int){value}u; }}",
    "int {name}(unsigned x) {{ return x >= {value}u; }}",
    "int {name}(unsigned x) {{ return x & {value}u ? outside(x, x) : 3; }}",
    "unsigned {name}(int x) {{ return x ? {value}u : 0; }}",
    "int {name}(int x) {{ return outside(x, (int){value}u); }}",
    "void {name}(void) {{ shared = {value}u; }}",
    "void {name}(void) {{ shared |= {value}u; }}",
    "long long {name}(long long x) {{ return x + (long long){value}u; }}",
    "int {name}(const char *at) {{ return at[(int){value}u]; }}",
    'void {name}(void) {{ __asm__ volatile("" ::"r"({value}u)); }}',
)
LEVELS = ("-O0", "-O1", "-O2", "-O3", "-Os", "-Og")


@cache
def program() -> str:
    """Every pattern with every power of two, the neighbours of 2048, and their complements."""
    chosen = {1 << bit for bit in range(32)} | {2048 + step for step in (-2, -1, 1, 2)}
    values = sorted(chosen | {value ^ 0xFFFFFFFF for value in chosen})
    lines = ["extern volatile unsigned shared;", "int outside(int, int);"]
    for number, pattern in enumerate(PATTERNS):
        lines += [pattern.format(name=f"f{number}_{value:x}", value=value) for value in values]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("suffix", ["c", "cpp"])
@pytest.mark.parametrize(("config", "level"), [*(("mcu-clint", level) for level in LEVELS), ("mcu-clint-e", "-O2")])
def test_every_constant(trapeze: Trapeze, tmp_path: Path, config: str, level: str, suffix: str) -> None:
    source = tmp_path / f"constants.{suffix}"
    source.write_text(program())
    said = trapeze("cc", "--config", config, level, "-g0", "-S", source, "-o", tmp_path / "out.s")
    assert (said.code, said.err) == (0, "")
    assert (tmp_path / "out.s").read_text().count("\t.globl\t") == program().count("{")


@pytest.mark.parametrize("scheme", ["clint", "clic", "fastirq"])
def test_a_task_with_a_stack_of_2048_words(trapeze: Trapeze, tmp_path: Path, scheme: str) -> None:
    (tmp_path / "FreeRTOSConfig.h").write_text(
        "#include_next <FreeRTOSConfig.h>\n"
        "#undef configTIMER_TASK_STACK_DEPTH\n#define configTIMER_TASK_STACK_DEPTH 2048\n"
        "#undef configMINIMAL_STACK_SIZE\n#define configMINIMAL_STACK_SIZE 2048\n"
    )
    source = tmp_path / "main.c"
    source.write_text(
        "#include <FreeRTOS.h>\n#include <task.h>\n"
        "static void task(void *arg) { (void)arg; vTaskDelete(NULL); }\n"
        'int main(void) { xTaskCreate(task, "task", 2048, NULL, 1, NULL); vTaskStartScheduler(); }\n'
    )
    said = trapeze("cc", "--config", f"mcu-{scheme}", "--rtos", "freertos", source, "-o", tmp_path / "out.elf")
    assert (said.code, said.err) == (0, "")
