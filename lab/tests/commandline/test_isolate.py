# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze isolate`: the monitors keep their programs in, and a monitor with a hole is found out."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from trapeze.common import paths
from trapeze.firmware import emulated, monitored, toolchain, toolchain_file
from trapeze.isolation.partitions import Service, Zone
from trapeze.platform import configurations
from verify.dev.testing import Trapeze

NAME = "mcu-user"
MAIN = '#include <stdio.h>\nint main(void)\n{\n\tputs("hello");\n\treturn 2;\n}\n'
PERIOD = 20_000

Build = Callable[..., Path]


def test_an_access_across_two_zones() -> None:
    """Its last byte counts as its first does."""
    zones = (Zone(0, 8, "rw", "own"), Zone(8, 16, "r", "other"), Zone(16, 1 << 32, "", "no one's"))
    service = Service(zones, {}, (64, 72))
    assert [service.oversteps("w", at, 4, 0) for at in (4, 5, 6, 8)] == ["", "other", "other", "other"]
    assert [service.oversteps("r", at, 4, 0) for at in (6, 12, 13)] == ["", "", "no one's"]


@pytest.fixture
def build(tmp_path: Path) -> Build:
    """Link the program for a monitor."""

    def made(monitor: str | None, config: str = NAME, **options: object) -> Path:
        chosen = configurations.load(config)
        (tmp_path / "main.c").write_text(MAIN)
        given = {f"--monitor-{name}": str(value) for name, value in options.items()}
        emulates = monitor == "emulate"
        words = monitored.words(chosen, monitor, emulates, given) if monitor else []
        elf = tmp_path / "main.elf"
        if emulates:
            emulated.write(chosen, "emulate", toolchain.build(chosen, [tmp_path / "main.c"], elf), elf)
            return elf
        return toolchain.build(chosen, [tmp_path / "main.c"], elf, words, monitor=monitor)

    return made


KINDS = ("load", "store", "fetch", "across an edge", "instruction", "call", "storm", "time")

CASES: list[tuple[str, dict[str, object]]] = [
    ("paper", {}),
    ("soft", {"watchdog": PERIOD}),
    ("direct", {"watchdog": PERIOD, "restarts": 1}),
    ("direct", {"rows": "paper"}),
    ("emulate", {}),
]


@pytest.mark.parametrize(("monitor", "options"), CASES, ids=str)
def test_monitors_let_nothing_through(
    trapeze: Trapeze, build: Build, tmp_path: Path, monitor: str, options: dict[str, object]
) -> None:
    result = tmp_path / "result.json"
    # What a CSR does is the hart's, and the same for all that do not emulate it.
    kinds = [] if monitor in ("soft", "emulate") else [*KINDS, *(["source", "frame"] if monitor == "direct" else [])]
    only = [word for kind in kinds for word in ("--only", kind)]
    said = trapeze("isolate", build(monitor, **options), "--config", NAME, "--json", result, *only)
    assert said.code == 0, said
    rows = {(row["id"], row["metric"]): row["max"] for row in json.loads(result.read_text())["rows"]}
    tried = {name.removeprefix("main/"): count for (name, metric), count in rows.items() if metric == "tried"}
    least = {"load": 6, "store": 6, "fetch": 6, "call": 20, "storm": 2, "time": 4}
    least |= {} if kinds else {"CSR read": 200, "CSR write": 200}
    assert all(tried[kind] >= count for kind, count in least.items()), tried
    unknown = {name for (name, metric), count in rows.items() if metric == "not known" and count}
    # Without a watchdog nothing ends a program that runs for ever; nothing else stays open.
    assert unknown == (set() if "watchdog" in options else {"main/time"}), said.out
    assert "as it is: exit code 2, 6 bytes of output" in said.err


