# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Platforms whose file changes the memory map: what is refused, what the model is told, what firmware has in it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from trapeze.linux import image
from trapeze.platform import configurations, user_configurations
from trapeze.platform.configurations import Config
from trapeze.simulation import simulator
from trapeze.simulation.options import Options
from verify.dev.supervisor import below
from verify.dev.testing import Trapeze

THREE = Path(__file__).with_name("three_real_time_harts.yaml")

MOVED = Path(__file__).with_name("uart_elsewhere.yaml")

DESIGN = """
schema: trapeze.config/1
summary: a design with other addresses
extends: mcu-clic
reset_vector: 0x4000_0000
regions:
  imem: {base: 0x4000_0000}
  smem: {base: 0x2000_0000}
  clint: {base: 0x0400_0000}
  host: {base: 0x0010_8000}
  probe: {base: 0x1802_0000}
  uart: {base: 0x1800_0000}
"""

MEASURED = """
#include <stdint.h>
#include <stdio.h>
#include <trapeze/irq.h>
#include <trapeze/map.h>
#include <trapeze/stress.h>

static volatile unsigned int taken;

static void came(void *arg)
{
	(void)arg;
	taken++;
}

int main(void)
{
	volatile uint32_t *rate = (volatile uint32_t *)TRAPEZE_PROBE_STRESS_BASE;

	*rate = 128U;
	if (irq_connect(IRQ_PLATFORM(3), came, 0) != 0) {
		return 1;
	}
	irq_enable(IRQ_PLATFORM(3));
	irq_unlock_all();
	while (taken == 0U) {
	}
	*rate = 0U;
	printf("%u at %p\\n", taken, (void *)&rate);
	return 0;
}
"""
"""Waits for an interrupt while the stress generator reads the banks."""

GREETING = '#include <stdio.h>\nint main(void) { puts("hart WHO"); return 0; }\n'

LATE = """
#include <stdio.h>
int main(void)
{
	for (volatile int n = 0; n < 5000; n++) {
	}
	puts("hart 3");
	return 0;
}
"""

SENDER = """
#include <stdint.h>
#include <trapeze/mailbox_side.h>
#include <trapeze/map.h>
int main(void)
{
	for (volatile int n = 0; n < 1000; n++) {
	}
	*(volatile uint32_t *)(TRAPEZE_MAILBOX_C_BASE + TRAPEZE_MAILBOX_SIDE_SEND_OFFSET) = 1234U;
	return 0;
}
"""

RECEIVER = """
#include <stdint.h>
#include <stdio.h>
#include <trapeze/irq.h>
#include <trapeze/mailbox_side.h>
#include <trapeze/map.h>

static volatile uint32_t word;

static volatile uint32_t *side(uintptr_t offset)
{
	return (volatile uint32_t *)(TRAPEZE_MAILBOX_D_BASE + offset);
}

static void received(void *arg)
{
	(void)arg;
	word = *side(TRAPEZE_MAILBOX_SIDE_RECEIVE_OFFSET);
}

int main(void)
{
	if (irq_connect(IRQ_PLATFORM(TRAPEZE_MAILBOX_D_LINE), received, 0) != 0) {
		return 1;
	}
	irq_enable(IRQ_PLATFORM(TRAPEZE_MAILBOX_D_LINE));
	*side(TRAPEZE_MAILBOX_SIDE_IRQ_ENABLE_OFFSET) = TRAPEZE_MAILBOX_SIDE_IRQ_ENABLE_WORD_MASK;
	irq_unlock_all();
	while (word == 0U) {
	}
	printf("word %u by line %u\\n", (unsigned int)word, TRAPEZE_MAILBOX_D_LINE);
	return 0;
}
"""

WAITING = "\t.globl _start\n_start:\n1:\twfi\n\tj 1b\n"
"""Of hart 0, in the place of Linux."""

ADDRESS = "#include <trapeze/map.h>\nconst unsigned long where[] = {TRAPEZE_%s_BASE, TRAPEZE_%s_SIZE};\n"


def write(folder: Path, text: str, name: str = "mine.yaml") -> Path:
    """A file of a configuration."""
    path = folder / name
    path.write_text(text)
    return path


