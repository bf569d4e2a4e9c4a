# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Cycles of short sequences of instructions, each between two markers of one program for the RTL."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from trapeze.firmware import toolchain
from trapeze.platform import configurations
from trapeze.simulation import simulator
from trapeze.simulation.options import Options

BEGIN, END = 100, 101
"""Markers around the measured sequence."""

# norelax: the assembler itself pads for .balign. binutils 2.44 leaves that to the linker, which keeps padding that
# compressed code needed where there is none any more.
_PROGRAM = """
  .option norelax
  .section .text.main, "ax"
  .globl main
main:
  addi sp, sp, -16
  sw ra, 12(sp)
  sw s0, 8(sp)
  la s0, data
  csrw mscratch, s0
  li a3, 1
  li a5, 7
{code}
  .option norvc
  csrw mscratch, zero
  lw s0, 8(sp)
  lw ra, 12(sp)
  addi sp, sp, 16
  li a0, 0
  ret
  .section .data.cycle, "aw"
  .balign 16
data:
  .word data, data, data, data
  .2byte 0
  .4byte data
  .2byte 0
  .word 0, 0, 0
"""


def marked(code: str, layout: str = ".option norvc", front: str = "") -> str:
    """Code between two markers.

    Args:
        code: instructions with `;` between them. s0 points at words that are valid addresses themselves, and at 18(s0)
            at one that crosses words; mscratch holds the same address. They may change any caller-saved register.
        layout: what the code is assembled with.
        front: what stands between it and an aligned address.
    """
    begin, end = (f"slti x0, x0, {marker}" for marker in (BEGIN, END))
    return f".option rvc; .balign 4; {front}; {layout}; nop; nop; {begin}; {code}; {end}"


def measure(folder: Path, sequences: Sequence[str], platform: str = "mcu-clint") -> list[int]:
    """Cycles that each sequence takes on the RTL, one after the other.

    Args:
        folder: For the program.
        sequences: Each holds one `marked`.
        platform: Name of the configuration.
    """
    source = folder / "sequences.S"
    lines = [part.strip() for one in sequences for part in one.split(";")]
    source.write_text(_PROGRAM.format(code="\n".join(f"  {line}" for line in lines if line)))
    config = configurations.load(platform)
    elf = toolchain.build(config, [source], folder / "sequences.elf", [f"-march={config.first.isa}"])
    outcome = simulator.measure(elf, config, Options(max_cycles=1_000_000))
    markers = outcome.run.markers
    if outcome.exit_code or [marker.n for marker in markers] != [BEGIN, END] * len(sequences):
        raise AssertionError(f"{source} went astray: exit code {outcome.exit_code}, {len(markers)} markers")
    return [end.tx - begin.tx - 1 for begin, end in zip(markers[::2], markers[1::2], strict=True)]
