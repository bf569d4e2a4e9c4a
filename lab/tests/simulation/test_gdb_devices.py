# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Registers of devices in GDB: read by address and by name on both engines, without a trace in the run."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from trapeze.common import paths
from trapeze.firmware import toolchain
from trapeze.platform import configurations as config
from verify.dev.gdb import debug

ENGINES = ("rtl", "model")
DEBUG = ("-g", "-O1", "-fno-inline")
INPUT = b"hello, device"

USES = """\
#include <stdint.h>
#include <stdio.h>
#include <trapeze/clint.h>
#include <trapeze/map.h>
#include <trapeze/probe.h>
#include <trapeze/random.h>
#include <trapeze/timers.h>
#include <trapeze/uart.h>

#define BYTE(offset) (*(volatile uint8_t *)(TRAPEZE_UART_BASE + (offset)))
#define WORD(address) (*(volatile uint32_t *)(address))

volatile uint32_t got[8];
volatile int turn;

void stop_here(void)
{
	turn++;
}

int main(void)
{
	BYTE(TRAPEZE_UART_IER_OFFSET) = 3;
	BYTE(TRAPEZE_UART_SCR_OFFSET) = 0x5a;
	WORD(TRAPEZE_PROBE_RANDOM_BASE + TRAPEZE_RANDOM_SEED_OFFSET) = 77;
	WORD(TRAPEZE_PROBE_RANDOM_BASE + TRAPEZE_RANDOM_CONTROL_OFFSET) = 3;
	WORD(TRAPEZE_CLINT_BASE + TRAPEZE_CLINT_MTIMECMP_LO_OFFSET) = 1000;
	WORD(TRAPEZE_CLINT_BASE + TRAPEZE_CLINT_MTIMECMP_HI_OFFSET) = 0;
	for (turn = 0; turn < 100; turn++) { /* until there is random data */
	}
	for (int i = 0; i < 4; i++) {
		stop_here();
		got[0] = BYTE(TRAPEZE_UART_RBR_OFFSET);
		got[1] = BYTE(TRAPEZE_UART_IIR_OFFSET);
		got[2] = BYTE(TRAPEZE_UART_LSR_OFFSET);
		got[3] = BYTE(TRAPEZE_UART_MSR_OFFSET);
		got[4] = WORD(TRAPEZE_CLINT_BASE + TRAPEZE_CLINT_MTIME_LO_OFFSET);
		got[5] = WORD(TRAPEZE_PROBE_RANDOM_BASE + TRAPEZE_RANDOM_DATA_OFFSET);
		got[6] = WORD(TRAPEZE_PROBE_RANDOM_BASE + TRAPEZE_RANDOM_STATUS_OFFSET);
		printf("%c %x %x %x %u %x %x\\n", (int)got[0], (unsigned)got[1], (unsigned)got[2], (unsigned)got[3],
			(unsigned)got[4], (unsigned)got[5], (unsigned)got[6]);
	}
	return 0;
}
"""
UART, CLINT, RANDOM = 0x10000000, 0x02000000, 0x10014000
NOTHING = 0x10010C00
"""Between two parts of the latency measurement."""
LOOKS = (
    *(f"x/xb {UART + offset}" for offset in range(8)),
    *(f"x/xw {CLINT + offset}" for offset in (0, 0x4000, 0x4004, 0xBFF8)),
    f"x/xg {CLINT + 0xBFF8}",
    f"x/xw {RANDOM}",
    f"x/xw {RANDOM + 4}",
    *("monitor device uart", "monitor device probe.random", "monitor device probe.regs0"),
)


def built(folder: Path, text: str, name: str) -> Path:
    """A program for a configuration."""
    source = folder / "main.c"
    source.write_text(text)
    return toolchain.build(config.load(name), [source], folder / "main.elf", DEBUG)


def found(text: str, address: int) -> list[int]:
    """What `x` showed at an address, each time."""
    return [int(value, 16) for value in re.findall(rf"^{address:#x}:\t(0x\w+)$", text, re.MULTILINE)]


