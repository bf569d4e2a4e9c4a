# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The tables of GNU binutils: what its disassembler makes of words, and its assembler of the names of CSRs."""

from __future__ import annotations

import re
import struct
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from trapeze.common import processes
from trapeze.firmware import toolchain_file
from verify.dev.encodings.instruction import (
    BLOCKS,
    BRANCHES,
    FLOAT_STORES,
    RESERVED,
    ROUNDING,
    STORES,
    Instruction,
    instruction,
    is_float,
    signed,
)

_CODE = re.compile(r"^ *([0-9a-f]+):\t[0-9a-f ]+\t(\S+)\t?([^ #]*)")
"""A line of objdump: address, mnemonic, operands; comments and symbols stand behind them."""

_LOAD = re.compile(r"^(-?\d*)\((x\d+)\)$")
_UPPER = re.compile(r"\bx(1[6-9]|2\d|3\d)\b")
_ROUNDS = re.compile(r"^(fadd|fsub|fmul|fdiv|fsqrt|fn?madd|fn?msub|fcvt\.(s|[wl]u?)|fcvt\.d\.lu?)\b")
"""Instructions with a rounding mode, which is not printed if it is dynamic; not fcvt.d.w, fcvt.d.wu and fcvt.d.s."""

_ORDER = re.compile(r"\.(aq|rl|aqrl)$")
_UNKNOWN = (".2byte", ".4byte", ".byte", ".insn", ".short", ".word")


def _tool(name: str) -> str:
    """A tool in the compiler's folder."""
    return f"{str(toolchain_file.data()['compiler']).removesuffix('gcc')}{name}"


def _run(*command: str | Path) -> str:
    done = processes.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode:
        raise AssertionError(done.stderr)
    return str(done.stdout)


def _assemble(source: str, march: str, folder: Path) -> Path:
    """An object file of assembly text. The architecture is noted in it, where the disassembler looks for it."""
    text, made = folder / "source.s", folder / "source.o"
    text.write_text(source)
    abi = {"rv32i": "ilp32", "rv32e": "ilp32e", "rv64i": "lp64"}[march[:5]]
    _run(_tool("as"), "-misa-spec=20191213", f"-march={march}_zicsr_zifencei", f"-mabi={abi}", text, "-o", made)
    return made


def _listing(march: str, code: bytes, folder: Path) -> Iterator[tuple[int, str, list[str]]]:
    """What objdump makes of some code on a hart of this architecture: address, mnemonic, operands."""
    binary, made = folder / "code", _assemble("", march, folder)
    binary.write_bytes(code)
    _run(_tool("objcopy"), f"--update-section=.text={binary}", made)
    for line in _run(toolchain_file.data()["objdump"], "-d", "-z", "-M", "no-aliases,numeric", made).splitlines():
        if found := _CODE.match(line):
            yield int(found[1], 16), found[2], found[3].split(",") if found[3] else []


