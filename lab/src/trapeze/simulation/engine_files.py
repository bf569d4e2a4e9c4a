# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What the simulator's build is told of a configuration, and what an engine is told of its platform.

`NAME.json` is the platform of the configuration NAME as the model reads it, `NAME.timed.json` the same with the time of
its harts. With an RTL design there are, too,
`NAME.cmake`, which sets variables for `sim/cmake/RtlEngine.cmake`, and in the folder `NAME` the SystemVerilog package
of the platform and the C++ header of the RTL engine.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from trapeze.platform import cores, rtl
from trapeze.platform.configurations import Config
from trapeze.platform.hart import Hart
from trapeze.platform.platform import Platform, Region, isa_name, shared_line

TOP_TARGET = "sim"
"""Target of a configuration's top core that holds the simulation top."""

TILES = "trapeze:hw:soc"
"""The CAPI2 core that has tiles, for platforms that are no design of their own."""

TILE = "tile"
"""Name of what is written of a configuration's tile, in the folder of the configuration."""

_QUICKLY = ("-O1",)
"""For the design of a variant, which runs little: -O3 takes twice as long to compile."""

MANY_SOURCES = 128
"""Of a CLIC. With more, inlined and unrolled, its engine is too much C++ to compile (`sim/rtl/many_sources.vlt`)."""


def write(path: Path, text: str) -> None:
    """Write a file, whole or not at all, unless it has that text: what is built from it stays as it is."""
    if path.exists() and path.read_text() == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    scratch = path.with_name(f"{path.name}.{os.getpid()}")
    scratch.write_text(text)
    scratch.replace(path)


def write_platform(folder: Path, platform: Platform, timed: bool = False) -> Path:
    """The file of a platform, which the model reads when it starts; `timed`: with the time of its harts."""
    path = folder / f"{platform.name}{'.timed' if timed else ''}.json"
    write(path, json.dumps(platform.to_json(timed), indent=1) + "\n")
    return path