def chosen(folder: Path, text: str) -> Config:
    """The configuration of a file."""
    return user_configurations.choose(str(write(folder, text)))


def changing(base: str, *regions: str) -> str:
    """A file that changes regions of a configuration."""
    lines = "".join(f"  {one}\n" for one in regions)
    return f"schema: trapeze.config/1\nsummary: mine\nextends: {base}\nregions:\n{lines}"


@pytest.mark.parametrize(
    ("base", "regions", "says"),
    [
        ("amp", ["uart1: {base: 0x1000_0000}"], "uart1.base: uart1 from 0x10000000 overlaps uart, 0x10000000 to"),
        ("amp", ["uart1: {base: 0x1000_1010}"], "uart1.base: 0x10001010 is not a multiple of the size, 0x100"),
        ("amp", ["dram: {size: 0x300_0000}"], "dram.size: 0x3000000 is not a power of two"),
        ("amp", ["dram: {base: 0x1_0000_0000}"], "dram.base: hart 1 has addresses of 32 bits"),
        ("amp", ["imem: {harts: [1, 2]}"], "imem.harts: there is no hart 2; harts are 0 to 1"),
        ("amp", ["uart1: {console: 4}"], "uart1.console: there is no hart 4"),
        ("amp", ["mailbox_b: {line: 48}"], "mailbox_b.line: hart 1 has lines 0 to 47, not 48"),
        ("amp", ["mailbox_b: {line: 15}"], "mailbox_b.line: line 15 of hart 1 is that of probe"),
        ("amp", ["mailbox_b: {line_hart: 2}"], "mailbox_b.line_hart: there is no hart 2"),
        ("amp", ["uart1: {plic_source: 12}"], "plic_source: source 12 is that of"),
        ("amp", ["uart1: {plic_source: 96}"], "uart1.plic_source: the PLIC has sources 1 to 95, not 96"),
        ("amp-dsp", ["uart: {plic_source: 10}"], "uart.plic_source: the platform has no PLIC"),
        ("app", ["app_probe: {plic_source: null}"], "app_probe.plic_source: app_probe interrupts through the PLIC"),
        ("amp", ["probe: {plic_source: 20}"], "probe.plic_source: probe interrupts by a platform line of each hart"),
        ("amp", ["app_probe: {harts: [1]}"], "app_probe.harts: the harts that can have plic see it; leave it out"),
        ("amp", ["uart1: {line: 3}"], "uart1.line_hart: missing; say which hart's line 3 is"),
        (
            "amp",
            ["uart2: {like: urat, base: 0x1000_2000}"],
            "uart2.like: the map amp has no region 'urat'; did you mean",
        ),
        ("amp", ["uart2: {base: 0x1000_2000}"], "uart2: the map amp has no such region; a new one says by `like`"),
        ("amp", ["uart2: {like: uart}"], "uart2.base: missing"),
        ("amp", ["uart2: {like: uart, base: 0x1000_2000, console: 1}"], "console: hart 1 has uart1 as console"),
        ("amp", ["uart1: {like: uart}"], "uart1.like: uart1 is a region of the map amp; leave `like` out"),
        ("amp", ["clint2: {like: clint, base: 0x300_0000}"], "clint2.like: a platform has one clint at most"),
        ("amp", ["uart9: null"], "uart9: the map amp has no such region to remove"),
        ("amp", ["clint: null"], "clint: every platform has a clint; leave it in"),
        ("amp", ["mailbox_b: null"], "mailbox_a.peer: mailbox_b: the two sides of a mailbox name each other"),
        ("amp", ["uart1: {size: 0x1000}"], "uart1.size: only a memory has this key, and uart1 is the block uart"),
        ("amp", ["ring: {plic_source: 13}"], "ring.plic_source: a memory has no interrupt"),
        ("amp", ["clic: {harts: [1]}"], "clic.harts: the harts that can have clic see it; leave it out"),
        ("amp", ["uart1: {adress: 1}"], "uart1: unknown key 'adress'"),
        ("mcu-fastirq", ["smem: {size: 0x2_0000}"], "smem.size: of a region of an RTL design only `base` can change"),
        ("mcu-fastirq", ["probe: null"], "probe: the RTL design has a probe; leave it out, or write `top: null`"),
        ("mcu-fastirq", ["uart2: {like: uart, base: 0x1800_0000}"], "uart2.like: of a region of an RTL design"),
        ("mcu-user", ["clic: {base: 0x0300_0000}"], "clic: an RTL design has it at the map's address"),
    ],
)
def test_a_map_that_cannot_be(tmp_path: Path, trapeze: Trapeze, base: str, regions: list[str], says: str) -> None:
    said = trapeze("show", write(tmp_path, changing(base, *regions)))
    assert said.code == 2
    assert "mine.yaml: regions" in said.error
    assert says in said.error
    assert said.error.count("\n") <= 1


