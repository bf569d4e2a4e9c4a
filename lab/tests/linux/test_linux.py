# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Linux boots: on the model, and the same image on QEMU's `virt` machine as the outside reference."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from trapeze.common import processes
from trapeze.linux import image
from trapeze.platform import configurations
from trapeze.simulation import simulator
from trapeze.simulation.simulator import Options

SCRIPT = "uname -a; cat /proc/cpuinfo; echo the end"
MAX_INSTRUCTIONS = 400_000_000
QEMU_SECONDS = 120


def on_qemu(elf: Path) -> tuple[int, str]:
    """Exit code and console of an image on QEMU."""
    command = ["qemu-system-riscv64", "-M", "virt", "-m", "64M", "-nographic", "-no-reboot", "-bios", str(elf)]
    done = processes.run(command, given=b"", capture_output=True, timeout=QEMU_SECONDS)
    return done.returncode, done.stdout.decode(errors="replace").replace("\r", "")


def on_model(elf: Path) -> tuple[int, str]:
    """Exit code and console of an image on the model."""
    options = Options(max_cycles=MAX_INSTRUCTIONS, engine="model")
    done = simulator.watch(elf, configurations.load("app"), options)
    return done.exit_code, done.console.decode(errors="replace").replace("\r", "")


def said(console: str) -> str:
    """What programs said, without the kernel's own lines and their times."""
    return "\n".join(line for line in console.splitlines() if not re.match(r"\[ *\d+\.\d+\] ", line))


@pytest.fixture(scope="module")
def plain() -> Path:
    """An image whose script succeeds."""
    return image.build(configurations.load("app"), SCRIPT)


def test_it_boots_on_qemu(plain: Path) -> None:
    code, console = on_qemu(plain)
    assert code == 0, console
    assert re.search(r"^Linux \(none\) 6\.1\.\d+ #1 .* riscv64$", said(console), re.MULTILINE), console
    assert "isa\t\t: rv64imac\n" in console
    assert "mmu\t\t: sv39\n" in console
    assert said(console).endswith("the end")


def test_the_model_says_what_qemu_says(plain: Path) -> None:
    code, console = on_model(plain)
    assert code == 0, console
    names = re.compile(r"m(vendor|arch|imp)id.*\n")  # of the implementation
    assert names.sub("", said(console)) == names.sub("", said(on_qemu(plain)[1]))


@pytest.mark.parametrize(
    ("script", "code", "text"),
    [
        ("true; false", 2, ""),
        ("cat /nothing", 2, "cat: /nothing: no such file"),
        ("/bin/nothing", 2, "/bin/nothing: command: not found"),
        ("false; true", 0, ""),
        ("poweroff; echo not reached", 0, ""),
    ],
)
def test_exit_codes(script: str, code: int, text: str) -> None:
    elf = image.build(configurations.load("app"), script)
    found, console = on_model(elf)
    assert found == code, console
    assert text in console
    assert "not reached" not in console
