# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Each value that a configuration can have is run in lockstep: those rarely chosen by turns, in combination."""

from __future__ import annotations

import datetime
import json
import re
import subprocess
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from trapeze.common import paths
from trapeze.platform import configurations, corner_configurations
from trapeze.platform.configurations import IRQ_KEYS
from trapeze.platform.hart import CACHES, EXTENSIONS, FLOAT, Hart
from verify.dev import directed, turns
from verify.dev.directed import Directed
from verify.random import seeds
from verify.random.clic import program as clic
from verify.random.instructions.asm import Asm
from verify.random.instructions.isa import RV32I
from verify.random.lockstep import engines
from verify.random.lockstep.engines import Engines

SHARE = 50_000
"""Instructions that are compared on each of them."""
DIRECTED = 6
"""Directed tests that are run on each."""
BLOCKS = 300
"""Size of a program."""
SCHEMA = json.loads((paths.CONFIGS / "config.schema.json").read_text())["properties"]
RTL = {
    "core_cfg_t": paths.HARDWARE / "core" / "rtl" / "core_cfg_pkg.sv",
    "tile_cfg_t": paths.HARDWARE / "soc" / "rtl" / "soc_cfg_pkg.sv",
}

WIDE: dict[str, tuple[int, ...]] = {
    "irq.lines": (1, 48, 64),
    "irq.line_base": (12, 16, 2000, 4032),
    "irq.sources": (13, 64, 4096),
    "irq.ctl_bits": (2, 5, 8),
    "reset_vector": (0x80000000, 0x80000100),
    "hart_id": (0, 0xFFFFFFFF),
    "pmp.grain": (0, 2),
}
"""Ranges of many values: those that are asked for. With a line base of 4032 and 64 lines the last source is a line."""

TIMED = ("timing", "memory_latency")
"""Of harts of RV64 alone, for engine `timed`: bench/timing-accuracy holds them against RTL."""

MODEL_ALONE: dict[str, tuple[object, ...]] = {
    "isa.base": ("rv64i",),
    "isa.extensions": tuple((name, has) for name in (*FLOAT, *CACHES) for has in (False, True)),
    "isa.supervisor": (True,),
    "abi": ("lp64", "lp64d"),
}
"""Values that no design has, or that lockstep does not follow: programs of their own test them, or QEMU (sim/test)."""

NOT_COMPARED = {
    "Rvfi": "lockstep reads the records that it builds",
    "Core": "a struct of these fields",
    "DebugBase": "no program reaches what is there",
}
"""Fields of the RTL's configurations that no configuration sets, and why."""


def _values(key: str, rule: dict[str, Any]) -> Iterator[object]:
    """What is asked for of a property of the schema."""
    if key in WIDE:
        yield from WIDE[key]
    elif "enum" in rule:
        yield from rule["enum"]
    elif rule["type"] == "boolean":
        yield from (False, True)
    elif rule["type"] == "array":
        yield from ((name, has) for name in rule["items"]["enum"] for has in (False, True))
    elif rule["type"] != "string" and key not in TIMED:
        yield from range(rule["minimum"], rule["maximum"] + 1)


def documented() -> dict[str, list[object]]:
    """Property of a hart to the values that the schema of configurations says it may have."""
    of_harts = SCHEMA["harts"]["items"]["properties"]
    found: dict[str, list[object]] = {}
    for name in of_harts:
        group = SCHEMA[name].get("properties", {})
        rules = {f"{name}.{part}": rule for part, rule in group.items()} or {name: SCHEMA[name]}
        found |= {key: list(_values(key, rule)) for key, rule in rules.items()}
    return found


def _of(hart: Hart, key: str) -> list[object]:
    """The values that a hart has of a property; none where it is of no effect."""
    name = key.rpartition(".")[2]
    if hart.scheme not in IRQ_KEYS.get(name, (hart.scheme,)) or (name == "divider_bits" and "m" not in hart.extensions):
        return []
    if name == "extensions":
        return [(one, one in hart.extensions) for one in EXTENSIONS]
    return [getattr(hart, name)]


def run_values() -> dict[str, set[object]]:
    """Property to the values that configurations have of which lockstep runs random programs."""
    found = defaultdict[str, set[object]](set)
    for config in map(configurations.load, seeds.configs()):
        for hart in config.harts:
            for key in documented():
                found[key].update(_of(hart, key))
    return found


def test_every_documented_value_is_run() -> None:
    """None is supported that is never built and compared."""
    run = run_values()
    missing = {
        key: [value for value in values if value not in run[key] and value not in MODEL_ALONE.get(key, ())]
        for key, values in documented().items()
    }
    assert not {key: values for key, values in missing.items() if values}


@pytest.mark.parametrize("struct", RTL)
def test_every_parameter_of_the_rtl_is_set(struct: str) -> None:
    """Each field has a key in configurations and another value than its default in one that lockstep runs."""
    text = RTL[struct].read_text()
    fields = set(re.findall(r"(\w+);", text.split("typedef struct packed {")[1].split("}")[0]))
    harts = [hart for config in map(configurations.load, seeds.configs()) for hart in config.harts]
    values = {name: {hart.parameters().get(name) for hart in harts} for name in fields - NOT_COMPARED.keys()}
    assert fields
    assert not {name for name, found in values.items() if len(found) < 2}


def test_parameters_of_the_core_are_documented() -> None:
    """The README names each field, so what is documented and what is run are the same."""
    text = (paths.HARDWARE / "core" / "README.md").read_text()
    table = text.split("## Parameters")[1].split("## Ports")[0]
    fields = re.findall(r"(\w+);", RTL["core_cfg_t"].read_text().split("typedef struct packed {")[1].split("}")[0])
    assert not [name for name in fields if f"`{name}`" not in table]


