# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Linux programs call prepared jobs without the kernel: channels, the ends of calls and of programs, and restarts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from trapeze.commandline import cli
from trapeze.common import paths
from trapeze.firmware import toolchain
from trapeze.linux import image, layout
from trapeze.platform import configurations

PROGRAMS = paths.ROOT / "linux" / "tests"
CONFIGS = ("amp-dsp", "amp")

FIRST, EVERY = 40_000_000, 6_234_567
"""Instructions of the run until the program calls, and from one reset to the next."""

RESTARTS = 20

START, STEP = 2_100_000, 20_011
"""Instructions from a reset until just before the server has made its ring, and a part of what Linux needs then."""

SLACK = 6_000_000

MANY = 200


def run(
    config: str, folder: Path, capfd: pytest.CaptureFixture[str], script: str, *words: str
) -> tuple[int, list[str], str]:
    """Boot with the programs and their jobs, and give the exit code, what they print, and what the simulator says."""
    added = []
    for name in ("callers", "resets"):
        assert cli.dispatch(["cc", "--linux", str(PROGRAMS / f"{name}.c"), "-o", str(folder / name)]) == 0
        added += ["--add", str(folder / name)]
    for name in ("called", "counted"):
        source, job = PROGRAMS / f"{name}_job.c", folder / f"{name}.job"
        assert cli.dispatch(["cc", "--config", config, "--job", str(source), "-o", str(job)]) == 0
        added += ["--add", str(job)]
    capfd.readouterr()
    code = cli.dispatch(["linux", "--config", config, *added, *words, "--run", f"{script}; poweroff"])
    said = capfd.readouterr()
    return code, [line for line in said.out.splitlines() if not line.startswith("[")], said.err


def resets(at: Iterable[int]) -> list[str]:
    """Words that reset the other hart at these instructions."""
    return [word for one in at for word in ("--restart", str(one))]


def booted(config: str, folder: Path, capfd: pytest.CaptureFixture[str], script: str, *words: str) -> list[str]:
    """What the program prints in a run without an error, and with all that caches need."""
    code, out, error = run(config, folder, capfd, script, "--coherence", *words)
    assert code == 0, (out, error)
    return out


@pytest.mark.parametrize("config", CONFIGS)
def test_calls_and_channels(config: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Every end of a call; nine programs at eight channels; programs that are killed or close in mid-call."""
    script = "; ".join(f"/bin/callers /bin/called.job {case}" for case in ("calls", "channels", "calls"))
    assert booted(config, tmp_path, capfd, script) == ["PASS"] * 3


@pytest.mark.parametrize("config", CONFIGS)
def test_prepared_jobs_and_drops(config: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """All that can be prepared take no room of jobs in flight; a drop returns when it is done, or by a signal."""
    script = "; ".join(f"/bin/callers /bin/called.job {case}" for case in ("quota", "signals"))
    assert booted(config, tmp_path, capfd, script) == ["PASS"] * 2


@pytest.mark.parametrize("config", CONFIGS)
def test_restarts_under_calls(config: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Callers that spin and callers that sleep hear of each, and the next server answers."""
    script = f"RESTARTS={RESTARTS} /bin/resets /bin/called.job restarts"
    assert booted(config, tmp_path, capfd, script, *resets(FIRST + number * EVERY for number in range(RESTARTS))) == [
        "PASS"
    ]


@pytest.mark.parametrize("config", CONFIGS)
def test_restarts_while_linux_recovers(config: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A crash in mid-call, and the next one while the server makes its ring, or while Linux ends what is lost."""
    first = [FIRST + number * EVERY for number in range(RESTARTS)]
    second = [at + START + number * STEP for number, at in enumerate(first)]
    script = f"UNTIL={first[-1] + SLACK} /bin/resets /bin/called.job restarts"
    assert booted(config, tmp_path, capfd, script, *resets(sorted(first + second))) == ["PASS"]


def once(config: str, folder: Path, capfd: pytest.CaptureFixture[str], count: int) -> None:
    """Count what runs under so many resets; without coherence, as a reset loses what the cache had of a count."""
    at = [FIRST + number * EVERY for number in range(count)]
    script = f"UNTIL={at[-1] + SLACK} /bin/resets /bin/counted.job once"
    code, out, error = run(config, folder, capfd, script, *resets(at), "--max-cycles", str(2 * at[-1]))
    assert (code, out) == (0, ["PASS"]), error


@pytest.mark.parametrize("config", CONFIGS)
def test_nothing_runs_twice(config: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A server loaded anew finds no old call and no old entry of the ring, and no end comes twice."""
    once(config, tmp_path, capfd, RESTARTS)


@pytest.mark.prove
@pytest.mark.parametrize("config", CONFIGS)
def test_a_ring_left_half_way(config: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """As above, with resets at so many instructions of what both sides do with an entry."""
    once(config, tmp_path, capfd, MANY)


@pytest.mark.parametrize("config", CONFIGS)
def test_a_second_open_while_the_first_dies(config: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Its channel, its calls and its memory are its own."""
    assert booted(config, tmp_path, capfd, "/bin/callers /bin/called.job dying") == ["PASS"]


CALLS = "/bin/callers /bin/called.job calls"
NOT_WRITTEN = "hart 1 reads .*: hart 0 wrote it at .* and has not written the line back"
NOT_DROPPED = "hart {} reads .*: its cache may hold the line as it was before hart {} wrote it"
DIRTY = "the cache of hart 1 may hold the line dirty, which hart 1 wrote"


@pytest.mark.parametrize(
    ("operation", "says"), [("1", NOT_WRITTEN), ("0", NOT_DROPPED.format(0, 1))], ids=["clean", "inval"]
)
def test_a_library_without(
    operation: str, says: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of its cache instructions: the incoherence is found."""
    settings: dict[str, Any] = deepcopy(layout.settings())
    sources = settings["program"]["library"]
    (calls,) = (one for one in sources if one.endswith("trapeze_calls.c"))
    text = (paths.ROOT / calls).read_text()
    use = f'CACHE_LINES("{operation}", '
    assert text.count(use) == 1
    (tmp_path / "trapeze_calls.c").write_text(text.replace(use, f"if (0) {use}"))
    settings["program"]["library"] = [str(tmp_path / "trapeze_calls.c") if one == calls else one for one in sources]
    monkeypatch.setattr(image, "settings", lambda: settings)
    code, _, error = run("amp-dsp", tmp_path, capfd, CALLS, "--coherence")
    assert re.search(f"incoherent: {says}", error), error
    assert code == 126


@pytest.mark.parametrize(
    ("kind", "says"), [("FRESH", NOT_DROPPED.format(1, 0)), ("WANTED", DIRTY)], ids=["fresh", "wanted"]
)
def test_a_server_without(kind: str, says: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Its half for a kind of range: the incoherence is found."""
    header, firmware = tmp_path / "trapeze" / "channel.h", tmp_path / "server.elf"
    header.parent.mkdir()
    header.write_text(
        f"#include_next <trapeze/channel.h>\n#undef TRAPEZE_RANGE_{kind}\n#define TRAPEZE_RANGE_{kind} 0u\n"
    )
    toolchain.build(configurations.load("amp-dsp"), [], firmware, [f"-I{tmp_path}"], "freertos-jobs")
    code, _, error = run("amp-dsp", tmp_path, capfd, CALLS, "--coherence", "--firmware", str(firmware))
    assert re.search(says, error), error
    assert code == 126
