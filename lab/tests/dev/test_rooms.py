# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The rooms of this repository, and that a forbidden edge of each kind is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from trapeze.common import paths
from verify.dev import rooms, words

LAB, VERIFY = (rooms.PACKAGES[name].as_posix() for name in ("trapeze", "verify"))


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
        (f"{LAB}/reports", f"{LAB}/experiment_files"),
        (f"{LAB}/experiments/probe", f"{LAB}/experiments"),
        (f"{VERIFY}/random/fastirq", f"{VERIFY}/random/clic"),
        ("hw", f"{LAB}/platform"),
        ("lab/tests", f"{VERIFY}/dev"),
    } <= seen


def test_headers_of_the_c_library_are_nobodys() -> None:
    """`signal.h`, of which fw/hal has one of its own below `trapeze/`."""
    edges = [edge for edge in rooms.edges(rooms.load()) if edge.user == "linux/tests"]
    assert any(edge.used == "linux/lib" for edge in edges)
    assert [edge for edge in edges if edge.what == "signal.h"] == []


def test_every_folder_is_in_a_room() -> None:
    tracked = [path.relative_to(paths.ROOT) for path in words.tracked()]
    assert rooms.unknown(rooms.load(), tracked) == []


@pytest.mark.parametrize(
    "path",
    [
        "hw/new/rtl/new.sv",
        "hw/irq/aclic/README.md",
        "sim/weather/policy.cpp",
        "fw/loader/loader.c",
        "bench/new/experiment.yaml",
        "boot/lib/x.c",
        "lab/src/trapeze/new/x.py",
        "lab/verify/random/new/x.py",
    ],
)
def test_a_folder_that_is_in_no_room(path: str) -> None:
    """Also below a folder that is one, where other rooms are below it, too."""
    (said,) = rooms.unknown(rooms.load(), [Path(path), Path("README.md"), Path("hw/core/rtl/trapeze_core.sv")])
    assert said == f"{Path(path).parent}: is in no room; enter it in lab/rooms.toml, with what it may use"


def test_rooms_of_files() -> None:
    rules = rooms.load()
    for path, room in {
        "hw/core/rtl/tz_ex.sv": "hw/core",
        "hw/README.md": "hw",
        "fw/README.md": "fw",
        "fw/hal/src/exit.c": "fw/hal",
        "regs/gen/rtl/clint_reg_pkg.sv": "regs",
        "regs/gen/rtl/isa_pkg.sv": "regs/gen/rtl/isa_pkg.sv",
        f"{LAB}/experiments/registry.py": f"{LAB}/experiments",
        f"{LAB}/experiment_files/__init__.py": f"{LAB}/experiment_files",
        f"{LAB}/experiments/a_new_kind/measure.py": f"{LAB}/experiments/a_new_kind",
        f"{VERIFY}/random/programs/blocks/csr.py": f"{VERIFY}/random/programs",
        f"{LAB}/__main__.py": f"{LAB}/__main__.py",
    }.items():
        assert rules.room(path) == room


def test_the_laboratory_uses_nothing_that_tests_it() -> None:
    edges = rooms.edges(rooms.load())
    assert [edge for edge in edges if edge.user.startswith(LAB) and edge.used.startswith(VERIFY)] == []


def test_circles() -> None:
    def edge(user: str, used: str, folder: str = "rtl") -> rooms.Edge:
        return rooms.Edge(Path(user) / folder / "x", user, used, "x")

    line = [edge("a", "b"), edge("b", "c"), edge("a", "c"), edge("a", "a"), edge("c", "a", "test")]
    assert rooms.circles(line) == []
    (said,) = rooms.circles([*line, edge("c", "a")])
    assert said.startswith("rooms use each other in a circle: ")
    assert {"a", "c"} <= set(said.split())


def test_no_room_of_the_laboratory_may_use_what_it_does_not() -> None:
    """What the table allows beyond what is used is no rule. Kinds of experiments have one row for all."""
    rules = rooms.load()
    seen = {(edge.user, edge.used) for edge in rooms.edges(rules)}
    spare = [
        f"{room} -> {used}"
        for room, uses in rules.rooms.items()
        if room.startswith((LAB, VERIFY)) and "*" not in room
        for used in uses
        if (room, used) not in seen
    ]
    assert spare == []


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
        (f"{LAB}/results/bad.py", "from trapeze.commandline import bench"),
        (f"{LAB}/results/bad.py", "import trapeze.commandline.bench"),
        (f"{LAB}/results/bad.py", "def late():\n    from trapeze.commandline.bench import run"),
        (f"{LAB}/common/bad.py", "from trapeze import experiments"),
        (f"{LAB}/reports/bad.py", "from trapeze.experiments import measuring"),
        (f"{LAB}/explaining/bad.py", "from trapeze import experiment_files"),
        (f"{LAB}/experiment_files/bad.py", "from trapeze.experiments import measuring"),
        (f"{LAB}/experiments/irq_latency/bad.py", "from trapeze.experiments.probe import measure"),
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
        f"{LAB}/commandline/__init__.py": "",
        f"{LAB}/commandline/bench.py": "",
        f"{LAB}/experiments/__init__.py": "",
        f"{LAB}/experiments/measuring.py": "",
        f"{LAB}/experiment_files/__init__.py": "",
        f"{LAB}/experiments/probe/__init__.py": "",
        f"{LAB}/experiments/probe/measure.py": "",
        f"{LAB}/reports/good.py": "from trapeze import experiment_files",
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
