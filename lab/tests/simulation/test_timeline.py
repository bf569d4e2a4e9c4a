# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Timelines of runs on the RTL: the tracks that are there, and what they say beside the record and the listing."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import pytest

from trapeze.common.edges import Edge
from trapeze.firmware import toolchain
from trapeze.platform import configurations as config
from trapeze.simulation import simulator, tasks
from trapeze.simulation.options import Options
from trapeze.simulation.records import Run
from trapeze.simulation.traces import Record, Retired, read

NESTED = """
#include <trapeze/irq.h>
#ifdef TRAPEZE_IRQ_CLIC
#include <trapeze/irq_clic.h>
#endif

static volatile int ended[4];

static void work(void *arg)
{
	for (volatile int i = 0; i < 8; i++) {
	}
	++*(volatile int *)arg;
}

int main(void)
{
#ifdef TRAPEZE_IRQ_CLIC
	irq_level_bits_set(4);
#endif
	for (unsigned int line = 1; line <= 3; line++) {
		irq_connect(IRQ_PLATFORM(line), work, (void *)&ended[line]);
#ifdef TRAPEZE_IRQ_CLIC
		irq_level_set(IRQ_PLATFORM(line), (uint8_t)(0x10U * line + 0xfU));
#endif
		irq_enable(IRQ_PLATFORM(line));
	}
	irq_unlock_all();
	while (ended[1] + ended[2] + ended[3] < 4) {
	}
	return 0;
}
"""
IRQ = (Edge(1, 3000), Edge(2, 3070), Edge(3, 3110), Edge(1, 3600))

PING_PONG = """
#include <stdlib.h>

#include <FreeRTOS.h>
#include <task.h>

static TaskHandle_t first, second;

static void ping(void *arg)
{
	(void)arg;
	for (int i = 0; i < 4; i++) {
		xTaskNotifyGive(second);
		ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
	}
	exit(0);
}

static void pong(void *arg)
{
	(void)arg;
	for (;;) {
		ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
		xTaskNotifyGive(first);
	}
}

int main(void)
{
	xTaskCreate(ping, "ping", configMINIMAL_STACK_SIZE, NULL, 1, &first);
	xTaskCreate(pong, "pong", configMINIMAL_STACK_SIZE, NULL, 1, &second);
	vTaskStartScheduler();
	return 1;
}
"""

USER_MODE = """
#include <trapeze/exit.h>
#include <trapeze/map.h>
#include <trapeze/pmp.h>
#include <trapeze/trap.h>

static void in_user_mode(void)
{
	for (;;) {
		__asm__ volatile("ecall");
	}
}

static bool on_trap(struct trap_frame *frame)
{
	static int calls;

	if (++calls == 2) {
		trapeze_exit(0);
	}
	trap_skip(frame);
	return true;
}

int main(void)
{
	const struct pmp_region code = {"code", TRAPEZE_IMEM_BASE, TRAPEZE_IMEM_SIZE, PMP_READ | PMP_EXECUTE};

	pmp_regions_set(&code, 1);
	(void)trap_set_handler(on_trap);
	csr_clear(CSR_MSTATUS, MSTATUS_MPP);
	csr_write(CSR_MEPC, (uintptr_t)in_user_mode);
	__asm__ volatile("mret");
	__builtin_unreachable();
}
"""

MAX_CYCLES = 500_000

FASTIRQ = ("drain", "emret loads", "mframe loads", "table entries", "bank 0")


@dataclass(frozen=True)
class Slice:
    """One of a track: from a cycle to the one behind its last."""

    name: str
    start: int
    end: int


Tracks = dict[str, list[Slice]]