def read(march: str, words: Sequence[int], csrs: Mapping[str, int], folder: Path) -> dict[int, Instruction]:
    """What the disassembler makes of the words: instructions by the number of their word, without unknown ones.

    Of RV32E it prints registers that are not there. Here they make a word unknown (Unprivileged ISA, chapter 4).

    Args:
        march: The architecture, as a configuration writes it: `rv32imc_zba`.
        words: All of 32 bits, or all with instructions of 16 bits in the lower half.
        csrs: Numbers of those CSRs for which the disassembler prints names.
        folder: For files.
    """
    size = 4 if all(word & 3 == 3 for word in words) else 2
    code = struct.pack(f"<{len(words)}{'I' if size == 4 else 'H'}", *(word & ((1 << 8 * size) - 1) for word in words))
    found = {}
    addresses = 0
    for address, name, operands in _listing(march, code, folder):
        addresses += 1
        if name not in _UNKNOWN and not (march.startswith("rv32e") and any(map(_UPPER.search, operands))):
            found[address // size] = _instruction(_ORDER.sub("", name), operands, address, csrs)
    if addresses != len(words):
        raise AssertionError(f"objdump shows {addresses} instructions instead of {len(words)}")
    return found


def csr_numbers(names: Collection[str], folder: Path) -> dict[str, int]:
    """The numbers of CSRs by the assembler's table."""
    text = "".join(f"csrrw x1, {name}, x1\n" for name in names)
    made = _assemble(text, "rv32i", folder)
    binary = folder / "csrs"
    _run(_tool("objcopy"), "-O", "binary", "-j", ".text", made, binary)
    numbers = [word >> 20 for (word,) in struct.iter_unpack("<I", binary.read_bytes())]
    return dict(zip(names, numbers, strict=True))


def csr_names(folder: Path) -> list[str]:
    """The names that the disassembler has for CSRs."""
    code = b"".join(struct.pack("<I", number << 20 | 0x10F3) for number in range(4096))
    found = [operands[1] for _, _, operands in _listing("rv32i", code, folder)]
    return [name for name in found if not name.startswith("0x")]


def _number(text: str) -> int:
    return int(text, 16 if text.startswith("0x") else 10)


def _instruction(name: str, operands: Sequence[str], address: int, csrs: Mapping[str, int]) -> Instruction:
    """A line of objdump taken apart."""
    if name.startswith("c."):
        return _compressed(name[2:], operands, address)
    registers = []
    imm = ROUNDING["dyn"] if _ROUNDS.match(name) else 0
    for operand in operands:
        if found := _LOAD.match(operand):
            imm = int(found[1] or 0)
            registers.append(int(found[2][1:]))
        elif operand[0] in "xf" and operand[1:].isdigit():
            registers.append(int(operand[1:]))
        elif name.startswith("csr") and operand in csrs:
            imm = csrs[operand]
        elif name.startswith("csr") and operand is operands[2]:
            registers.append(int(operand))
        elif is_float(name):
            imm = ROUNDING.get(operand, RESERVED)
        elif not name.startswith("fence"):
            imm = _number(operand)
    if name == "jal" or name in BRANCHES:
        imm = signed(imm - address)
    if name in ("lui", "auipc"):
        imm = signed(imm << 12)
    one, two, three, four = (*registers, 0, 0, 0, 0)[:4]
    if name in BRANCHES or name in BLOCKS or name == "sfence.vma":
        return instruction(name, 0, one, two, imm)
    if name in STORES or name in FLOAT_STORES:
        return instruction(name, 0, two, one, imm)
    if is_float(name):
        return instruction(name, one, two, three, imm, four)
    if len(registers) == 3 and name[-2:] in (".w", ".d"):
        return instruction(name, one, three, two)
    return instruction(name, one, two, three, imm)


def _compressed(name: str, operands: Sequence[str], address: int) -> Instruction:
    """What a compressed instruction stands for (Unprivileged ISA 20191213, 16.3 to 16.7)."""
    registers = [int(operand[1:]) for operand in operands if operand[0] in "xf"]
    first = registers[0] if registers else 0
    last = operands[-1] if operands else "0"
    based = _LOAD.match(last)
    match name:
        case "lw" | "ld" | "lwsp" | "ldsp" | "fld" | "fldsp" if based:
            return instruction(name.removesuffix("sp"), first, int(based[2][1:]), imm=int(based[1]))
        case "sw" | "sd" | "swsp" | "sdsp" | "fsd" | "fsdsp" if based:
            return instruction(name.removesuffix("sp"), 0, int(based[2][1:]), first, int(based[1]))
        case "j" | "jal":
            return instruction("jal", int(name == "jal"), imm=signed(_number(last) - address))
        case "jr" | "jalr":
            return instruction("jalr", int(name == "jalr"), first)
        case "beqz" | "bnez":
            return instruction(name[:3], 0, first, imm=signed(_number(last) - address))
        case "li":
            return instruction("addi", first, imm=_number(last))
        case "lui":
            return instruction("lui", first, imm=signed(_number(last) << 12))
        case "addi4spn":
            return instruction("addi", first, 2, imm=_number(last))
        case "addi" | "addi16sp" | "addiw":
            return instruction(name.removesuffix("16sp"), first, first, imm=_number(last))
        case "andi" | "slli" | "srli" | "srai":
            return instruction(name, first, first, imm=_number(last))
        case "slli64" | "srli64" | "srai64":
            return instruction(name[:4], first, first)
        case "mv":
            return instruction("add", first, 0, registers[1])
        case "add" | "sub" | "xor" | "or" | "and" | "addw" | "subw":
            return instruction(name, first, first, registers[1])
        case "ebreak":
            return instruction(name)
    return Instruction(f"c.{name}", *registers)
