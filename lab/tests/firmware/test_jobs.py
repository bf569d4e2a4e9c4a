# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Jobs on another hart: the server (`fw/amp`) and `trapeze cc --job`, with Linux's side on the same hart."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from trapeze.common import processes
from trapeze.firmware import compiler, toolchain
from trapeze.firmware import job as jobs
from trapeze.platform import configurations
from trapeze.platform.configurations import Config
from trapeze.simulation import power_up, simulator
from trapeze.simulation.options import Options
from verify.dev.testing import Said, Trapeze

FOLDER = Path(__file__).parent / "jobs"
CONFIGS = ("amp-dsp", "amp")
"""With a hart for jobs of 64 bits that the CLINT rings, and with one of 32 bits, a CLIC and a mailbox."""

HART0 = "amp-dsp"
"""Whose hart 0 is that of both: what its program uses of the memory map is the same."""

MAX_INSTRUCTIONS = 200_000_000
MOST_INSTRUCTIONS = 1_000_000
"""Instructions of a hostile case."""

DONE, FAULT, REFUSED, CANCELLED, TIME_LIMIT = 0, 1, 2, 4, 5
STACK, BELOW_STACK, NOWHERE = 5, 6, 7
OTHER_VERSION = -2
FETCH, ILLEGAL, BREAK, LOAD, STORE, ECALL = 1, 2, 3, 5, 7, 8
REFUSALS = 34
"""Malformed descriptors that the firmware tries."""

ROOM = 72_000
"""Bytes of a heap that has room for the tasks of the test and for two or three jobs."""

HOSTILE = 10_000
"""Cases of a Linux that lies."""

ALL = 256
"""Jobs that the firmware of jobs together puts in, 64 at a time."""


class End(NamedTuple):
    """The end of a job, as the firmware says it."""

    id: int
    status: int
    cause: int
    address: int
    pc: int
    result: int
    place: int


LINE = re.compile(r"^(.+): id (\d+) status (\d+) cause (\d+) address (\w+) pc (\w+) result (-?\d+) place (\d+)$", re.M)


def built(config: Config, folder: Path, name: str, *options: str) -> Path:
    """The firmware of one test of the folder, of one source or of several with blanks between them."""
    for one in ("many", "sum", "called"):
        assert (
            jobs.command(config, [str(FOLDER / f"{one}.c"), "-Wall", "-Werror", "-o", str(folder / f"{one}.bin")]) == 0
        )
    sources = [FOLDER / one for one in ("linux.c", *name.split(), "binaries.S")]
    own = [f"-I{folder}", f"-Wa,-I{folder}", "-DconfigTRAPEZE_CHECKS=1", *options]
    return toolchain.build(config, sources, folder / "hart1.elf", own, "freertos-jobs")


def hart0(folder: Path) -> Path:
    """What hart 0 runs meanwhile."""
    config = configurations.load(HART0)
    output = folder / "hart0.elf"
    flags = [one for one in compiler.compile_flags(compiler.of_hart(config, 1)) if one not in compiler.specs()]
    link = ["-nostdlib", f"-Wl,-Ttext={config.first.reset_vector:#x},-n,--build-id=none"]
    processes.run([compiler.gcc(), *flags, *link, str(FOLDER / "hart0.S"), "-o", str(output)], check=True)
    return output


def run(
    trapeze: Trapeze, config: Config, folder: Path, name: str, *options: str, limit: int = MAX_INSTRUCTIONS
) -> Said:
    """Run the firmware of a test. Whose line it is, where both harts have a UART, is left out."""
    elf = built(config, folder, name, *options)
    words = ("--config", config.name, "--engine", "model", "--max-cycles", limit)
    said = trapeze("run", hart0(folder), elf, *words)
    return said._replace(out=said.out.replace("[hart 1] ", ""))


def console(
    trapeze: Trapeze, config: Config, folder: Path, name: str, *options: str, limit: int = MAX_INSTRUCTIONS
) -> str:
    """What it says."""
    said = run(trapeze, config, folder, name, *options, limit=limit)
    assert said.code == 0, said
    return said.out


def ends(text: str) -> dict[str, list[End]]:
    """The ends that a console holds, by name."""
    found: dict[str, list[End]] = {}
    for line in LINE.finditer(text):
        name, *values = line.groups()
        found.setdefault(name, []).append(End(*(int(value, 0) for value in values)))
    return found