def load(path: Path) -> Tracks:
    """The tracks of a timeline by name, after the rules of the Trace Event Format and of its importers."""
    events = json.loads(path.read_text())["traceEvents"]
    names: dict[tuple[int, int], str] = {}
    processes: dict[int, str] = {}
    slices: dict[tuple[int, int], list[Slice]] = defaultdict(list)
    for event in events:
        track = (event["pid"], event["tid"])
        assert event["ph"] in ("M", "X", "i", "s", "t", "f"), event
        if event["ph"] == "M":
            assert event["name"] in ("process_name", "thread_name")
            if event["name"] == "process_name":
                assert event["pid"] not in processes
                processes[event["pid"]] = event["args"]["name"]
            else:
                assert track not in names
                names[track] = event["args"]["name"]
        else:
            assert event["ts"] >= 0
            assert event["ph"] != "i" or event["s"] == "t"
        if event["ph"] == "X":
            assert event["dur"] > 0
            slices[track].append(Slice(event["name"], event["ts"], event["ts"] + event["dur"]))
    assert set(slices) <= set(names)
    assert {process for process, _ in slices} <= set(processes)
    for track, found in slices.items():
        # A stable sort by start is what importers do: of those with one start the outer one has to come first.
        found.sort(key=lambda one: one.start)
        open_: list[Slice] = []
        for one in found:
            while open_ and open_[-1].end <= one.start:
                open_.pop()
            assert not open_ or one.end <= open_[-1].end, (names[track], one, open_[-1])
            open_.append(one)
    assert len(set(names.values())) == len(names)
    return {names[track]: found for track, found in slices.items()}


@dataclass(frozen=True)
class Arrow:
    """A part of one: where it begins (s), passes (t) or ends (f), and the slice of a group's track that it is at."""

    part: str
    group: str
    track: str
    slice: Slice


def arrows(path: Path) -> dict[int, list[Arrow]]:
    """The arrows of a timeline, each with its parts in the order of cycles; a part is at a slice around it."""
    events = json.loads(path.read_text())["traceEvents"]
    groups = {one["pid"]: one["args"]["name"] for one in events if one["name"] == "process_name"}
    names = {(one["pid"], one["tid"]): one["args"]["name"] for one in events if one["name"] == "thread_name"}
    slices: dict[tuple[int, int], list[Slice]] = defaultdict(list)
    for one in events:
        if one["ph"] == "X":
            slices[one["pid"], one["tid"]].append(Slice(one["name"], one["ts"], one["ts"] + one["dur"]))
    found: dict[int, list[Arrow]] = defaultdict(list)
    for one in sorted((one for one in events if one["ph"] in "stf"), key=lambda one: one["ts"]):
        track = (one["pid"], one["tid"])
        around = [it for it in slices[track] if it.start <= one["ts"] < it.end]
        outer = max(around, key=lambda it: it.end - it.start)
        found[one["id"]].append(Arrow(one["ph"], groups[track[0]], names[track], outer))
    return found


def build(folder: Path, name: str, text: str, options: Sequence[str] = (), rtos: str | None = None) -> Path:
    """A program for a configuration."""
    source = folder / "main.c"
    source.write_text(text)
    return toolchain.build(config.load(name), [source], folder / "main.elf", options, rtos)


def seen(elf: Path, name: str, folder: Path, options: Options) -> tuple[Tracks, Run, list[Record]]:
    """The timeline of a run, its record and its listing."""
    found = []
    for suffix in ("json", "jsonl"):
        trace = folder / f"trace.{suffix}"
        outcome = simulator.measure(elf, config.load(name), replace(options, trace=trace, max_cycles=MAX_CYCLES))
        assert (outcome.run.reason, outcome.run.code) == ("exit", 0)
        found.append(trace)
    with found[1].open() as lines:
        return load(found[0]), outcome.run, list(read(lines))


def frames(track: list[Slice]) -> list[tuple[Slice, list[Slice]]]:
    """The frames of a track of the frame port, each with its words."""
    outer = [one for one in track if one.name.startswith("frame at ")]
    inside = [[one for one in track if one is not it and it.start <= one.start < it.end] for it in outer]
    assert sum(map(len, inside)) + len(outer) == len(track)
    return list(zip(outer, inside, strict=True))


