# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What GDB shows of who was interrupted: frames in handlers of every scheme, and tasks of FreeRTOS."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from trapeze.firmware import toolchain
from trapeze.platform import configurations as config
from trapeze.simulation import simulator
from trapeze.simulation.options import Options

ENGINES = ("rtl", "model")
DEBUG = ("-g", "-Og")
FUNCTIONS = """\
__attribute__((noinline)) void second(void *arg)
{
\t(void)arg;
\tevents++;
}

__attribute__((noinline)) void first(void *arg)
{
\t(void)arg;
\tfor (volatile int i = 0; i < 30; i++) {
\t\tevents++;
\t}
}

__attribute__((noinline)) int inner(int x)
{
\tcounter += x;
\treturn 3 * counter;
}
"""
HANDLERS = (
    """\
#include <stddef.h>
#include <trapeze/irq.h>
#ifdef TRAPEZE_IRQ_CLIC
#include <trapeze/irq_clic.h>
#endif

volatile int events, counter;

"""
    + FUNCTIONS
    + """\

int main(void)
{
\tirq_connect(IRQ_PLATFORM(3), first, NULL);
\tirq_connect(IRQ_PLATFORM(4), second, NULL);
\tSETTING;
\tirq_enable(IRQ_PLATFORM(3));
\tirq_enable(IRQ_PLATFORM(4));
\tirq_unlock_all();
\tfor (int i = 0; i < 1000; i++) {
\t\t(void)inner(i);
\t}
\treturn 0;
}
"""
)
USER_MODE = (
    """\
#include <trapeze/csr.h>
#include <trapeze/irq.h>

volatile int events, counter;
static char stack[512] __attribute__((aligned(16)));

"""
    + FUNCTIONS
    + """\

__attribute__((noinline)) int outer(int x)
{
\treturn inner(x) + 1;
}

void in_user_mode(void)
{
\tfor (;;) {
\t\tcounter = outer(counter);
\t}
}

int main(void)
{
\tirq_connect(IRQ_PLATFORM(3), first, (void *)0);
\tirq_connect(IRQ_PLATFORM(4), second, (void *)0);
\tSETTING;
\tirq_enable(IRQ_PLATFORM(3));
\tirq_enable(IRQ_PLATFORM(4));
\tcsr_clear(CSR_MSTATUS, MSTATUS_MPP);
\tcsr_write(CSR_MEPC, (uintptr_t)in_user_mode);
\t__asm__ volatile("mv sp, %0\\n\\tmret" : : "r"(stack + sizeof(stack)));
\t__builtin_unreachable();
}
"""
)
IN_USER_MODE = """\
__attribute__((noinline)) int outer(int x)
{
\treturn inner(x) + 1;
}

void in_user_mode(void)
{
\tfor (;;) {
\t\tcounter = outer(counter);
\t}
}

"""
TO_USER_MODE = """\
\tstatic char stack[512] __attribute__((aligned(16)));

\tcsr_clear(CSR_MSTATUS, MSTATUS_MPP);
\tcsr_set(CSR_MSTATUS, MSTATUS_MPIE);
\tcsr_write(CSR_MEPC, (uintptr_t)in_user_mode);
\t__asm__ volatile("mv sp, %0\\n\\tmret" : : "r"(stack + sizeof(stack)));
\t__builtin_unreachable();
}
"""
TASKS = """\
#include <FreeRTOS.h>
#include <semphr.h>
#include <task.h>

static SemaphoreHandle_t never;
volatile unsigned count;

__attribute__((noinline)) static void waits_deep(void)
{
\t(void)xSemaphoreTake(never, portMAX_DELAY);
\tcount++;
}

static void waiter(void *arg)
{
\t(void)arg;
\twaits_deep();
\tfor (;;) {
\t}
}

static void sleeper(void *arg)
{
\t(void)arg;
\tfor (;;) {
\t\tvTaskDelay(1000);
\t}
}

__attribute__((noinline)) void spin(void)
{
\tcount++;
}

static void worker(void *arg)
{
\t(void)arg;
\tfor (;;) {
\t\tspin();
\t}
}

int main(void)
{
\tnever = xSemaphoreCreateBinary();
\t(void)xTaskCreate(waiter, "waiter", 256, NULL, 3, NULL);
\t(void)xTaskCreate(sleeper, "sleeper", 256, NULL, 2, NULL);
\t(void)xTaskCreate(worker, "worker", 256, NULL, 1, NULL);
\t(void)xTaskCreate(worker, "other", 256, NULL, 1, NULL);
\tvTaskStartScheduler();
\treturn 1;
}
"""


