# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""C and C++ alike: every header of the HAL, direct handlers, allocation, static variables under a kernel."""

from __future__ import annotations

from pathlib import Path

import pytest

from trapeze.common import paths, processes
from trapeze.common.errors import TrapezeError
from trapeze.firmware import compiler, toolchain_file
from trapeze.platform import configurations
from verify.dev.testing import Trapeze

HEADERS = sorted((paths.FIRMWARE / "hal" / "include" / "trapeze").glob("*.h"))


def _flags(monitor: str | None) -> list[tuple[str, list[str]]]:
    """Options of all configurations that differ, without the note of the memory map."""
    found: dict[tuple[str, ...], str] = {}
    for name in configurations.names():
        config = configurations.load(name)
        try:
            config = compiler.of_hart(config, compiler.firmware_hart(config))
            if monitor is not None:
                toolchain_file.monitor(config, monitor)
        except TrapezeError:
            continue
        kind = [config.first.base[:5], config.first.scheme, str(len(config.harts)), str("a" in config.first.extensions)]
        found.setdefault(tuple(kind), name)
    return [
        (name, compiler.compile_flags(compiler.of_hart(one, compiler.firmware_hart(one)), monitor))
        for name in found.values()
        for one in (configurations.load(name),)
    ]


@pytest.mark.parametrize("monitor", [None, "soft", "paper", "direct"])
@pytest.mark.parametrize("language", ["c", "c++"])
def test_every_header_compiles_or_says_why_not(monitor: str | None, language: str) -> None:
    """For every kind of configuration, twice, alone; a refusal is the first thing that is said."""
    one = "".join(f"#include <trapeze/{header.name}>\n" for header in HEADERS)
    standard = {"c": "-std=c17", "c++": "-std=c++17"}[language]
    words = [standard, *toolchain_file.data()["warnings"], "-x", language, "-fsyntax-only", "-"]
    assert len(HEADERS) > 15
    assert _flags(monitor)
    for name, flags in _flags(monitor):
        refused = set()
        for header in HEADERS:
            text = f"#include <trapeze/{header.name}>\n" * 2
            done = processes.run([compiler.gcc(), *flags, *words], given=text, capture_output=True, text=True)
            if done.returncode:
                first = next(line for line in done.stderr.splitlines() if "error:" in line)
                assert "#error" in first, (name, header.name, first)
                refused.add(header.name)
        text = "".join(line + "\n" for line in one.splitlines() if not any(f"/{bad}>" in line for bad in refused))
        done = processes.run([compiler.gcc(), *flags, *words], given=text, capture_output=True, text=True)
        assert done.stderr == "", name
        assert refused <= {"irq_clic.h", "irq_plic.h", "sbi_call.h", "spin_lock.h"}
        config = configurations.load(name)
        assert ("irq_clic.h" in refused) == (config.first.scheme == "clint" and monitor is None)


DIRECT = "#include <trapeze/irq.h>\nTRAPEZE_IRQ_DIRECT(19)\n{\n}\nint main(void) { return 0; }\n"


@pytest.mark.parametrize("suffix", ["c", "cpp"])
@pytest.mark.parametrize("monitor", ["soft", "paper"])
def test_no_direct_handlers_where_a_monitor_has_the_table(
    trapeze: Trapeze, tmp_path: Path, monitor: str, suffix: str
) -> None:
    source, output = tmp_path / f"main.{suffix}", tmp_path / "x.elf"
    source.write_text(DIRECT)
    said = trapeze("cc", "--config", "mcu-user", "--monitor", monitor, source, "-o", output)
    assert said.code == 1
    assert said.err.count("error:") == 1
    assert "no direct handlers under this monitor" in said.err
    assert not output.exists()
    assert trapeze("cc", "--config", "mcu-user", "--monitor", "direct", source, "-o", output).code == 0


OWN = """
#include <stdlib.h>
static char pool[4096];
static size_t used;
void *malloc(size_t n) { void *p = pool + used; used += (n + 15) & ~15u; return p; }
void free(void *p) { (void)p; }
int main(void) { volatile char *p = malloc(3); free((void *)p); return p < pool || p >= pool + sizeof(pool); }
"""


def test_own_allocator_is_the_only_one(trapeze: Trapeze, tmp_path: Path) -> None:
    source, output = tmp_path / "main.c", tmp_path / "x.elf"
    source.write_text(OWN)
    said = trapeze("cc", "--config", "mcu-clint", "-fno-builtin", source, "-o", output)
    assert (said.code, said.err) == (0, "")
    assert trapeze("run", output, "--config", "mcu-clint", "--engine", "model").code == 0


NEW = """
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
struct alignas(64) Wide { char bytes[70]; };
template <class T> static bool at(T *made, size_t alignment) { return (uintptr_t)made % alignment == 0; }
int main()
{
	bool right = true;
	for (int i = 0; i < 20; i++) {
		right &= at(new char, alignof(max_align_t)) && at(new char[i], alignof(max_align_t));
		right &= at(new long double, alignof(max_align_t)) && at(new Wide, 64) && at(new Wide[2], 64);
	}
	return !right;
}
"""


@pytest.mark.parametrize("name", ["mcu-clint", "mcu-clint-e"])
def test_new_is_as_aligned_as_max_align_t(trapeze: Trapeze, tmp_path: Path, name: str) -> None:
    source, output = tmp_path / "main.cpp", tmp_path / "x.elf"
    source.write_text(NEW)
    said = trapeze("cc", "--config", name, source, "-o", output)
    assert (said.code, said.err) == (0, "")
    assert trapeze("run", output, "--config", name, "--engine", "model").code == 0


GUARD = """
#include <FreeRTOS.h>
#include <task.h>
#include <stdlib.h>
struct Slow { Slow() { vTaskDelay(5); } };
static void task(void *) { static Slow slow; (void)slow; exit(0); }
int main()
{
	xTaskCreate(task, "a", 400, NULL, 2, NULL);
	xTaskCreate(task, "b", 400, NULL, 2, NULL);
	vTaskStartScheduler();
}
"""


def test_a_task_that_meets_another_in_an_initialization_fails_with_a_reason(trapeze: Trapeze, tmp_path: Path) -> None:
    source, output = tmp_path / "main.cpp", tmp_path / "x.elf"
    source.write_text(GUARD)
    said = trapeze("cc", "--config", "mcu-clint", "--rtos", "freertos", source, "-o", output)
    assert (said.code, said.err) == (0, "")
    said = trapeze("run", output, "--config", "mcu-clint", "--engine", "model", "--max-cycles", "3000000")
    assert said.code == 134
    assert "C++: static variable used while it is being initialized" in said.out