@pytest.mark.parametrize(
    ("name", "waits", "words"),
    [
        ("mcu-fastirq", 0, 18),
        ("mcu-fastirq", 100, 18),
        ("mcu-fastirq-e", 0, 12),
        ("mcu-fastirq-shared", 0, 18),
        ("mcu-fastirq-1bank", 0, 18),
    ],
)
def test_nested_interrupts(tmp_path: Path, name: str, waits: int, words: int) -> None:
    elf = build(tmp_path, name, NESTED)
    tracks, run, listing = seen(elf, name, tmp_path, Options(irq=IRQ, wait_data=waits, seed=3))
    taken = [one.taken for one in run.interrupts if one.taken is not None]
    ends = [one.cycle for one in listing if isinstance(one, Retired) and one.name == "emret"]
    assert (len(taken), len(ends)) == (4, 4)

    # The level changes at the edge that ends the cycle of an entry, and that in which an emret executes; this retires
    # in the cycle behind it.
    expected = [
        Slice("level 31", taken[0] + 1, ends[2]),
        Slice("level 47", taken[1] + 1, ends[1]),
        Slice("level 63", taken[2] + 1, ends[0]),
        Slice("level 31", taken[3] + 1, ends[3]),
    ]
    assert tracks["levels"] == expected
    assert [(one.name, one.start) for one in tracks["handlers"]] == [
        (f"line {line}", cycle) for line, cycle in zip((1, 2, 3, 1), taken, strict=True)
    ]

    drained = frames(tracks["drain"])
    assert [len(inside) for _, inside in drained] == [words] * 4
    for cycle, (whole, inside) in zip(taken, drained, strict=True):
        assert [one.name for one in (inside[0], *inside[-2:])] == ["ra", "mepc", "mcause"]
        assert whole.start == inside[0].start > cycle
        assert whole.end == inside[-1].end
        if not waits and name != "mcu-fastirq-shared":
            assert [one.start for one in inside] == list(range(cycle + 1, cycle + 1 + words))
    if waits:
        assert any(one.end - one.start > 1 for _, inside in drained for one in inside)

    # The two banks of the one inside hold the context of the others; with one less the outer one has to be loaded.
    loads = frames(tracks["emret loads"])
    assert [len(inside) for _, inside in loads] == [words] * (2 if name == "mcu-fastirq-1bank" else 1)
    assert loads[-1][0].name == drained[0][0].name
    assert loads[-1][0].end in range(ends[2] - 3 - 4 * bool(waits), ends[2] + 1)
    assert "mframe loads" not in tracks

    # At any time one bank is the current one, and runs what the handlers say.
    banks = [one for track, found in tracks.items() if track.startswith("bank ") for one in found]
    current = sorted((one for one in banks if one.name.startswith("runs ")), key=lambda one: one.start)
    assert (current[0].start, current[-1].end) == (0, run.cycles)
    assert all(a.end == b.start for a, b in pairwise(current))
    order = ["program", "line 1", "line 2", "line 3", "line 2", "line 1", "program", "line 1", "program"]
    assert [one.name.removeprefix("runs ") for one in current] == order
    held = {one.name: one for one in banks if one.name.startswith("holds ")}
    assert held["holds line 2"].start == taken[2] + 1
    assert held["holds line 2"].end == ends[0]


def test_frames_in_place(tmp_path: Path) -> None:
    name = "mcu-fastirq-inplace"
    tracks, run, listing = seen(build(tmp_path, name, NESTED), name, tmp_path, Options(irq=IRQ))
    taken = [one.taken for one in run.interrupts if one.taken is not None]
    ends = [one.cycle for one in listing if isinstance(one, Retired) and one.name == "emret"]
    assert [one.start for one in tracks["levels"]] == [cycle + 1 for cycle in taken]
    assert not [track for track in tracks if track.startswith("bank ")]
    drained = frames(tracks["drain"])
    assert [len({one.name for one in inside}) for _, inside in drained] == [18] * 4
    assert [inside[0].name for _, inside in drained] == ["ra"] * 4
    for cycle, (_, inside) in zip(taken, drained, strict=True):
        assert [one.start for one in inside] == list(range(cycle + 1, cycle + 19))
    # The innermost handler's frame is still there but for what it wrote; the others have to be loaded whole.
    loads = frames(tracks["emret loads"])
    assert [whole.name for whole, _ in loads] == [drained[at][0].name for at in (2, 1, 0, 3)]
    assert [len(inside) == 18 for _, inside in loads] == [False, True, True, False]
    assert all(whole.end <= end for (whole, _), end in zip(loads, ends, strict=True))


