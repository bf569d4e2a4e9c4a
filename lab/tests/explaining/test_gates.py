# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The reasons for a wait, held against an independent replay of the trace.

Random programs lock and unlock, disable and enable, raise and lower the threshold, nested in each other, while lines
rise. In user mode they call the monitor and change stacks, too, or lock and unlock by the word of a monitor that hands
interrupts on. `Shut` reads the trace by itself: CSR writes, stores to the word and the controller, levels and searches
of memory protection as the hardware reports them, modes, and lines; from these it says for each cycle which gates were
shut. `TRAPEZE_GATES_SEEDS=FROM..TO` takes other seeds.
"""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from trapeze.common.edges import Edge
from trapeze.explaining import breakdown, gates
from trapeze.explaining.gates import Gate
from trapeze.firmware import toolchain
from trapeze.platform import configurations
from trapeze.platform.isa import Csr
from trapeze.simulation import events, simulator
from trapeze.simulation.options import Options
from trapeze.simulation.traces import functions, read

LINE = 3
OTHERS = (5, 7)
CLIC = 0x0280_0000
USER_VIEW = 0x0280_8000
"""The CLIC, with its own register, and user mode's view of it."""

SOURCES = 0x1000
"""Offset of the registers of source 0, four bytes each: ip, ie, attr, ctl."""

Built = tuple[Path, str]

FRAME = """
#include <trapeze/irq.h>
#include <trapeze/marker.h>
#ifdef TRAPEZE_IRQ_CLIC
#include <trapeze/irq_clic.h>
#endif
static volatile int events;
static inline __attribute__((always_inline)) void spin(int n) { for (volatile int i = 0; i < n; i++) { } }
"""

IN_USER_MODE = """
static char other[4096] __attribute__((aligned(16)));
static inline void call(void) { __asm__ volatile("li t0, 0\\n ecall" : : : "t0", "t1", "t2", "memory"); }
static inline void change_stack(int n)
{
	__asm__ volatile("mv t1, sp\\n mv sp, %1\\n 1: addi %0, %0, -1\\n bgtz %0, 1b\\n mv sp, t1" : "+r"(n) :
		"r"(other + sizeof(other)) : "t1", "memory");
}
"""
"""A call of the monitor, and a while on another stack, in a range of addresses of its own."""


class Program:
    """A program drawn at random: blocks of gates shut and opened around others, and handlers that do the same."""

    def __init__(self, seed: int, clic: bool, user: bool = False, word: bool = False) -> None:
        self.random = random.Random(seed)
        self.clic, self.user, self.word = clic, user, word
        self._count = 0
        self._functions: list[str] = []

    def block(self, depth: int, handler: bool) -> str:
        """Statements around others, `depth` deep."""
        draw, thresholds = self.random, self.clic and not self.word
        kinds = ["spin", "divide", "lock", "lock", "call"] + ["disable", "other"] * 2 + ["threshold"] * 2 * thresholds
        kinds += ["monitor"] * 4 * self.user + ["stack"] * 4 * (self.user and not handler)
        kind = draw.choice(kinds) if depth else draw.choice(("spin", "divide"))
        inner = "".join(self.block(depth - 1, handler) for _ in range(draw.randint(1, 2))) if depth else ""
        self._count += 1
        n = self._count
        match kind:
            case "spin":
                return f"spin({draw.randint(1, 12)});\n{inner}"
            case "divide":
                return f"events = 1000000 / (events + {draw.randint(1, 9)});\n{inner}"
            case "monitor":
                return f"for (int i = 0; i < {draw.randint(1, 6)}; i++) {{ call(); }}\n{inner}"
            case "stack":
                return f"for (int i = 0; i < 6; i++) {{ change_stack({draw.randint(1, 15)}); }}\n{inner}"
            case "lock":
                return f"unsigned int k{n} = irq_lock();\n{inner}irq_unlock(k{n});\n"
            case "call":
                text = f"__attribute__((noinline)) static void f{n}(void)\n{{\n{inner}}}\n"
                self._functions.append(text)
                return f"f{n}();\n"
            case "threshold":
                level = draw.choice((0, 63, 127, 191, 255))
                return f"uint8_t t{n} = irq_threshold_set({level});\n{inner}irq_threshold_set(t{n});\n"
        line = LINE if kind == "disable" else draw.choice(OTHERS)
        return f"irq_disable(IRQ_PLATFORM({line}));\n{inner}irq_enable(IRQ_PLATFORM({line}));\n"

    def text(self) -> str:
        """In C."""
        main = "".join(self.block(self.random.randint(1, 4), False) for _ in range(10))
        # In start-up code, which is locked since reset.
        start = self.block(2, False)
        handlers = {line: self.block(2, True) for line in OTHERS}
        levels = [self.random.choice((0x3F, 0x7F, 0xBF, 0xFF)) for _ in range(3)]
        setup = "irq_level_bits_set(2);\n" if self.clic else ""
        for line, level in zip((LINE, *OTHERS), levels, strict=True):
            setup += f"irq_connect(IRQ_PLATFORM({line}), on_{line}, 0);\n"
            if self.clic:
                vectored = int(self.random.random() < 0.7)
                setup += f"irq_control_set(IRQ_PLATFORM({line}), {level});\n"
                vectored_set = f"irq_vectored_set(IRQ_PLATFORM({line}), {vectored});\n"
                # A line that falls when the monitor is entered is to stay pending.
                edge = f"irq_trigger_set(IRQ_PLATFORM({line}), IRQ_TRIGGER_RISING);\n"
                setup += edge if self.word else vectored_set
            setup += f"irq_enable(IRQ_PLATFORM({line}));\n"
        bodies = f"static void on_{LINE}(void *arg) {{ (void)arg; TRAPEZE_MARKER(1); }}\n"
        bodies += "".join(
            f"static void on_{line}(void *arg)\n{{\n(void)arg;\n{text}}}\n" for line, text in handlers.items()
        )
        end = f"int main(void)\n{{\n{start}{setup}spin(20);\nirq_unlock_all();\n"
        end += f"for (int round = 0; round < 12; round++) {{\n{main}}}\nreturn 0;\n}}\n"
        return FRAME + IN_USER_MODE * self.user + "".join(self._functions) + bodies + end


