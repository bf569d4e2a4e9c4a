# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Linux on two harts (`amp-2`), with the real-time hart beside them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from trapeze.commandline import cli
from trapeze.common import paths, processes
from trapeze.linux import image
from trapeze.platform import configurations
from trapeze.simulation import simulator
from trapeze.simulation.options import Options

CONFIG = "amp-2"
TOGETHER = paths.LAB / "tests" / "linux" / "several" / "together.c"
CALLS = paths.ROOT / "linux" / "tests"
MAP = [f"-I{paths.ROOT / 'regs' / 'gen' / 'c'}", "-DTRAPEZE_MAP_AMP=1"]
MOVES_INIT = """
#define _GNU_SOURCE
#include <sched.h>
int main(void)
{
	cpu_set_t second;

	CPU_ZERO(&second);
	CPU_SET(1, &second);
	return sched_setaffinity(1, sizeof(second), &second) != 0;
}
"""


def made(folder: Path, name: str, *words: str | Path) -> Path:
    """What `trapeze cc` makes of these words."""
    out = folder / name
    assert cli.dispatch(["cc", *map(str, words), "-o", str(out)]) == 0
    return out


def booted(capfd: pytest.CaptureFixture[str], files: list[Path], script: str) -> tuple[int, list[str]]:
    """Exit code and console of a script, with these files."""
    added = [word for file in files for word in ("--add", str(file))]
    capfd.readouterr()
    code = cli.dispatch(["linux", "--config", CONFIG, "--coherence", *added, "--run", script])
    return code, capfd.readouterr().out.replace("\r", "").splitlines()


def said(console: list[str]) -> list[str]:
    """The lines that are not the kernel's or hart 1's."""
    return [line for line in console if not line.startswith("[")]


def test_a_hart_that_is_kept_for_one_program(capfd: pytest.CaptureFixture[str]) -> None:
    """As bench/rpc does it: the kernel can, and takes the words of --append."""
    append = "isolcpus=domain,managed_irq,1 nohz_full=1 rcu_nocbs=1 irqaffinity=0"
    script = "cd /sys/devices/system/cpu; cat isolated nohz_full; poweroff"
    capfd.readouterr()
    assert cli.dispatch(["linux", "--config", CONFIG, "--append", append, "--run", script]) == 0
    assert said(capfd.readouterr().out.replace("\r", "").splitlines()) == ["1", "1"]


def test_two_harts_run_linux(capfd: pytest.CaptureFixture[str]) -> None:
    code, console = booted(capfd, [], "nproc; cat /proc/cpuinfo; cat /proc/interrupts; poweroff")
    assert code == 0, console
    lines = said(console)
    assert lines[0] == "2"
    assert [line for line in lines if line.startswith("hart\t")] == ["hart\t\t: 0", "hart\t\t: 2"]
    timers = next(line for line in lines if line.endswith("riscv-timer")).split()
    assert all(int(count) > 0 for count in timers[1:3]), "each hart has its timer"


def test_threads_on_both(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    program = made(tmp_path, "together", "--linux", "-pthread", TOGETHER)
    code, console = booted(capfd, [program], "/bin/together; cat /proc/interrupts; poweroff")
    assert code == 0, console
    lines = said(console)
    assert lines[0] == "2 harts: 40000 40000 2500 counted, 200 refused, 0 wrong"
    calls = next(line for line in lines if line.endswith("Function call interrupts")).split()
    assert all(int(count) > 0 for count in calls[1:3]), "each hart has interrupted the other"


def test_jobs_of_the_real_time_hart(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    files = [
        made(tmp_path, "calls", "--linux", *MAP, CALLS / "calls.c"),
        made(tmp_path, "calls.job", "--config", CONFIG, "--job", CALLS / "calls_job.c"),
    ]
    code, console = booted(capfd, files, "/bin/calls /bin/calls.job; poweroff")
    assert code == 0, console
    assert any(line.startswith("PASS") for line in said(console)), console


def test_a_panic_on_the_second_hart(tmp_path: Path) -> None:
    """It ends the run, too, whose end is that of hart 0. The first program that runs lines itself ends at `exit`."""
    source = tmp_path / "move.c"
    source.write_text(MOVES_INIT)
    config = configurations.load(CONFIG)
    elf = image.build(config, "/bin/move; exit", [made(tmp_path, "move", "--linux", source)])
    done = simulator.watch(elf, config, Options(max_cycles=400_000_000, engine="model", last_hart=0))
    text = done.console.decode(errors="replace")
    assert done.exit_code == 2, text
    assert "Kernel panic - not syncing: Attempted to kill init!" in text
    assert re.search(r"CPU: 1 (UID: 0 )?PID: 1 ", text), text


def test_what_the_device_tree_says(tmp_path: Path) -> None:
    tree, text = tmp_path / "tree.dtb", tmp_path / "tree.dts"
    image.device_tree(tree, configurations.load(CONFIG), 4096, jobs=True)
    processes.run(["dtc", "-q", "-I", "dtb", "-O", "dts", str(tree), "-o", str(text)], check=True)
    content = " ".join(text.read_text().split())
    assert re.findall(r"cpu@(\d)", content) == ["0", "2"]
    controllers = re.findall(r"interrupt-controller \{ .*?phandle = <(0x\w+)>;", content)
    contexts = " ".join(f"{one} {interrupt}" for one in controllers for interrupt in ("0x0b", "0x09"))
    assert f"interrupts-extended = <{contexts}>" in content
