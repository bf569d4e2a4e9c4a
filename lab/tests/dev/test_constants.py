# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Tests of the check for numbers of the instruction set that are typed by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from trapeze.common import paths
from verify.dev import constants


@pytest.mark.parametrize(
    ("file", "text", "found"),
    [
        ("fw/hal/src/a.c", 'asm("csrw 0x347, %0");\n', "0x347 is the number of a CSR"),
        ("fw/start/a.S", "\tcsrr a0, 0x342\n", "0x342 is the number of a CSR"),
        ("hw/core/rtl/a.sv", "CsrX == 12'hFB1\n", "12'hFB1 is the number of a CSR"),
        ("sim/kernel/a.h", "constexpr unsigned kMepc = 0x341;\n", "0x341 is the number of a CSR"),
        ("lab/src/trapeze/a.py", "EMRET = 0xBC200073\n", "0xBC200073 is the encoding of emret"),
        ("sim/model/isa/a.cpp", "if (insn == 0xbc200073U) {}\n", "0xbc200073 is the encoding of emret"),
        ("fw/hal/include/a.h", "#define MCAUSE_LOAD_FAULT 5\n", "a constant of trapeze/isa.h"),
        ("fw/hal/include/a.h", "#define ROW_NAPOT 0x18U\n", "a byte of pmpcfg"),
        ("fw/hal/include/a.h", "#define PMP_EXECUTE 0x04U\n", "a byte of pmpcfg"),
        ("hw/core/rtl/a.sv", "localparam logic [1:0] ModeNa4 = 2'd2;\n", "a byte of pmpcfg"),
        ("sim/test/a.cpp", "csr(isa::csr::kPmpcfg0, 0x1f);\n", "a byte of pmpcfg"),
        ("hw/core/rtl/a.sv", "    ExcLoadFault = 5'd5,\n", "a constant of isa_pkg"),
    ],
)
def test_a_number_typed_by_hand_is_named(file: str, text: str, found: str) -> None:
    said = list(constants.complaints(Path(file), "\n" + text))
    assert len(said) == 1
    assert said[0].startswith(f"{file}:2: ")
    assert found in said[0]


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("fw/hal/src/a.c", "/* mcause is CSR 0x342 */ int a; // 0x342\n"),
        ("lab/src/trapeze/a.py", '"""CSR 0x7C0."""\n# 0x342\nx = 0x3420, 0x34\n'),
        ("regs/isa/a.py", "0x342\n"),
        ("docs/a.md", "csrw 0x347, a0\n"),
        ("fw/hal/src/a.c", "#define PMP_ROWS 16U\ncsr_write(CSR_PMPCFG0, 0U);\n"),
        ("sim/a.cpp", "f(0x100, 0x10342, kBase + 0x40)\n"),
    ],
)
def test_what_is_no_number_of_a_csr(file: str, text: str) -> None:
    assert list(constants.complaints(Path(file), text)) == []


def test_the_repository_keeps_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every exception is one of a file that needs it; a needless one is named."""
    assert constants.check() == []
    monkeypatch.setitem(constants.EXCEPTIONS, "lab/verify/dev/words.py", "no reason")
    assert constants.check() == ["lab/verify/dev/words.py: needs no exception in lab/verify/dev/constants.py any more"]
    assert all((paths.ROOT / name).is_file() for name in constants.EXCEPTIONS)