@dataclass(frozen=True)
class RtlEngine:
    """What the engine of a design is built from.

    Attributes:
        config: The configuration.
        top: The simulation top.
        sources: Of the design, in compile order, without the platform's package.
        include_dirs: For its include files.
        flat: The SoC is a netlist, whose instances have their whole paths as names.
        alone: Number of the hart whose tile is the whole design, for a co-simulation; None: the SoC is.
    """

    config: Config
    top: str
    sources: Sequence[Path]
    include_dirs: Sequence[Path]
    flat: bool = False
    alone: int | None = None

    @staticmethod
    def of(config: Config, library: cores.Library) -> RtlEngine:
        """That of a configuration's own sources.

        Raises:
            TrapezeError: the configuration is for the model alone.
        """
        files = library.resolve(config.design(), TOP_TARGET, ("tool_verilator",))
        sources = files.of_type("systemVerilogSource", "vlt")
        return RtlEngine(config, files.toplevel, sources, files.include_folders())

    @staticmethod
    def of_tile(config: Config, library: cores.Library) -> RtlEngine:
        """That of the one hart of a platform that has a design, which a co-simulation has beside harts of the model.

        Raises:
            TrapezeError: there is none, or more than one.
        """
        files = library.resolve(TILES, TOP_TARGET, ("tool_verilator",))
        sources = files.of_type("systemVerilogSource", "vlt")
        return RtlEngine(config, files.toplevel, sources, files.include_folders(), alone=config.tile())

    def write(self, folder: Path) -> None:
        """All files."""
        write_platform(folder, self.config.platform)
        name = self.config.name if self.alone is None else f"{self.config.name}/{TILE}"
        package = folder / name / f"{rtl.PACKAGE}.sv"
        write(package, self._package())
        write(folder / name / "engine_config.h", self._header())
        write(folder / f"{name}.cmake", self._cmake(package))

    def text(self) -> str:
        """Changes with all that is written."""
        named = json.dumps(self.config.platform.to_json())
        return "\n".join((named, self._package(), self._header(), self._cmake(Path("package"))))

    def _package(self) -> str:
        return rtl.package(self.config, alone=self.alone)

    @property
    def _harts(self) -> dict[int, Hart]:
        """The harts of the design, by their numbers on the platform."""
        every = dict(enumerate(self.config.harts))
        return every if self.alone is None else {self.alone: every[self.alone]}

    def _cmake(self, package: Path) -> str:
        harts, platform = list(self._harts.values()), self.config.platform
        values: Mapping[str, Sequence[object]] = {
            "top": [self.top],
            "sources": rtl.with_package(self.sources, self.top, package),
            "include_dirs": self.include_dirs,
            "flat": ["ON" if self.flat else "OFF"],
            "variant": ["ON" if self.config.variant else "OFF"],
            "rtl_flags": _QUICKLY if self.config.variant else (),
            "several_harts": ["ON" if len(harts) > 1 else "OFF"],
            "many_sources": ["ON" if any(hart.sources > MANY_SOURCES for hart in harts) else "OFF"],
            "scheme": [harts[0].scheme],
            "host_base": [platform.region("host").base],
            "uart_base": [platform.region("uart").base],
        }
        return "".join(f'set({name} "{";".join(map(str, value))}")\n' for name, value in values.items())

    def _header(self) -> str:
        """The header of the engine: names in it are those in the verilated root."""
        harts = list(self._harts.values())
        memories = [list(self._memories(number)) for number in self._harts]
        signals = [name if not n else f"{n}:{name}" for n in range(len(harts)) for name in ("mtip", "msip")]
        ports = [] if self.flat else [f"X({n}, {self._tile(n)}mgr_)" for n in range(len(harts))]
        lines = [
            f"// The platform of {self.config.name} for the RTL engine. Generated; do not edit.",
            f'#define TZ_CONFIG "{self.config.name}"',
            f"#define TZ_JTAG {int(harts[0].debug)}",
            f"#define TZ_NUM_HARTS {len(harts)}",
            "// X(hart, isa, interrupts, hart_id, reset_vector, lines, line_id_base, line_delay, sources, banks)",
            f"#define TZ_HARTS(X) {' '.join(_hart(n, hart) for n, hart in enumerate(harts))}",
            "// Names of the signals of harts, in the order of their bits.",
            f"#define TZ_HART_SIGNALS {', '.join(_quoted(name) for name in signals)}",
            "// X(hart, name, base, size, shared, array): the memories that a hart sees, hart by hart.",
            f"#define TZ_MEMORIES(X) {' '.join(one for of_hart in memories for one in of_hart)}",
            f"#define TZ_MEMORIES_OF_A_HART {len(memories[0])}",
            "// X(hart, prefix): the beginning of the names of a hart's requests to its bus matrix; none in a netlist.",
            f"#define TZ_BUS_PORTS(X) {' '.join(ports)}",
        ]
        if self.alone is not None:
            lines += [
                "// Of the hart: its number, the line that is the latency measurement's, its banks as base and size.",
                f"#define TZ_NUMBER {self.alone}",
                f"#define TZ_PROBE_LINE {shared_line(harts[0])}",
                f"#define TZ_BANKS {', '.join(self._banks())}",
            ]
        return "\n".join(lines) + "\n"

    @property
    def _soc(self) -> str:
        return f"{self.top}__DOT__gen_soc__DOT__u_soc__DOT__"

    def _tile(self, hart: int) -> str:
        """The beginning of a tile's names. Brackets and dots of a name are different from those of a path."""
        if self.alone is not None:
            return f"{self.top}__DOT__gen_alone__DOT__u_tile__DOT__"
        if self.flat:
            return f"{self._soc}gen_tile__05b{hart}__05d__02eu_tile__02e"
        return f"{self._soc}gen_tile__BRA__{hart}__KET____DOT__u_tile__DOT__"

    def _memories(self, hart: int) -> Iterator[str]:
        for one in self.config.platform.memories:
            if hart not in one.harts or (self.alone is not None and one.name not in rtl.BANKS):
                continue
            place = f"{one.base}ULL, {one.size}ULL, {int(not one.own)}"
            yield f"X({hart}, {_quoted(one.name)}, {place}, {self._array(hart, one)})"

    def _banks(self) -> Iterator[str]:
        for name in rtl.BANKS:
            one = self.config.platform.region(name)
            yield f"{{{one.base}U, {one.size}U}}"

    def _array(self, hart: int, one: Region) -> str:
        """The bytes of a memory."""
        dot = "__02e" if self.flat else "__DOT__"
        where = self._tile(hart) if one.own or self.alone is not None else f"{self._soc}gen_{one.name}{dot}"
        return f"{where}u_{one.name}__DOT__mem"


def _quoted(text: str) -> str:
    return f'"{text}"'


def _hart(number: int, hart: Hart) -> str:
    words = (_quoted(isa_name(hart)), _quoted(hart.scheme), f"{hart.hart_id}ULL", f"{hart.reset_vector}ULL", hart.lines)
    more = (hart.line_base, hart.line_delay, hart.sources, hart.banks)
    return f"X({', '.join(map(str, (number, *words, *more)))})"
