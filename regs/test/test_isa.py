# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Tests of the constants of the instruction set: their description, and what is generated from it."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]
GENERATED = ROOT / "gen"
ASSEMBLER, OBJDUMP = "riscv64-unknown-elf-gcc", "riscv64-unknown-elf-objdump"
OURS = {
    "mtvt",
    "mnxti",
    "mintthresh",
    "mscratchcsw",
    "mscratchcswl",
    "mintstatus",
    *("ustatus", "uie", "utvec", "utvt", "uscratch", "uepc", "ucause", "utval", "uip", "unxti", "uintthresh"),
    *("uscratchcswl", "uintstatus", "ufastirq", "uframe"),
    "mfastirq",
    "mframe",
    "jalmnxti",
    "muitt",
    "muittsz",
    "mupid",
    "munv",
    "muirr",
    "muirrh",
}
"""CSRs that no release of binutils knows: the CLIC's, Nuclei's and fastirq's."""


@pytest.fixture(scope="module")
def isa() -> ModuleType:
    """The generated Python module."""
    spec = importlib.util.spec_from_file_location("generated_isa", GENERATED / "python" / "isa.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def macros(march: str, abi: str) -> dict[str, int]:
    """The numbers that the C header defines, for a target of the cross compiler."""
    command = [ASSEMBLER, f"-march={march}", f"-mabi={abi}", f"-I{GENERATED / 'c'}", "-E", "-dM", "-xc", "-"]
    text = "#include <trapeze/isa.h>\n"
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    found = re.findall(
        r"^#define ((?:CSR|M[A-Z0-9]+|IRQ|TRAPEZE|PMPCFG|UPID|UITT)_\w+) (0x[0-9a-fA-F]+|\d+)$",
        done.stdout,
        re.MULTILINE,
    )
    return {name: int(value, 0) for name, value in found}


@pytest.fixture(scope="module")
def header() -> dict[str, int]:
    """The C header for RV32I."""
    return macros("rv32imc", "ilp32")


def assembled(tmp_path: Path, lines: list[str], march: str) -> list[int]:
    """The words that the cross assembler makes of instructions of four bytes."""
    source, binary = tmp_path / "x.S", tmp_path / "x.o"
    source.write_text("\n".join([".option norvc", *lines, ""]))
    abi = ["-march=" + march, "-mabi=" + ("lp64" if march.startswith("rv64") else "ilp32")]
    subprocess.run([ASSEMBLER, *abi, "-c", str(source), "-o", str(binary)], check=True)
    dump = subprocess.run([OBJDUMP, "-d", str(binary)], check=True, capture_output=True, text=True).stdout
    return [int(word, 16) for word in re.findall(r"^\s+[0-9a-f]+:\s+([0-9a-f]{8})\s", dump, re.MULTILINE)]


def test_csr_numbers_are_those_of_binutils(isa: ModuleType, tmp_path: Path) -> None:
    """The cross assembler, which has its own table of CSRs, puts the same number to each name."""
    names = [csr.name.lower() for csr in isa.Csr if csr.name.lower() not in OURS]
    assert len(names) > 250
    words = assembled(tmp_path, [f"csrr a0, {name}" for name in names], "rv32imafdc_zicsr")
    wrong = {name: word >> 20 for name, word in zip(names, words, strict=True) if word >> 20 != isa.Csr[name.upper()]}
    assert wrong == {}


def test_csrs_of_our_own_are_where_custom_use_allows(isa: ModuleType) -> None:
    """Numbers of fastirq and of user interrupts from hart to hart: custom read-write registers of M mode (2.1)."""
    for name in ("MFASTIRQ", "MFRAME", "MUITT", "MUITTSZ", "MUPID", "MUNV", "MUIRR", "MUIRRH", "JALMNXTI"):
        assert 0x7C0 <= isa.Csr[name] <= 0x7FF


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("mstatus.MIE", 3),
        ("mstatus.MPIE", 7),
        ("mstatus.MPP", 11),
        ("mstatus.MPRV", 17),
        ("mstatus.TW", 21),
        ("mie.MSIE", 3),
        ("mie.MTIE", 7),
        ("mie.MEIE", 11),
        ("mintstatus.MIL", 24),
        ("mcause.MPIL", 16),
        ("mcause.MINHV", 30),
    ],
)
def test_fields_are_where_the_specification_has_them(header: dict[str, int], text: str, field: int) -> None:
    """A few positions, as the Privileged Architecture and the CLIC's specification give them."""
    name = text.replace(".", "_").upper()
    assert header[f"{name}_SHIFT"] == field
    assert header[name] & -header[name] == 1 << field


