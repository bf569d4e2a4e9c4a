# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Partitions as data: what of the platform belongs to a program, and what is somebody else's.

The kinds of partitions by symbols of an image are entries of `KINDS`: functions that recognise the images of a kind and
say what belongs to the program of one. Cells are in `cells`. Attempts and verdicts use nothing but a `Partition`. What
a partition promises is written down here from its documentation, not read from the rows that it sets up at run time: a
wrong row is found because it differs from this.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from trapeze.common import paths
from trapeze.common.errors import TrapezeError
from trapeze.isolation.image import Image
from trapeze.platform.configurations import Config
from trapeze.platform.isa import Csr

ALL = "rwx"


@dataclass(frozen=True)
class Zone:
    """Addresses in which a program may do the same everywhere.

    Attributes:
        begin: First address.
        end: The address behind it.
        rights: What the program may: letters of `rwx`.
        name: What it is.
    """

    begin: int
    end: int
    rights: str
    name: str


@dataclass(frozen=True)
class Watchdog:
    """A watchdog that the program cannot stop.

    Attributes:
        period: In cycles.
        source: Of the interrupt controller.
        starts: How often the program runs, restarts included.
    """

    period: int
    source: int
    starts: int


@dataclass(frozen=True)
class Register:
    """A register that the other side writes for a program.

    Attributes:
        bits: Those of a value that may be 1.
        values: Other values that may be written.
    """

    bits: int = 0
    values: tuple[int, ...] = ()

    def may(self, value: int) -> bool:
        """Whether a value may be written."""
        return not value & ~self.bits or value in self.values


@dataclass(frozen=True)
class Service:
    """What the other side may do for a program, on the program's hart.

    Attributes:
        zones: What it may load from and store to; all addresses.
        registers: Of a device that it shares out, by address; nothing else of the device may be written.
        device: First address of that and the address behind it.
    """

    zones: tuple[Zone, ...]
    registers: Mapping[int, Register]
    device: tuple[int, int]

    def oversteps(self, right: str, address: int, count: int, value: int) -> str:
        """What is wrong with an access: whose it is; empty: nothing."""
        if self.device[0] <= address < self.device[1]:
            register = self.registers.get(address, Register())
            return "" if right == "r" or (count == 4 and register.may(value)) else "a source of another's"
        found = [one for at in (address, address + count - 1) for one in self.zones if one.begin <= at < one.end]
        return next((one.name for one in found if right not in one.rights), "")


@dataclass(frozen=True)
class Stop:
    """The other side stops the program at a time, however it behaves, and ends the run.

    Attributes:
        place: Where the image has the time, 64 bits, in units of the trace's cycles.
        late: Cycles from there to the end of the run, at most.
    """

    place: int
    late: int


@dataclass(frozen=True)
class Partition:
    """The partition that one image runs in.

    Attributes:
        name: For people.
        hart: That runs the program.
        mode: In which the program runs: 0 user mode.
        zones: All addresses, in order, without gaps.
        refused: Exit code of a run in which the other side ends the program.
        guarded: An address of the other side's memory.
        stack: The address behind a stack that is the program's.
        own_sources: Sources of interrupts that are the program's.
        handler_mode: The mode in which interrupts of the program are taken.
        connect: Makes the address in t0 the handler of the program's interrupts; assembly that may use t1.
        enable: Enables the program's interrupts; the same.
        want: Whether a source needs a word of the program's besides the controller: address of the bytes; None: not.
        call: One call of the other side that does nothing; assembly.
        rounds: How often a storm raises every source: less where each access of the controller takes long.
        raised: How many sources a storm raises at most, likewise.
        longer: What asks the other side for more time than it gave; assembly.
        watchdog: What ends a program that never gives up; None: nothing does.
        no_watchdog: Why there is none, and how to get one.
        stop: The other side ends the program at a time that the image says; None: it ends it for a reason.
        begins: Where the program begins, if that is known before it runs.
        moved: Bytes from where the file has the program to where it is executed.
        prologue: What each attempt begins with; assembly.
        service: What the other side may do for the program; None: that is not looked at.
    """

    name: str
    hart: int
    mode: int
    zones: tuple[Zone, ...]
    refused: int
    guarded: int
    stack: int
    own_sources: tuple[int, ...]
    handler_mode: int
    connect: str
    enable: str
    call: str
    want: int | None = None
    rounds: int = 8
    raised: int = 4096
    watchdog: Watchdog | None = None
    no_watchdog: str = ""
    longer: Sequence[str] = ()
    stop: Stop | None = None
    begins: int | None = None
    moved: int = 0
    prologue: str = ""
    service: Service | None = None

    def zone(self, address: int) -> Zone:
        """The zone of an address."""
        return next(one for one in self.zones if one.begin <= address < one.end)

    def may(self, right: str, address: int, count: int = 1) -> bool:
        """Whether the program may access all of some bytes."""
        return all(right in self.zone(at & self.zones[-1].end - 1).rights for at in (address, address + count - 1))