def test_schemes_without_banks_and_without_levels(tmp_path: Path) -> None:
    tracks, run, _ = seen(build(tmp_path, "mcu-clic", NESTED), "mcu-clic", tmp_path, Options(irq=IRQ))
    taken = [one.taken for one in run.interrupts if one.taken is not None]
    assert [one.name for one in tracks["levels"]] == ["level 31", "level 47", "level 63", "level 31"]
    assert [one.start for one in tracks["levels"]] == [cycle + 1 for cycle in taken]
    assert not set(FASTIRQ) & set(tracks)
    tracks, _, _ = seen(build(tmp_path, "mcu-clint", NESTED), "mcu-clint", tmp_path, Options(irq=IRQ))
    assert not {"privilege", "levels", "tasks", *FASTIRQ} & set(tracks)
    assert {"functions", "handlers", "line 1", "line 2", "line 3"} <= set(tracks)


def test_entries_of_the_table(tmp_path: Path) -> None:
    # Lines of one level: the second one's entry is fetched while the first one's handler runs.
    text = NESTED.replace("0x10U * line + 0xfU", "0x1fU + 0U * line")
    elf = build(tmp_path, "mcu-fastirq", text)
    tracks, run, _ = seen(
        elf, "mcu-fastirq", tmp_path, Options(irq=(Edge(1, 3000), Edge(2, 3030), Edge(3, 3900), Edge(1, 4200)))
    )
    (entry, *_) = tracks["table entries"]
    assert entry.name == "entry of line 2"
    assert 3030 < entry.start < (run.interrupts[1].taken or 0)
    assert [one.name for one in tracks["levels"]] == ["level 31"] * 3


@pytest.mark.parametrize("name", ["mcu-user"])
def test_privilege(tmp_path: Path, name: str) -> None:
    """The track shows each change that the listing has, from the cycle on in which the first instruction executes."""
    tracks, run, _ = seen(build(tmp_path, name, USER_MODE), name, tmp_path, Options())
    found = tracks["privilege"]
    assert [one.name for one in found] == ["machine", "user", "machine", "user", "machine"]
    lines = map(json.loads, (tmp_path / "trace.jsonl").read_text().splitlines())
    retired = [one for one in lines if one["type"] == "retire"]
    changes = [b["execute"] for a, b in pairwise(retired) if a["mode"] != b["mode"]]
    assert [one.start for one in found] == [0, *changes]
    assert [one.end for one in found] == [*changes, run.cycles]


POSTS = """
#include <stddef.h>

#include <trapeze/hart.h>
#include <trapeze/uintr.h>

TZ_SHARED static struct uintr_thread sender, receiver;
TZ_SHARED static volatile unsigned int ready, handled;

static void on_post(unsigned int vector)
{
	handled = vector;
}

static void second(void *arg)
{
	(void)arg;
	csr_write(CSR_PMPADDR0, UINT32_MAX);
	csr_write(CSR_PMPCFG0, PMPCFG_A_NAPOT | PMPCFG_R | PMPCFG_W | PMPCFG_X);
	uintr_begin(on_post, 100);
	uintr_switch_in(&receiver);
	csr_clear(CSR_MSTATUS, MSTATUS_MPP);
	__asm__ volatile("la t0, 1f\\n\\tcsrw mepc, t0\\n\\tmret\\n1:" : : : "t0", "memory");
	ready = 1U;
	uintr_enable();
	for (;;) {
	}
}

int main(void)
{
	uintr_thread_init(&sender, UINTR_RUNNING);
	uintr_thread_init(&receiver, UINTR_RUNNING);
	uintr_connect(&sender, 3, &receiver, 40);
	uintr_connect(&sender, 4, &receiver, 7);
	uintr_switch_in(&sender);
	hart_start(1, second, NULL);
	while (ready == 0U) {
	}
	uintr_send(3);
	while (handled != 40U) {
	}
	uintr_send(4);
	while (handled != 7U) {
	}
	return 0;
}
"""


