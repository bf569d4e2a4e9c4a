# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The rooms of this repository, and that a forbidden edge of each kind is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from trapeze.dev import rooms


def test_this_repository_keeps_its_rooms() -> None:
    assert rooms.check() == []


def test_edges_are_seen_at_all() -> None:
    seen = {(edge.user, edge.used) for edge in rooms.edges(rooms.load())}
    assert {
        ("hw/core", "hw/irq/pkg"),
        ("hw/soc", "hw/core"),
        ("hw/soc", "regs"),
        ("sim/app", "sim/kernel"),
        ("sim/rtl", "sim/kernel"),
        ("fw/hal", "regs"),
        ("bench/irq-latency", "fw/hal"),
    } <= seen


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("hw/core/rtl/bad.sv", "module bad; tz_clint u_clint (); endmodule"),
        ("hw/core/rtl/bad.sv", "module bad import clint_reg_pkg::*; (); endmodule"),
        ("hw/irq/clint/rtl/bad.sv", "module bad; trapeze_core #(.A(1)) u_core (); endmodule"),
        ("hw/core/rtl/bad.sv", '`include "soc.svh"'),
        ("hw/common/bad.core", "CAPI=2:\nname: t:h:bad:1\nfilesets:\n  rtl: {depend: [t:h:core]}"),
        ("sim/kernel/bad.cpp", '#include "app/options.h"'),
        ("sim/app/bad.cpp", "#include <Vsim.h>"),
        ("sim/kernel/bad.h", '#include "trapeze/map.h"'),
        ("fw/hal/bad.c", '#include "compute.h"'),
        ("regs/bad.py", "from trapeze.common import paths"),
    ],
)
def test_forbidden_edges_are_found(tmp_path: Path, path: str, text: str) -> None:
    for name, content in {
        "hw/irq/clint/rtl/tz_clint.sv": "module tz_clint; endmodule",
        "hw/core/rtl/trapeze_core.sv": "module trapeze_core; endmodule // tz_clint u_in_a_comment ();",
        "hw/core/core.core": "CAPI=2:\nname: t:h:core:1\n",
        "hw/soc/rtl/soc.svh": "",
        "regs/gen/rtl/clint_reg_pkg.sv": "package clint_reg_pkg; endpackage",
        "regs/gen/c/trapeze/map.h": "",
        "sim/app/options.h": "",
        "bench/compute/compute.h": "",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    assert rooms.check(tmp_path) == []
    bad = tmp_path / path
    bad.parent.mkdir(parents=True, exist_ok=True)
    bad.write_text(text)
    found = rooms.check(tmp_path)
    assert len(found) == 1
    assert found[0].startswith(f"{path}: uses ")