PMPCFG = {"R": 0x01, "W": 0x02, "X": 0x04, "A": 0x18, "L": 0x80}
"""Privileged Architecture 20211203, 3.7.1, figure "PMP configuration register format": L 0 0 A A X W R."""
MATCHING = {"OFF": 0, "TOR": 1, "NA4": 2, "NAPOT": 3}
"""The same section, table "Encoding of A field in PMP configuration registers"."""
MSECCFG = {"MML": 1, "MMWP": 2, "RLB": 4}
"""Smepmp 1.0, section 2.1: mseccfg bits 0, 1 and 2."""
UPID = {
    "CONTROL_OFFSET": 0,
    "NDST_OFFSET": 4,
    "PUIR_OFFSET": 8,
    "BYTES": 16,
    "ALIGNMENT": 64,
    "CONTROL_ON": 1,
    "CONTROL_SN": 2,
    "CONTROL_NV": 0xFF0000,
}
UITT = {
    "CONTROL_VALID": 1,
    "CONTROL_VECTOR": 0xFF00,
    "UPID_OFFSET": 8,
    "UPID_HIGH_OFFSET": 12,
    "BYTES": 16,
    "ALIGNMENT": 16,
}
"""docs/user-interrupts.md, section "Structures in memory"."""


def test_layouts_are_those_of_their_specifications(isa: ModuleType, header: dict[str, int]) -> None:
    """The numbers of the specifications, typed once more, in all four languages."""
    rows = PMPCFG | {f"A_{name}": value << 3 for name, value in MATCHING.items()}
    assert {name: header[f"PMPCFG_{name}"] for name in rows} == rows
    assert {name: getattr(isa.Pmpcfg, name) for name in rows} == rows
    assert {name: header[f"MSECCFG_{name}"] for name in MSECCFG} == MSECCFG
    assert {name: getattr(isa.Mseccfg, name) for name in MSECCFG} == MSECCFG
    assert {name: header[f"UPID_{name}"] for name in UPID} == UPID
    assert {name: header[f"UITT_{name}"] for name in UITT} == UITT
    cpp = (GENERATED / "cpp" / "trapeze" / "isa.hpp").read_text()
    space = cpp[cpp.index("namespace pmpcfg {") : cpp.index("}  // namespace pmpcfg")]
    for name, value in rows.items():
        camel = "".join(part.capitalize() for part in name.split("_"))
        assert f" k{camel} = 0x{value:x};" in space
    rtl = (GENERATED / "rtl" / "isa_pkg.sv").read_text()
    struct = rtl[: rtl.index("} pmpcfg_t;")].rpartition("typedef struct packed {")[2]
    assert re.findall(r"logic +(?:\[1:0\])? *(\w+);", struct) == ["l", "reserved_6_5", "a", "x", "w", "r"]
    for name, value in MATCHING.items():
        assert f"PmpcfgA{name.capitalize()} = 2'h{value};" in rtl


def test_emret_is_one_instruction_in_both_forms(isa: ModuleType, tmp_path: Path) -> None:
    """The statement of the header assembles to the match of the description."""
    text = [f"#include <{GENERATED / 'c' / 'trapeze' / 'isa.h'}>".replace("<", '"').replace(">", '"'), "TRAPEZE_EMRET"]
    assert assembled(tmp_path, text, "rv32imc") == [isa.EMRET.match]
    # SYSTEM opcode, funct3 0, function bits for custom use in M mode (Privileged Architecture, table of SYSTEM).
    assert isa.EMRET.match & 0x7F == 0x73
    assert isa.EMRET.match >> 30 == 0b10


