# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""How runs end that do not end by themselves: signals, sleep without end, the limit of cycles."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from trapeze.common.limits import MAX_CYCLES
from trapeze.firmware import toolchain
from trapeze.platform import configurations as config
from trapeze.simulation import building
from verify.dev.testing import Trapeze

Firmware = Callable[[str], Path]

FOREVER = "int main(void) { for (;;) { } }\n"
SLEEPER = "#include <trapeze/irq.h>\nint main(void) { irq_unlock_all(); for (;;) { irq_wait(); } }\n"
ENGINES = ("rtl", "model", "lockstep")
SECONDS = 60


@contextmanager
def started(*arguments: object) -> Iterator[subprocess.Popen[str]]:
    """A command of `trapeze` as a process; it is gone when the block is left."""
    command = [sys.executable, "-m", "trapeze", *map(str, arguments)]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # who runs us may ignore it
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def children(pid: int) -> list[int]:
    """The processes that one has started."""
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(word) for word in text.split()]


def simulator_of(process: subprocess.Popen[str]) -> int:
    """Its simulator, once that runs."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        for child in children(process.pid):
            with suppress(FileNotFoundError, ProcessLookupError):  # it may have ended since
                if "trapeze-sim" in Path(f"/proc/{child}/cmdline").read_text().split("\0")[0]:
                    time.sleep(0.5)
                    return child
        time.sleep(0.05)
    raise AssertionError("no simulator")


def is_gone(pid: int) -> bool:
    """Whether a process has ended, soon."""
    end = time.monotonic() + 10
    while time.monotonic() < end:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z":
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("suffix", ["log", "json"])
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_stopped_by_a_signal(firmware: Firmware, tmp_path: Path, number: int, code: int, suffix: str) -> None:
    elf, trace, result = firmware(FOREVER), tmp_path / f"t.{suffix}", tmp_path / "r.json"
    building.engine(config.load("mcu-clint"))
    arguments = ("run", elf, "--config", "mcu-clint", "--trace", trace, "--json", result)
    with started(*arguments) as process:
        child = simulator_of(process)
        process.send_signal(number)
        _, err = process.communicate(timeout=SECONDS)
    assert process.returncode == code
    assert is_gone(child)
    assert re.search(rf"stopped by {signal.Signals(number).name} in cycle \d+, at 0x8\w+ \(main", err), err
    assert "Traceback" not in err
    text = trace.read_text()
    if suffix == "json":
        assert len(json.loads(text)["traceEvents"]) > 1000
    else:
        assert text.endswith("stopped by a signal\n")
        assert len(text.splitlines()) > 1000
    assert {one.name for one in tmp_path.iterdir()} == {trace.name, result.name}
    figures = {row["metric"]: row for row in json.loads(result.read_text())["rows"]}
    assert figures["cycles"]["max"] > 1000
    assert figures["cycles"]["labels"]["exit"] == "signal"


def test_figures_so_far(firmware: Firmware, tmp_path: Path) -> None:
    """A firmware that never ends: Ctrl-C prints and writes what was measured."""
    elf, result, page = firmware(FOREVER), tmp_path / "r.json", tmp_path / "page"
    building.engine(config.load("mcu-clint"))
    with started("run", elf, "--config", "mcu-clint", "--irq", "3@3000", "--json", result, "--html", page) as run:
        simulator_of(run)
        time.sleep(2)
        run.send_signal(signal.SIGINT)
        _, err = run.communicate(timeout=SECONDS)
    assert run.returncode == 130, err
    assert "line 3, raised in cycle 3000" in err
    assert "Traceback" not in err
    rows = json.loads(result.read_text())["rows"]
    assert {row["metric"] for row in rows} >= {"cycles", "instructions", "taken"}
    assert (page / "index.html").exists()


def test_one_key_that_comes_twice(firmware: Firmware, tmp_path: Path) -> None:
    """A terminal sends Ctrl-C to the command and to its simulator, and the command passes it on."""
    elf, trace = firmware(FOREVER), tmp_path / "t.log"
    building.engine(config.load("mcu-clint"))
    with started("run", elf, "--config", "mcu-clint", "--trace", trace) as process:
        child = simulator_of(process)
        os.kill(child, signal.SIGINT)
        time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=SECONDS)
    assert process.returncode == 130
    assert "stopped by SIGINT in cycle" in err
    assert trace.read_text().endswith("stopped by a signal\n")


def test_stopped_before_gdb_comes(firmware: Firmware) -> None:
    elf = firmware(FOREVER)
    building.engine(config.load("mcu-clint"), kind="model")
    with started("run", elf, "--config", "mcu-clint", "--engine", "model", "--gdb", "0") as process:
        simulator_of(process)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=SECONDS)
    assert process.returncode == 130, err


def test_killed_and_nothing_is_left(firmware: Firmware) -> None:
    elf = firmware(FOREVER)
    building.engine(config.load("mcu-clint"))
    with started("run", elf, "--config", "mcu-clint") as process:
        child = simulator_of(process)
        process.kill()
        process.communicate(timeout=SECONDS)
        assert is_gone(child)


WORKERS = """
import sys
from functools import partial
from trapeze.common import processes
from trapeze.common import jobs
processes.end_by_signals()
work = [partial(processes.run, ["sh", "-c", f"echo $$ >> {sys.argv[1]}; exec sleep 600"])] * 4
jobs.together(work, lambda done, total: None, 2)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_programs_of_all_threads_end(tmp_path: Path, number: int) -> None:
    pids = tmp_path / "pids"
    with subprocess.Popen(
        [sys.executable, "-c", WORKERS, str(pids)],
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:
        end = time.monotonic() + SECONDS
        while time.monotonic() < end and not (pids.exists() and len(pids.read_text().split()) == 2):
            time.sleep(0.05)
        process.send_signal(number)
        process.wait(SECONDS)
    begun = [int(word) for word in pids.read_text().split()]
    assert len(begun) == 2, "nothing begins after the signal"
    assert all(is_gone(pid) for pid in begun)


@pytest.mark.parametrize("engine", ENGINES)
def test_sleep_without_end(trapeze: Trapeze, firmware: Firmware, tmp_path: Path, engine: str) -> None:
    path, log = tmp_path / "r.json", tmp_path / "t.log"
    options = ["--engine", engine, "--json", path, "--trace", log]
    said = trapeze("run", firmware(SLEEPER), "--config", "mcu-clint", *options)
    assert said.code == 122
    unit = "instruction" if engine == "model" else "cycle"
    assert re.search(
        rf"waits for an interrupt that cannot come: in wfi at 0x8\w+ \(main\S*\) since {unit} \d{{3}},", said.err
    )
    assert json.loads(path.read_text())["rows"][0]["labels"]["exit"] == "asleep"
    assert log.read_text().endswith("stopped: nothing ends this sleep\n")


WAITS = {
    # Each waits far longer than what is looked at in one go, and is woken all the same.
    "timer": (
        "timer_set_alarm(timer_now() + 300000); irq_connect(IRQ_TIMER, on_timer, 0); irq_enable(IRQ_TIMER);",
        ["rtl", "model"],
        [],
    ),
    "timer far away": (
        "timer_set_alarm(timer_now() + 4000000000U); irq_connect(IRQ_TIMER, on_timer, 0); irq_enable(IRQ_TIMER);",
        ["model"],
        ["--max-cycles", "5000000000"],
    ),
    "line": (
        "irq_connect(IRQ_PLATFORM(3), on_line, 0); irq_enable(IRQ_PLATFORM(3));",
        ["rtl", "lockstep"],
        ["--irq", "3@400000"],
    ),
}


@pytest.mark.parametrize(
    ("kind", "engine"), [(kind, engine) for kind, (_, engines, _) in WAITS.items() for engine in engines]
)
def test_no_false_alarm(trapeze: Trapeze, firmware: Firmware, kind: str, engine: str) -> None:
    setup, _, options = WAITS[kind]
    text = f"""
#include <trapeze/irq.h>
#include <trapeze/timer.h>
static volatile int done;
void on_timer(void *arg) {{ (void)arg; timer_cancel_alarm(); done = 1; }}
void on_line(void *arg) {{ (void)arg; done = 1; }}
int main(void)
{{
    {setup}
    irq_lock();
    while (!done) {{
        irq_wait();
        irq_unlock_all();
        irq_lock();
    }}
    return 9;
}}
"""
    said = trapeze("run", firmware(text), "--config", "mcu-clint", "--engine", engine, *options)
    assert said.code == 9, said.err


def test_sweep_over_a_sleeper(trapeze: Trapeze, firmware: Firmware) -> None:
    text = """
#include <trapeze/irq.h>
#include <trapeze/marker.h>
static volatile int done;
static void on_line(void *arg) { (void)arg; TRAPEZE_MARKER(TRAPEZE_MARKER_HANDLER); done = 1; }
int main(void)
{
    irq_connect(IRQ_PLATFORM(3), on_line, 0);
    irq_enable(IRQ_PLATFORM(3));
    irq_unlock_all();
    while (!done) { irq_wait(); }
    return 0;
}
"""
    # The run without the interrupt, which a sweep begins with, sleeps for ever; those with it do not.
    said = trapeze("run", firmware(text), "--config", "mcu-clint", "--sweep", "3@200000..200003")
    assert said.code == 0, said.err
    said = trapeze("run", firmware(text), "--config", "mcu-clint", "--sweep", "2@200000..200003")
    assert said.code == 122, said.err
    assert "in a run of the sweep" in said.err


def test_limit_of_cycles_says_where(trapeze: Trapeze, firmware: Firmware) -> None:
    said = trapeze("run", firmware(FOREVER), "--config", "mcu-clint", "--max-cycles", 5000)
    assert said.code == 124
    assert re.search(r"within --max-cycles 5000; .* 0x8\w+ \(main\), where it is since cycle 499\d", said.err)


def test_limit_of_cycles_stands_in_the_help(trapeze: Trapeze) -> None:
    text = " ".join(trapeze("run", "--help").out.split())
    assert re.search(rf"--max-cycles N Give up after N cycles, with exit code 124\. \[default: {MAX_CYCLES};", text)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A program that takes an interrupt, built for a configuration."""
    folder = tmp_path_factory.mktemp("built")
    source = folder / "main.c"
    source.write_text("""
#include <trapeze/irq.h>
static volatile int n;
static void on_software(void *arg) { (void)arg; irq_software_set(false); n = 7; }
int main(void)
{
    irq_connect(IRQ_SOFTWARE, on_software, 0);
    irq_enable(IRQ_SOFTWARE);
    irq_unlock_all();
    irq_software_set(true);
    for (int i = 0; i < 100 && n == 0; i++) { __asm__ volatile("nop"); }
    return n;
}
""")

    def build(name: str) -> Path:
        elf = folder / f"{name}.elf"
        return elf if elf.exists() else toolchain.build(config.load(name), [source], elf)

    return build


@pytest.mark.parametrize(
    ("own", "other", "lacks"),
    [
        ("mcu-fastirq", "mcu-clint", "no CLIC, no fastirq"),
        ("mcu-clic", "mcu-clint", "no CLIC"),
        ("mcu-fastirq", "mcu-clic", "no fastirq"),
        ("mcu-clint", "mcu-fastirq", "a CLIC instead of the CLINT's interrupts"),
        ("mcu-clint-e", "mcu-clint", "32 registers (RV32I) instead of 16"),
        ("mcu-clint", "mcu-clint-e", "16 registers (RV32E) instead of 32"),
        ("mcu-fastirq-16", "mcu-fastirq", "line 0 as interrupt 16 instead of 12"),
        ("mcu-fastirq", "mcu-fastirq-16", "interrupt lines: 4 instead of 48"),
        ("mcu-fastirq", "mcu-fastirq-256", "interrupt sources: 256 instead of 64"),
    ],
)
def test_built_for_another_configuration(
    trapeze: Trapeze, built: Callable[[str], Path], own: str, other: str, lacks: str
) -> None:
    said = trapeze("run", built(own), "--config", other, "--engine", "model")
    assert said.code == 2
    assert f"was built for {own}; {other} has {lacks}" in said.err
    assert f"run it with --config {own} or build it with --config {other}" in said.err


@pytest.mark.parametrize(
    ("own", "other"),
    [
        ("mcu-clic", "mcu-fastirq"),
        ("mcu-fastirq", "mcu-fastirq-shared"),
        ("mcu-fastirq", "mcu-fastirq-inplace"),
        ("mcu-fastirq-4banks", "mcu-fastirq-1bank"),
    ],
)
def test_runs_where_all_is_there(trapeze: Trapeze, built: Callable[[str], Path], own: str, other: str) -> None:
    said = trapeze("run", built(own), "--config", other, "--engine", "model")
    assert said.code == 7, said.err


def test_other_ways_to_an_elf_for_another_configuration(trapeze: Trapeze, built: Callable[[str], Path]) -> None:
    elf = built("mcu-fastirq")
    for options in (["--engine", "rtl"], ["--engine", "lockstep"], ["--gdb", "0"], ["--sweep", "1@100..110"]):
        said = trapeze("run", elf, "--config", "mcu-clint", *options)
        assert said.code == 2, options
        assert "was built for mcu-fastirq" in said.err


def test_show_says_what_an_elf_was_built_for(trapeze: Trapeze, built: Callable[[str], Path]) -> None:
    said = trapeze("show", built("mcu-fastirq"))
    assert said.code == 0
    assert re.search(r"config +mcu-fastirq", said.out)
    assert re.search(r"sources +64", said.out)


def test_a_program_without_the_note_runs(trapeze: Trapeze, built: Callable[[str], Path], tmp_path: Path) -> None:
    bare = tmp_path / "bare.elf"
    subprocess.run(
        ["riscv64-unknown-elf-objcopy", "-R", ".note.trapeze", built("mcu-clic"), bare], check=True, capture_output=True
    )
    said = trapeze("run", bare, "--config", "mcu-fastirq", "--engine", "model")
    assert said.code == 7
    assert trapeze("show", bare).code == 2


@pytest.mark.parametrize("damage", [b"config=", b"lines=4", b"\x01\x00\x00\x00Trapeze"])
def test_damaged_note(trapeze: Trapeze, built: Callable[[str], Path], tmp_path: Path, damage: bytes) -> None:
    data = built("mcu-clic").read_bytes()
    at = data.index(damage, data.index(b"config=mcu") - 24)
    bad = tmp_path / "bad.elf"
    if damage[:1] == b"\x01":
        bad.write_bytes(data[: at - 4] + b"\xff\xff\xff\x7f" + data[at:])
    else:
        bad.write_bytes(data[:at] + b"x" * len(damage) + data[at + len(damage) :])
    said = trapeze("run", bad, "--config", "mcu-clic", "--engine", "model")
    assert said.code == 2
    assert "damaged note" in said.error
