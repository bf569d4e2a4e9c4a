# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""A platform as one value: its harts, what stands at which address, which harts see it, where interrupts go.

It is made from a configuration: `Config.platform`. The model reads it as a file, `trapeze.platform/1`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from trapeze.common import paths
from trapeze.common.errors import TrapezeError
from trapeze.platform import timing
from trapeze.platform.hart import WHOLE_FRAMES, Hart

SCHEMA = "trapeze.platform/1"

SOFTWARE, TIMER, EXTERNAL, SUPERVISOR_EXTERNAL = 3, 7, 11, 9
"""Standard interrupts of a hart."""

SHARED_LINE = 15
"""Platform line of the latency measurement `probe` on each hart, or the last one of fewer."""

MEMORY, DEVICE = "memory", "device"


@dataclass(frozen=True)
class Part:
    """A block, or a memory if `block` is empty, inside a region that holds several."""

    name: str
    block: str
    base: int
    size: int
    title: str = ""

    def to_json(self) -> dict[str, Any]:
        """As in the file."""
        own: dict[str, Any] = {"name": self.name, "base": self.base, "size": self.size, "title": self.title}
        return own | ({"block": self.block} if self.block else {})


@dataclass(frozen=True)
class Region:
    """A range of addresses: a memory or a device.

    Attributes:
        name: Of the region, one of its kind on the platform.
        kind: `memory` or `device`.
        base: First address.
        size: In bytes.
        harts: Numbers of those that see it.
        block: Of a device: what it is; empty: a memory.
        own: Whether each of them has one of its own there; else all share one.
        title: For people.
        description: For people.
        parts: Of a device that is several.
        line: The platform line of the hart `line_hart` that its interrupt is; None: of none.
        line_hart: The number of that hart.
        plic_source: The source of the PLIC that its interrupt is; None: it is none.
        console: Number of the hart whose console a UART is; None: the run's.
        peer: Name of the region that is the other side of this one; None: it has none.
        coherent: Of a memory: no cache hides what a hart writes there.
    """

    name: str
    kind: str
    base: int
    size: int
    harts: tuple[int, ...]
    block: str = ""
    own: bool = False
    title: str = ""
    description: str = ""
    parts: tuple[Part, ...] = ()
    line: int | None = None
    line_hart: int | None = None
    plic_source: int | None = None
    console: int | None = None
    peer: str | None = None
    coherent: bool = False

    @property
    def end(self) -> int:
        """The address behind it."""
        return self.base + self.size

    @property
    def is_memory(self) -> bool:
        """Whether it is a memory."""
        return self.kind == MEMORY

    @property
    def measures_behind_plic(self) -> bool:
        """Whether it is a latency measurement that interrupts through the PLIC, not by platform lines."""
        return self.block == "probe" and self.plic_source is not None

    def to_json(self) -> dict[str, Any]:
        """As in the file; its wires stand there on their own."""
        own: dict[str, Any] = {"name": self.name, "kind": self.kind, "base": self.base, "size": self.size}
        own |= {"block": self.block} if self.block else {}
        own |= {"harts": list(self.harts), "own": self.own, "title": self.title}
        own |= {"coherent": True} if self.coherent else {}
        own |= {"parts": [one.to_json() for one in self.parts]} if self.parts else {}
        own |= {key: value for key in ("console", "peer") if (value := getattr(self, key)) is not None}
        return own


@dataclass(frozen=True)
class Wire:
    """From a device's interrupt to a hart's platform line or standard interrupt, or to a source of the PLIC.

    Attributes:
        device: Name of the region.
        output: Which of several that the device has.
        plic: The source that it goes to.
        hart: Number of the hart that it goes to, where it does not go to the PLIC.
        line: Its platform line.
        interrupt: Its standard interrupt.
    """

    device: str
    output: int | None = None
    plic: int | None = None
    hart: int | None = None
    line: int | None = None
    interrupt: int | None = None

    def to_json(self) -> dict[str, Any]:
        """As in the file."""
        to = {key: value for key in ("plic", "hart", "line", "interrupt") if (value := getattr(self, key)) is not None}
        output = {} if self.output is None else {"output": self.output}
        return {"from": self.device, **output, "to": to}


@dataclass(frozen=True)
class Clocks:
    """Frequencies in Hz.

    Attributes:
        timebase: Of mtime as Linux has it; the model counts one tick a cycle.
        serial: Of the input of the UART's divisor.
    """

    timebase: int = 10_000_000
    serial: int = 3_686_400


DEFAULT_CLOCKS = Clocks()


