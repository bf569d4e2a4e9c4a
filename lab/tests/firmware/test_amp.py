# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Directed tests on the real-time hart of `amp`, whose other hart sleeps: its core is that of `mcu-user`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from trapeze.common import processes
from trapeze.firmware import compiler, toolchain, toolchain_file
from trapeze.platform import configurations
from trapeze.simulation import simulator
from trapeze.simulation.options import Options
from verify.dev import directed
from verify.dev.directed import Directed

CONFIG = configurations.load("amp")
HART = 1
SLEEPS = "	.globl _start\n_start:	wfi\n	j _start\n"
OF_THE_RTL = ("pmp_frames",)
"""What they look at happens in a certain cycle."""
OTHERS = (
    *("hello", "exit_signal", "irq_timer", "clic_nesting", "clic_xnxti", "clic_jalxnxti"),
    *(
        "fast_chain",
        "fast_frame",
        "fast_nested",
        "fast_switch",
        "fast_storm",
        "atomic_amo",
        "rtos_kernel",
        "rtos_interrupts",
    ),
)
"""A choice of those for fastirq, FreeRTOS and the A extension."""


def _runs(test: Directed) -> bool:
    """Whether a test runs there; monitors without interrupts of the program's own are for hart 0."""
    if (test.monitor is not None and not toolchain_file.own_interrupts(test.monitor)) or test.name in OF_THE_RTL:
        return False
    return "mcu-user" in test.configs or test.name in OTHERS


TESTS = [pytest.param(test, id=test.name) for test in directed.collect() if _runs(test)]


@pytest.fixture(scope="module")
def sleeper(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program for hart 0."""
    folder = tmp_path_factory.mktemp("sleeper")
    source, elf = folder / "sleeps.S", folder / "sleeps.elf"
    source.write_text(SLEEPS)
    place = f"-Wl,-Ttext={CONFIG.first.reset_vector:#x}"
    flags = ["-march=rv64imac", "-mabi=lp64", "-nostdlib", "-static", "-Wl,-n", place]
    processes.run([compiler.gcc(), *flags, str(source), "-o", str(elf)], check=True)
    return elf


@pytest.mark.parametrize("test", TESTS)
def test_on_the_real_time_hart(tmp_path: Path, sleeper: Path, test: Directed) -> None:
    options = [f"-I{directed.FOLDER}", f"-DTEST_HART_ID={CONFIG.harts[HART].hart_id}U", *test.args]
    elf = toolchain.build(CONFIG, [test.path], tmp_path / "test.elf", options, test.rtos, monitor=test.monitor)
    run = Options(max_cycles=directed.MAX_CYCLES, engine="model", others=(elf,), last_hart=HART)
    done = simulator.measure(sleeper, CONFIG, run)
    said = re.sub(r"^\[hart 1\] ", "", done.console.decode(errors="replace"), flags=re.MULTILINE)
    assert test.complaint(done.exit_code, said) is None
