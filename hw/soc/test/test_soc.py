# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Tests of the bus matrix, the wait-state inserter, the devices, the SoC with many sources, and a tile alone."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from trapeze.common import processes

HERE = Path(__file__).resolve().parent
GENERATED = HERE.parents[2] / "regs" / "gen"
CORE = "trapeze:hw:soc"
Bench = Callable[..., tuple[int, int]]


@pytest.mark.parametrize(
    ("device_is_memory", "late", "default"), [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 0, 1), (1, 1, 1)]
)
def test_xbar(bench: Bench, monkeypatch: pytest.MonkeyPatch, device_is_memory: int, late: int, default: int) -> None:
    """Arbitration, errors, and random traffic against a memory model."""
    monkeypatch.setenv("DEVICE_IS_MEMORY", str(device_is_memory))
    monkeypatch.setenv("LATE", str(late))
    monkeypatch.setenv("DEFAULT", str(default))
    top, module = HERE / "tb_xbar.sv", HERE / "bench_xbar.py"
    assert bench(CORE, top, module, DeviceIsMemory=device_is_memory, Late=late, Default=default) == (7, 0)


def test_wait(bench: Bench) -> None:
    """Wait states keep data and order, come as often as asked, repeat with the seed, and vanish at chance 0."""
    assert bench(CORE, HERE / "tb_wait.sv", HERE / "bench_wait.py") == (13, 0)


def test_host(bench: Bench) -> None:
    """The finisher ends the program of the hart that writes it, with the right code."""
    assert bench(CORE, HERE.parent / "rtl" / "tz_host.sv", HERE / "bench_host.py", NumHarts=2) == (9, 0)


@pytest.mark.parametrize("depth", [512, 4])
def test_latency(bench: Bench, monkeypatch: pytest.MonkeyPatch, depth: int) -> None:
    """The latency measurement from the bus matrix on: its blocks, its events, the stress generator, the clock."""
    monkeypatch.setenv("REGISTERS", str(GENERATED / "registers.json"))
    monkeypatch.setenv("MEMORY_MAP", str(GENERATED / "maps" / "mcu.json"))
    monkeypatch.setenv("DEPTH", str(depth))
    assert bench(CORE, HERE / "tb_latency.sv", HERE / "bench_latency.py", Depth=depth) == (7, 0)


def test_many_sources(bench: Bench) -> None:
    """From claim to mret with 4096 interrupt sources."""
    assert bench(CORE, HERE / "tb_sources.sv", HERE / "bench_sources.py") == (1, 0)


@pytest.mark.parametrize("default_port", [1, 0])
def test_tile(bench: Bench, monkeypatch: pytest.MonkeyPatch, default_port: int) -> None:
    """A tile alone with a map of its own: an address in none of its ranges is at the default port, or a fault."""
    monkeypatch.setenv("DEFAULT_PORT", str(default_port))
    assert bench(CORE, HERE / "tb_tile.sv", HERE / "bench_tile.py", DefaultPort=default_port) == (3, 0)


@pytest.fixture(scope="module")
def turns_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The simulator's model of a memory's turns, as a library."""
    library = tmp_path_factory.mktemp("turns") / "turns.so"
    include = HERE.parents[2] / "sim"
    compiler = shutil.which("c++") or "c++"
    source = HERE / "port_turns.cpp"
    words = [compiler, "-std=c++20", "-shared", "-fPIC", f"-I{include}", str(source), "-o", str(library)]
    processes.run(words, check=True)
    return library


@pytest.mark.parametrize("turn", [0, 1, 2, 4])
def test_memory_port(bench: Bench, monkeypatch: pytest.MonkeyPatch, turns_library: Path, turn: int) -> None:
    """Line transfers and a tile's accesses at one memory: data, the longest wait, and the simulator's model of it."""
    monkeypatch.setenv("TURN", str(turn))
    monkeypatch.setenv("TURNS_LIBRARY", str(turns_library))
    assert bench(CORE, HERE / "tb_memory_port.sv", HERE / "bench_memory_port.py", Turn=turn) == (2, 0)