@dataclass(frozen=True)
class SharedMemory:
    """The port in front of the memories that modelled harts and a tile share.

    Attributes:
        beats: Cycles for which a line takes the memory.
        turn: Beats of lines that go before an access of the tile that waits; 0: a line is not interrupted.
    """

    turn: int
    beats: int = 8


def isa_name(hart: Hart) -> str:
    """The whole ISA of a hart, as the model has it."""
    whole = f"_{WHOLE_FRAMES}" if hart.whole_frames else ""
    return f"{hart.isa}_zicsr_zifencei{'_sv39' if hart.supervisor else ''}{whole}"


def _hart(hart: Hart) -> dict[str, Any]:
    rows = hart.regions
    return {
        "isa": isa_name(hart),
        "interrupts": hart.scheme,
        "hart_id": hart.hart_id,
        "reset_vector": hart.reset_vector,
        "lines": hart.lines,
        "line_id_base": hart.line_base,
        "line_delay": hart.line_delay,
        "sources": hart.sources,
        "ctl_bits": hart.ctl_bits,
        "staged": hart.tree_pipeline,
        "pmp": {"rows": rows, "grain": hart.grain if rows else 0, "smepmp": hart.smepmp if rows else False},
        "user": hart.user,
        "uintr": hart.uintr,
    } | ({"triggers": hart.triggers, "debug": hart.debug} if hart.triggers else {})


@dataclass(frozen=True)
class Platform:
    """All of a platform.

    Attributes:
        name: The configuration.
        map: The memory map that it begins with.
        harts: By number.
        regions: By address.
        clocks: Frequencies.
        shared_memory: Of the timed engine; None: shared memories answer at once.
    """

    name: str
    map: str
    harts: tuple[Hart, ...]
    regions: tuple[Region, ...]
    clocks: Clocks = DEFAULT_CLOCKS
    shared_memory: SharedMemory | None = None

    def find(self, name: str) -> Region | None:
        """The region of a name, None if there is none."""
        return next((one for one in self.regions if one.name == name), None)

    def region(self, name: str) -> Region:
        """The region of a name.

        Raises:
            KeyError: there is none.
        """
        if (found := self.find(name)) is None:
            raise KeyError(f"platform {self.name} has no region {name}")
        return found

    @property
    def memories(self) -> tuple[Region, ...]:
        """The regions that are memories."""
        return tuple(one for one in self.regions if one.is_memory)

    def of_block(self, block: str) -> tuple[Region, ...]:
        """The devices of a kind."""
        return tuple(one for one in self.regions if one.block == block)

    @property
    def supervisors(self) -> tuple[int, ...]:
        """Numbers of the harts with supervisor mode."""
        return tuple(number for number, hart in enumerate(self.harts) if hart.supervisor)

    def uart_of(self, hart: int) -> Region | None:
        """The UART whose interrupt a hart has: its own, or else the one of all."""
        uarts = [one for one in self.of_block("uart") if hart in one.harts]
        own = next((one for one in uarts if one.console == hart), None)
        return own or next((one for one in uarts if one.console is None), None)

    def _timed(self, number: int) -> dict[str, Any]:
        hart = self.harts[number]
        if hart.timing is None and hart.base == "rv64i":
            raise TrapezeError(
                f"configuration {self.name}: harts.{number}: has no 'timing', which its time is modelled by; "
                f"name one of {', '.join(timing.names())}"
            )
        told = {"kind": "exact"} if hart.timing is None else timing.load(hart.timing)
        own = {} if hart.memory_latency is None else {"memory_latency": hart.memory_latency}
        return _hart(hart) | {"timing": told | own}

    @property
    def wires(self) -> tuple[Wire, ...]:
        """Where each interrupt goes."""
        return (*self._of_devices(), *self._standard())

    def _of_devices(self) -> Iterator[Wire]:
        plic = self.of_block("plic")
        for one in self.regions:
            if one.plic_source is not None and plic:
                yield Wire(one.name, plic=one.plic_source)
            if one.line is not None and one.line_hart is not None and one.line < self.harts[one.line_hart].lines:
                yield Wire(one.name, hart=one.line_hart, line=one.line)
            if one.block == "probe" and not one.measures_behind_plic:
                for number in one.harts:
                    yield Wire(one.name, hart=number, line=shared_line(self.harts[number]))

    def _standard(self) -> Iterator[Wire]:
        for one in self.of_block("clint"):
            for number in one.harts:
                yield Wire(one.name, output=2 * number, hart=number, interrupt=SOFTWARE)
                yield Wire(one.name, output=2 * number + 1, hart=number, interrupt=TIMER)
        contexts = [(one, number) for one in self.of_block("plic") for number in one.harts]
        for place, (one, number) in enumerate(contexts):
            yield Wire(one.name, output=2 * place, hart=number, interrupt=EXTERNAL)
            yield Wire(one.name, output=2 * place + 1, hart=number, interrupt=SUPERVISOR_EXTERNAL)
        served = [number for _, number in contexts]
        for number in range(len(self.harts)):
            if (uart := self.uart_of(number)) is not None and (number not in served or uart.plic_source is None):
                yield Wire(uart.name, hart=number, interrupt=EXTERNAL)

    def to_json(self, timed: bool = False) -> dict[str, Any]:
        """As the model reads it; `timed`: with the time of each hart.

        Raises:
            TrapezeError: a hart of rv64i has no `timing`.
        """
        shared = {"shared_memory": asdict(self.shared_memory)} if timed and self.shared_memory else {}
        return {
            "schema": SCHEMA,
            "name": self.name,
            "map": self.map,
            "harts": [self._timed(n) if timed else _hart(one) for n, one in enumerate(self.harts)],
            "regions": [one.to_json() for one in self.regions],
            "wires": [one.to_json() for one in self.wires],
            "clocks": {"timebase": self.clocks.timebase, "serial": self.clocks.serial},
            **shared,
        }


