# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The model's decoder, by `model-decode` (sim/engines)."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path

from trapeze.common import processes
from trapeze.simulation import building
from verify.dev.encodings.instruction import CSRS, NOP, Instruction, instruction

_NAMES = {"sextb": "sext.b", "sexth": "sext.h", "zexth": "zext.h", "orcb": "orc.b", "fence_i": "fence.i"} | {
    "adduw": "add.uw",
    "sh1adduw": "sh1add.uw",
    "sh2adduw": "sh2add.uw",
    "sh3adduw": "sh3add.uw",
    "slliuw": "slli.uw",
    "slti_marker": "slti",
}
_CSRS = dict(zip((1, 2, 3, 5, 6, 7), CSRS, strict=True))


def read(isa: str, words: Sequence[int], folder: Path, supervisor: bool = False) -> dict[int, Instruction]:
    """What the decoder of a hart makes of the words: instructions by the number of their word, without illegal ones.

    `supervisor`: the hart has S mode.
    """
    building.ensure(["model-decode"])
    path = folder / "words"
    path.write_bytes(struct.pack(f"<{len(words)}I", *words))
    command = [str(building.BUILD / "bin" / "model-decode"), isa, *(["-s"] if supervisor else []), str(path)]
    done = processes.run(command, capture_output=True, text=True)
    if done.returncode:
        raise AssertionError(done.stderr)
    lines = (line.split() for line in done.stdout.splitlines())
    return {int(number): _instruction(name, *map(int, fields)) for number, name, *fields in lines}


def _instruction(name: str, rd: int, rs1: int, rs2: int, rs3: int, imm: int, relative: int) -> Instruction:
    match name:
        case "nop":
            return NOP
        case "li":
            return instruction("auipc" if relative else "lui", rd, imm=imm)
        case "csr":
            return instruction(_CSRS[rs2], rd, rs1, imm=imm)
    # C++ has no `and`, and no dots in names.
    return instruction(_NAMES.get(name, name.removesuffix("_").replace("_", ".")), rd, rs1, rs2, imm, rs3)