@pytest.mark.parametrize(
    ("name", "engine", "trace"),
    [
        ("mcu-clint", "model", "log"),
        ("mcu-clint", "rtl", "jsonl"),
        ("mcu-clint", "rtl", "fst"),
        ("mcu-fastirq", "model", "log"),
        ("mcu-fastirq", "rtl", "jsonl"),
        ("duo", "rtl", "jsonl"),
    ],
)
def test_reads_change_nothing(tmp_path: Path, name: str, engine: str, trace: str) -> None:
    """Each register ten times at each stop: trace, record, console and summary are the same, byte for byte."""
    elf = built(tmp_path, USES, name)
    (tmp_path / "in").write_bytes(INPUT)
    record = tmp_path / "run.json"
    runs = []
    for looks in ((), LOOKS * 10):
        steps = [word for _ in range(3) for word in ("stepi", *looks[: len(LOOKS)])]
        said = debug(
            elf,
            engine,
            *("break stop_here", *["continue", *looks, *steps] * 2, "delete", "continue"),
            name=name,
            uart_in=tmp_path / "in",
            trace=tmp_path / f"run.{trace}",
            record=record,
        )
        written = (tmp_path / f"run.{trace}").read_bytes()
        runs.append((written, record.read_bytes(), said.console, said.complaints, said.exit_code))
        if looks:
            assert found(said.text, UART)[:10] == [INPUT[0]] * 10, said.text
            assert len(found(said.text, CLINT + 0xBFF8)) == 2 * 26, said.text
            assert found(said.text, UART + 7) == [0x5A] * 26, said.text
    assert len(runs[0][0]) > 1000
    assert "h " in runs[0][2]
    assert runs[0] == runs[1]


@pytest.mark.parametrize("engine", ENGINES)
def test_what_the_program_reads_next(tmp_path: Path, engine: str) -> None:
    """What GDB shows in front of a load is what the load gets: of the time, too, but for cycles in between."""
    elf = built(tmp_path, USES, "mcu-clint")
    (tmp_path / "in").write_bytes(INPUT)
    shown = [f"x/xb {UART + offset}" for offset in (0, 2, 5, 6)] + [f"x/xw {RANDOM}", f"x/xw {CLINT + 0xBFF8}"]
    commands = ("break stop_here", "continue", "delete", "finish", *shown, "break printf", "continue", "print/x got")
    said = debug(elf, engine, *commands, uart_in=tmp_path / "in")
    values = re.search(r"= \{(.*)\}", said.text)
    assert values, said.text
    got = [int(value, 16) for value in values[1].split(", ")]
    assert [found(said.text, UART + offset) for offset in (0, 2, 5, 6)] == [[value] for value in got[:4]], said.text
    assert found(said.text, RANDOM) == [got[5]], said.text
    assert 0 < got[4] - found(said.text, CLINT + 0xBFF8)[0] < 60, said.text


@pytest.mark.parametrize("engine", ENGINES)
def test_sizes_and_bad_addresses(tmp_path: Path, engine: str) -> None:
    """The bus answers words of which any bytes are read; what it refuses GDB says it cannot access."""
    elf = built(tmp_path, USES, "mcu-clint")
    said = debug(
        elf,
        engine,
        *("break stop_here", "continue", f"x/xw {CLINT + 0x4000}", f"x/xh {CLINT + 0x4001}", f"x/xg {CLINT + 0x4000}"),
        *(f"x/xw {CLINT + 0x3FFE}", f"x/xb {CLINT + 0x4001}", f"x/xw {UART}", f"x/xb {RANDOM}", f"x/xw {NOTHING}"),
        *("x/xw 0x50000000", "x/xw 0x02800000", f"set var *(char *){UART} = 65", f"x/2xw {CLINT + 0x4000}"),
    )
    values = re.findall(r"^(0x\w+):\t(0x\w+)$", said.text, re.MULTILINE)
    assert values == [
        ("0x2004000", "0x000003e8"),
        ("0x2004001", "0x0003"),
        ("0x2004000", "0x00000000000003e8"),
        ("0x2003ffe", "0x03e80000"),
        ("0x2004001", "0x03"),
    ], said.text
    refused = re.findall(r"^(?:0x\w+:\t)?Cannot access memory at address (0x\w+)$", said.text, re.MULTILINE)
    assert refused == [*(f"{address:#x}" for address in (UART, RANDOM, NOTHING)), "0x50000000", "0x2800000",
                       f"{UART:#x}"], said.text  # fmt: skip
    assert "0x2004000:\t0x000003e8\t0x00000000" in said.text
    assert re.match(r"trapeze-sim: gdb: nothing written at 0x10000000: it is not memory; ", said.complaints)