USERS: dict[int, int] = {
    Csr.USTATUS: Csr.MSTATUS,
    Csr.MSTATUS: Csr.MSTATUS,
    Csr.UINTTHRESH: Csr.MINTTHRESH,
    Csr.UFASTIRQ: Csr.MFASTIRQ,
}
"""CSRs that are to user mode what others are to machine mode."""


class Shut:
    """Which gates of a line were shut in each cycle, from the trace's lines alone."""

    def __init__(
        self,
        records: Iterable[dict[str, Any]],
        cycles: int,
        config: configurations.Config,
        user: bool = False,
        word: int | None = None,
    ) -> None:
        records = list(records)
        self._user, self._word = user, word
        self._open = self._kept = self._serves = 0
        self.of = {gate: bytearray(cycles + 8) for gate in Gate}
        self._end = cycles + 8
        self._config = config
        self._number = config.first.line_base + LINE
        self._clic = config.first.has_clic
        self._enabled = self._local = self._ie = self._fast = 0
        self._own = self._level = self._threshold = 0
        self._shv: dict[int, int] = {}
        self._nlbits = 0
        self._before: list[int] = []
        self.went_on: set[int] = set()
        """Cycles of interrupts that an instruction went on to, in place of the handler that ran."""
        self._last = 0
        self._own_claims: list[int] = []
        self._searches = False
        self._set(Gate.MODE, 0, user)
        retired = [one for one in records if one["type"] == "retire"]
        for one, after in pairwise(retired):
            if user and one["mode"] != after["mode"]:
                self._set(Gate.MODE, one["cycle"], after["mode"] != 0)
        self._set(Gate.WORD, 0, word is not None)
        for gate in (Gate.MIE, Gate.PENDING, Gate.ENABLE if self._clic else Gate.LOCAL):
            self._set(gate, 0, True)
        if self._clic:
            self._levels(0)
        for one in records:
            self._record(one)

    def _set(self, gate: Gate, cycle: int, shut: bool) -> None:
        """Shut or open a gate from a cycle on."""
        begin = min(cycle, self._end)
        self.of[gate][begin:] = bytes([shut]) * (self._end - begin)

    def _levels(self, cycle: int) -> None:
        own = self._own | 0xFF >> self._nlbits
        self._set(Gate.LEVEL, cycle, own <= self._level or own == 0)
        self._set(Gate.THRESHOLD, cycle, own <= self._threshold)

    def _mie(self, cycle: int, enabled: int) -> None:
        self._enabled = enabled
        self._set(Gate.MIE, cycle, not enabled)

    def _record(self, one: dict[str, Any]) -> None:
        cycle = one.get("cycle", 0)
        match one["type"]:
            case "line" if one["line"] == LINE and (one["high"] or self._word is None):
                self._set(Gate.PENDING, cycle + 1 + self._config.first.tree_pipeline * one["high"], not one["high"])
            case "activity" if one["kind"] == "frame-judge" and self._user:
                self._searches = one["searches"]
                self._frame(cycle)
            case "activity" if one["kind"] == "level" and not self.of[Gate.MODE][cycle]:
                self._level = one["level"]
                self._levels(cycle)
            case "claim":
                self._claim(cycle, one["id"])
            case "retire":
                self._retired(cycle, one)

    def _frame(self, cycle: int) -> None:
        self._set(Gate.FRAME, cycle, self._searches and self._fast & 1 == 1)

    def claimed(self, taken: int, marker: int) -> int:
        """When the line's interrupt was taken; the last time, if a monitor may have held it back."""
        return max([taken, *(one for one in self._own_claims if one < marker and self._word is not None)])

    def _claim(self, cycle: int, number: int) -> None:
        self._last, self._serves = cycle, number
        self._own_claims += [cycle] * (number == self._number)
        self._before.append(self._enabled)
        self._mie(cycle + 1, self._fast >> 1 & self._shv.get(number, 0) if self._fast & 1 else 0)

    def _retired(self, cycle: int, one: dict[str, Any]) -> None:
        name = one["asm"].partition("\t")[0]
        if name in (("uret", "euret") if self._user else ("mret", "emret")):
            if one.get("goes_on_to"):
                self.went_on.add(self._last)
                self._before.pop()  # the context below stays, and its MIE
                return
            self._serves = 0
            self._mie(cycle, self._before.pop() if self._before else int(self._word is not None))
        elif self._word is not None and "exception" in one:
            self._claim(cycle - 1, 0)
        elif "csr" in one:
            self._written(cycle, one["csr"]["number"], one["csr"]["value"], one["asm"])
        elif any(word in one["asm"] for word in ("unxti" if self._user else "mnxti", f"{Csr.MNXTI:#x}")):
            self._written(cycle, Csr.MNXTI, 0, one["asm"])
            if one.get("rd", {}).get("value"):
                self.went_on.add(cycle - 1)  # what it was handed out is claimed in the cycle in which it executes
        elif "store" in one:
            store = one["store"]
            if store["address"] == self._word:
                self._open = store["value"]
                self._set(Gate.WORD, cycle, not self._open or bool(self._kept))
            for at in range(store["bytes"]):
                self._stored(one["granted"][0], store["address"] + at, store["value"] >> 8 * at & 0xFF)

    def _written(self, cycle: int, number: int, value: int, asm: str) -> None:
        if self._user and number != Csr.MNXTI:
            number = USERS.get(number, -1)
        if number == Csr.MSTATUS:
            self._mie(cycle, value >> 3 * (not self._user) & 1)
        elif number == Csr.MIE and not self._clic:
            self._set(Gate.LOCAL, cycle, not value >> self._number & 1)
        elif number == Csr.MINTTHRESH:
            self._threshold = value
            self._levels(cycle)
        elif number == Csr.MFASTIRQ:
            self._fast = value
            self._frame(cycle)
        elif number == Csr.MNXTI and asm.endswith(",1" if self._user else ",8"):
            self._mie(cycle, int("csrrs" in asm or "csrs" in asm))

    def _stored(self, granted: int, address: int, value: int) -> None:
        address -= USER_VIEW if address >= USER_VIEW else CLIC
        source, byte = divmod(address - SOURCES, 4)
        if address == 3 * self._user:
            self._nlbits = value & 15
            self._levels(granted + 1)
        if not 0 <= source < 4096 or not self._clic:
            return
        if source == self._number and self._word is not None and (byte == 0 or (byte == 2 and value & 2)):
            self._set(Gate.PENDING, granted + 1, not (byte == 0 and value & 1))
        if byte == 2:
            self._shv[source] = value & 1
        elif source == self._number and byte == 3:
            self._own = value
            self._levels(granted + 1)
        elif source == self._number and byte == 1:
            after = granted + (2 + self._config.first.tree_pipeline if value & 1 else 1)
            if self._word is not None:
                self._kept = not value & 1 and self._serves == source
                self._set(Gate.WORD, after, not self._open or self._kept)
            self._set(Gate.ENABLE, after, not value & 1 and not self._kept)


