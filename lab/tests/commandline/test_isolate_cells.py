# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze isolate` of cells: the hypervisor keeps them in, and a hypervisor with a hole is found out."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path

import pytest

from trapeze.common import paths
from trapeze.firmware import toolchain
from trapeze.linux import layout
from trapeze.linux.cell import INTERRUPTS
from trapeze.platform import configurations
from verify.dev.testing import Trapeze

NAME = "amp-2"


@pytest.fixture(scope="module")
def cell(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cell")
    (folder / "main.c").write_text("int main(void)\n{\n\treturn 0;\n}\n")
    return toolchain.build(configurations.load(NAME), [folder / "main.c"], folder / "main.elf", ["-O2"], cell=True)


def counts(trapeze: Trapeze, cell: Path, result: Path, *words: object) -> dict[str, int]:
    """Attempts by kind, of which none was let through."""
    said = trapeze("isolate", cell, "--config", NAME, "--json", result, *words)
    assert said.code == 0, said
    assert "0 let through, 0 not known" in said.out
    rows = json.loads(result.read_text())["rows"]
    return {row["id"].removeprefix("main/"): row["max"] for row in rows if row["metric"] == "tried"}


@pytest.mark.parametrize("interrupts", INTERRUPTS)
def test_the_hypervisor_lets_nothing_through(trapeze: Trapeze, cell: Path, tmp_path: Path, interrupts: str) -> None:
    # Memory is divided in the same way with both.
    kinds = ("source", "time") if interrupts == "injected" else ("load", "store", "source", "storm", "time")
    only = [word for kind in kinds for word in ("--only", kind)]
    tried = counts(trapeze, cell, tmp_path / "result.json", "--cell-interrupts", interrupts, *only)
    least = {"load": 90, "store": 90, "source": 200, "storm": 3, "time": 9}
    assert all(tried[kind] >= least[kind] for kind in kinds), tried


@pytest.mark.prove
@pytest.mark.parametrize("interrupts", INTERRUPTS)
def test_every_attempt_of_a_cell(trapeze: Trapeze, cell: Path, tmp_path: Path, interrupts: str) -> None:
    tried = counts(trapeze, cell, tmp_path / "result.json", "--cell-interrupts", interrupts)
    assert sum(tried.values()) > 1700, tried


CELL_ROW = '{"memory", CELL_MEMORY_BASE, CELL_MEMORY_SIZE, ALL}'

HOLES = {
    "a row that begins with the cell's image": (
        "fw/hypervisor/src/cells.c",
        (CELL_ROW, '{"memory", CELL_IMAGE_BASE, CELL_IMAGE_SIZE + CELL_MEMORY_SIZE, ALL}'),
        "load 0x83000000",
        r"loaded 0x\w+ at 0x83000000, the cell's image",
    ),
    "enables of everybody's sources": (
        "fw/hypervisor/src/plic.c",
        ("access->value & own_of_word(word)", "access->value"),
        "source store 0xc002180",
        "machine mode stores to 0xc002180 for it, a source of another's",
    ),
    "priorities of everybody's sources": (
        "fw/hypervisor/src/plic.c",
        ("if (!is_own(source)) {\n\t\treturn;", "if (source == 0) {\n\t\treturn;"),
        "source load 0xc000028",
        r"was shown 0x7, PLIC, priority",
    ),
    "an interrupt to any hart": (
        "fw/sbi/calls.c",
        ("if (!is_within(guest, set, guest->harts | guest->doorbells)) {", "if (set.first > 63) {"),
        "call 0x735049 0 0x3 0x0",
        "machine mode stores to 0x2000000 for it, CLINT",
    ),
    "a call that takes any address": (
        "fw/sbi/calls.c",
        ("done((int64_t)csr_read(CSR_MVENDORID))", "done(*(volatile int64_t *)argument)"),
        "call 0x10 4 0x80080000 0x80000000",
        "machine mode loads from 0x80080000 for it, Linux' memory",
    ),
    "page tables in Linux' memory": (
        "fw/hypervisor/src/access.c",
        ("if (at - guest->memory > guest->bytes - 8) {", "if (at == 0 && guest == NULL) {"),
        "tables 0x80200000",
        "machine mode loads from 0x80200000 for it, Linux' memory",
    ),
    "a stop that the cell's hart does not serve": (
        "fw/sbi/harts.c",
        ("(requests & REQUEST_HALT) != 0 &&", "(requests & REQUEST_HALT) != 0 && own->entry == 0 &&"),
        "time loop",
        "the other guest did not stop it in time",
    ),
}


LAST = list(HOLES)[-1]


@pytest.mark.parametrize("names", [list(HOLES)[:-1], [LAST]], ids=("in what is divided", LAST))
def test_holes_are_found(
    trapeze: Trapeze, cell: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: list[str]
) -> None:
    """Those of one hypervisor, each by an attempt of its own and with the reason that is its own."""
    changed = copy.deepcopy(layout.settings())
    for name in names:
        place, (was, becomes), _, _ = HOLES[name]
        source, planted = paths.ROOT / place, tmp_path / Path(place).name
        text = (planted if planted.exists() else source).read_text()
        assert was in text, name
        planted.write_text(text.replace(was, becomes))
        for part in ("firmware", "hypervisor"):
            changed[part]["sources"] = [str(planted) if one == place else one for one in changed[part]["sources"]]
        changed["firmware"]["include"] += [str(source.parent.relative_to(paths.ROOT))]
    with monkeypatch.context() as patched:
        patched.setattr(layout, "settings", lambda: changed)
        only = [word for name in names for word in ("--only", HOLES[name][2])]
        said = trapeze("isolate", cell, "--config", NAME, *only)
    assert said.code == 1, said
    for name in names:
        _, _, attempt, why = HOLES[name]
        assert re.search(f"let through: {attempt}: {why}", said.out), (name, said)


def test_wrong_input(trapeze: Trapeze, cell: Path, tmp_path: Path) -> None:
    (tmp_path / "main.c").write_text("int main(void)\n{\n\treturn 0;\n}\n")
    plain = toolchain.build(configurations.load("app"), [tmp_path / "main.c"], tmp_path / "plain.elf")
    for words, says in (
        ((cell, "--config", "app"), "main.elf: built for configuration amp-2, not for app"),
        ((plain, "--config", "app"), "plain.elf: belongs to no partition: the program runs in machine mode"),
        ((plain, "--config", "app", "--cell-interrupts", "injected"), "plain.elf: is no cell for app"),
        ((cell, "--config", NAME, "--cell-interrupts", "some"), "--cell-interrupts some: choices: delegated, injected"),
    ):
        said = trapeze("isolate", *words)
        assert said.code == 2, said
        assert says in said.err
        assert said.err.count("\n") == 1
