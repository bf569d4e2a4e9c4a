# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Tests of the register generator and of what it generates."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).resolve().parents[1]
MAPS = sorted(path.stem for path in (ROOT / "maps").glob("*.rdl"))
HEADERS = sorted((ROOT / "gen" / "c" / "trapeze").glob("*.h"))


def generate(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the generator of `folder`."""
    command = [sys.executable, str(folder / "generate.py"), *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a copy of the sources and the generated files."""
    return Path(shutil.copytree(ROOT, tmp_path / "regs", ignore=shutil.ignore_patterns("__pycache__")))


def regions(folder: Path, name: str) -> dict[str, Any]:
    """The regions of a generated map by name."""
    data = json.loads((folder / "gen" / "maps" / f"{name}.json").read_text())
    assert data["schema"] == "trapeze.map/2"
    return {region["name"]: region for region in data["regions"]}


def edit(path: Path, old: str, new: str) -> None:
    """Replace text that must be there."""
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_committed_files_are_fresh() -> None:
    """The sources generate exactly what is committed."""
    result = generate(ROOT, "--check")
    assert result.returncode == 0, result.stderr


def test_check_names_what_differs(copy: Path) -> None:
    """Stale, missing and left-over files are named, and nothing is written."""
    edit(copy / "gen" / "maps" / "mcu.json", "trapeze.map/2", "trapeze.map/0")
    (copy / "gen" / "doc" / "uart.md").unlink()
    (copy / "gen" / "doc" / "old.md").touch()
    result = generate(copy, "--check")
    assert result.returncode == 1
    for line in ("maps/mcu.json: stale", "doc/uart.md: missing", "doc/old.md: no source"):
        assert line in result.stderr
    assert not (copy / "gen" / "doc" / "uart.md").exists()


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("banks.rdl", "mementries = 0x4000;", "mementries = 0x3000;", "power of two"),
        ("maps/mcu.rdl", "@0x8020_0000", "@0x8010_0000", ""),
        ("uart.rdl", "window = 0x100;", "window = 0x4;", "window"),
        ("clint.rdl", "@0xbffc;", "@0xbff8;", ""),
        ("clic.rdl", "irq[4096] @0x1000 += 4;", "irq[64][64] @0x1000 += 4;", "one-dimensional"),
        ("clic.rdl", "mcliccfg @0x0;", "mcliccfg[2][2] @0x0;", "one-dimensional"),
        ("maps/duo.rdl", '"mcu"', '"mcv"', "extends 'mcv', which is no map; maps: amp, amp_dsp, app, duo, mcu"),
        ("maps/duo.rdl", '"mcu"', '"duo"', "circle: duo -> duo"),
        ("maps/duo.rdl", "addrmap duo", "addrmap dua", "maps/duo.rdl: must define the address map 'duo'"),
        ("maps/duo.rdl", "shmem @0x8030_0000", "shmem @0x8020_0000", "shmem and smem overlap"),
        ("maps/duo.rdl", "shmem @0x8030_0000", "smem @0x8030_0000", "smem: two regions of this name"),
        ("host.rdl", "addrmap host {", "addrmap host", ""),
    ],
)
def test_wrong_sources_are_refused(copy: Path, file: str, old: str, new: str, message: str) -> None:
    """An impossible map or a syntax error exits 1 without a traceback."""
    edit(copy / file, old, new)
    result = generate(copy)
    assert result.returncode == 1
    assert "generate.py: error" in result.stderr
    assert message in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("language", [("c", "c17"), ("c++", "c++20")])