def test_posts(tmp_path: Path) -> None:
    """Each post has an arrow to its notification at the other hart, and on to the handler."""
    name = "duo-user"
    trace = tmp_path / "t.json"
    elf = build(tmp_path, name, POSTS)
    outcome = simulator.measure(elf, config.load(name), Options(trace=trace, max_cycles=MAX_CYCLES))
    assert (outcome.run.reason, outcome.run.code) == ("exit", 0)
    found = arrows(trace)
    assert len(found) == 2
    for vector, (sent, taken, handler) in zip((40, 7), found.values(), strict=True):
        assert (sent.part, sent.group, sent.track) == ("s", "hart 0 interrupts", "posts")
        assert (taken.part, taken.group, taken.track) == ("t", "hart 1 interrupts", "notifications")
        assert (handler.part, handler.group, handler.track) == ("f", "hart 1 interrupts", "handlers")
        assert sent.slice.name == f"post vector {vector}"
        assert (taken.slice.name, handler.slice.name) == ("notification 12", "user post")
        assert sent.slice.start < taken.slice.start < handler.slice.start
        # docs: hw/uintr/README.md, "Cycles": from the first word of the entry, which is cycle 1, to the taken interrupt
        assert handler.slice.start - sent.slice.start in range(14, 19)


def test_tasks(tmp_path: Path) -> None:
    name = "mcu-fastirq"
    program = build(tmp_path, name, PING_PONG, ["-DconfigTRAPEZE_YIELD_BY_INTERRUPT=1"], "freertos")
    where = tasks.find(program)
    assert where is not None
    tracks, run, listing = seen(program, name, tmp_path, Options())

    found = tracks["tasks"]
    assert [one.name for one in found[:8]] in (["ping", "pong"] * 4, ["pong", "ping"] * 4)
    assert all(a.end == b.start for a, b in pairwise(found))
    assert found[-1].end == run.cycles
    # A store executes in the cycle before it retires, unless that waits.
    stores = [one for one in listing if isinstance(one, Retired) and one.store is not None]
    writes = [
        (one.cycle - 1, one.store.value)
        for one in stores
        if one.store is not None and one.store.address == where.current and one.cycle > found[0].end - 1
    ]
    switches = [cycle for (cycle, block), (_, before) in zip(writes[1:], writes, strict=False) if block != before]
    assert [one.start for one in found[2:]] == switches[: len(found) - 2]

    # Each switch by interrupt loads the next frame ahead, which the emret then need not.
    assert len(frames(tracks["mframe loads"])) >= 7
    assert len(frames(tracks["emret loads"])) <= 1
    named = {one.name for track, slices in tracks.items() if track.startswith("bank ") for one in slices}
    assert {"runs ping", "runs pong", "runs software", "holds ping", "holds pong"} <= named


def test_tasks_of_each_hart(tmp_path: Path) -> None:
    """Two kernels, each on a hart of its own, with a track for each."""
    (tmp_path / "main.c").write_text(PING_PONG)
    duo = config.load("duo")
    by_interrupt = ["-g", "-DconfigTRAPEZE_YIELD_BY_INTERRUPT=1"]
    first, second = (
        toolchain.build(duo, [tmp_path / "main.c"], tmp_path / f"{hart}.elf", by_interrupt, "freertos", hart)
        for hart in (0, 1)
    )
    trace = tmp_path / "t.json"
    outcome = simulator.measure(first, duo, Options(others=(second,), trace=trace, max_cycles=MAX_CYCLES))
    assert outcome.exit_code == 0
    events = json.loads(trace.read_text())["traceEvents"]
    groups = {one["pid"]: one["args"]["name"] for one in events if one["name"] == "process_name"}
    tracks = {
        (one["pid"], one["tid"]): groups[one["pid"]]
        for one in events
        if one["name"] == "thread_name" and one["args"]["name"] == "tasks"
    }
    assert sorted(tracks.values()) == ["hart 0 software", "hart 1 software"]
    for track in tracks:
        found = [one["name"] for one in events if one["ph"] == "X" and (one["pid"], one["tid"]) == track]
        assert found[:8] in (["ping", "pong"] * 4, ["pong", "ping"] * 4)


def test_a_program_without_a_kernel_has_no_tasks(tmp_path: Path) -> None:
    assert tasks.find(build(tmp_path, "mcu-clint", NESTED)) is None
    text = tmp_path / "x.elf"
    text.write_text("no program")
    assert tasks.find(text) is None
