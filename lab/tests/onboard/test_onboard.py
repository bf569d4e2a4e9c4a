# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze probe`: a simulated board gives the rows of the simulation; what goes wrong at a port is one line each."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from trapeze import experiment_files
from trapeze.commandline.probe import case_of
from trapeze.experiments.probe import measure
from trapeze.onboard import lines
from trapeze.onboard.lines import Damaged, Foreign, Line, Splitter
from trapeze.platform import configurations
from trapeze.results import store
from trapeze.simulation import simulator
from trapeze.simulation.options import Options
from verify.dev.boards import BUILT_FOR, Reply, line, pretended, simulated
from verify.dev.testing import Trapeze

EXPERIMENT = experiment_files.load("probe")
CASES = {case.id: case for case in EXPERIMENT.cases}
SAMPLES = 60


def simulation(name: str, stress: int) -> list[dict[str, Any]]:
    """The rows of the experiment that a board has, too, from a simulation of the same firmware."""
    asked = case_of(EXPERIMENT, CASES[name].config, SAMPLES, stress)
    options = (f"-DSAMPLES={SAMPLES}U", f"-DSTRESS={stress}U")
    case = replace(asked, sources=CASES[name].sources, id=f"test/onboard-{asked.id}", options=options)
    outcome = simulator.measure(case.firmware("probe"), case.config, Options(max_cycles=measure.MAX_CYCLES))
    measured = measure.evaluate(outcome.console, outcome.run, case)
    made = measure.rows(asked, EXPERIMENT, measured)
    return [row.to_json() for row in made if row.metric in ("latency", "time")]


@pytest.mark.parametrize("name", ["fastirq/ilp32/idle", "clint/ilp32/idle"])
def test_a_board_gives_the_rows_of_the_simulation(trapeze: Trapeze, tmp_path: Path, name: str) -> None:
    """Number, every statistic, histogram, ids, labels: all but the engine; also of a second measurement."""
    case = replace(CASES[name], id=f"test/onboard-{name}", options=("-DON_REQUEST=1",))
    expected = [row | {"engine": "board"} for stress in (0, 128) for row in simulation(name, stress)]
    with simulated(case.firmware("probe"), case.config.name) as port:
        for number in range(2):
            path = tmp_path / f"{number}.json"
            said = trapeze("probe", port, "--samples", SAMPLES, "--json", path, "--config", case.config.name)
            assert said.code == 0, said.err
            found = store.load(path)
            assert found["rows"] == expected
    assert found["experiment"] == "probe"
    assert found["configurations"][case.config.name] == case.config.to_json()
    assert {row["labels"]["load"] for row in found["rows"]} == {"idle", "stress"}
    assert all(row["n"] == SAMPLES for row in found["rows"])
    assert "Standalone A53 *" in said.out


def test_rows_of_the_experiment_keep_their_ids() -> None:
    """Of the paper's number of samples the rows are those of the experiment, so that one budget holds for both."""
    for case in EXPERIMENT.cases:
        asked = case.own["probe"]
        assert case_of(EXPERIMENT, case.config, asked["samples"], asked["stress"]) == case
    other = case_of(EXPERIMENT, configurations.load("mcu-fastirq-4banks"), 400, 128)
    assert (other.id, other.labels["load"]) == ("mcu-fastirq-4banks/stress", "stress")


def good(sent: list[bytes], asked: int) -> Sequence[bytes]:
    del asked
    return sent


def first_spoiled(sent: list[bytes], asked: int) -> Sequence[bytes]:
    """Of the first answer one line has lost a byte."""
    return [*sent[:3], sent[3].replace(b"00", b"0", 1), *sent[4:]] if asked == 0 else sent


def first_lost(sent: list[bytes], asked: int) -> Sequence[bytes]:
    return [*sent[:3], *sent[4:]] if asked == 0 else sent


def reset_once(sent: list[bytes], asked: int) -> Sequence[bytes]:
    return [*sent[:4], b"\xff\x00Boot\n", line(f"ready {BUILT_FOR}")] if asked == 0 else sent


def among_others(sent: list[bytes], asked: int) -> Sequence[bytes]:
    """Something else prints between the lines, also without a line break."""
    del asked
    return [part for one in sent for part in (b"[ 0.1] task @ 7: hello * ", one, b"\xf0\r\n")]


