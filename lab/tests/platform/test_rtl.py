# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The package that tells the simulation top which harts a platform has."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from trapeze.platform import configurations, rtl
from trapeze.platform.configurations import Config
from trapeze.platform.hart import Hart


def platform(*harts: Hart, memory_map: str = "duo") -> Config:
    """A platform of some harts."""
    return Config("some", "some harts", "trapeze:hw:soc", harts, memory_map)


def test_one_hart() -> None:
    """A platform of one hart has one tile, no shared bank, and says of its core what differs."""
    text = rtl.package(configurations.load("mcu-fastirq"))
    assert "parameter int unsigned NumHarts = 1;" in text
    assert "parameter int unsigned NumIrqLines = 48;" in text
    assert ".Imem('{32'h80000000, 524288})," in text
    assert ".Uart('{32'h10000000, 256})," in text
    assert ".ClicUser('0)," in text
    assert ".Shmem('0)\n" in text
    assert text.count("tile_cfg(") == 1
    assert ".IrqScheme(irq_pkg::IrqClic), .NumIrqSources(64)" in text
    assert ".Saver(core_cfg_pkg::SaverBanks), .NumBanks(2)" in text
    assert ".ResetVector(32'h80000000), .HartId(32'h00000000), .Rvfi(1))" in text
    assert ".NumIrqLines(48), .IrqLineBase(16)" in text


def test_two_harts() -> None:
    """Harts are elements of a packed array: the last one is written first. The map says whether they share a bank."""
    first = configurations.load("mcu-fastirq").first
    first = replace(first, extensions=("m", "a", "c"))
    text = rtl.package(platform(first, replace(first, hart_id=1)), rvfi=False)
    assert "parameter int unsigned NumHarts = 2;" in text
    assert ".Shmem('{32'h80300000, 65536})\n" in text
    assert 0 < text.index(".HartId(32'h00000001)") < text.index(".HartId(32'h00000000)")
    assert text.count(".ExtA(1)") == 2
    assert text.count(".Rvfi(0)") == 2


def test_harts_of_several_kinds() -> None:
    """The width of the lines is that of the hart that has most of them."""
    harts = [configurations.load(name).first for name in ("mcu-clint", "mcu-fastirq")]
    text = rtl.package(platform(*harts, memory_map="mcu"))
    assert "parameter int unsigned NumIrqLines = 48;" in text
    assert ".Shmem('0)\n" in text
    assert text.count(".Saver(") == 1


def test_the_package_comes_before_the_top() -> None:
    """In compile order."""
    files = [Path("a_pkg.sv"), Path("soc.sv"), Path("top.sv"), Path("public.vlt")]
    assert [path.name for path in rtl.with_package(files, "top", Path("platform_pkg.sv"))] == [
        "a_pkg.sv",
        "soc.sv",
        "platform_pkg.sv",
        "top.sv",
        "public.vlt",
    ]
    with pytest.raises(StopIteration):
        rtl.with_package(files, "none", Path("platform_pkg.sv"))