def test_headers_compile_without_warnings(language: tuple[str, str], tmp_path: Path) -> None:
    """Every header is clean in C17 and C++20, included twice, with macros usable in constants; one map at a time."""
    maps = [header.stem for header in HEADERS if header.stem.startswith("map_")]
    assert "map_mcu" in maps
    lines = [f'#include "trapeze/{header.name}"' for header in HEADERS if header.stem not in maps] * 2
    lines += ["extern int size;", "int size = TRAPEZE_UART_SIZE + TRAPEZE_UART_LSR_THRE_MASK;"]
    source = tmp_path / "all.c"
    source.write_text("\n".join(lines) + "\n")
    flags = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{ROOT / 'gen' / 'c'}", "-fsyntax-only"]
    for one in maps:
        chosen = f"-DTRAPEZE_{one.upper()}"
        subprocess.run(["gcc", "-x", language[0], f"-std={language[1]}", *flags, chosen, str(source)], check=True)


def test_an_array_says_how_many_and_how_far_apart() -> None:
    """Registers of an array of register files have a count and a stride, everywhere."""
    data = json.loads((ROOT / "gen" / "registers.json").read_text())
    enable = next(r for r in data["blocks"]["clic"]["registers"] if r["name"] == "irq_ie")
    assert (enable["offset"], enable["count"], enable["stride"]) == (0x1001, 4096, 4)
    header = (ROOT / "gen" / "c" / "trapeze" / "clic.h").read_text()
    for line in ("OFFSET 0x1001", "COUNT 4096", "STRIDE 4"):
        assert f"#define TRAPEZE_CLIC_IRQ_IE_{line}\n" in header
    assert "0x1001 + 4 i, i < 4096" in (ROOT / "gen" / "doc" / "clic.md").read_text()


def test_a_block_that_stands_alone_has_no_address() -> None:
    """Blocks outside the map have a header, a package, a page and registers in JSON, and no region by themselves."""
    data = json.loads((ROOT / "gen" / "registers.json").read_text())
    for block, register in (
        ("random", "seed"),
        ("timers", "channel_period"),
        ("probe", "alarm_lat"),
        ("stress", "accesses"),
    ):
        assert register in {one["name"] for one in data["blocks"][block]["registers"]}
        assert f"{block.upper()}_{register.upper()}_OFFSET" in (ROOT / "gen/c/trapeze" / f"{block}.h").read_text()
        assert "Base address" not in (ROOT / "gen" / "doc" / f"{block}.md").read_text()
        assert (ROOT / "gen" / "rtl" / f"{block}_reg_pkg.sv").exists()


PARTS = """
mem words { mementries = 64; memwidth = 32; };
addrmap other { window = 0x1000; reg { field { sw = rw; } on[0:0] = 0; } word @0x0; };
addrmap group {
  window = 0x4000;
  external words some @0x0000;
  timers first  @0x1000;
  timers second @0x2000;
};
addrmap mcu {"""


def test_a_region_of_parts(copy: Path) -> None:
    """Parts are placed one by one, the same block as often as wanted."""
    edit(copy / "maps" / "mcu.rdl", "\naddrmap mcu {", PARTS)
    edit(copy / "maps" / "mcu.rdl", "  host  host ", "  group group @0x3000_0000;\n  host  host ")
    assert generate(copy).returncode == 0
    region = regions(copy, "mcu")["group"]
    assert [(part["name"], part["block"], part["base"], part["size"]) for part in region["parts"]] == [
        ("some", None, 0x3000_0000, 0x100),
        ("first", "timers", 0x3000_1000, 0x1000),
        ("second", "timers", 0x3000_2000, 0x1000),
    ]
    assert "#define TRAPEZE_GROUP_SECOND_BASE 0x30002000\n" in (copy / "gen/c/trapeze/map_mcu.h").read_text()
    assert "GroupSecondBase = 32'h30002000;" in (copy / "gen/rtl/trapeze_map_pkg.sv").read_text()
    assert "group: [second](timers.md)" in (copy / "gen/doc/map.md").read_text()
    for old, new, message in (
        ("second @0x2000", "second @0x1800", "multiple"),
        ("timers second @0x2000", "other second @0x2000", "blocks.rdl"),
        ("  host  host ", "  timers timers @0x3100_0000;\n  host  host ", "two blocks"),
    ):
        sources = (copy / "maps" / "mcu.rdl").read_text()
        edit(copy / "maps" / "mcu.rdl", old, new)
        result = generate(copy)
        assert result.returncode == 1
        assert message in result.stderr
        (copy / "maps" / "mcu.rdl").write_text(sources)