def test_by_name(tmp_path: Path) -> None:
    elf = built(tmp_path, USES, "mcu-clint")
    (tmp_path / "in").write_bytes(INPUT)
    asked = (
        "",
        "uart",
        "clint",
        "clint 3",
        "probe.random",
        "probe.samples0",
        "none",
        "clic",
        "1:uart",
        "uart 4",
        "clint x",
    )
    script = ("break stop_here", "continue", *(f"monitor device {words}".strip() for words in asked))
    said = {engine: debug(elf, engine, *script, uart_in=tmp_path / "in").text for engine in ENGINES}
    text = said["rtl"]
    described = json.loads((paths.ROOT / "regs" / "gen" / "registers.json").read_text())["blocks"]
    for block in ("uart", "random", "clint"):
        for register in described[block]["registers"]:
            shown = re.search(rf"^  0x{register['offset']:04x}  {register['name']}\b", text, re.MULTILINE)
            assert bool(shown) == (register["mode"] is None), (register["name"], text)
    for line in (
        r"uart +0x10000000  UART",
        r"  0x0000  rbr +0x68",
        r"  0x0000  thr +write only",
        r"  0x0001  ier +0x03 +erbfi 1, etbei 1, elsi 0, edssi 0",
        r"  0x0005  lsr +0x61 +dr 1, .*",
        r"  0x4000  mtimecmp_lo\[0\] +0x000003e8",
        r"  0x4018  mtimecmp_lo\[3\] +0x00000000",
        r"  memory; look at it with x",
        r"there is no device 'none'; use one of host, clint, uart, probe\.samples0, .*",
        r"there is no device 'clic'; use one of host, clint, uart, probe\.samples0, .*",
        r"there is no hart '1'; use 0 to 0",
        r"no register of 'uart' has an index",
        r"there is no register \[x\] of 'clint'; use 0 to 4094",
    ):
        assert re.search(f"^{line}$", text, re.MULTILINE), (line, text)

    def without_time(what: str) -> str:
        return re.sub(r"(mtime_lo +)0x\w+", r"\1", what)

    assert without_time(said["model"]) == without_time(text)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_device_of_each_hart(tmp_path: Path, engine: str) -> None:
    """The CLIC is each hart's own: hart 1's has nothing enabled. A mode shows other registers in the same places."""
    text = """\
#include <trapeze/hart.h>
#include <trapeze/irq.h>
#include <trapeze/map.h>
#include <trapeze/uart.h>

int main(void)
{
	if (hart_id() == 0) {
		irq_enable(IRQ_PLATFORM(3));
		*(volatile unsigned char *)(TRAPEZE_UART_BASE + TRAPEZE_UART_LCR_OFFSET) = TRAPEZE_UART_LCR_DLAB_MASK;
	}
	return 0;
}
"""
    elf = built(tmp_path, text, "duo")
    asked = ("monitor device", "monitor device clic", "monitor device 1:clic", "monitor device uart")
    said = debug(elf, engine, "break trapeze_exit", "continue", *asked, name="duo")
    assert re.search(r"^clic +0x02800000  CLIC, each hart its own$", said.text, re.MULTILINE), said.text
    of_0, of_1 = re.findall(r"^clic at (?:.*\n(?=  ))+", said.text, re.MULTILINE)
    enabled = re.compile(r"irq_ie\[\d+\] +0x01")
    assert len(enabled.findall(of_0)) > len(enabled.findall(of_1)), said.text
    assert re.search(r"^  0x0000  dll ", said.text, re.MULTILINE), said.text
    assert not re.search(r"^  0x0000  rbr ", said.text, re.MULTILINE), said.text