def shared_line(hart: Hart) -> int:
    """The platform line of a hart that is the latency measurement's."""
    return min(SHARED_LINE, max(1, hart.lines) - 1)


def map_file(name: str) -> Path:
    """The file of a memory map."""
    return paths.MAPS / f"{name}.json"


@cache
def _entries(file: Path, changed: int) -> tuple[Mapping[str, Any], ...]:
    """The regions of a map's file; it is read again once it has changed."""
    del changed
    return tuple(json.loads(file.read_text())["regions"])


def _region(raw: Mapping[str, Any], harts: int) -> Region:
    """A region of a map on a platform of some harts."""
    parts = tuple(
        Part(one["name"], one["block"] or "", one["base"], one["size"], one["title"]) for one in raw.get("parts", ())
    )
    seen = (raw["hart"],) if "hart" in raw else range(harts)
    return Region(
        raw["name"],
        raw["kind"],
        raw["base"],
        raw["size"],
        tuple(one for one in seen if one < harts),
        block=raw.get("block", ""),
        own=raw["per_hart"],
        title=raw["title"],
        description=raw["description"],
        parts=parts,
        coherent=raw.get("coherent", False),
        **{key: raw.get(key) for key in ("line", "line_hart", "plic_source", "console", "peer")},
    )


def of_map(name: str, harts: int) -> tuple[Region, ...]:
    """The regions of a memory map on a platform of some harts, whatever these are."""
    file = map_file(name)
    return tuple(_region(one, harts) for one in _entries(file, file.stat().st_mtime_ns))


def seen(regions: Iterable[Region], harts: Sequence[Hart]) -> tuple[Region, ...]:
    """The regions that some hart has, by address.

    Those of a CLIC are for the harts with one. The PLIC is for supervisor mode, and so is a latency measurement that
    interrupts through it.
    """
    able = {
        "clic": tuple(number for number, hart in enumerate(harts) if hart.has_clic),
        "clic_user": tuple(number for number, hart in enumerate(harts) if hart.user),
        "plic": tuple(number for number, hart in enumerate(harts) if hart.supervisor),
    }
    there = []
    for one in regions:
        if kept := able.get("plic" if one.measures_behind_plic else one.block, one.harts):
            there.append(replace(one, harts=kept, **_wiring(one, len(harts))))
    return tuple(sorted(there, key=lambda one: (one.base, one.name)))


def _wiring(one: Region, harts: int) -> dict[str, Any]:
    """Lines and console of a region, without those of harts that the platform does not have."""
    lost = one.line_hart is not None and one.line_hart >= harts
    console = None if one.console is not None and one.console >= harts else one.console
    return {"line": None if lost else one.line, "line_hart": None if lost else one.line_hart, "console": console}


def complete(
    name: str,
    memory_map: str,
    harts: tuple[Hart, ...],
    regions: Iterable[Region] | None = None,
    clocks: Clocks = DEFAULT_CLOCKS,
    shared_memory: SharedMemory | None = None,
) -> Platform:
    """The platform of a configuration; `regions` are those of the map, if there are no others."""
    placed = of_map(memory_map, len(harts)) if regions is None else regions
    return Platform(name, memory_map, harts, seen(placed, harts), clocks, shared_memory)