@pytest.mark.parametrize("reply", [good, first_spoiled, first_lost, reset_once, among_others])
def test_what_is_mended(trapeze: Trapeze, tmp_path: Path, reply: Reply) -> None:
    path, csv, page = tmp_path / "r.json", tmp_path / "r.csv", tmp_path / "page"
    with pretended(reply, before=b"half of a li@tzprobe 1 t2 first=0 00") as port:
        said = trapeze("probe", port, "--samples", 40, "--json", path, "--csv", csv, "--html", page)
    assert said.code == 0, said.err
    rows = {(row["id"], row["metric"]): row for row in store.load(path)["rows"]}
    t2 = rows["fastirq/ilp32/idle-40/t2", "latency"]
    assert t2["histogram"] == [[100 + i, 1] for i in range(40)]
    assert rows["fastirq/ilp32/idle-40/t1", "latency"]["histogram"] == [[32, 40]]
    assert t2["us"]["clock_mhz"] == 25
    assert t2["us"]["max"] == 139 / 25
    assert len(csv.read_text().splitlines()) == 1 + len(rows)
    assert "fastirq/ilp32/stress-40" in (page / "index.html").read_text()


def spoiled(sent: list[bytes], asked: int) -> Sequence[bytes]:
    del asked
    return [*sent[:3], sent[3].replace(b" 00", b" 01", 1), *sent[4:]]


def truncated(sent: list[bytes], asked: int) -> Sequence[bytes]:
    return sent[:3] if asked == 0 else []


def unknown(sent: list[bytes], asked: int) -> Sequence[bytes]:
    del sent, asked
    return [line("begin of=something", version=2)]


def refused(sent: list[bytes], asked: int) -> Sequence[bytes]:
    del sent, asked
    return [line("refused memory")]


def wrong(sent: list[bytes], asked: int) -> Sequence[bytes]:
    del asked
    lines_between = len(sent) - 2
    return [*sent[:-1], line(f"end right=0 lines={lines_between}")]


def prompt(sent: list[bytes], asked: int) -> Sequence[bytes]:
    del sent, asked
    return [b"\x1b[92;1mlitex\x1b[0m> "]


def echo(sent: list[bytes], asked: int) -> Sequence[bytes]:
    """A shell, or a modem."""
    del asked
    found = re.search(rb"number=\d+ samples=\d+ stress=\d+", sent[0])
    assert found is not None
    return [line(f"measure {found[0].decode()}")]


def starts_again(sent: list[bytes], asked: int) -> Sequence[bytes]:
    del asked
    return [*sent[:4], line(f"ready {BUILT_FOR}")]


def never_ready(sent: list[bytes], asked: int) -> Sequence[bytes]:
    """It starts again before it answers."""
    del sent, asked
    return [line(f"ready {BUILT_FOR}")] * 3


def silent(sent: list[bytes], asked: int) -> Sequence[bytes]:
    del sent, asked
    return []


def no_checksum(sent: list[bytes], asked: int) -> Sequence[bytes]:
    del asked
    return [one.replace(b" *", b" *0", 1) for one in sent]


def of_another(sent: list[bytes], asked: int) -> Sequence[bytes]:
    """A program for a configuration that only its owner has."""
    del asked
    number = re.search(r"number=\d+ samples=40 stress=\d+", sent[0].decode())
    assert number is not None
    return [line(f"begin {number[0]} clock=0 config=mine isa=rv32i"), *sent[1:]]


def of_other_lines(sent: list[bytes], asked: int) -> Sequence[bytes]:
    del asked
    text = sent[0].decode().strip().partition(" *")[0].removeprefix("@tzprobe 1 ")
    return [line(re.sub(r" lines=\d+", " lines=7", text)), *sent[1:]]