def faults(cause: int, address: int | None = None, place: int = NOWHERE) -> Callable[[End], bool]:
    """Whether a job ended by an exception, whose address is in one of its regions or in another place."""

    def check(end: End) -> bool:
        said = (end.status, end.cause, end.result, end.place)
        return said == (FAULT, cause, 0, place) and address in (None, end.address)

    return check


def returns(result: int) -> Callable[[End], bool]:
    """Whether a job ended by returning."""
    return lambda end: end[1:] == (DONE, 0, 0, 0, result, 0)


def place(config: Config, name: str) -> int:
    """Where a region of the map begins."""
    return config.platform.region(name).base


@pytest.fixture(params=CONFIGS, scope="module")
def config(request: pytest.FixtureRequest) -> Config:
    """Each configuration."""
    return configurations.load(request.param)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, config: Config) -> Path:
    """Where everything of a configuration is built."""
    return tmp_path_factory.mktemp(f"jobs-{config.name}")


def test_what_a_job_may_and_may_not_do(trapeze: Trapeze, config: Config, folder: Path) -> None:
    text = console(trapeze, config, folder, "faults.c")
    code, inputs, output = (int(word, 0) for word in text.split("places: ")[1].split("\n")[0].split())
    size = 64 * 4
    dmem, imem = place(config, "dmem"), place(config, "imem")
    expected = {
        "result": returns(-5),
        "wide": returns(0x7EDCBA9876543210),
        "sum": returns(1),
        "variable-without-write": faults(STORE, place=0),
        "two-regions": returns(0),
        "five-regions": returns(0),
        "store-first": returns(-1000),
        "store-last": returns(-1000),
        "load-of-write": returns(-999),
        "store-behind": faults(STORE, output + size),
        "store-before": faults(STORE, output - 8),
        "load-before": faults(LOAD, output - 8),
        "store-to-read": faults(STORE, inputs, 1),
        "store-to-code": faults(STORE, code, 0),
        "jump-to-data": faults(FETCH, inputs, 1),
        "store-dmem": faults(STORE, dmem),
        "store-ring": faults(STORE, place(config, "ring")),
        "store-clint": faults(STORE, place(config, "clint")),
        "store-null": faults(STORE, 0),
        "load-dmem": faults(LOAD, dmem),
        "load-imem": faults(LOAD, imem),
        "load-smem": faults(LOAD, place(config, "smem")),
        "load-uart": faults(LOAD, place(config, "uart")),
        "jump-imem": faults(FETCH, imem),
        "jump-null": faults(FETCH, 0),
        "recursion": faults(STORE, place=BELOW_STACK),
        "ecall-0": faults(ECALL, 0),
        "ecall-93": faults(ECALL, 0),
        "csr-read": faults(ILLEGAL),
        "csr-write": faults(ILLEGAL),
        "mret": faults(ILLEGAL),
        "break": faults(BREAK),
        "ruin": faults(STORE, dmem + 64),
        "fresh": returns(0),
        "still": returns(11),
        "dram-end": returns(1),
        "neighbours": returns(1),
    }
    found = ends(text)
    refused = {name: one for name, one in found.items() if name.startswith("refused ")}
    assert {name for name in found if name not in refused} == set(expected)
    for name, check in expected.items():
        assert all(check(end) for end in found[name]), (name, found[name])
    assert len(refused) == REFUSALS
    for name, (end,) in refused.items():
        assert end == (99, REFUSED, 0, 0, 0, int(name.split()[1]), 0), name
    # Where the exception was: in the job, or where it went.
    for name in set(expected) - {"jump-null", "jump-imem", "jump-to-data"}:
        assert all(end.status == DONE or code <= end.pc < inputs for end in found[name]), name
    assert found["jump-imem"][0].pc == imem
    assert dmem <= found["recursion"][0].address < dmem + (4 << 20)