CALL = 150
"""Cycles from an instruction by which a program calls the monitor to the last source that it lets through."""


def changes(line: bytearray, retired: int, how: bytes, within: int = 3) -> bool:
    """Whether a gate changes with an instruction: a store to the controller is granted before, and acts behind."""
    return how in line[retired - 3 : retired + within]


def judge(causes: list[breakdown.Cause], shut: Shut, t0: int, taken: int) -> None:
    """Each gate that is named was shut in all of its stretch; where none is named, none was; they follow each other."""
    at = t0 + breakdown.CONTROLLER
    for one in (cause for cause in causes if cause.part == "wait"):
        assert one.begin == at
        at += one.cycles
        named = (one.gate,) if one.gate is not None else ()
        for cycle in range(one.begin, at):
            now = [gate for gate in Gate if shut.of[gate][cycle]]
            assert all(gate in now for gate in named) if named else not now, f"{one}, but in cycle {cycle}: {now}"
        if one.gate is None:
            continue
        line = shut.of[one.gate]
        within = CALL if one.gate is Gate.WORD else 3
        if since := re.search(r"since `.*?` at \S+ in cycle (\d+)", one.what):
            assert changes(line, int(since[1]), b"\0\1", within), one
            assert all(line[line.index(1, int(since[1])) if within == CALL else int(since[1]) + 1 : at]), one
        if "since reset" in one.what:
            assert all(line[:at]), one
        if "went on to it" in one.what:
            assert taken in shut.went_on
        elif until := re.search(r"until `.*?` at \S+ in cycle (\d+)", one.what):
            assert changes(line, int(until[1]), b"\1\0", within), one
    assert at == max(taken, t0 + breakdown.CONTROLLER)
    left = {gate for gate in Gate if shut.of[gate][taken]}
    assert left <= ({Gate.MIE, Gate.LEVEL} if taken in shut.went_on else set()), f"taken in {taken}"