def test_what_the_model_is_told() -> None:
    def told(name: str) -> tuple[dict[str, Any], list[Any]]:
        platform = configurations.load(name).platform.to_json()
        return {one["name"]: one for one in platform["regions"]}, platform["wires"]

    regions, wires = told("amp")
    assert (regions["uart1"]["console"], regions["mailbox_a"]["peer"]) == (1, "mailbox_b")
    assert (regions["clic"]["harts"], regions["plic"]["harts"], regions["imem"]["own"]) == ([1], [0], True)
    assert {"from": "mailbox_b", "to": {"hart": 1, "line": 14}} in wires
    assert {"from": "uart1", "to": {"hart": 1, "interrupt": 11}} in wires
    assert {"from": "plic", "output": 1, "to": {"hart": 0, "interrupt": 9}} in wires
    regions, wires = told("amp-2")
    assert (regions["app_probe"]["block"], regions["app_probe"]["harts"]) == ("probe", [0, 2])
    assert [one for one in wires if one["from"] == "app_probe"] == [{"from": "app_probe", "to": {"plic": 13}}]
    external = {"hart": 0, "interrupt": 11}
    assert [one["from"] for one in told("app")[1] if one["to"] == external] == ["plic", "uart"]
    regions, wires = told("duo")
    assert (regions["shmem"]["own"], regions["dmem"]["own"], "plic" in regions) == (False, True, False)
    assert {"from": "clint", "output": 3, "to": {"hart": 1, "interrupt": 7}} in wires
    assert {"from": "probe", "to": {"hart": 1, "line": 15}} in wires
    regions, wires = told("mcu-user")
    assert [one for one in wires if one["from"] == "uart"] == [{"from": "uart", "to": {"hart": 0, "interrupt": 11}}]
    assert (regions["clic_user"]["block"], regions["clic_user"]["harts"]) == ("clic_user", [0])
    assert "clic" not in told("mcu-clint")[0]


def test_three_harts_have_banks_and_consoles_of_their_own() -> None:
    config = user_configurations.choose(str(THREE))
    platform = config.platform
    imem = platform.region("imem")
    assert (imem.harts, imem.own) == ((1, 2, 3), True)
    assert [one.name for one in (platform.uart_of(n) for n in range(4)) if one] == ["uart", "uart1", "uart2", "uart3"]
    wires = platform.to_json()["wires"]
    assert {"from": "mailbox_d", "to": {"hart": 2, "line": 13}} in wires
    assert {"from": "uart3", "to": {"hart": 3, "interrupt": 11}} in wires
    assert config.to_json()["regions"]["uart2"] == {
        "base": 0x1000_2000,
        "console": 2,
        "like": "uart",
        "title": "UART of hart 2",
    }


def test_a_variant_goes_on_changing_the_map(tmp_path: Path) -> None:
    write(tmp_path, THREE.read_text(), "three.yaml")
    config = chosen(
        tmp_path,
        changing("./three.yaml", "uart3: {base: 0x1000_4000}", "uart1: null", "uart2: null") + "clocks: {serial: 7}\n",
    )
    assert config.platform.region("uart3").base == 0x1000_4000
    assert config.platform.region("uart3").console == 3
    assert (config.platform.find("uart1"), config.platform.find("uart2")) == (None, None)
    assert config.platform.to_json()["clocks"] == {"timebase": 10_000_000, "serial": 7}