@pytest.mark.parametrize("name", MAPS)
def test_a_map_agrees_with_its_c_header(name: str) -> None:
    """The map in JSON and the map in C hold the same numbers, and C has no region beside them."""
    include = ["gcc", f"-I{ROOT / 'gen' / 'c'}", "-E", "-dM", "-include", f"trapeze/map_{name}.h", "-"]
    macros = subprocess.run(include, check=True, capture_output=True, text=True, input="").stdout
    for region in regions(ROOT, name).values():
        assert f"#define TRAPEZE_{region['name'].upper()}_BASE {region['base']:#010x}\n" in macros
        assert f"#define TRAPEZE_{region['name'].upper()}_SIZE {region['size']:#x}\n" in macros
        assert all(
            f"#define TRAPEZE_{region['name'].upper()}_{part['name'].upper()}_BASE {part['base']:#010x}\n" in macros
            for part in region.get("parts", [])
        )
    places = [part for one in regions(ROOT, name).values() for part in (one, *one.get("parts", []))]
    assert macros.count("_BASE 0x") == len(places)


def test_a_map_that_extends_another() -> None:
    """`duo` is `mcu`, and a bank that is shared; banks and CLIC belong to each hart."""
    one, two = regions(ROOT, "mcu"), regions(ROOT, "duo")
    assert {name: two[name] for name in one} == one
    assert set(two) - set(one) == {"shmem"}
    assert (two["shmem"]["base"], two["shmem"]["size"], two["shmem"]["kind"]) == (0x8030_0000, 0x1_0000, "memory")
    assert {name for name, region in two.items() if region["per_hart"]} == {"imem", "dmem", "smem", "clic", "clic_user"}


def test_a_map_beyond_32_bits(copy: Path, tmp_path: Path) -> None:
    """Memory above 4 GiB keeps its address for software; the RTL, whose map is `mcu`, cannot have it."""
    memory = "mem dram { mementries = 0x2000_0000; memwidth = 64; };\naddrmap duo {"
    place = "  external dram dram @0x1_0000_0000;\n  external bank_"
    edit(copy / "maps" / "duo.rdl", "addrmap duo {", memory)
    edit(copy / "maps" / "duo.rdl", "  external bank_shmem", f"{place}shmem")
    assert generate(copy).returncode == 0
    dram = regions(copy, "duo")["dram"]
    assert (dram["base"], dram["size"]) == (1 << 32, 1 << 32)
    source = tmp_path / "wide.c"
    source.write_text('#include <trapeze/map.h>\n_Static_assert(TRAPEZE_DRAM_BASE >> 32 == 1, "wide");\n')
    command = ["gcc", "-std=c17", "-DTRAPEZE_MAP_DUO=1", f"-I{copy / 'gen' / 'c'}", "-fsyntax-only", str(source)]
    subprocess.run(command, check=True)

    far = place.replace("dram", "far").replace("@0x1_", "@0x2_")
    edit(copy / "maps" / "mcu.rdl", "addrmap mcu {", memory.replace("duo", "mcu").replace("dram", "far"))
    edit(copy / "maps" / "mcu.rdl", "  external bank_imem", f"{far}imem")
    refused = generate(copy)
    assert refused.returncode == 1
    assert "mcu: far: the RTL has addresses of 32 bits" in refused.stderr


