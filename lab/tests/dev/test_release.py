# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The release archive, and that its plain Verilog is the same hardware."""

from __future__ import annotations

import re
import tarfile
from pathlib import Path

import pytest

from trapeze.common import paths
from trapeze.common.errors import TrapezeError
from trapeze.platform import configurations
from trapeze.synth import designs, tools
from trapeze.synth.designs import Design
from verify.dev import release

CONFIG = "mcu-fastirq"


def both(folder: Path, design: Design, *script: str) -> None:
    """Read a design as it is (`gold`) and from its plain Verilog (`gate`), and run a script on the two."""
    tools.copy(design, folder)
    (folder / "plain.v").write_text(release.plain(design))
    tools.yosys(
        folder,
        [
            tools.read(design),
            *("proc", "flatten", f"rename {design.top} gold", "design -stash gold"),
            *("read_verilog plain.v", f"hierarchy -check -top {design.top}"),
            *("proc", "flatten", f"rename {design.top} gate", "design -stash gate"),
            *("design -copy-from gold gold", "design -copy-from gate gate"),
            *script,
        ],
    )


def controller(sources: int) -> Design:
    return designs.controller(configurations.load(CONFIG), sources)


CYCLES = 6
SAME = (
    *("memory_map", "async2sync", "miter -equiv -flatten gold gate both", "hierarchy -top both"),
    f"sat -verify -seq {CYCLES} -prove-skip 1 -prove trigger 0 -set-at 1 in_rst_ni 0 -set-def-inputs both",
)
"""Whatever the inputs in these cycles from reset on, the outputs are the same."""


def test_plain_verilog_is_the_same(tmp_path: Path) -> None:
    """Proven by Yosys for a controller."""
    both(tmp_path, controller(4), *SAME)


def test_another_one_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The proof above is able to fail."""
    real = release.plain

    def wrong(design: Design) -> str:
        text = real(design)
        assert text.count(" ^ ") > 0
        return text.replace(" ^ ", " ~^ ", 1)

    monkeypatch.setattr(release, "plain", wrong)
    with pytest.raises(TrapezeError):
        both(tmp_path, controller(4), *SAME)


def test_core_is_read_as_plain_verilog(tmp_path: Path) -> None:
    """With as many bits of state as the sources have."""
    design = designs.core(configurations.load(CONFIG))
    prepare = ("memory_map", "opt -full", "techmap", "opt -full")
    both(tmp_path, design, *prepare, "tee -o gold.txt stat gold", "tee -o gate.txt stat gate")
    found = {name: (tmp_path / f"{name}.txt").read_text() for name in ("gold", "gate")}
    bits = {name: sum(map(int, re.findall(r"^\s*(\d+)\s.*DFF", text, re.MULTILINE))) for name, text in found.items()}
    assert bits["gold"] == bits["gate"] > 1000, found["gold"]


def test_structures() -> None:
    found = dict(release.structures((paths.ROOT / "hw/irq/pkg/rtl/irq_pkg.sv").read_text()))
    assert found["clic_offer_t"] == [
        ("valid", 23, 23),
        ("id", 22, 11),
        ("level", 10, 3),
        ("shv", 2, 2),
        ("prv", 1, 0),
    ]
    request = dict(release.structures((paths.ROOT / "hw/common/rtl/obi_pkg.sv").read_text()))["obi_req_t"]
    assert request[-1] == ("wdata", 31, 0)
    assert request[:2] == [("prv", 83, 82), ("mid", 81, 76)]  # a structure in it counts, too


def test_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(release, "_designs", lambda: iter([("verilog/mcu-fastirq/tz_clic.v", controller(4))]))
    path = release.build(tmp_path)
    with tarfile.open(path) as archive:
        names = [name.partition("/")[2] for name in archive.getnames()]
    for name in ("LICENSE", "COMMIT", "hw/core/rtl/trapeze_core.sv", "hw/core/trapeze_core.core", "verilog/README.md"):
        assert name in names
    assert {"verilog/mcu-fastirq/tz_clic.v", "regs/gen/svd/mcu.svd"} <= set(names)
    assert not any("/test/" in name or "/formal/" in name for name in names)
    again = tmp_path / "again"
    assert release.build(again).read_bytes() == path.read_bytes()