def _word(elf: Path, monitor: str | None) -> int | None:
    """Where a monitor keeps whether interrupts are enabled."""
    structure = {"paper": "monitor_state", "soft": "monitor_page"}.get(monitor or "")
    return events.Program(elf).symbols[structure].address + 16 if structure is not None else None


def _seeds() -> range:
    first, _, last = os.environ.get("TRAPEZE_GATES_SEEDS", "1..2").partition("..")
    return range(int(first), int(last) + 1)


CASES = [(config, None) for config in ("mcu-clint", "mcu-clic", "mcu-clic-pipelined", "mcu-fastirq", "mcu-user")]


@pytest.mark.parametrize(("config", "monitor"), [*CASES, *(("mcu-user", one) for one in ("direct", "paper", "soft"))])
def test_against_a_replay(tmp_path: Path, config: str, monitor: str | None) -> None:
    """In random programs, each wait of one line."""
    user, word = monitor == "direct", monitor in ("paper", "soft")
    platform = configurations.load(config)
    seen: set[Gate | None] = set()
    for seed in _seeds():
        program = Program(seed, platform.first.has_clic, user, word)
        (tmp_path / "main.c").write_text(program.text())
        elf = toolchain.build(platform, [tmp_path / "main.c"], tmp_path / "main.elf", [], monitor=monitor)
        draw = random.Random(seed)
        cycle, edges = draw.randint(100, 900), []
        for _ in range(20):
            edges.append(Edge(LINE, cycle))
            edges += [Edge(line, cycle + draw.randint(-90, 300)) for line in OTHERS if draw.random() < 0.7]
            cycle += draw.randint(400, 1300)
        trace = tmp_path / "t.jsonl"
        options = Options(irq=tuple(edges), trace=trace, max_cycles=cycle + 3000)
        run = simulator.watch(elf, platform, options).run
        shut = Shut(map(json.loads, trace.open()), run.cycles, platform, user, _word(elf, monitor))
        with trace.open() as lines:
            known = list(read(lines))
        own = [one for one in run.interrupts if one.line == LINE and one.tx is not None]
        # Of some programs the line is never let through.
        for one in own:
            source = gates.source(platform, 0, LINE, True, elf)
            causes = breakdown.explain(one, known, functions(elf), source=source)
            assert one.tx is not None
            assert one.taken is not None
            assert sum(part.cycles for part in causes) == one.tx - one.t0
            judge(causes, shut, one.t0, shut.claimed(one.taken, one.tx))
            seen |= {part.gate for part in causes if part.part == "wait"}
    masks = {Gate.ENABLE, Gate.THRESHOLD, Gate.LEVEL} if platform.first.has_clic else {Gate.LOCAL}
    if word:
        masks = {Gate.ENABLE, Gate.WORD}
    if user:
        masks |= {Gate.MODE, Gate.FRAME}
    assert seen, "no wait was judged"
    assert {Gate.MIE} | masks <= seen or "TRAPEZE_GATES_SEEDS" in os.environ