def test_jobs_together(trapeze: Trapeze, config: Config, folder: Path) -> None:
    text = console(trapeze, config, folder, "together.c")
    found = ends(text)
    floats = {end.id: end for end in found["float"]}
    assert faults(STORE, place(config, "dmem"))(floats.pop(2))
    assert set(floats) == {0, 1, 3}
    assert all(returns(0)(end) for end in floats.values())
    # They ran beside each other: so often each was interrupted.
    assert int(text.split("ticks: ")[1].split()[0]) >= 2 * len(floats)
    assert f"many: {ALL} done 0 no-room, ids {sum(range(ALL))}\n" in text
    assert "lies: 0 ends\n" in text
    assert [end[1:] for end in found["after-lies"]] == [(DONE, 0, 0, 0, 5, 0)]
    assert "spin: 1 ends\n" in text
    assert [end.result for end in found["beside-spin"]] == [1]


def test_no_line_stays_in_the_cache(trapeze: Trapeze, config: Config, folder: Path) -> None:
    """Of any region, however a job ends; what a program names, of a call. A hart without Zicbom has no cache.

    The trace is short: little to clear at the beginning, and short ticks.
    """
    small = ("-DconfigTICK_RATE_HZ=20000", f"-DconfigTOTAL_HEAP_SIZE={2 * ROOM}")
    elf = built(config, folder, "lines.c caller.c", *small)
    trace = folder / "lines.log"
    words = ("--config", config.name, "--engine", "model", "--max-cycles", MAX_INSTRUCTIONS, "--trace", trace)
    said = trapeze("run", hart0(folder), elf, *words)
    assert said.code == 0, said
    names = re.findall(r"lines: (\w+) (\d+) (\d+)", said.out)
    cached = config.name == HART0
    expected = [(name, int(forgotten) * cached, int(flushed) * cached) for name, forgotten, flushed in names]
    parts = re.split(r"slti\s+zero,zero,77", trace.read_text())[1:-1]
    counted = [(part.count("cbo.inval"), part.count("cbo.flush")) for part in parts]
    assert [(name, *lines) for (name, *_), lines in zip(names, counted, strict=True)] == expected
    code = [name for (name, *_), part in zip(names, parts, strict=True) if "fence.i" in part]
    assert code == ["done", "fault", "cancelled", "limit", "prepared"]
    assert all("cbo.clean" not in part for part in parts)


def test_jobs_that_are_stopped(trapeze: Trapeze, config: Config, folder: Path) -> None:
    """Cancelled at each time of their life, or out of time; the firmware checks when and where they were."""
    text = console(trapeze, config, folder, "stopped.c")
    expected = {
        "running": (CANCELLED, 0),
        "waiting": (CANCELLED, 0),
        "in-the-ring": (CANCELLED, 0),
        "before-cancel": (DONE, 5),
        "behind-cancel": (DONE, 5),
        "limit-1": (TIME_LIMIT, 0),
        "limit-tick": (TIME_LIMIT, 0),
        "limit-ticks": (TIME_LIMIT, 0),
        "limit-enough": (DONE, 0),
        "limit-largest": (DONE, 0),
        "limit-wraps": (DONE, 0),
        "limited": (TIME_LIMIT, 0),
        "not-limited": (CANCELLED, 0),
        "looked": (DONE, 5),
        "not-early": (TIME_LIMIT, 0),
        "other-version": (REFUSED, OTHER_VERSION),
        "no-number": (REFUSED, -1),
        "right-version": (DONE, 5),
    }
    assert {name: (end.status, end.result) for name, (end,) in ends(text).items()} == expected
    done, cancelled = (int(word) for word in re.findall(r"about its end: (\d+) done (\d+) cancelled", text)[0])
    assert done + cancelled == 100
    assert done >= 10 <= cancelled, (done, cancelled)
    assert f"all: {3 * 64} cancelled\n" in text


def test_no_room(trapeze: Trapeze, config: Config, folder: Path) -> None:
    text = console(trapeze, config, folder, "together.c", f"-DconfigTOTAL_HEAP_SIZE={ROOM}")
    done, no_room, ids = (int(word) for word in re.findall(r"many: (\d+) done (\d+) no-room, ids (\d+)", text)[0])
    # Each time as many: what has ended leaves nothing.
    assert done in (2 * 4, 3 * 4)
    assert (done + no_room, ids) == (ALL, sum(range(ALL)))


def test_a_linux_that_goes_down_and_comes_again(trapeze: Trapeze, config: Config, folder: Path) -> None:
    text = console(trapeze, config, folder, "again.c")
    others = re.search(r"^again: (\d+) ends of others$", text, re.M)
    assert others, text
    assert int(others[1]) > 20