HOLES = {
    "a row that opens the constants to stores": (
        "soft",
        "rows.c",
        (
            "pmp_row_up_to(rows, (uintptr_t)program_constants_end, READ);",
            "pmp_row_up_to(rows, (uintptr_t)program_constants_end, READ | WRITE);",
        ),
        r"let through: store (0x801\w+): stored 0xff(?:ffffff)? at \1, the constants",
    ),
    "a row that begins in front of the monitor's data": (
        "direct",
        "rows.c",
        ("pmp_row_begin(rows, (uintptr_t)monitor_ram_end);", "pmp_row_begin(rows, (uintptr_t)monitor_ram_start);"),
        r"let through: load (0x80100000): loaded 0x\w+ at \1, the monitor's data",
    ),
    "frames in the monitor's data": (
        "direct",
        "rows.c",
        ("pmp_row_begin(rows, (uintptr_t)monitor_ram_end);", "pmp_row_begin(rows, (uintptr_t)monitor_ram_start);"),
        r"let through: frame (0x80100000): took an interrupt with its frame there, the monitor's data",
    ),
    "a report that changes memory protection": (
        "soft",
        "report.c",
        (
            "\tmonitor_reset_uart();\n\tif (expired)",
            "\tcsr_write(CSR_PMPADDR0, 5U);\n\tmonitor_reset_uart();\n\tif (expired)",
        ),
        r"let through: load (0x80100000): memory protection changed: pmpaddr0 = 0x5 at 0x8000\w+",
    ),
    "a report that calls the program": (
        "paper",
        "report.c",
        ("\tmonitor_reset_uart();\n\tif (expired)", "\t((void (*)(void))monitor_rom_end)();\n\tif (expired)"),
        r"let through: load (0x80100000): executed the program's memory at 0x8000\w+, with the rights of mode 3",
    ),
    "a watchdog whose devices stay open": (
        "paper",
        "rows.c",
        ("pmp_row_block(&rows, MONITOR_WATCHDOG_DEVICES, MONITOR_WATCHDOG_DEVICES_SIZE, 0U);", ""),
        r"let through: store (0x10014000): stored 0xffffffff at \1, the watchdog's devices",
    ),
    "a watchdog that never begins": (
        "soft",
        "watchdog.c",
        ("if (cycles != 0U) {", "if (cycles == 1U) {"),
        r"let through: time loop: the watchdog did not end it in time",
    ),
}


@pytest.mark.parametrize("name", HOLES)
def test_a_hole_is_found(
    trapeze: Trapeze, build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """And the command that is shown finds that one again."""
    monitor, file, (was, becomes), shown = HOLES[name]
    source = paths.FIRMWARE / "monitor/src" / file
    text = source.read_text()
    assert was in text
    (tmp_path / file).write_text(text.replace(was, becomes))
    original = toolchain_file.monitor

    def planted(*given: Any) -> Any:
        found = original(*given)
        sources = [str(tmp_path / file) if one.endswith(f"/{file}") else one for one in found["sources"]]
        return {**found, "sources": sources, "flags": [*found["flags"], f"-I{source.parent}"]}

    with monkeypatch.context() as patched:
        patched.setattr(toolchain_file, "monitor", planted)
        patched.setattr(paths, "BUILD", tmp_path / "build")
        elf = build(monitor, watchdog=PERIOD)
    kinds = ("frame",) if name.startswith("frames") else ("load", "store", "time")
    only = [word for kind in kinds for word in ("--only", kind)]
    said = trapeze("isolate", elf, "--config", NAME, *only)
    assert said.code == 1, said
    found = re.search(shown + r"\n  again: trapeze (isolate .* --only '(.*)')\n", said.out)
    assert found is not None, said.out
    attempt = tmp_path / "attempt.elf"
    again = trapeze("isolate", elf, "--config", NAME, "--only", found.groups()[-1], "--elf", attempt)
    assert again.code == 1
    assert "1 attempt, 0 refused, 1 let through" in again.out
    assert trapeze("run", attempt, "--config", NAME, "--engine", "model", "--max-cycles", 5_000).code in (124, 134)


def test_wrong_input(trapeze: Trapeze, build: Build, tmp_path: Path) -> None:
    (tmp_path / "text.elf").write_text("no program\n")
    plain = build(None)
    for words, says in (
        ((tmp_path / "none.elf", "--config", NAME), "none.elf: no such file; build one with"),
        ((tmp_path / "text.elf", "--config", NAME), "text.elf: is no ELF; give a program"),
        ((plain, "--config", NAME), "main.elf: belongs to no partition: the program runs in machine mode"),
        ((plain, "--config", "mcu-usr"), "unknown configuration 'mcu-usr'; did you mean 'mcu-user'?"),
        ((plain, "--config", "mcu-clint"), f"main.elf: built for configuration {NAME}, not for mcu-clint"),
    ):
        said = trapeze("isolate", *words)
        assert said.code == 2
        assert says in said.err
        assert said.err.count("\n") == 1
    wide = bytearray(plain.read_bytes().replace(b"config=mcu-user ", b"xonfig=mcu-user "))
    (tmp_path / "main.elf").write_bytes(wide)
    said = trapeze("isolate", plain, "--config", "app")
    assert "is an ELF of 32 bits, and configuration app has a hart of 64" in said.err
    soft = build("soft")
    said = trapeze("isolate", soft, "--config", NAME, "--only", "lod")
    assert "--only 'lod': there is no such attempt; did you mean 'load'?" in said.err
    said = trapeze("isolate", soft, "--config", NAME, "--elf", tmp_path / "one.elf")
    assert "--elf is for one attempt" in said.err