def test_marker_and_jalxnxti_are_what_an_assembler_makes_of_them(isa: ModuleType, tmp_path: Path) -> None:
    """The masks let through what the text says, and only that."""
    marker, jal = isa.MARKER, isa.JALXNXTI
    lines = ["slti x0, x0, 1", "slti x0, x0, 2047", "slti x0, x0, -1", "slti x1, x0, 1", "sltiu x0, x0, 1"]
    found = [word & marker.mask == marker.match for word in assembled(tmp_path, lines, "rv32imc")]
    assert found == [True, True, False, False, False]
    lines = [f"csrrw ra, {isa.Csr.JALMNXTI:#x}, ra", f"csrrs ra, {isa.Csr.JALMNXTI:#x}, ra", "csrrw ra, mscratch, ra"]
    found = [word & jal.mask == jal.match for word in assembled(tmp_path, lines, "rv32imc_zicsr")]
    assert found == [True, False, False]


def test_all_languages_have_the_same_numbers(isa: ModuleType, header: dict[str, int]) -> None:
    """Numbers of CSRs and causes in C, C++ and SystemVerilog are those of the Python module."""
    cpp = (GENERATED / "cpp" / "trapeze" / "isa.hpp").read_text()
    rtl = (GENERATED / "rtl" / "isa_pkg.sv").read_text()
    for name, value in ((n.removeprefix("CSR_"), v) for n, v in header.items() if n.startswith("CSR_")):
        assert isa.Csr[name] == value
        assert f" k{name.capitalize()} = 0x{value:03x};" in cpp
        assert f" Csr{name.capitalize()} = 12'h{value:03x};" in rtl
    for cause in isa.Cause:
        camel = "".join(part.capitalize() for part in cause.name.split("_"))
        assert header[f"MCAUSE_{cause.name}"] == cause
        assert f" k{camel} = {cause.value};" in cpp
        assert re.search(rf" Exc{camel} = 5'd{cause.value}\b", rtl)
    assert header["TRAPEZE_EMRET_MATCH"] == isa.EMRET.match
    assert f"InsnEmretMatch = 32'h{isa.EMRET.match:08x};" in rtl
    assert f"kEmret = {{0x{isa.EMRET.match:08x}, " in cpp


@pytest.mark.parametrize(("march", "abi", "base"), [("rv32imc", "ilp32", "I"), ("rv32emc", "ilp32e", "E")])
def test_frame_of_both_bases(isa: ModuleType, march: str, abi: str, base: str) -> None:
    """Offsets in C follow the order; the frame holds exactly what the ABI lets a function change."""
    words = getattr(isa, f"FRAME_{base}")
    found = macros(march, abi)
    assert {name: found[f"TRAPEZE_IRQ_FRAME_{name.upper()}"] for name in words} == {
        name: 4 * index for index, name in enumerate(words)
    }
    assert found["TRAPEZE_IRQ_FRAME"] == getattr(isa, f"FRAME_{base}_BYTES") == (80 if base == "I" else 48)
    last = 32 if base == "I" else 16
    saved = {name for name in isa.REGISTERS[:last] if name == "ra" or (name[0] in "ta" and name != "tp")}
    assert set(words) == saved | {"mepc", "mcause"}
    assert list(words[:-2]) == sorted(saved, key=isa.REGISTERS.index)


def test_the_interrupt_bit_is_the_top_one() -> None:
    """The header's mcause.INTERRUPT depends on XLEN."""
    assert macros("rv32imc", "ilp32")["MCAUSE_INTERRUPT"] == 1 << 31
    assert macros("rv64imac", "lp64")["MCAUSE_INTERRUPT"] == 1 << 63