def test_what_one_hart_sees_and_where_interrupts_go() -> None:
    """A map says so, in JSON and in C; what all harts see has no such key."""
    found = regions(ROOT, "amp")
    assert [name for name, region in found.items() if region.get("hart") == 1] == [
        *("clic", "clic_user", "imem", "smem", "dmem")
    ]
    assert "hart" not in found["plic"]
    assert "hart" not in found["ring"]
    assert (found["mailbox_a"]["plic_source"], found["mailbox_b"]["line"]) == (12, 14)
    assert (found["mailbox_b"]["line_hart"], found["mailbox_a"]["peer"], found["uart1"]["console"]) == (
        1,
        "mailbox_b",
        1,
    )
    assert (found["mailbox_b"]["block"], found["uart1"]["block"]) == ("mailbox_side", "uart")
    header = (ROOT / "gen" / "c" / "trapeze" / "map_amp.h").read_text()
    assert "#define TRAPEZE_MAILBOX_A_PLIC_SOURCE 12\n" in header
    assert "#define TRAPEZE_MAILBOX_B_LINE 14\n" in header
    assert "| 1 alone | Instruction bank." in (ROOT / "gen" / "doc" / "map.md").read_text()


def test_the_build_names_the_map(tmp_path: Path) -> None:
    """Without a word trapeze/map.h is `mcu`; each other map has a macro, and a header of one's own goes before it."""
    source = tmp_path / "which.c"
    source.write_text("#include <trapeze/map.h>\n#ifdef TRAPEZE_SHMEM_BASE\nshared\n#else\nnone\n#endif\n")
    for macros, expected in (([], "none"), (["-DTRAPEZE_MAP_MCU=1"], "none"), (["-DTRAPEZE_MAP_DUO=1"], "shared")):
        command = ["gcc", *macros, f"-I{ROOT / 'gen' / 'c'}", "-E", "-P", str(source)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        assert done.stdout.strip() == expected
    own = tmp_path / "own.h"
    own.write_text("#include <trapeze/map_duo.h>\n#undef TRAPEZE_SHMEM_BASE\n")
    command = ["gcc", f'-DTRAPEZE_MAP_FILE="{own}"', "-DTRAPEZE_MAP_DUO=1", f"-I{ROOT / 'gen' / 'c'}", "-E", "-P"]
    assert subprocess.run([*command, str(source)], check=True, capture_output=True, text=True).stdout.strip() == "none"


def test_the_clint_of_several_harts() -> None:
    """Offsets of the SiFive CLINT: msip of hart h at 4h, mtimecmp at 0x4000 + 8h, mtime behind the last of them."""
    data = json.loads((ROOT / "gen" / "registers.json").read_text())["blocks"]["clint"]["registers"]
    places = {one["name"]: (one["offset"], one.get("stride", 0), one.get("count", 1)) for one in data}
    assert places == {
        "msip": (0x0, 4, 4095),
        "mtimecmp_lo": (0x4000, 8, 4095),
        "mtimecmp_hi": (0x4004, 8, 4095),
        "mtime_lo": (0xBFF8, 0, 1),
        "mtime_hi": (0xBFFC, 0, 1),
    }


@pytest.mark.parametrize("name", MAPS)
def test_svd_has_every_device(name: str) -> None:
    """Each device of a map is a peripheral, each of its registers is there once, and others are named as alternates."""
    device = ElementTree.parse(ROOT / "gen" / "svd" / f"{name}.svd").getroot()  # noqa: S314  (our own file)
    found = {one.findtext("name", ""): one for one in device.iter("peripheral")}
    blocks = json.loads((ROOT / "gen" / "registers.json").read_text())["blocks"]
    blocks["mailbox_a"] = blocks["mailbox_side"]
    for region in regions(ROOT, name).values():
        if region["kind"] != "device" or "parts" in region:
            continue
        one = found[region["name"]]
        assert int(one.findtext("baseAddress", ""), 0) == region["base"]
        block = one.get("derivedFrom", region["name"])
        registers, known = list(found[block].iter("register")), blocks[block]["registers"]
        assert [int(each.findtext("addressOffset", ""), 0) for each in registers] == [each["offset"] for each in known]
        alone = [each for each in registers if each.find("alternateRegister") is None]
        assert len(alone) == len({each["offset"] for each in known})
