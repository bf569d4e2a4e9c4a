# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Linux programs run jobs on the hart beside: every call of the driver, jobs that fault, and a product of matrices."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from trapeze.commandline import cli
from trapeze.common import paths
from trapeze.dev.examples import commands, write_files

PROGRAMS = paths.ROOT / "linux" / "tests"
RPC = paths.BENCH / "rpc"
MAP = [f"-I{paths.ROOT / 'regs' / 'gen' / 'c'}", "-DTRAPEZE_MAP_AMP_DSP=1"]
"""For addresses of the platform's."""


def made(folder: Path, name: str, *words: str | Path) -> Path:
    """What `trapeze cc` makes of these words."""
    out = folder / name
    assert cli.dispatch(["cc", *map(str, words), "-o", str(out)]) == 0
    return out


def job(folder: Path, name: str, source: Path) -> Path:
    """A job for the hart beside Linux."""
    return made(folder, name, "--config", "amp-dsp", "--job", source)


def booted(capfd: pytest.CaptureFixture[str], files: list[Path], *script: str) -> list[str]:
    """Boot, run these commands, and give what they printed, without the kernel's messages."""
    added = [word for file in files for word in ("--add", str(file))]
    capfd.readouterr()
    code = cli.dispatch(["linux", "--config", "amp-dsp", *added, "--run", "; ".join((*script, "poweroff"))])
    console = capfd.readouterr().out.splitlines()
    assert code == 0, console
    return [line for line in console if not line.startswith("[")]


def test_every_call(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    files = [
        made(tmp_path, "calls", "--linux", *MAP, PROGRAMS / "calls.c"),
        job(tmp_path, "calls.job", PROGRAMS / "calls_job.c"),
    ]
    assert booted(capfd, files, "/bin/calls /bin/calls.job") == ["PASS"]


def test_jobs_in_flight(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    files = [
        made(tmp_path, "flight", "--linux", PROGRAMS / "flight.c"),
        job(tmp_path, "calls.job", PROGRAMS / "calls_job.c"),
    ]
    assert booted(capfd, files, "/bin/flight /bin/calls.job") == ["PASS"]


def test_a_crowd_of_processes(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    files = [
        made(tmp_path, "crowd", "--linux", PROGRAMS / "crowd.c"),
        job(tmp_path, "calls.job", PROGRAMS / "calls_job.c"),
    ]
    (said,) = booted(capfd, files, "/bin/crowd /bin/calls.job")
    counts = re.fullmatch(r"PASS: (\d+) done, (\d+) cancelled, (\d+) over time, 24 processes killed", said)
    assert counts, said
    done, cancelled, over_time = map(int, counts.groups())
    assert done + cancelled + over_time >= 1000
    assert min(done, cancelled, over_time) > 20


def test_a_hundred_loads(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    files = [
        made(tmp_path, "loads", "--linux", PROGRAMS / "loads.c"),
        job(tmp_path, "calls.job", PROGRAMS / "calls_job.c"),
    ]
    assert booted(capfd, files, "/bin/loads /bin/calls.job /lib/modules/trapeze.ko") == ["PASS"]


def test_a_product_of_matrices_and_a_driver_that_is_loaded_again(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    here = made(tmp_path, "here.o", "--linux", "-c", "-Dmain=dgemm_here", RPC / "dgemm_job.c")
    files = [
        made(tmp_path, "dgemm", "--linux", RPC / "dgemm.c", here),
        job(tmp_path, "dgemm.job", RPC / "dgemm_job.c"),
    ]
    again = ["rmmod trapeze", "insmod /lib/modules/trapeze.ko"] * 10
    asked = ["/bin/dgemm /bin/dgemm.job 100", *again, "/bin/dgemm /bin/dgemm.job 9"]
    assert booted(capfd, files, *asked) == ["dgemm: 100 x 100: right", "dgemm: 9 x 9: right"]


@pytest.mark.parametrize(("name", "says"), [("jobs.md", r"\d+ numbers, .*"), ("jobs-library.md", r"\d \w.*: .*")])
def test_the_page(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str, says: str
) -> None:
    """Every command of a page, and what it says that the program prints, but for where in the code."""
    page = paths.ROOT / "docs" / name
    write_files(page, tmp_path)
    monkeypatch.chdir(tmp_path)
    for command in commands(page):
        assert cli.dispatch(shlex.split(command)[1:]) == 0

    def anywhere(text: str) -> str:
        return re.sub(r"at code \+ 0x\w+", "at code + ...", text)

    wanted = re.findall(rf"^    ({says})$", page.read_text(), re.MULTILINE)
    said = anywhere(capfd.readouterr().out).splitlines()
    assert wanted
    assert [line for line in said if line in map(anywhere, wanted)] == [*map(anywhere, wanted)]


def test_the_mode_of_the_device(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "mode.c"
    source.write_text(
        "#include <stdio.h>\n#include <sys/stat.h>\n"
        'int main(void) { struct stat s; stat("/dev/trapeze", &s); printf("%o\\n", s.st_mode & 07777); }\n'
    )
    files = [made(tmp_path, "mode", "--linux", source)]
    again = ("rmmod trapeze", "insmod /lib/modules/trapeze.ko mode=0604")
    assert booted(capfd, files, "/bin/mode", *again, "/bin/mode") == ["660", "604"]
