# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Boards: what their files say, and the constraints for nextpnr that follow from it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trapeze.common import paths, schema
from trapeze.common.errors import TrapezeError, choices

FOLDER = paths.ROOT / "synth" / "boards"
SCHEMA = FOLDER / "board.schema.json"

TCK = 10
"""MHz of a debugger's clock."""

DRIVE = 8
"""mA of an output whose board says nothing else."""


@dataclass(frozen=True)
class Button:
    """A button; `active_low`: its pin is low while it is pressed."""

    name: str
    pin: str
    pull: str
    active_low: bool = False


@dataclass(frozen=True)
class Board:
    """A board, as its file says it: the schema explains each value.

    Attributes:
        memories: Bytes that a memory has at most, by the memory's name.
        crystal: MHz.
        clock: MHz of the SoC if nothing else is asked for.
        jtag: Pins of a debugger's port by their names; empty without one.
    """

    name: str
    summary: str
    device: str
    package: str
    speed: int
    block_ram: int
    idcode: str | None
    clock_pin: str
    crystal: float
    clock: float
    memories: dict[str, int]
    tx: str
    rx: str
    baud: int
    leds: tuple[str, ...]
    drive: int
    buttons: tuple[Button, ...]
    jtag: dict[str, str]

    @property
    def active_low(self) -> int:
        """A bit for each button."""
        return sum(1 << number for number, button in enumerate(self.buttons) if button.active_low)


def names(folder: Path = FOLDER) -> list[str]:
    """The boards that there are."""
    return sorted(path.stem for path in folder.glob("*.toml"))


def load(name: str, folder: Path = FOLDER) -> Board:
    """A board.

    Raises:
        TrapezeError: there is none of that name, or its file is not right.
    """
    if name not in names(folder):
        raise TrapezeError(f"unknown board '{name}'; {choices(name, names(folder))}")
    path = folder / f"{name}.toml"
    raw: dict[str, Any] = schema.load_toml(path)
    schema.validate(raw, SCHEMA, str(path))
    board = Board(
        name=name,
        summary=raw["summary"],
        device=raw["fpga"]["device"],
        package=raw["fpga"]["package"],
        speed=raw["fpga"]["speed"],
        block_ram=raw["fpga"]["block_ram"],
        idcode=raw["fpga"].get("idcode"),
        clock_pin=raw["clock"]["pin"],
        crystal=float(raw["clock"]["crystal"]),
        clock=float(raw["clock"]["default"]),
        memories=raw["memories"],
        tx=raw["serial"]["tx"],
        rx=raw["serial"]["rx"],
        baud=raw["serial"]["baud"],
        leds=tuple(raw["leds"]["pins"]),
        drive=raw["leds"].get("drive", DRIVE),
        buttons=tuple(Button(**button) for button in raw["buttons"]),
        jtag=raw.get("jtag", {}),
    )
    pins = [
        board.clock_pin,
        board.tx,
        board.rx,
        *board.leds,
        *(button.pin for button in board.buttons),
        *board.jtag.values(),
    ]
    if twice := [pin for pin, times in Counter(pins).items() if times > 1]:
        raise TrapezeError(f"{path}: pin {twice[0]} is used twice; each port has a pin of its own")
    if odd := [memory for memory, size in board.memories.items() if size & (size - 1)]:
        raise TrapezeError(f"{path}: memories.{odd[0]}: {board.memories[odd[0]]} is not a power of two")
    return board


def constraints(board: Board, jtag: bool = False) -> str:
    """The pins and the crystal of a board, as nextpnr reads them (LPF): ports of `trapeze_ecp5_top`.

    Args:
        board: The board.
        jtag: Whether the design has a debugger's port.
    """

    def port(name: str, pin: str, *more: str) -> list[str]:
        attributes = " ".join(["IO_TYPE=LVCMOS33", *more])
        return [f'LOCATE COMP "{name}" SITE "{pin}";', f'IOBUF PORT "{name}" {attributes};']

    lines = [
        *port("crystal_i", board.clock_pin, "PULLMODE=NONE"),
        f'FREQUENCY PORT "crystal_i" {board.crystal:g} MHZ;',
        *port("serial_i", board.rx, "PULLMODE=UP"),
        *port("serial_o", board.tx, f"DRIVE={DRIVE}"),
    ]
    for number, pin in enumerate(board.leds):
        lines += port(f"leds_o[{number}]", pin, f"DRIVE={board.drive}")
    for number, button in enumerate(board.buttons):
        lines += port(f"buttons_i[{number}]", button.pin, f"PULLMODE={button.pull.upper()}")
    if jtag:
        lines += port("jtag_tdo_o", board.jtag["tdo"], f"DRIVE={DRIVE}")
        for name in ("tck", "tms", "tdi"):
            lines += port(f"jtag_{name}_i", board.jtag[name], "PULLMODE=UP")
        lines.append(f'FREQUENCY PORT "jtag_tck_i" {TCK} MHZ;')
    return "\n".join(lines) + "\n"