@pytest.mark.parametrize(
    ("reply", "options", "says"),
    [
        (spoiled, (), "of each of 3 answers something got lost, .* see to its cable"),
        (truncated, (), "answers something got lost|the answer stopped after 32 of 80 samples, .*; reset the board"),
        (unknown, (), "speaks version 2 of the protocol, and this command version 1; build the program anew"),
        (refused, (), r"refuses to measure this \(memory\); ask for fewer samples"),
        (wrong, (), "idle: the board's program found something wrong: wrong 0; nothing of it is a figure"),
        (prompt, (), r"something else talks there \('.*litex.*>'\), .*; load the program"),
        (echo, (), r"something else talks there \('an echo of what this command sends'\)"),
        (starts_again, (), "of each of 3 answers something got lost, or the board started again meanwhile"),
        (never_ready, (), r"the board says that it has started \(3 times\), but does not answer for 1 s; see that"),
        (silent, (), "nothing came for 1 s; reset the board, see that its program is the one of docs/howto/measure-a-"),
        (no_checksum, (), r"\d+ lines came with wrong checksums, and no whole one for 1 s; see to the cable"),
        (good, ("--config", "mcu-clint"), "built for mcu-fastirq, not for mcu-clint; give --config mcu-fastirq, or"),
        (of_another, (), "built for 'mine', which is none of Trapeze's configurations; give its file with --config"),
        (of_other_lines, (), "built for another mcu-fastirq, with lines=7; give the same --set, or build"),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_what_is_not(trapeze: Trapeze, tmp_path: Path, reply: Reply, options: Sequence[str], says: str) -> None:
    """One line that names the port and the remedy; no file, no folder."""
    files = ("--json", tmp_path / "r.json", "--csv", tmp_path / "r.csv", "--html", tmp_path / "page")
    with pretended(reply) as port:
        said = trapeze("probe", port, "--samples", 40, "--timeout", 1, *options, *files)
    assert said.code == 1
    errors = [text for text in said.err.splitlines() if text.startswith("trapeze: error:")]
    assert len(errors) == 1
    assert re.match(rf"trapeze: error: {port}: .*({says})", errors[0]), errors[0]
    assert "Traceback" not in said.err
    assert [*tmp_path.iterdir()] == []


def test_ports_that_are_none(trapeze: Trapeze, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("kept")
    host, peer = os.openpty()
    gone = os.ttyname(peer)
    os.close(peer)
    os.close(host)
    for port, says in (
        (tmp_path / "nothing", "no such port; connect the board, or name another one"),
        (gone, "no such port; connect the board"),
        (file, "is no serial port; name one, such as /dev/ttyUSB0"),
        (tmp_path, "is no serial port"),
        ("/dev/null", "cannot be used as a serial port: "),
    ):
        said = trapeze("probe", port, "--json", tmp_path / "r.json")
        assert (said.code, said.err.count("\n")) == (2, 1), said.err
        assert said.err.startswith(f"trapeze: error: {port}: {says}"), said.err
    assert file.read_text() == "kept"
    assert not (tmp_path / "r.json").exists()


def test_a_port_that_another_program_uses(trapeze: Trapeze) -> None:
    import serial

    with pretended(good) as port, serial.Serial(port, exclusive=True):
        said = trapeze("probe", port)
    assert said.code == 2
    assert said.err == f"trapeze: error: {port}: another program uses it; close that, such as a terminal\n"


def test_bad_options(trapeze: Trapeze, tmp_path: Path) -> None:
    for options, says in (
        (("--config", "mcu-clit"), "did you mean 'mcu-clint'"),
        (("--set", "banks=4"), "--set: of which configuration? give --config, too"),
        (("--json", tmp_path / "no" / "r.json"), "the folder"),
        (("--samples", 1), "samples"),
    ):
        said = trapeze("probe", "/dev/null", *options)
        assert said.code == 2
        assert says in said.err


def test_lines() -> None:
    """Whatever is cut off or changed in a line, it is not taken for a whole one."""
    whole = lines.written("begin", "number=7").strip()
    assert lines.understood(whole) == Line(1, ("begin", "number=7"))
    assert lines.understood(b"noise " + whole + b"\r") == Line(1, ("begin", "number=7"))
    for place in range(len(whole)):
        for changed in (whole[:place] + whole[place + 1 :], whole[:place] + b"\x07" + whole[place + 1 :]):
            assert not isinstance(lines.understood(changed), Line)
    splitter = Splitter()
    found = [said for place in range(len(whole)) for said in splitter.take(whole[place : place + 1])]
    assert found == []
    assert splitter.take(b"\nlitex> ") == [Line(1, ("begin", "number=7"))]
    assert splitter.unfinished == b"litex> "
    assert splitter.take(b"@tz\n\n") == [Damaged()]
    assert splitter.take(b"ok\n") == [Foreign(b"ok")]