def test_the_cpp_header_compiles(tmp_path: Path) -> None:
    """It is clean C++20 by itself, and its values are constants."""
    source = tmp_path / "x.cpp"
    source.write_text(
        "#include <trapeze/isa.hpp>\n#include <trapeze/isa.hpp>\nusing namespace trapeze::isa;\n"
        "static_assert(encoding::kEmret.is(encoding::kEmret.match) && !encoding::kEmret.is(0x30200073));\n"
        "static_assert(kCsrNames.front().first == csr::kUstatus && frame::kRegistersE.size() == frame::kMepcE);\n"
        "static_assert(mcause::interrupt(64) == 63);\n"
    )
    warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]
    command = ["g++", "-std=c++20", *warnings, f"-I{GENERATED / 'cpp'}", "-fsyntax-only", str(source)]
    subprocess.run(command, check=True)


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        (
            "csrs",
            "number: 0x341, name: mepc",
            "number: 0x340, name: mepc",
            "isa/csrs.yaml: number 0x340 is there twice",
        ),
        (
            "csrs",
            "number: 0x341, name: mepc",
            "number: 0x341, name: mtval",
            "isa/csrs.yaml: name 'mtval' is there twice",
        ),
        ("csrs", "number: 0x341, name: mepc", "number: 0x1341, name: mepc", "csrs.mepc.number: 4929 is greater"),
        ("csrs", "name: mepc, of: machine", "name: mepc, of: machina", "csrs.mepc.of: 'machina' is not one of"),
        ("csrs", "first: 0, count: 64", "count: 64", "csrs.pmpaddr{}: 'first' is a dependency of 'count'"),
        ("csrs", '"pmpaddr{}"', '"pmpaddr"', "pmpaddr: a run has {} in its name"),
        ("csrs", 'name: mpp, bits: "12:11"', 'name: mpp, bits: "12:7"', "mstatus.mpp: overlaps another field"),
        ("csrs", "values: {u: 0, s: 1, m: 3}", "values: {u: 0, s: 1, m: 4}", "mstatus.mpp: m: does not fit"),
        ("csrs", "name: mprv, bits: 17", "name: mprv, bits: 32", "fields.mprv.bits"),
        ("csrs", "name: mprv, bits: 17", "nam: mprv, bits: 17", "'nam' was unexpected"),
        ("causes", "code: 24", "code: 7", "isa/causes.yaml: exceptions: code 0x7 is there twice"),
        ("causes", "code: 24", "code: 32", "exceptions.frame_store_fault.code: 32 is greater"),
        ("encodings", "mask: 0xFFFFFFFF", "mask: 0xFFFFFF00", "emret: match 0xbc200073 has bits outside of mask"),
        ("frame", "[ra, t0, t1, t2, a0, a1, a2, a3, a4, a5, mepc", "[ra, t0, t1, t2, a0, t6, mepc", "e: t6 is not one"),
        ("frame", "t6, mepc, mcause", "mepc, t6, mcause", "isa/frame.yaml: i: registers come before CSRs"),
        ("frame", "t6, mepc, mcause", "t6, mepcc, mcause", "i: 'mepcc' is neither a register nor a CSR"),
        ("layouts", "bits: 7, title", "bits: 4, title", "isa/layouts.yaml: pmpcfg.l: overlaps another field"),
        ("layouts", "bits: 7, title", "bits: 9, title", "pmpcfg: l: does not fit into 8 bits"),
        ("layouts", "offset: 4, title", "offset: 8, title", "upid.ndst: offset 8: the word before ends at 4"),
        ("layouts", "bytes: 16\n    align", "bytes: 32\n    align", "upid: bytes: its words have 16, not 32"),
        ("frame", "frames:", "frames: [", "isa/frame.yaml: cannot be read"),
    ],
)
def test_wrong_descriptions_are_refused(tmp_path: Path, file: str, old: str, new: str, message: str) -> None:
    """One line names the file and the place; nothing is written, and there is no traceback."""
    folder = Path(shutil.copytree(ROOT, tmp_path / "regs", ignore=shutil.ignore_patterns("__pycache__", "gen")))
    source = folder / "isa" / f"{file}.yaml"
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