def test_linux_is_told_its_own_part(tmp_path: Path) -> None:
    """The device tree has the devices of hart 0 where they are; those of the other harts are not in it."""
    text = THREE.read_text().replace("uart2:", "uart: {base: 0x1800_0000}\n  uart2:") + "clocks: {timebase: 1000000}\n"
    image.device_tree(tmp_path / "tree", chosen(tmp_path, text), 4096, jobs=True)
    tree = (tmp_path / "tree.dts").read_text()
    assert "serial@18000000" in tree
    assert "timebase-frequency = <1000000>" in tree
    assert "10002000" not in tree
    assert "10022000" not in tree


@pytest.mark.parametrize(("path", "hart", "name"), [(MOVED, None, "UART"), (THREE, 2, "MAILBOX_D")])
def test_firmware_has_the_changed_address(
    tmp_path: Path, trapeze: Trapeze, path: Path, hart: int | None, name: str
) -> None:
    source, elf = tmp_path / "where.c", tmp_path / "where.o"
    source.write_text(ADDRESS % (name, name))
    of_hart = [] if hart is None else ["--hart", str(hart)]
    assert trapeze("cc", "--config", path, *of_hart, "-c", source, "-o", elf).code == 0
    region = user_configurations.choose(str(path)).platform.region(name.lower())
    assert region.base.to_bytes(4, "little") + region.size.to_bytes(4, "little") in elf.read_bytes()


def built(folder: Path, trapeze: Trapeze, path: Path, hart: int, text: str) -> Path:
    """A program for one of the harts."""
    source, elf = folder / f"hart{hart}.c", folder / f"hart{hart}.elf"
    source.write_text(text)
    said = trapeze("cc", "--config", path, "--hart", str(hart), source, "-o", elf)
    assert said.code == 0, said.err
    return elf


def ran(folder: Path, path: Path, others: Sequence[Path], last_hart: int) -> list[str]:
    """What is printed while hart 0 waits in supervisor mode, until the program of `last_hart` ends."""
    config = user_configurations.choose(str(path))
    elf = below(config, WAITING, folder)
    options = Options(max_cycles=1_000_000, engine="model", others=tuple(others), last_hart=last_hart)
    run = simulator.watch(elf, config, options)
    assert run.exit_code == 0
    return run.console.decode().splitlines()


def test_three_real_time_harts_beside_a_waiting_one(tmp_path: Path, trapeze: Trapeze) -> None:
    """Each has a program and data of its own at the same addresses, and a UART."""
    others = [built(tmp_path, trapeze, THREE, hart, GREETING.replace("WHO", str(hart))) for hart in (1, 2)]
    others.append(built(tmp_path, trapeze, THREE, 3, LATE))
    said = ran(tmp_path, THREE, others, last_hart=3)
    assert [any(f"hart {hart}" in line for line in said) for hart in (1, 2, 3)] == [True, True, True]


def test_a_second_mailbox_has_its_interrupt(tmp_path: Path, trapeze: Trapeze) -> None:
    """A word from hart 1 to hart 2."""
    programs = [(1, SENDER), (2, RECEIVER), (3, GREETING)]
    others = [built(tmp_path, trapeze, THREE, hart, text) for hart, text in programs]
    assert any("word 1234 by line 13" in line for line in ran(tmp_path, THREE, others, last_hart=2))


def test_a_console_at_another_address(tmp_path: Path, trapeze: Trapeze) -> None:
    source, elf = tmp_path / "main.c", tmp_path / "p.elf"
    source.write_text(GREETING)
    assert trapeze("cc", "--config", MOVED, source, "-o", elf).code == 0
    assert " map=" in elf.read_bytes().decode(errors="replace")
    said = trapeze("run", elf, "--config", MOVED, "--engine", "model", "--max-cycles", "100000")
    assert (said.code, said.out) == (0, "hart WHO\n")


def test_a_design_with_other_addresses(tmp_path: Path, trapeze: Trapeze) -> None:
    """Banks and devices are where the file says, also for the stress generator: RTL and model do the same."""
    path, source, elf = write(tmp_path, DESIGN), tmp_path / "main.c", tmp_path / "p.elf"
    source.write_text(MEASURED)
    said = trapeze("cc", "--config", path, source, "-o", elf)
    assert said.code == 0, said.err
    said = trapeze("run", elf, "--config", path, "--engine", "lockstep", "--irq", "3@3000", "--max-cycles", "100000")
    assert said.code == 0, said.err
    assert said.out.startswith("1 at 0x2000")
