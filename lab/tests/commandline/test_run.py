# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze run` on the real simulator: exit codes, results, and every kind of bad input."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from trapeze.commandline import interrupt_report
from trapeze.results import store
from trapeze.results.rows import Row
from verify.dev.testing import Trapeze

Firmware = Callable[[str], Path]

HELLO = '#include <stdio.h>\nint main(void) { printf("hello %.2f\\n", 1.5); return 7; }\n'
FOREVER = "int main(void) { for (;;) { } }\n"


@pytest.fixture
def hello(firmware: Firmware) -> Path:
    """A program that prints and returns 7."""
    return firmware(HELLO)


@pytest.fixture
def forever(firmware: Firmware) -> Path:
    """A program that never ends."""
    return firmware(FOREVER)


def test_exit_code_and_console(trapeze: Trapeze, hello: Path) -> None:
    said = trapeze("run", hello, "--config", "mcu-clint")
    assert said.code == 7
    assert said.out == "hello 1.50\n"


def test_result(trapeze: Trapeze, hello: Path, tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    assert trapeze("run", hello, "--config", "mcu-clint", "--json", path).code == 7
    rows = {row["metric"]: row for row in store.load(path)["rows"]}
    assert rows["cycles"]["max"] >= rows["instructions"]["max"] > 100
    assert rows["cycles"]["labels"]["exit"] == "exit"


def test_same_command_same_bytes(
    trapeze: Trapeze, hello: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    seen = []
    for number in range(2):
        log, path = tmp_path / f"{number}.log", tmp_path / f"{number}.json"
        options = ["--wait-instr", 60, "--wait-data", 90, "--seed", 5, "--trace", log, "--json", path]
        assert trapeze("run", hello, "--config", "mcu-clint", *options).code == 7
        seen.append((log.read_bytes(), path.read_bytes()))
    assert seen[0] == seen[1]
    assert len(seen[0][0]) > 10_000


def test_wait_states_cost_cycles_and_change_nothing_else(trapeze: Trapeze, hello: Path, tmp_path: Path) -> None:
    cycles = []
    for chance in (0, 100):
        path = tmp_path / "r.json"
        said = trapeze("run", hello, "--config", "mcu-clint", "--wait-instr", chance, "--seed", 1, "--json", path)
        assert (said.code, said.out) == (7, "hello 1.50\n")
        cycles.append(store.load(path)["rows"][0]["max"])
    assert cycles[1] > 1.2 * cycles[0]


def test_sweep(trapeze: Trapeze, hello: Path, tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    said = trapeze("run", hello, "--config", "mcu-clint", "--sweep", "3@100..109", "--json", path)
    assert said.code in (0, 7), said.err
    rows = store.load(path)["rows"]
    assert rows[0]["n"] == 10
    assert "line 3: 10 runs, taken 0 to 0 times" in said.err
    assert "no latency in 10 of 10 runs" in said.err
    assert "10: the interrupt was not taken; the first one: --irq 3@100" in said.err


def test_what_a_sweep_says() -> None:
    one = {"config": "mcu-clint", "engine": "rtl", "id": "x/line3", "unit": "cycles", "labels": {"line": "3"}}
    found = [Row.of([1, 1, 1], metric="taken", **one), Row.of([26, 29, 26], metric="latency", **one)]
    assert interrupt_report.summary(found) == [
        "line 3: 3 runs, taken once in each",
        "  latency: 26 to 29, median 26, p99 29, p99.9 29 cycles, n = 3",
    ]


def test_never_ending_firmware(trapeze: Trapeze, forever: Path, tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    said = trapeze("run", forever, "--config", "mcu-clint", "--max-cycles", 5000, "--json", path)
    assert said.code == 124
    assert "5000" in said.err
    assert "--max-cycles" in said.err
    rows = store.load(path)["rows"]
    assert rows[0]["labels"]["exit"] == "max-cycles"


def first_load(data: bytearray) -> int:
    """Where the first program header of type LOAD is."""
    table, size, count = struct.unpack_from("<I", data, 28)[0], *struct.unpack_from("<HH", data, 42)
    return next(at for at in range(table, table + size * count, size) if struct.unpack_from("<I", data, at)[0] == 1)


def damaged(elf: Path, folder: Path, kind: str) -> Path:
    """A copy of an ELF file with something wrong."""
    data = bytearray(elf.read_bytes())
    if kind == "empty":
        data = bytearray()
    elif kind == "header cut":
        data = data[:30]
    elif kind == "segments cut":
        data = data[:4200]
    elif kind == "program headers cut":
        data = data[:60]
    elif kind == "not an ELF":
        data[:4] = b"\x7fELV"
    elif kind == "64 bits":
        data[4] = 2
    elif kind == "big endian":
        data[5] = 2
    elif kind == "another machine":
        struct.pack_into("<H", data, 18, 62)
    elif kind == "outside the memory":
        struct.pack_into("<II", data, first_load(data) + 8, 0x4000_0000, 0x4000_0000)
    elif kind == "larger than the memory":
        struct.pack_into("<I", data, first_load(data) + 20, 0x0100_0000)
    path = folder / "bad.elf"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    "kind",
    [
        *("empty", "header cut", "program headers cut", "segments cut", "not an ELF", "64 bits", "big endian"),
        *("another machine", "outside the memory", "larger than the memory"),
    ],
)
def test_bad_elf(trapeze: Trapeze, hello: Path, tmp_path: Path, kind: str) -> None:
    bad = damaged(hello, tmp_path, kind)
    path = tmp_path / "r.json"
    said = trapeze("run", bad, "--config", "mcu-clint", "--json", path, "--max-cycles", 100_000)
    assert said.code == 2
    assert "bad.elf" in said.error
    assert said.out == ""
    assert [one.name for one in tmp_path.iterdir()] == ["bad.elf"]


def test_folder_instead_of_elf(trapeze: Trapeze, tmp_path: Path) -> None:
    said = trapeze("run", tmp_path, "--config", "mcu-clint")
    assert said.code == 2
    assert str(tmp_path) in said.error


@pytest.mark.parametrize(
    "options",
    [
        ["--irq", "16@100"],
        ["--irq", "-1@100"],
        ["--irq", "3"],
        ["--irq", "3@x"],
        ["--irq", "3@100:blink"],
        ["--irq", "3@100:pulse=0"],
        ["--sweep", "3@200..100"],
        ["--sweep", "3@100"],
        ["--sweep", "16@100..200"],
        ["--irq", "x@1", "--sweep", "3@100..200"],
        ["--sweep", "3@9000000..9000001", "--max-cycles", "10000000"],
        ["--trace", "x.wave"],
        ["--trace", "/no/such/folder/x.log"],
        ["--trace-from", "100"],
        ["--trace-from", "100", "--trace-to", "50", "--trace", "x.log"],
        ["--uart-in", "/no/such/file"],
        ["--json", "/no/such/folder/x.json"],
    ],
    ids=" ".join,
)
def test_impossible_options(trapeze: Trapeze, hello: Path, tmp_path: Path, options: list[str]) -> None:
    path = tmp_path / "r.json"
    said = trapeze("run", hello, "--config", "mcu-clint", *([] if "--json" in options else ["--json", path]), *options)
    assert said.code == 2
    assert options[0].lstrip("-") in said.error or options[1].split("@")[0] in said.error
    assert not path.exists()


@pytest.mark.parametrize("option", ["--json", "--trace"])
def test_full_disk(trapeze: Trapeze, hello: Path, tmp_path: Path, option: str) -> None:
    target = tmp_path / ("full.json" if option == "--json" else "full.log")
    target.symlink_to("/dev/full")
    said = trapeze("run", hello, "--config", "mcu-clint", option, target)
    assert said.code not in (0, 7)
    assert "no space left" in said.err.lower()
    assert str(target) in said.err
    assert target.is_symlink()


@pytest.mark.parametrize("suffix", ["log", "json", "fst"])
def test_traces(trapeze: Trapeze, hello: Path, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"t.{suffix}"
    assert trapeze("run", hello, "--config", "mcu-clint", "--trace", path).code == 7
    assert path.stat().st_size > 1000
    if suffix == "json":
        assert json.loads(path.read_text())["traceEvents"]


@pytest.mark.parametrize("suffix", ["log", "json", "fst"])
def test_trace_that_does_not_fit(hello: Path, tmp_path: Path, suffix: str) -> None:
    """One line, and nothing half written; here a limit stands for a full disk."""
    command = f"ulimit -f 4; {sys.executable} -m trapeze run {hello} --config mcu-clint --trace t.{suffix}"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith(f"trapeze-sim: error: cannot write trace 't.{suffix}': ")
    assert "File too large; free space" in done.stderr
    assert list(tmp_path.iterdir()) == []
