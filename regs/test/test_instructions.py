# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Tests of the description of the instructions, and of the tables that are generated from it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from generator import instructions
from generator import isa as instruction_set
from generator.pattern import PatternError, moves, parse

ROOT = Path(__file__).resolve().parents[1]
ASSEMBLER, OBJDUMP = "riscv64-unknown-elf-gcc", "riscv64-unknown-elf-objdump"


@pytest.fixture(scope="module")
def described() -> instructions.Instructions:
    """The description."""
    return instructions.load(ROOT / "isa", instruction_set.load(ROOT / "isa"))


def test_the_notation_of_the_manual() -> None:
    """A branch's line gives match, mask and where each bit of the immediate is; a compressed one moves to there."""
    branch = parse("imm[12|10:5] rs2 rs1 000 imm[4:1|11] 1100011", 32)
    assert (branch.match, branch.mask) == (0x63, 0x707F)
    places = {bit: place for place, bit in branch.fields["imm"]}
    assert places == {12: 31, 11: 7} | {bit: bit + 20 for bit in range(5, 11)} | {bit: bit + 7 for bit in range(1, 5)}
    short = parse("110 imm[8|4:3] rs1' imm[7:6|2:1|5] 01", 16)
    assert moves(short, branch, "imm") == [(2, 1, 25), (3, 2, 8), (5, 2, 26), (10, 2, 10), (12, 1, 28)]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("0000000 rs2 rs1 000 rd 011001", "has 31 bits instead of 32"),
        ("0000000 rs2 rs1 000 rdd 0110011", "there is no field 'rdd'"),
        ("imm rs1 000 rd 0010011", "'imm' does not say which bits"),
        ("imm[11:] rs1 000 rd 0010011", "is not a list of bits"),
        ("imm[11:5|6:2] rs1 000 rd 0010011", "a bit of 'imm' is there twice"),
        ("imm[11:0] %rs1 000 rd 0010011", "'%rs1' is neither bits nor a field"),
    ],
)
def test_wrong_lines_are_refused(line: str, message: str) -> None:
    """What is no instruction says why."""
    with pytest.raises(PatternError, match=re.escape(message)):
        parse(line, 32)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("rs1 110 imm[4:1|11]", "rs1 101 imm[4:1|11]", "instructions.yaml: bltu: has words in common with bge"),
        ("imm[11:0] rs1 010 rd 0000011", "imm[11:1] 0 rs1 010 rd 0000011", "lw: the immediate has none of the forms"),
        ("with: {rs2: 0}", "with: {rs3: 0}", "beq: there is no field 'rs3'"),
        ("with: {imm: 255}", "with: {imm: 4096}", "andi: 4096 does not fit into 'imm'"),
        ("csr: cycle,", "csr: cyclist,", "csrrw: unimp: 'cyclist' is not a CSR"),
        ("{name: emret,", "{name: emrett,", "emrett: has neither bits nor an entry in encodings.yaml"),
        ("to: addiw", "to: addix", "c.addiw: 'addix' is no instruction that it could expand to"),
        ("to: jal, with: {rd: 1}", "to: jal", "c.jal: does not say what 'rd' of jal is"),
        ("to: lw}", "to: add}", "c.lw: the expansion has no field 'imm'"),
        ("of: zbs", "of: zbz", "instructions.bclr.of: 'zbz' is not one of"),
    ],
)
def test_wrong_descriptions_are_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    """One line names the file, the instruction and what is wrong; nothing is written."""
    folder = Path(shutil.copytree(ROOT, tmp_path / "regs", ignore=shutil.ignore_patterns("__pycache__", "gen")))
    source = folder / "isa" / "instructions.yaml"
    text = source.read_text()
    assert old in text
    source.write_text(text.replace(old, new, 1))
    command = [sys.executable, str(folder / "generate.py")]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert result.stderr.startswith("generate.py: error: ")
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert not (folder / "gen").exists()


@pytest.mark.parametrize("width", [32, 64])
def test_every_instruction_is_one_of_binutils(described: instructions.Instructions, width: int, tmp_path: Path) -> None:
    """With the same registers in all of them, objdump knows each word by the name that it has here."""
    own = {one.name for one in instruction_set.load(ROOT / "isa").instructions}
    rows = [row for row in described.rows if width in row.widths and row.name not in own]
    rows = [row for row in rows if width == 64 or row.of not in ("f", "d")]
    source, binary = tmp_path / "x.S", tmp_path / "x.o"
    fields = {"rd": 5 << 7, "rs1": 6 << 15, "rs2": 7 << 20, "rs3": 8 << 27}
    words = [row.match | sum(fields[name] for name in row.registers) for row in rows]
    source.write_text("\n".join([".option norvc", *(f".insn {word:#x}" for word in words), ""]))
    march, abi = (f"rv{width}imafdc_zba_zbb_zbs_zicbom_zicsr_zifencei", "lp64d" if width == 64 else "ilp32d")
    subprocess.run([ASSEMBLER, f"-march={march}", f"-mabi={abi}", "-c", str(source), "-o", str(binary)], check=True)
    command = [OBJDUMP, "-d", "-M", "no-aliases", str(binary)]
    dump = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    names = re.findall(r"^\s+[0-9a-f]+:\s+[0-9a-f]{8}\s+(\S+)", dump, re.MULTILINE)
    wrong = {row.name: name for row, name in zip(rows, names, strict=True) if name != row.name}
    assert wrong == {}


def test_the_cpp_header_compiles(tmp_path: Path) -> None:
    """It is clean C++20 by itself, and its values are constants."""
    source = tmp_path / "x.cpp"
    source.write_text(
        "#include <trapeze/instructions.hpp>\n#include <trapeze/instructions.hpp>\nusing namespace trapeze::isa;\n"
        "static_assert(kFirstCandidate.back() == kCandidates.size());\n"
        "static_assert(kFirstCompressed.back() == kCompressed.size());\n"
        "static_assert(kCompressedTexts.front().pattern.is(0x0005) && !kCompressedTexts.front().pattern.is(0x0001));\n"
    )
    warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]
    command = ["g++", "-std=c++20", *warnings, f"-I{ROOT / 'gen' / 'cpp'}", "-fsyntax-only", str(source)]
    subprocess.run(command, check=True)