@pytest.mark.slow
@pytest.mark.parametrize("config", corner_configurations.every())
def test_random(config: str, record_property: Callable[[str, object], None]) -> None:
    """Programs of today's seeds: alike on RTL and model, and undisturbed."""
    on = Engines.of(config)
    done = 0
    for seed in count(1000 * datetime.date.today().toordinal()):
        done += seeds.check(seed, on, BLOCKS).instructions
        if done >= SHARE:
            break
    record_property("instructions", done)


def _directed() -> Iterator[tuple[str, Directed]]:
    """Each of them, with today's part of the directed tests that suit it."""
    first = DIRECTED * turns.number()
    for name in corner_configurations.every():
        config = configurations.load(name)
        suiting = [test for test in directed.collect() if directed.suits(test, config) and test.rtos is None]
        yield from ((name, suiting[(first + index) % len(suiting)]) for index in range(DIRECTED if suiting else 0))


@pytest.mark.parametrize(("name", "test"), [pytest.param(*one, id=f"{one[1].name}-{one[0]}") for one in _directed()])
def test_directed(name: str, test: Directed) -> None:
    """Directed tests of what the configuration extends."""
    assert directed.run_rtl(test, configurations.load(name), (0, 0, 0)) is None


@pytest.mark.parametrize(
    ("metadata", "on"),
    [
        ("", ("clic-least", "clic-plain", "fastirq-3banks", "fastirq-e-inplace")),
        ("config: [mcu-clic, mcu-clic-e]\n", ()),
        ("config: [mcu-fastirq, mcu-fastirq-e]\n", ("fastirq-3banks", "fastirq-e-inplace")),
        ("config: [mcu-fastirq, mcu-fastirq-e]\nbanks: 3\n", ("fastirq-3banks",)),
        ("engines: [qemu]\n", ()),
        ("needs: [zbs]\n", ("clic-plain", "fastirq-3banks")),
        ("lacks: [zbs]\n", ("clic-least", "fastirq-e-inplace")),
        ("irq: ['0@100']\n", ("clic-least", "clic-plain", "fastirq-3banks", "fastirq-e-inplace")),
        ("irq: ['0@100', '0:1@100:pulse']\n", ("clic-plain", "fastirq-3banks", "fastirq-e-inplace")),
    ],
)
def test_what_suits(metadata: str, on: tuple[str, ...], tmp_path: Path) -> None:
    """A directed test runs where there is what it needs and nothing that it excludes, and the lines that it raises."""
    path = tmp_path / "x.c"
    path.write_text(f"/* trapeze-test\nsummary: x\nqemu: x\n{metadata}*/")
    test = directed.read(path)
    names = ("clic-least", "clic-plain", "fastirq-3banks", "fastirq-e-inplace")
    assert tuple(name for name in names if directed.suits(test, configurations.load(f"corner-{name}"))) == on


@pytest.mark.parametrize("name", ["corner-clint-least", "corner-clic-plain", "corner-fastirq-least", "mcu-clint-m"])
def test_programs_without_c(name: str) -> None:
    """They have no compressed instruction, and with the CLINT they jump to half-word addresses."""
    texts = [seeds.make(seed, name, 200)[0].text for seed in range(3)]
    assert not [text for text in texts if re.search(r"^\tc\.|option rvc", text, re.MULTILINE)]
    assert "clint" not in name or re.search(r"la x\d+, \.Lhalf\d+ \+", "".join(texts))


@pytest.mark.parametrize(
    ("name", "operands"),
    [
        ("c.addi", ("x9", 3)),
        ("c.sub", ("x9", "x10")),
        ("c.slli", ("x9", 4)),
        ("c.li", ("x9", 4)),
        ("c.lui", ("x9", "0xfffe0")),
        ("c.addi4spn", ("x9", "sp", 16)),
        ("c.addi16sp", ("sp", -64)),
        ("c.mv", ("x9", "x10")),
        ("c.add", ("x9", "x10")),
        ("c.lw", ("x9", "4(x10)")),
        ("c.swsp", ("x9", "8(sp)")),
        ("c.beqz", ("x9", "_start")),
        ("c.bnez", ("x9", "_start")),
        ("c.j", ("_start",)),
        ("c.jal", ("_start",)),
        ("c.jr", ("x9",)),
        ("c.jalr", ("x9",)),
        ("c.nop", ()),
        ("c.ebreak", ()),
    ],
)
def test_full_size(name: str, operands: tuple[object, ...], tmp_path: Path) -> None:
    """What stands for a compressed instruction is that instruction, as the disassembler says."""
    listings = []
    for base in (RV32I, engines.base_of("mcu-clint-m")):
        asm = Asm(base)
        asm.op(name, *operands)
        elf = engines.assemble("\n".join(["\t.globl _start", "_start:", *asm.lines]) + "\n", base, tmp_path)
        command = ["riscv64-unknown-elf-objdump", "-d", str(elf)]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        listings.append(said.splitlines()[-1].split("\t")[1:])
    assert [len(code.strip()) for code, *_ in listings] == [4, 8]
    assert listings[0][1:] == listings[1][1:]


@pytest.mark.parametrize("name", ["corner-clic-4096", "corner-fastirq-4096"])
def test_programs_use_sources_all_over_the_range(name: str) -> None:
    """Some of 4096 in each sixteenth of the range."""
    known = clic.controller(name)
    used: set[int] = set()
    for seed in range(3):
        addresses = (int(one, 16) for one in re.findall(r"li x\d+, (0x[0-9a-f]+)", seeds.make(seed, name)[0].text))
        used.update((one - known.first) // 4 for one in addresses if known.first <= one < known.word(4096))
    assert {number // 256 for number in used} == set(range(16))
