# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Linux' own remoteproc and rpmsg with the hart beside, by `linux/rpmsg` and `fw/rpmsg`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from trapeze.commandline import cli
from trapeze.common import paths
from trapeze.common.errors import TrapezeError
from trapeze.firmware import toolchain
from trapeze.platform import configurations

pytestmark = pytest.mark.prove

FIRMWARE = paths.FIRMWARE / "rpmsg"
SOURCES = [FIRMWARE / "src" / "rpmsg.c", FIRMWARE / "src" / "vring.c"]
WORDS = [
    f"-I{FIRMWARE / 'include'}",
    f"-I{paths.ROOT / 'regs' / 'jobs'}",
    "-Wall",
    "-Wextra",
    "-Wconversion",
    "-Werror",
]
TRIPS = re.compile(r" *(\d+) bytes, (\d+) round trips: min (\d+) p50 (\d+) p99 (\d+) max (\d+) cycles")
FROM, BETWEEN, RESTARTS = 24_000_000, 4_007, 2000
"""Restarts, in instructions of the run: while messages are on the way."""

MODULE = "/lib/modules/trapeze.ko"


@pytest.fixture
def echo(tmp_path: Path) -> Path:
    """The other hart's program, which sends every message back."""
    return toolchain.build(configurations.load("amp"), [FIRMWARE / "echo.c", *SOURCES], tmp_path / "echo.elf", WORDS)


@pytest.fixture
def messages(tmp_path: Path) -> Path:
    """The program of Linux."""
    made = tmp_path / "messages"
    assert cli.dispatch(["cc", "--linux", str(paths.ROOT / "bench" / "rpc" / "messages.c"), "-o", str(made)]) == 0
    return made


def trips(lines: list[str]) -> list[tuple[int, int]]:
    """Of each line of the program of Linux: bytes and number of the messages."""
    found = [TRIPS.fullmatch(line) for line in lines]
    return [(int(one[1]), int(one[2])) for one in found if one]


def test_echoes(echo: Path, messages: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """More messages than buffers, every byte compared; then again after a second attachment, which finds new rings."""
    again = "rmmod trapeze_rpmsg && insmod {} && /bin/messages /dev/rpmsg0 40; s=$?; dmesg; exit $s"
    script = f"/bin/messages /dev/rpmsg0 100 && {again.format(MODULE)}"
    capfd.readouterr()
    words = ["--config", "amp", "--coherence", "--firmware", str(echo), "--add", str(messages), "--run", script]
    code = cli.dispatch(["linux", *words])
    said = capfd.readouterr()
    console = said.out.replace("\r", "").splitlines()
    assert code == 0, said
    assert trips(console) == [(size, number) for number in (100, 40) for size in (16, 64, 256, 496)]
    assert said.out.count("remote processor hart is now attached") >= 2
    assert said.out.count("creating channel rpmsg-raw addr 0x190") >= 2


def test_a_restart_in_the_middle(echo: Path, messages: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The other hart's program is loaded anew, wherever it is: no message is lost, and none is answered twice."""
    times = range(FROM, FROM + RESTARTS * BETWEEN, BETWEEN)
    restarts = [word for at in times for word in ("--restart", str(at))]
    capfd.readouterr()
    words = ["--config", "amp", "--firmware", str(echo), "--add", str(messages), *restarts]
    code = cli.dispatch(["linux", *words, "--run", "/bin/messages /dev/rpmsg0 400"])
    said = capfd.readouterr()
    assert code == 0, said
    assert len(trips(said.out.replace("\r", "").splitlines())) == 4
    assert said.out.count("[hart 1] echo: begins") == 1 + RESTARTS


def test_both_ways_at_once(echo: Path, tmp_path: Path) -> None:
    """The mailbox has one driver."""
    source = tmp_path / "both.c"
    source.write_text("void jobs_start(void); void jobs_start(void) {}\n")
    both = toolchain.build(
        configurations.load("amp"),
        [FIRMWARE / "echo.c", source, *SOURCES],
        tmp_path / "both.elf",
        [*WORDS, "-Wl,--undefined=jobs_start"],
    )
    with pytest.raises(TrapezeError, match=r"both\.elf: has both jobs_start\(\) and rpmsg_start\(\); leave one"):
        cli.dispatch(["linux", "--config", "amp", "--firmware", str(both), "--run", "true"])
    assert echo.exists()