def hostile(trapeze: Trapeze, config: Config, folder: Path, seed: int, cases: int) -> None:
    """A Linux that lies, at random; the firmware checks that the server is none the worse."""
    options = (f"-DSEED={seed}u", f"-DCASES={cases}u")
    text = console(
        trapeze,
        config,
        folder,
        "hostile.c hostile_code.c",
        *options,
        limit=cases * MOST_INSTRUCTIONS + MAX_INSTRUCTIONS,
    )
    counts = re.search(r"^hostile: (\d+) lies (\d+) (\d+) (\d+) (\d+) (\d+) (\d+)$", text, re.M)
    assert counts, (seed, text)
    lies, done, fault, refused, no_room, cancelled, time_limit = map(int, counts.groups())
    ended = done + fault + refused + cancelled + time_limit
    assert (no_room, lies + ended) == (0, cases)
    few = cases // 200
    assert min(lies, done, fault, refused, cancelled, time_limit) > few, text


def test_a_linux_that_lies(trapeze: Trapeze, config: Config, folder: Path) -> None:
    """Other cases every day."""
    hostile(trapeze, config, folder, power_up.of_today("jobs", config.name), HOSTILE)


@pytest.mark.prove
@pytest.mark.parametrize("part", range(10))
def test_a_linux_that_lies_a_million_times(trapeze: Trapeze, config: Config, folder: Path, part: int) -> None:
    hostile(trapeze, config, folder, power_up.of_today("jobs", config.name, part), 10 * HOSTILE)


@pytest.mark.parametrize("where", ["TASK", "HANDLER"])
def test_an_exception_of_the_kernel_ends_the_run(trapeze: Trapeze, config: Config, folder: Path, where: str) -> None:
    said = run(trapeze, config, folder, "fatal.c", f"-DIN_{where}")
    address = "0x0*12345678"
    assert said.code == 64 + LOAD
    assert re.search(
        rf"unexpected exception: load access fault, mcause 0x0+5, pc 0x0*84\w+, mtval {address}$", said.out, re.M
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("static int x; int *p = &x; int main(void) { return *p; }", "cc: --job: .data holds the address of 'x'"),
        ("int helper(void) { return 1; }", "cc: --job: there is no main()"),
    ],
)
def test_a_job_that_cannot_be(trapeze: Trapeze, config: Config, tmp_path: Path, text: str, message: str) -> None:
    source = tmp_path / "job.c"
    source.write_text(text)
    said = trapeze("cc", "--config", config.name, "--job", source, "-o", tmp_path / "job.bin")
    assert said.code == 1
    assert message in said.error
    assert not (tmp_path / "job.bin").exists()


def test_a_job_of_32_bits_says_what_it_returns(trapeze: Trapeze, tmp_path: Path) -> None:
    output = tmp_path / "job.bin"
    said = trapeze("cc", "--config", "amp", "--job", "-g0", FOLDER / "sum.c", "-o", output)
    assert (said.code, said.error.strip().count("\n")) == (1, 0)
    assert "cc: --job: nothing says whether main() returns 32 or 64 bits; leave -g0 and -s out" in said.error
    assert not output.exists()


def test_configurations_without_jobs(trapeze: Trapeze, tmp_path: Path) -> None:
    output = ("-o", tmp_path / "x")
    said = trapeze("cc", "--config", "mcu-clint", "--job", FOLDER / "sum.c", *output)
    assert (said.code, "has no hart that runs jobs" in said.error) == (2, True)
    said = trapeze("cc", "--config", "mcu-clint", "--rtos", "freertos-jobs", *output)
    assert (said.code, "memory map has no 'ring'" in said.error) == (2, True)


def test_the_server_alone(trapeze: Trapeze, config: Config, tmp_path: Path) -> None:
    output = tmp_path / "server.elf"
    assert trapeze("cc", "--config", config.name, "--rtos", "freertos-jobs", "-o", output) == (0, "", "")
    assert output.is_file()


def test_memory_by_words(config: Config, tmp_path: Path) -> None:
    elf = toolchain.build(config, [FOLDER / "memory.c"], tmp_path / "m.elf", (), "freertos-jobs")
    names = processes.run(["riscv64-unknown-elf-nm", "-l", str(elf)], capture_output=True, text=True).stdout
    for name in ("memset", "memcpy"):
        assert re.search(rf" T {name}\t", names), "without a line of source, as the C library's is"
    options = Options(max_cycles=MAX_INSTRUCTIONS, engine="model", others=(elf,), last_hart=1)
    assert simulator.watch(hart0(tmp_path), config, options).exit_code == 0