def whole(named: Iterable[Zone], width: int, rights: str, name: str) -> tuple[Zone, ...]:
    """All addresses as zones. Of zones that overlap the first one counts; between them is one with these rights."""
    first = list(named)
    bounds = sorted({0, 1 << width, *(edge for one in first for edge in (one.begin, one.end))})
    made: list[Zone] = []
    for begin, end in pairwise(bounds):
        over = next((one for one in first if one.begin <= begin < one.end), Zone(begin, end, rights, name))
        if made and made[-1].end == begin and (made[-1].rights, made[-1].name) == (over.rights, over.name):
            begin = made.pop().begin
        made.append(Zone(begin, end, over.rights, over.name))
    return tuple(made)


# ---------------------------------------------------------------- the monitor (fw/monitor/README.md)

MONITORS = ("paper", "soft", "direct")
"""Schemes whose images have the symbols of fw/monitor/monitor.ld. `emulate` is recognised by its segment."""

EMULATOR_SIZE = 0x4000
"""Of the monitor `emulate`, at the end of imem: MONITOR_SIZE in fw/monitor/emulate.ld."""

REPORTED = 134
"""Exit code of a run that the monitor ends (EXIT_REFUSED in fw/monitor/src/report.c)."""

WATCHDOG_LINE = 15
"""Platform line of the watchdog, or the last one (fw/monitor/src/watchdog.h)."""

WATCHDOG_DEVICES = 0x4000
"""Bytes from the random data generator on that the watchdog closes (likewise)."""

HANDLER, ENABLED, KEPT, MIE = 12, 16, 20, 24
"""Offsets in the page of program and monitor (fw/hal/include/trapeze/monitor.h)."""

START = 0x5C051573
"""The instruction by which a program asks for the watchdog (likewise)."""


def _store(address: int, register: str = "t0") -> str:
    return f"li t1, {address:#x}\nsw {register}, 0(t1)"


def _word_of(config: Config, source: int) -> int:
    """The four registers of a source in machine mode's view of the CLIC."""
    return config.platform.region("clic").base + first_source() + 4 * source


def first_source() -> int:
    """Offset of the registers of source 0."""
    registers = json.loads(paths.REGISTERS.read_text())["blocks"]["clic"]["registers"]
    return int(next(one["offset"] for one in registers if one["name"].lower() == "irq_ip"))


def _watchdog(image: Image, config: Config) -> Watchdog | None:
    period = image.symbols.get("monitor_watchdog", 0)
    hart = config.first
    source = hart.line_base + min(WATCHDOG_LINE, hart.lines - 1)
    return Watchdog(period, source, 1 + image.symbols.get("monitor_restarts", 0)) if period else None


def _devices(config: Config, direct: bool) -> list[Zone]:
    """The devices that the tight layout opens."""
    names = ["host", "clint", "clic_user", "uart", "probe", *([] if direct else ["clic"])]
    found = [region for name in names if (region := config.platform.find(name)) is not None]
    return [Zone(one.base, one.end, "rw", one.title or one.name) for one in found]


def _closed_by_watchdog(config: Config, watchdog: Watchdog | None) -> list[Zone]:
    if watchdog is None:
        return []
    parts = {one.name: one for one in config.platform.region("probe").parts}
    devices = next(one.base for name, one in parts.items() if "random" in name)
    word = _word_of(config, watchdog.source)
    return [
        Zone(devices, devices + WATCHDOG_DEVICES, "", "the watchdog's devices"),
        Zone(word, word + 4, "", "the watchdog's source"),
    ]


def _program(image: Image, config: Config) -> list[Zone]:
    """The parts of an image in the tight layout."""
    at, memory = image.symbols, config.platform.region
    smem = memory("smem")
    return [
        Zone(at["monitor_rom_start"], at["monitor_rom_end"], "", "the monitor's code"),
        Zone(at["monitor_rom_end"], at["program_text_end"], "rx", "the program's code"),
        Zone(at["program_text_end"], at["program_vectors_end"], ALL, "the table of handlers"),
        Zone(at["monitor_ram_start"], at["monitor_ram_end"], "", "the monitor's data"),
        Zone(at["monitor_ram_end"], at["monitor_page_end"], "rw", "the page of program and monitor"),
        Zone(at["monitor_page_end"], at["program_constants_end"], "r", "the constants"),
        Zone(at["program_constants_end"], memory("dmem").end, "rw", "the data"),
        Zone(smem.base, smem.end, "rw", "the stack"),
        Zone(memory("imem").base, memory("imem").end, "", "imem that is not used"),
    ]


