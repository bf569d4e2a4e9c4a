# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Tests of the check for signals that are reached by their path in the design."""

from __future__ import annotations

from pathlib import Path

import pytest

from verify.dev import hierarchy


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("hw/soc/lint/a.vlt", 'public_flat_rd -module "tz_csr" -var "mil"'),
        ("hw/soc/lint/a.vlt", 'public_flat_rw -module "tz_regfile" -var "mem"'),
        ("sim/rtl/a.vlt", 'public -module "tz_sram"'),
        ("hw/core/rtl/a.sv", "logic [7:0] mil /* verilator public_flat_rd */;"),
        ("sim/rtl/a.cpp", "x = io_->tile##u_core__DOT__priv;"),
        ("sim/rtl/a.h", "x = rootp->trapeze_sim_top__DOT__u_soc__DOT__mem;"),
        ("sim/cmake/A.cmake", "set(level ${tile}u_core__DOT__u_csr__DOT__mil)"),
        ("hw/soc/test/a.py", "dut.u_soc.gen_tile[0].u_tile.u_core.priv.value"),
    ],
)
def test_a_path_is_named(file: str, line: str) -> None:
    (said,) = hierarchy.complaints(Path(file), f"\n{line}\n")
    assert said.startswith(f"{file}:2: ")
    assert said.endswith("observe_pkg.sv)")


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("hw/soc/lint/a.vlt", 'public_flat_rw -module "tz_sram" -var "mem"'),
        ("sim/rtl/a.vlt", 'forceable -module "tz_tile" -var "mgr_req"'),
        ("hw/soc/lint/a.vlt", 'split_var -module "tz_axil_demux" -var "mgr_req_i"'),
        ("sim/cmake/A.cmake", "set(array ${tile}u_${name}__DOT__mem)"),
        ("sim/rtl/a.cpp", "x = io_->observe_level_o[hart];"),
        ("hw/soc/test/a.py", "dut.u_soc.gen_tile[0].u_tile.u_imem.mem[index].value = word"),
    ],
)
def test_ports_and_memories(file: str, line: str) -> None:
    assert hierarchy.complaints(Path(file), line) == []


def test_the_repository_keeps_to_it() -> None:
    """Verilator keeps the memory arrays, and the build names them: both are found where they are."""
    assert hierarchy.check() == []
