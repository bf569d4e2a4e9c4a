# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Linux programs call prepared jobs without the kernel: channels, the ends of calls and of programs, and restarts."""

from __future__ import annotations

import re
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from trapeze.commandline import cli
from trapeze.common import paths
from trapeze.firmware import toolchain
from trapeze.linux import image
from trapeze.platform import configurations

PROGRAMS = paths.ROOT / "linux" / "tests"
CONFIGS = ("amp-dsp", "amp")

FIRST, EVERY = 40_000_000, 6_234_567
"""Instructions of the run until the program calls, and from one reset to the next."""

RESTARTS = 20


def run(
    config: str, folder: Path, capfd: pytest.CaptureFixture[str], script: str, *words: str
) -> tuple[int, list[str], str]:
    """Boot with the program and its job, and give the exit code, what it prints, and what the simulator says."""
    program, job = folder / "callers", folder / "called.job"
    assert cli.dispatch(["cc", "--linux", str(PROGRAMS / "callers.c"), "-o", str(program)]) == 0
    assert cli.dispatch(["cc", "--config", config, "--job", str(PROGRAMS / "called_job.c"), "-o", str(job)]) == 0
    capfd.readouterr()
    added = ["--add", str(program), "--add", str(job), "--coherence"]
    code = cli.dispatch(["linux", "--config", config, *added, *words, "--run", f"{script}; poweroff"])
    said = capfd.readouterr()
    return code, [line for line in said.out.splitlines() if not line.startswith("[")], said.err


def booted(config: str, folder: Path, capfd: pytest.CaptureFixture[str], script: str, *words: str) -> list[str]:
    """What the program prints in a run without an error."""
    code, out, error = run(config, folder, capfd, script, *words)
    assert code == 0, (out, error)
    return out


@pytest.mark.parametrize("config", CONFIGS)
def test_calls_and_channels(config: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Every end of a call; nine programs at eight channels; programs that are killed or close in mid-call."""
    script = "; ".join(f"/bin/callers /bin/called.job {case}" for case in ("calls", "channels", "calls"))
    assert booted(config, tmp_path, capfd, script) == ["PASS"] * 3


@pytest.mark.parametrize("config", CONFIGS)
def test_restarts_under_calls(config: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Callers that spin and callers that sleep hear of each, and the next server answers."""
    words = [word for number in range(RESTARTS) for word in ("--restart", str(FIRST + number * EVERY))]
    script = f"RESTARTS={RESTARTS} /bin/callers /bin/called.job restarts"
    assert booted(config, tmp_path, capfd, script, *words) == ["PASS"]


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
    settings: dict[str, Any] = deepcopy(image.settings())
    sources = settings["program"]["library"]
    (calls,) = (one for one in sources if one.endswith("trapeze_calls.c"))
    text = (paths.ROOT / calls).read_text()
    use = f'CACHE_LINES("{operation}", '
    assert text.count(use) == 1
    (tmp_path / "trapeze_calls.c").write_text(text.replace(use, f"if (0) {use}"))
    settings["program"]["library"] = [str(tmp_path / "trapeze_calls.c") if one == calls else one for one in sources]
    monkeypatch.setattr(image, "settings", lambda: settings)
    code, _, error = run("amp-dsp", tmp_path, capfd, CALLS)
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
    code, _, error = run("amp-dsp", tmp_path, capfd, CALLS, "--firmware", str(firmware))
    assert re.search(says, error), error
    assert code == 126
