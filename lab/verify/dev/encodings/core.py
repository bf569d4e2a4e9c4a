# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The core's ID stage, which expands and decodes: hw/core/test/tb_id.sv shows its control words.

What EX makes of a control word is said here once more, as the name of the instruction that asks for it.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from pathlib import Path

from trapeze.common import paths, processes
from trapeze.platform.cores import Library
from trapeze.platform.hart import Hart
from verify.dev import benches
from verify.dev.encodings.instruction import (
    ATOMIC,
    BRANCHES,
    CSRS,
    NOP,
    STORES,
    WORDS,
    Instruction,
    instruction,
    signed,
)

TOP = paths.HARDWARE / "core" / "test" / "tb_id.sv"

_RS1, _RS2, _NUMBER = 0xA0000800, 0xB0000800, 0x1F
_PC = 0x80000400
"""The value that tb_id.sv gives it."""

_ALU = {"Sextb": "sext.b", "Sexth": "sext.h", "Zexth": "zext.h", "Orcb": "orc.b"}
_ONE_OPERAND = ("clz", "ctz", "cpop", "sext.b", "sext.h", "zext.h", "orc.b", "rev8")
_SHIFTS = ("sll", "srl", "sra", "ror", "bclr", "bext", "binv", "bset")
_MULTIPLY = ("mul", "mulh", "mulhsu", "mulhu", "div", "divu", "rem", "remu")
_FUNCT3 = {
    "load": dict(zip((0, 1, 2, 4, 5), WORDS, strict=False)),
    "store": dict(enumerate(STORES[:3])),
    "branch": dict(zip((0, 1, 4, 5, 6, 7), BRANCHES, strict=True)),
    "csr": dict(zip((1, 2, 3, 5, 6, 7), CSRS, strict=True)),
}
_ATOP = dict(
    zip((0x23, 0x21, 0x20, 0x24, 0x2C, 0x28, 0x30, 0x34, 0x38, 0x3C), (f"{name}.w" for name in ATOMIC), strict=True)
) | {0x22: "lr.w"}
"""Atomic operations of obi_pkg: bit 5, then funct5."""

_SYSTEM = {"KindEcall": "ecall", "KindEbreak": "ebreak", "KindMret": "mret", "KindWfi": "wfi"} | {
    "KindFenceI": "fence.i",
    "KindEmret": "emret",
}


def build(harts: Sequence[Hart], folder: Path, replaced: Mapping[str, Path] | None = None) -> Path:
    """The bench with the ID stages of some harts.

    Args:
        harts: Only their ISA matters.
        folder: To build it in.
        replaced: Files to take in the place of sources of the core, by name.
    """
    replaced = replaced or {}
    sources = [
        replaced.get(path.name, path) for path in Library().resolve("trapeze:hw:core").of_type("systemVerilogSource")
    ]
    cores = []
    for hart in reversed(harts):
        fields = hart.core_parameters()
        chosen = {name: fields[name] for name in fields if name == "RV32E" or name.startswith("Ext")}
        cores.append(f"core_cfg_pkg::core_cfg({', '.join(f'.{name}({value})' for name, value in chosen.items())})")
    return benches.binary(TOP, sources, folder, f"-DNUM_CORES={len(harts)}", f"-DCORES={', '.join(cores)}")


def read(bench: Path, words: Sequence[int], cores: int, folder: Path) -> list[dict[int, Instruction]]:
    """What each core makes of the words: instructions by the number of their word, without illegal ones."""
    (folder / "words").write_bytes(struct.pack(f"<{len(words)}I", *words))
    out = folder / "core"
    done = processes.run([str(bench), f"+words={folder / 'words'}", f"+out={out}"], capture_output=True, text=True)
    if done.returncode:
        raise AssertionError(done.stdout + done.stderr)
    found = []
    for number in range(cores):
        lines = Path(f"{out}{number}").read_text().splitlines()
        found.append({int(line[: line.index(" ")]): _instruction(line.split()[1:]) for line in lines})
    return found


def _instruction(fields: Sequence[str]) -> Instruction:
    """The instruction that a line of the bench stands for."""
    kind, alu, unit = fields[:3]
    atop, funct3, rd = map(int, fields[3:6])
    operand_a, operand_b, stored = (int(word, 16) for word in fields[6:9])
    offset, used1, used2 = map(int, fields[9:])
    rs1 = _register(operand_a, _RS1)
    rs2 = _register(operand_b, _RS2)
    imm = signed(operand_b)
    found = NOP
    match kind:
        case "KindAlu" | "KindDiv":
            found = _computation(alu[3:], unit, funct3, rd, operand_a, operand_b)
        case "KindJal":
            found = instruction("jal", rd, imm=offset)
        case "KindJalr":
            found = instruction("jalr", rd, rs1, imm=imm)
        case "KindBranch":
            found = instruction(_FUNCT3["branch"][funct3], 0, rs1, rs2, offset)
        case "KindLoad" | "KindStore" if atop:
            found = instruction(_ATOP[atop], rd, rs1, used2, imm)
            rs2 = _register(stored, _RS2) if used2 else 0
        case "KindLoad":
            found = instruction(_FUNCT3["load"][funct3], rd, rs1, imm=imm)
        case "KindStore":
            rs2 = _register(stored, _RS2)
            found = instruction(_FUNCT3["store"][funct3], 0, rs1, rs2, imm)
        case "KindCsr":
            immediate = operand_a if funct3 & 4 else rs1
            return instruction(_FUNCT3["csr"][funct3], rd, immediate, imm=operand_b & 0xFFF)
        case _:
            return instruction(_SYSTEM.get(kind, kind))
    # Hazards are found by the registers that the decoder calls used; they have to be those that are read.
    if found is not NOP and (found.rs1, found.rs2) != (used1, used2):
        return Instruction(f"{found.name}, which reads other registers than it says: {used1}, {used2}", *found[1:])
    return found


def _register(operand: int, mark: int) -> int:
    """The number of the register that an operand is; -1 if it is none."""
    return operand & _NUMBER if operand & ~_NUMBER == mark else -1


def _computation(alu: str, unit: str, funct3: int, rd: int, operand_a: int, operand_b: int) -> Instruction:
    rs1, rs2 = _register(operand_a, _RS1), _register(operand_b, _RS2)
    if unit != "ResAlu":
        return instruction(_MULTIPLY[funct3] if unit in ("ResMul", "ResDiv") else unit, rd, rs1, rs2)
    name = _ALU.get(alu, alu.lower())
    if operand_a in (0, _PC) and name == "add":
        return instruction("auipc" if operand_a else "lui", rd, imm=signed(operand_b))
    if name in _ONE_OPERAND:
        return instruction(name, rd, rs1)
    if rs2 >= 0:
        return instruction(name, rd, rs1, rs2)
    name = {"sltu": "sltiu"}.get(name, f"{name}i")
    return instruction(name, rd, rs1, imm=operand_b & 0x1F if name[:-1] in _SHIFTS else signed(operand_b))
