# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze fpga`: a bitstream."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from trapeze.common import output, paths
from trapeze.common.console import err, out, table
from trapeze.common.errors import TrapezeError
from trapeze.fpga import boards, flow
from trapeze.fpga.flow import Plan, Timing
from trapeze.platform import user_configurations
from trapeze.reports.tables import number
from trapeze.synth.ecp5 import Cells

WORK = paths.BUILD / "fpga"

ROWS = {
    "lut4": "look-up tables",
    "carry": "carries, of two look-up tables each",
    "lut_ram": "RAM of 16 x 4 bits in look-up tables",
    "flip_flops": "flip-flops",
    "block_ram": "blocks of RAM",
    "multipliers": "multipliers of 18 x 18 bits",
}


def _say(text: str) -> None:
    err().print(f"trapeze: {text}", soft_wrap=True)


def require_met(chosen: Plan, timing: Timing) -> None:
    """Refuse a design that is slower than its clock.

    Raises:
        TrapezeError: says by how much.
    """
    if timing.reached < timing.asked:
        raise TrapezeError(
            f"{chosen.config.name} on {chosen.board.name} reaches {timing.reached:.2f} MHz, "
            f"{timing.asked - timing.reached:.2f} less than its clock of {timing.asked:g}; give --clock a lower one",
            exit_code=1,
        )


def _keep(made: Path, target: Path) -> None:
    """Put a file where it belongs, whole or not at all."""
    try:
        with tempfile.NamedTemporaryFile(prefix=f".{target.name}.", dir=target.parent, delete=False) as scratch:
            try:
                with made.open("rb") as source:
                    shutil.copyfileobj(source, scratch)
                mask = os.umask(0)
                os.umask(mask)
                Path(scratch.name).chmod(0o666 & ~mask)
                Path(scratch.name).replace(target)
            except BaseException:
                Path(scratch.name).unlink(missing_ok=True)
                raise
    except OSError as error:
        raise TrapezeError(f"{target}: cannot be written: {(error.strerror or str(error)).lower()}") from None


def _show(chosen: Plan, cells: Cells, timing: Timing) -> None:
    made = table(f"{chosen.config.name} on {chosen.board.name}", ">")
    for name, what in ROWS.items():
        found = number(getattr(cells, name))
        made.add_row(what, f"{found} of {chosen.board.block_ram}" if name == "block_ram" else found)
    for name, size in chosen.sizes.items():
        made.add_row(name, f"{size >> 10} KiB")
    made.add_row("clock", f"{timing.asked:g} MHz")
    made.add_row("clock it can have", f"{timing.reached:.2f} MHz")
    made.add_row("serial line", f"{chosen.board.baud} baud")
    out().print(made)


def run(
    board_name: str,
    config_name: str,
    settings: Sequence[str],
    firmware: Path | None,
    clock: float | None,
    target: Path | None,
) -> None:
    """Build a bitstream, and an SVF file beside it.

    Args:
        board_name: Of a file in `synth/boards`.
        config_name: The configuration, or its file.
        settings: `KEY=VALUE` for the configuration.
        firmware: ELF file that the memories begin with; None: they begin with zeros.
        clock: MHz; None: the board's.
        target: Bitstream; None: named after board and configuration.

    Raises:
        TrapezeError: bad input, a clock that was not reached, a tool that is missing or failed.
    """
    board = boards.load(board_name)
    config = user_configurations.choose(config_name, settings)
    bits = target or Path(f"{board.name}-{config.name}.bit")
    svf = bits.with_suffix(".svf")
    if bits.suffix != ".bit":
        raise TrapezeError(f"--output {bits}: a bitstream's name ends with .bit")
    output.check_distinct({"--firmware": firmware}, {"--output": bits, "the SVF file": svf})
    for path in (bits, svf):
        output.check_writable(path)
    chosen = flow.plan(board, config, firmware, clock)
    WORK.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f"{board.name}-", dir=WORK) as name:
        folder = Path(name)
        _say("1 of 3: synthesis (Yosys), one to three minutes")
        cells = flow.synthesize(chosen, folder)
        _say("2 of 3: place and route (nextpnr), five to ten minutes")
        timing = flow.place(chosen, folder)
        _show(chosen, cells, timing)
        require_met(chosen, timing)
        _say("3 of 3: bitstream (ecppack)")
        flow.pack(chosen, folder)
        _keep(folder / flow.BITS, bits)
        _keep(folder / flow.SVF, svf)
    _say(f"wrote {bits} and {svf}")
