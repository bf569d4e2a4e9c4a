# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Linux programs run jobs on the hart beside: every call of the driver, jobs that fault, and a product of matrices."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from trapeze.commandline import cli
from trapeze.common import paths
from trapeze.platform import configurations
from verify.dev.examples import commands, write_files

PROGRAMS = paths.ROOT / "linux" / "tests"
RPC = paths.BENCH / "rpc"
CONFIGS = ("amp-dsp", "amp")
"""With a hart for jobs of 64 bits that doorbells of the CLINT ring, and with one of 32 bits and a mailbox."""


@pytest.fixture(params=CONFIGS)
def config(request: pytest.FixtureRequest) -> str:
    """Each configuration."""
    return str(request.param)


def map_of(config: str) -> list[str]:
    """For addresses of the platform's."""
    name = configurations.load(config).map.upper()
    return [f"-I{paths.ROOT / 'regs' / 'gen' / 'c'}", f"-DTRAPEZE_MAP_{name}=1"]


def made(folder: Path, name: str, *words: str | Path) -> Path:
    """What `trapeze cc` makes of these words."""
    out = folder / name
    assert cli.dispatch(["cc", *map(str, words), "-o", str(out)]) == 0
    return out


def job(config: str, folder: Path, name: str, source: Path) -> Path:
    """A job for the hart beside Linux."""
    return made(folder, name, "--config", config, "--job", source)


def booted(config: str, capfd: pytest.CaptureFixture[str], files: list[Path], *script: str) -> list[str]:
    """Boot, run these commands, and give what they printed, without the kernel's messages."""
    added = [word for file in files for word in ("--add", str(file))]
    capfd.readouterr()
    code = cli.dispatch(["linux", "--config", config, *added, "--run", "; ".join((*script, "poweroff")), "--coherence"])
    console = capfd.readouterr().out.splitlines()
    assert code == 0, console
    return [line for line in console if not line.startswith("[")]