def debug(elf: Path, engine: str, name: str, *commands: str) -> str:
    """What GDB says to commands; it kills the run at the end."""
    options = Options(engine=engine, gdb=0)
    command = simulator.command_line(elf.parent, elf, config.load(name), options)
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        port = re.search(r"localhost:(\d+)$", process.stderr.readline().strip())
        assert port
        script = ["set confirm off", "set width 0", f"target remote localhost:{port[1]}", *commands, "kill"]
        words = [word for one in script for word in ("-ex", one)]
        gdb = subprocess.run(
            ["gdb-multiarch", "-nx", "-batch", *words, str(elf)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=120,
            check=False,
        )
    return gdb.stdout


def frames(text: str) -> list[list[str]]:
    """The functions of each backtrace."""
    found: list[list[str]] = []
    for number, name in re.findall(r"^#(\d+) +(?:0x\w+ in )?(<signal handler called>|\?\?|\w+)", text, re.MULTILINE):
        if number == "0":
            found.append([])
        found[-1].append(name)
    return found


SIGNAL = "<signal handler called>"
LEVELS = "irq_level_bits_set(8), irq_level_set(IRQ_PLATFORM(3), 100), irq_level_set(IRQ_PLATFORM(4), 200)"
EDGES = "irq_trigger_set(IRQ_PLATFORM(3), IRQ_TRIGGER_RISING), irq_trigger_set(IRQ_PLATFORM(4), IRQ_TRIGGER_RISING)"
LOOP = f"irq_vectored_set(IRQ_PLATFORM(3), 0), irq_vectored_set(IRQ_PLATFORM(4), 0), {EDGES}, {LEVELS}"
SCHEMES = {
    "clint": ("mcu-clint", "(void)0"),
    "clic": ("mcu-clic", LEVELS),
    "careful": ("mcu-clic", LOOP),
    "xnxti": ("mcu-clic", f"irq_entry_set(IRQ_ENTRY_XNXTI), {LOOP}"),
    "jalxnxti": ("mcu-clic", f"irq_entry_set(IRQ_ENTRY_JALXNXTI), {LOOP}"),
    "fastirq": ("mcu-fastirq", LEVELS),
    "fastirq-careful": ("mcu-fastirq", LOOP),
    "fastirq-xnxti": ("mcu-fastirq", f"irq_entry_set(IRQ_ENTRY_XNXTI), {LOOP}"),
    "fastirq-jalxnxti": ("mcu-fastirq", f"irq_entry_set(IRQ_ENTRY_JALXNXTI), {LOOP}"),
}
"""The configuration, and what sets the scheme up."""


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_who_was_interrupted(tmp_path: Path, scheme: str, engine: str) -> None:
    name, setting = SCHEMES[scheme]
    source = tmp_path / "main.c"
    source.write_text(HANDLERS.replace("SETTING", setting))
    elf = toolchain.build(config.load(name), [source], tmp_path / "main.elf", DEBUG)
    # At every instruction from the first of the handler to its function, and back.
    steps = ["stepi", "backtrace", "print $sp"] * 60
    said = debug(
        elf,
        engine,
        name,
        *("break inner", "continue", "delete", "print $sp", "monitor catch irq", "monitor irq 3", "continue"),
        *("backtrace", *steps, "break second", "monitor irq 4", "monitor catch off", "continue", "backtrace"),
    )
    all_frames = frames(said)
    assert len(all_frames) == 62, said
    for one in all_frames[:-1]:
        assert one[-2:] == ["inner", "main"], said
    nested = all_frames[-1]
    assert nested[0] == "second", said
    assert nested[-1] == "main", said
    if scheme != "clint":  # where nothing nests
        assert nested.count(SIGNAL) == 2, said
        assert "first" in nested, said


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("scheme", ["fastirq", "fastirq-careful", "fastirq-xnxti", "fastirq-jalxnxti"])
def test_user_mode_was_interrupted(tmp_path: Path, scheme: str, engine: str) -> None:
    """The handler has a stack of its own, and so has one that preempts it; the user's sp and callers are found."""
    name, setting = SCHEMES[scheme]
    functions, main = HANDLERS.split("int main(void)")
    main = main[: main.index("\tirq_unlock_all")].replace("SETTING", setting)
    source = tmp_path / "main.c"
    source.write_text(f"#include <trapeze/csr.h>\n{functions}{IN_USER_MODE}int main(void){main}{TO_USER_MODE}")
    elf = toolchain.build(config.load(name), [source], tmp_path / "main.elf", DEBUG)
    looks = ("backtrace", "select-frame function inner", "print $sp", "select-frame 0")
    said = debug(
        elf,
        engine,
        name,
        *("break inner", "continue", "delete", "print/d $priv", "print $sp", "monitor catch irq", "monitor irq 3"),
        *("continue", *looks, *("stepi", *looks) * 30, "monitor catch off", "break second", "monitor irq 4"),
        *("continue", *looks),
    )
    backtraces = frames(said)
    assert len(backtraces) == 32, said
    assert any(one[0] == "first" for one in backtraces), said
    for one in backtraces:
        assert one[one.index("inner") :][:3] == ["inner", "outer", "in_user_mode"], said
    assert backtraces[-1][0] == "second", said
    assert "first" in backtraces[-1], said
    mode, *stacks = re.findall(r"^\$\d+ = (.*)$", said, re.MULTILINE)
    assert (mode, len(stacks), len(set(stacks))) == ("0", 1 + 32, 1), said


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", ["mcu-clint", "mcu-clic", "mcu-fastirq", "mcu-fastirq-whole"])
def test_tasks_are_threads(tmp_path: Path, name: str, engine: str) -> None:
    source = tmp_path / "main.c"
    source.write_text(TASKS)
    elf = toolchain.build(config.load(name), [source], tmp_path / "main.elf", DEBUG, rtos="freertos")
    said = debug(
        elf, engine, name, "break spin", "continue", "ignore 1 2000", "continue", "info threads", "thread apply all bt"
    )
    for task in ("waiter, blocked", "sleeper, blocked", "IDLE, ready"):
        assert re.search(rf"^  +\d+ +Thread \d+ \(task {task}\)", said, re.MULTILINE), said
    assert re.search(r"^\* 1 +Thread 1 \(hart 0, .*; task (worker|other), running\)", said, re.MULTILINE), said
    listed, each = re.split(r"\n(?=Thread \d+ \()", said, maxsplit=1)
    assert len(re.findall(r"\(task (?:worker|other), ready\)", listed)) == 1, said
    found = frames(each)
    assert [one.pop() for one in found] == ["freertos_task_end"] * 5, said
    assert any(one[-3:] == ["xQueueSemaphoreTake", "waits_deep", "waiter"] for one in found), said
    assert any(one[-2:] == ["vTaskDelay", "sleeper"] for one in found), said
    assert any(one[-1:] == ["prvIdleTask"] for one in found), said
    assert sum(one[-1] == "worker" for one in found) == 2, said
