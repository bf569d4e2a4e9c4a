# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Boards, clocks, memories of `trapeze fpga`, and what it refuses; nothing is synthesized."""

from __future__ import annotations

import struct
from dataclasses import replace
from pathlib import Path

import pytest

from trapeze.common.errors import TrapezeError
from trapeze.fpga import boards, clocks, command, flow, memories
from trapeze.platform import configurations

BOARD = boards.load("ulx3s")


def program(path: Path, address: int, content: bytes, size: int) -> Path:
    """An ELF file of one segment."""
    header = b"\x7fELF\x01\x01\x01" + bytes(9)
    header += struct.pack("<HHIIIIIHHHHHH", 2, 243, 1, 0x8000_0000, 52, 0, 0, 52, 32, 1, 0, 0, 0)
    path.write_bytes(header + struct.pack("<8I", 1, 84, address, address, len(content), size, 7, 4) + content)
    return path


@pytest.mark.parametrize("name", boards.names())
def test_every_board_is_right(name: str) -> None:
    board = boards.load(name)
    loop = clocks.loop(board.crystal, board.clock)
    assert loop.mhz == pytest.approx(board.crystal / loop.crystal * loop.feedback)
    assert 400 <= loop.mhz * loop.output <= 800
    lpf = boards.constraints(board)
    assert lpf.count("LOCATE COMP") == 3 + len(board.leds) + len(board.buttons)
    if board.jtag:
        with_port = boards.constraints(board, jtag=True)
        assert with_port.startswith(lpf)
        assert with_port.count("LOCATE COMP") == lpf.count("LOCATE COMP") + 4


def test_a_pin_has_one_port(tmp_path: Path) -> None:
    text = (boards.FOLDER / "ulx3s.toml").read_text()
    (tmp_path / "twice.toml").write_text(text.replace('tx = "L4"', 'tx = "G2"'))
    with pytest.raises(TrapezeError, match="pin G2 is used twice"):
        boards.load("twice", tmp_path)


def test_clocks() -> None:
    assert clocks.loop(25, 40).mhz == 40
    with pytest.raises(TrapezeError, match=r"the nearest is 3\.125"):
        clocks.loop(25, 1)
    assert clocks.serial_divisor(40, 115_200) == 347
    with pytest.raises(TrapezeError, match="makes no 3000000 baud"):
        clocks.serial_divisor(10, 3_000_000)


def test_refused(tmp_path: Path) -> None:
    with pytest.raises(TrapezeError, match="did you mean 'ulx3s'"):
        boards.load("ulx3")
    for name, why in (("amp", "has no RTL"), ("duo", "need 224 blocks of RAM, and ulx3s has 208")):
        with pytest.raises(TrapezeError, match=why):
            flow.plan(BOARD, configurations.load(name), None, None)
    config = configurations.load("mcu-fastirq")
    large = program(tmp_path / "large.elf", 0x8010_0000, b"1234", 65540)
    with pytest.raises(TrapezeError, match=r"large\.elf: segment 0 ends 4 bytes behind the end of dmem"):
        flow.plan(BOARD, config, large, None)
    away = program(tmp_path / "away.elf", 0x1000, b"1234", 4)
    with pytest.raises(TrapezeError, match=r"away\.elf: segment 0 is at 0x1000, where no memory is"):
        flow.plan(BOARD, config, away, None)
    missed = flow.plan(BOARD, config, None, 40)
    with pytest.raises(TrapezeError, match=r"reaches 30\.50 MHz, 9\.50 less than its clock of 40"):
        command.require_met(missed, flow.Timing(40, 30.5))
    command.require_met(missed, flow.Timing(40, 40.0))


def test_a_debugger_has_pins_if_the_harts_have_debug_mode() -> None:
    for name, board, jtag in (
        ("mcu-fastirq", BOARD, False),
        ("mcu-fastirq-debug", BOARD, True),
        ("mcu-fastirq-debug", replace(BOARD, jtag={}), False),
    ):
        chosen = flow.plan(board, configurations.load(name), None, None)
        assert (chosen.jtag, chosen.parameters["Jtag"]) == (jtag, str(int(jtag)))


def test_contents(tmp_path: Path) -> None:
    elf = program(tmp_path / "fits.elf", 0x8000_0004, bytes(range(8)), 8)
    images = flow.plan(BOARD, configurations.load("mcu-fastirq"), elf, None).images
    assert set(images) == {"0imem.hex", "0dmem.hex", "0smem.hex"}
    assert images["0imem.hex"].splitlines()[:4] == ["00000000", "03020100", "07060504", "00000000"]
    assert all(len(text.splitlines()) == 65536 // 4 for text in images.values())
    assert memories.blocks(65536) == 32