def test_every_call(config: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    files = [
        made(tmp_path, "calls", "--linux", *map_of(config), PROGRAMS / "calls.c"),
        job(config, tmp_path, "calls.job", PROGRAMS / "calls_job.c"),
    ]
    assert booted(config, capfd, files, "/bin/calls /bin/calls.job") == ["PASS"]


def test_jobs_in_flight(config: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    files = [
        made(tmp_path, "flight", "--linux", PROGRAMS / "flight.c"),
        job(config, tmp_path, "calls.job", PROGRAMS / "calls_job.c"),
    ]
    assert booted(config, capfd, files, "/bin/flight /bin/calls.job") == ["PASS"]


def test_what_a_program_can_take(config: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    files = [
        made(tmp_path, "bounds", "--linux", PROGRAMS / "bounds.c"),
        job(config, tmp_path, "calls.job", PROGRAMS / "calls_job.c"),
    ]
    assert booted(config, capfd, files, "/bin/bounds /bin/calls.job") == ["PASS"]


def test_a_crowd_of_processes(config: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    files = [
        made(tmp_path, "crowd", "--linux", PROGRAMS / "crowd.c"),
        job(config, tmp_path, "calls.job", PROGRAMS / "calls_job.c"),
    ]
    (said,) = booted(config, capfd, files, "/bin/crowd /bin/calls.job")
    in_order(said)


def in_order(said: str) -> None:
    """What a crowd says of a thousand jobs and more."""
    counts = re.fullmatch(r"PASS: (\d+) done, (\d+) cancelled, (\d+) over time, 24 processes killed", said)
    assert counts, said
    done, cancelled, over_time = map(int, counts.groups())
    assert done + cancelled + over_time >= 1000
    assert min(done, cancelled, over_time) > 20


def test_ten_thousand_jobs_of_crowds(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """One crowd behind another, on one server and one load of the driver."""
    config = "amp-dsp"
    files = [
        made(tmp_path, "crowd", "--linux", PROGRAMS / "crowd.c"),
        job(config, tmp_path, "calls.job", PROGRAMS / "calls_job.c"),
    ]
    said = booted(config, capfd, files, "; ".join(f"/bin/crowd /bin/calls.job {seed}" for seed in range(100, 110)))
    assert len(said) == 10
    for one in said:
        in_order(one)


def test_a_hundred_loads(config: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    files = [
        made(tmp_path, "loads", "--linux", PROGRAMS / "loads.c"),
        job(config, tmp_path, "calls.job", PROGRAMS / "calls_job.c"),
    ]
    assert booted(config, capfd, files, "/bin/loads /bin/calls.job /lib/modules/trapeze.ko") == ["PASS"]


def test_a_product_of_matrices_and_a_driver_that_is_loaded_again(
    config: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    here = made(tmp_path, "here.o", "--linux", "-c", "-Dmain=dgemm_here", RPC / "dgemm_job.c")
    files = [
        made(tmp_path, "dgemm", "--linux", RPC / "dgemm.c", here),
        job(config, tmp_path, "dgemm.job", RPC / "dgemm_job.c"),
    ]
    again = ["rmmod trapeze", "insmod /lib/modules/trapeze.ko"] * 10
    asked = ["/bin/dgemm /bin/dgemm.job 100", *again, "/bin/dgemm /bin/dgemm.job 9"]
    assert booted(config, capfd, files, *asked) == ["dgemm: 100 x 100: right", "dgemm: 9 x 9: right"]


RESULTS = {
    "int main(void) { return -3; }": -3,
    "signed char main(void) { return -7; }": -7,
    "long main(void) { return 2147483647; }": 2147483647,
    "long long main(void) { return -1099511627781; }": -1099511627781,
    "typedef long long wide; const wide main(void) { return 1LL << 40; }": 1 << 40,
}
"""What main() may be, and what its result is as one of 64 bits."""


def test_a_job_for_another_hart_and_results(config: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Code for another hart, or that says nothing of itself, is not run; results have their sign on either."""
    other = next(one for one in CONFIGS if one != config)
    silent = tmp_path / "silent.job"
    silent.write_bytes(bytes(64))
    files = [
        made(tmp_path, "one", "--linux", PROGRAMS / "one.c"),
        silent,
        job(other, tmp_path, "other.job", PROGRAMS / "calls_job.c"),
        job(config, tmp_path, "own.job", PROGRAMS / "calls_job.c"),
    ]
    for number, text in enumerate(RESULTS):
        source = tmp_path / f"{number}.c"
        source.write_text(text)
        files.append(job(config, tmp_path, f"{number}.job", source))
    said = booted(config, capfd, files, *(f"/bin/one /bin/{file.name}" for file in files[1:]))
    wrong = ["call: Exec format error"] * 2
    assert said == [*wrong, *(f"done: result {result}" for result in (42, *RESULTS.values()))]


@pytest.mark.parametrize(("name", "says"), [("jobs.md", r"\d+ numbers, .*"), ("jobs-library.md", r"\d \w.*: .*")])
def test_the_page(
    config: str,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    says: str,
) -> None:
    """Every command of a page, on each configuration, and what it says is printed, but for where in the code."""
    page = paths.ROOT / "docs" / name
    write_files(page, tmp_path)
    monkeypatch.chdir(tmp_path)
    for command in commands(page):
        words = [config if word == CONFIGS[0] else word for word in shlex.split(command)[1:]]
        assert cli.dispatch(words) == 0

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
    assert booted("amp-dsp", capfd, files, "/bin/mode", *again, "/bin/mode") == ["660", "604"]


def test_the_quota(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """That of the module's parameter; one that is no quota makes no device."""
    files = [
        made(tmp_path, "orphans", "--linux", PROGRAMS / "orphans.c"),
        job("amp-dsp", tmp_path, "calls.job", PROGRAMS / "calls_job.c"),
    ]
    again = "rmmod trapeze; insmod /lib/modules/trapeze.ko quota="
    asked = (f"{again}3", "/bin/orphans /bin/calls.job 4", f"{again}64", "/bin/orphans /bin/calls.job 64")
    assert booted("amp-dsp", capfd, files, *asked) == ["orphans: submit: Resource temporarily unavailable"]
    assert booted("amp-dsp", capfd, files, f"{again}65", "/bin/orphans /bin/calls.job 1", "true") == [
        "orphans: No such file or directory"
    ]