def _with_symbols(image: Image, config: Config, scheme: str) -> Partition:
    at, hart = image.symbols, config.first
    direct, paper_rows = scheme == "direct", at.get("monitor_rows_paper", 0) != 0
    watchdog = _watchdog(image, config)
    zones = _closed_by_watchdog(config, watchdog)
    clic = config.platform.region("clic")
    if paper_rows:
        zones += [Zone(clic.base, clic.end, "", "the monitor's view of the CLIC")] if direct else []
        zones += [
            Zone(at["monitor_rom_start"], at["monitor_rom_end"], "", "the monitor's code"),
            Zone(at["monitor_ram_start"], at["monitor_ram_end"], "", "the monitor's data"),
        ]
    else:
        zones += [*_devices(config, direct), *_program(image, config)]
        zones += [Zone(clic.base, clic.end, "", "the monitor's view of the CLIC")] if direct else []
    page = at["monitor_ram_end"]
    ways: Mapping[str, tuple[str, str, str]] = {
        "paper": (_store(page + HANDLER), "li a0, 1\nli t0, 1\necall", "li t0, 0\necall"),
        "soft": (
            _store(page + HANDLER),
            f"li t0, 1\n{_store(page + ENABLED)}\nli t1, {page + KEPT:#x}\nlw t1, 0(t1)\nbeqz t1, 9f\necall\n9:",
            f"li t0, 1\n{_store(page + ENABLED)}\necall",
        ),
        "direct": (f"csrw {int(Csr.UTVEC):#x}, t0", f"csrsi {int(Csr.USTATUS):#x}, 1", "li t0, 0\necall"),
    }
    connect, enable, call = ways[scheme]
    own = tuple(one for one in range(hart.line_base, hart.sources) if watchdog is None or one != watchdog.source)
    return Partition(
        name=f"monitor {scheme}, {'paper' if paper_rows else 'tight'} rows",
        hart=0,
        mode=0,
        zones=whole(zones, 32, ALL if paper_rows else "", "nothing" if paper_rows else "no part of the program"),
        refused=REPORTED,
        guarded=at["monitor_ram_start"],
        stack=config.platform.region("smem").end,
        own_sources=own,
        handler_mode=0 if direct else 3,
        connect=connect,
        enable=enable,
        call=call,
        want=None if direct else page + MIE,
        watchdog=watchdog,
        no_watchdog="the image has no watchdog; build it with --monitor-watchdog N",
        longer=(f"li a0, -1\n.4byte {START:#x}",) if watchdog else (),
    )


def _emulator(image: Image, config: Config) -> tuple[int, int] | None:
    """First address and end of the monitor `emulate` in an image; None: it has none."""
    imem = config.platform.find("imem")
    if imem is None:
        return None
    base = imem.end - EMULATOR_SIZE
    found = [one for one in image.segments if one.address == base]
    return (base, found[0].end) if found else None


def _emulated(config: Config, monitor: tuple[int, int]) -> Partition:
    hart, region = config.first, config.platform.region
    zones = [
        Zone(*monitor, "", "the monitor"),
        Zone(region("clint").base, region("clint").end, "", "the CLINT, which is emulated"),
        Zone(region("clic").base, region("clic").end, "", "the CLIC, which is emulated"),
    ]
    return Partition(
        name="monitor emulate",
        hart=0,
        mode=0,
        zones=whole(zones, 32, ALL, "the program's"),
        refused=REPORTED,
        guarded=monitor[0],
        stack=region("smem").end,
        own_sources=tuple(range(hart.line_base, hart.sources)),
        handler_mode=3,
        connect=f"csrw {int(Csr.MTVEC):#x}, t0",
        enable=f"csrsi {int(Csr.MSTATUS):#x}, 8",
        call=f"csrr t1, {int(Csr.MSTATUS):#x}",
        rounds=1,
        raised=4,
        no_watchdog="the monitor emulate has no watchdog; paper, soft and direct do",
    )


def _monitor(image: Image, config: Config) -> Partition | None:
    scheme = next((one for one in MONITORS if f"monitor_is_{one}" in image.symbols), None)
    if scheme is not None:
        return _with_symbols(image, config, scheme)
    emulator = _emulator(image, config)
    return None if emulator is None else _emulated(config, emulator)


KINDS: Mapping[str, Callable[[Image, Config], Partition | None]] = {
    "monitor": _monitor,
}
"""The kinds of partitions: each finds that of an image, if the image has one of its kind."""


def check_built_for(image: Image, config: Config) -> None:
    """Refuse an image of another configuration.

    Raises:
        TrapezeError: it says that it is one.
    """
    if image.built_for and image.built_for != config.name:
        raise TrapezeError(
            f"{image.path}: built for configuration {image.built_for}, not for {config.name}; "
            f"give --config {image.built_for}"
        )


def of(image: Image, config: Config) -> Partition:
    """The partition of an image.

    Raises:
        TrapezeError: it belongs to none, or not to one of this configuration.
    """
    check_built_for(image, config)
    bits = 64 if config.first.base.startswith("rv64") else 32
    if image.width != bits:
        raise TrapezeError(
            f"{image.path}: is an ELF of {image.width} bits, and configuration {config.name} has a hart of {bits}; "
            f"build it with `trapeze cc --config {config.name}`"
        )
    found = (partition for find in KINDS.values() if (partition := find(image, config)) is not None)
    partition = next(found, None)
    if partition is None:
        raise TrapezeError(
            f"{image.path}: belongs to no partition: the program runs in machine mode; link it with "
            "`trapeze cc --monitor paper`, soft, direct or emulate, or, on amp-2, with `trapeze cc --cell`"
        )
    return partition
