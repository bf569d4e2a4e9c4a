# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Linux boots: on the model, and the same image on QEMU's `virt` machine as the outside reference."""

from __future__ import annotations

import re
from pathlib import Path

from trapeze.common import paths, processes
from trapeze.linux import image
from trapeze.platform import configurations
from trapeze.simulation import simulator
from trapeze.simulation.options import Options

CONFIG = configurations.load("app")
MAX_INSTRUCTIONS = 400_000_000
QEMU_SECONDS = 120

ENDINGS = [
    ("true; false", 2, ""),
    ("cat /nothing", 2, "cat: /nothing: no such file"),
    ("/bin/nothing", 2, "/bin/nothing: command: not found"),
    ("false; true", 0, ""),
    ("poweroff; echo not reached", 0, ""),
]
"""A script, the exit code of its run, and what it says."""

OF_THE_IMPLEMENTATION = re.compile(r"(m(vendor|arch|imp)id|mmu)\t.*\n")
"""Lines of /proc/cpuinfo that are not the same everywhere: QEMU translates by Sv57, too."""


def on_qemu(elf: Path) -> tuple[int, str]:
    """Exit code and console of an image on QEMU."""
    command = ["qemu-system-riscv64", "-M", "virt", "-m", "64M", "-nographic", "-no-reboot", "-bios", str(elf)]
    done = processes.run(command, given=b"", capture_output=True, timeout=QEMU_SECONDS)
    return done.returncode, done.stdout.decode(errors="replace").replace("\r", "")


def on_model(elf: Path) -> tuple[int, str]:
    """Exit code and console of an image on the model."""
    done = simulator.watch(elf, CONFIG, Options(max_cycles=MAX_INSTRUCTIONS, engine="model"))
    return done.exit_code, done.console.decode(errors="replace").replace("\r", "")


def said(console: str) -> str:
    """What programs said, without the lines of the kernel, which begin with a time, and names of the implementation."""
    own = "\n".join(line for line in console.splitlines() if not re.match(r"\[ *\d+\.\d+\] ", line))
    return OF_THE_IMPLEMENTATION.sub("", own)


def kernel_said(console: str) -> list[str]:
    """What the kernel said, without times, counts and sizes, sorted: its threads are not in step."""
    lines = re.findall(r"^\[ *\d+\.\d+\] (.*)$", console, re.MULTILINE)
    return sorted(re.sub(r"\d+", "N", line) for line in lines)


def test_it_boots_and_says_what_it_says_on_qemu(tmp_path: Path) -> None:
    plain = image.build(CONFIG, "uname -a; cat /proc/cpuinfo; echo the end")
    code, console = on_model(plain)
    assert code == 0, console
    own = said(console)
    assert re.match(r"Linux \(none\) 6\.1\d*\.\d+ #1 .* riscv64\n", own), console
    assert "isa\t\t: rv64imafdc" in own
    assert "mmu\t\t: sv39\n" in console
    assert own.endswith("the end")

    outside = on_qemu(plain)
    assert outside[0] == 0, outside[1]
    assert said(outside[1]) == own
    assert kernel_said(outside[1]) == kernel_said(console)

    command = [str(paths.ROOT / "trapeze"), "linux", "--run", "uname -a; cat /proc/cpuinfo; echo the end"]
    shown = processes.run(command, given="", capture_output=True, text=True)
    assert shown.returncode == 0, shown.stderr
    assert said(shown.stdout.replace("\r", "")).splitlines()[1:] == own.splitlines()[1:]  # the shell's uname says more

    (tmp_path / "typed").write_text("echo by hand\npoweroff\n")
    command = [str(paths.ROOT / "trapeze"), "linux", "--uart-in", str(tmp_path / "typed")]
    typed = processes.run(command, given="", capture_output=True, text=True)
    assert typed.returncode == 0, typed.stderr
    assert "# by hand" in typed.stdout

    for script, expected, text in ENDINGS:
        code, console = on_model(image.build(CONFIG, script))
        assert code == expected, f"{script}:\n{console}"
        assert text in console
        assert "not reached" not in console