CALLS = ["ends", "handles", "in a row", "beside", "ranges", "limits", "large", "drops", "room"]
"""What the firmware of channels says, in this order."""


def test_calls_of_prepared_jobs(trapeze: Trapeze, config: Config, folder: Path) -> None:
    """In each way that they begin, with each end; the firmware checks them."""
    text = console(trapeze, config, folder, "channels.c caller.c")
    assert [line for line in text.splitlines() if line in CALLS] == CALLS, text
    assert returns(11)(ends(text)["once"][0])


def hostile_calls(trapeze: Trapeze, config: Config, folder: Path, seed: int, cases: int) -> None:
    """Programs that write anything into their channels at any time; the firmware checks that they hurt nobody else."""
    options = (f"-DSEED={seed}u", f"-DCASES={cases}u")
    limit = cases * MOST_INSTRUCTIONS // 20 + MAX_INSTRUCTIONS
    text = console(trapeze, config, folder, "hostile_calls.c caller.c", *options, limit=limit)
    answers = re.search(r"^hostile calls: (\d+) answers$", text, re.M)
    assert answers, (seed, text)
    assert int(answers[1]) > cases // 10


def test_programs_that_lie_in_their_channels(trapeze: Trapeze, config: Config, folder: Path) -> None:
    """Other draws every day."""
    hostile_calls(trapeze, config, folder, power_up.of_today("calls", config.name), HOSTILE)


@pytest.mark.prove
@pytest.mark.parametrize("part", range(10))
def test_programs_that_lie_a_million_times(trapeze: Trapeze, config: Config, folder: Path, part: int) -> None:
    hostile_calls(trapeze, config, folder, power_up.of_today("calls", config.name, part), 10 * HOSTILE)


EARLY, LONGEST_JOB = 1500, 14_000
"""Instructions from the ring of a job until its task begins, and until its end, at most; of a call: 1,000."""


def windows(config: Config, folder: Path, first: int, last: int, *steps: int) -> tuple[int, ...]:
    """How many delays were tried, and in how many hart 0 was before the end of what the server did."""
    named = zip(("FIRST", "LAST", "EARLY", "STEP", "LATE_STEP"), (first, last, EARLY, *steps), strict=True)
    options = [f"-DDELAY_{name}={value}U" for name, value in named]
    elf = built(config, folder, "windows.c caller.c", *options)
    turns = Options(engine="model", others=(elf,), turn=1, max_cycles=MAX_INSTRUCTIONS)
    text = simulator.measure(hart0(folder), config, turns).console.decode()
    found = re.search(r"windows (\d+), before (\d+) (\d+) (\d+)$", text, re.M)
    assert found is not None, text
    return tuple(int(one) for one in found.groups())


def test_a_ring_while_the_server_is_at_work(config: Config, folder: Path) -> None:
    """Other instructions every day."""
    first = power_up.of_today("windows", config.name) % 7
    tried, jobs, cancels, calls = windows(config, folder, first, LONGEST_JOB, 7, 97)
    assert all(5 < some < tried - 5 for some in (jobs, cancels, calls)), (tried, jobs, cancels, calls)


@pytest.mark.prove
@pytest.mark.parametrize("first", range(0, LONGEST_JOB, 2000))
def test_a_ring_at_each_instruction(config: Config, folder: Path, first: int) -> None:
    assert windows(config, folder, first, first + 2000, 1, 1)[0] == 2000


STORM = 160
"""Thousandths by which a storm of programs' doorbells slows a task above the jobs; 156 at most were measured."""


def test_a_storm_of_doorbells(trapeze: Trapeze, config: Config, folder: Path) -> None:
    """No more than an interrupt in JOBS_RING_INTERVAL cycles, whether or not there is a call that could begin."""
    text = console(trapeze, config, folder, "storm.c caller.c")
    found = dict(re.findall(r"^(nobody's|no call|waits): (\d+)$", text, re.M))
    assert set(found) == {"nobody's", "no call", "waits"}, text
    assert all(0 < int(one) <= STORM for one in found.values()), found
