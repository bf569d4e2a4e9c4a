# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze linux --coherence`: a driver that leaves out one half of its cache maintenance is found out."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from trapeze.commandline import cli
from trapeze.common import paths
from trapeze.linux import module

PROGRAMS = paths.ROOT / "linux" / "tests"
HALVES = (
    (
        "lent_to_job",
        r"hart 1 fetches from .*: hart 0 wrote it at __asm_copy_from_user\+\w+ and has not written the line ",
    ),
    ("lent_from_job", r"hart 0 reads .*: its cache may hold the line as it was before hart 1 wrote it at "),
)
"""Functions of the driver, and what is said of the driver without them."""


@pytest.mark.parametrize(("half", "says"), HALVES)
def test_a_driver_without(
    half: str, says: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The programs pass on the model, which has no caches; test_jobs.py has the driver as it is."""
    driver = shutil.copytree(module.SOURCES, paths.BUILD / "linux" / f"without-{half}", dirs_exist_ok=True)
    source = driver / "buffers.c"
    text = source.read_text()
    head = f"void {half}(const struct lent *lent)\n{{\n"
    assert head in text
    source.write_text(text.replace(head, f"{head}\treturn;\n"))
    monkeypatch.setattr(module, "SOURCES", driver)
    module.sources.cache_clear()
    try:
        program, job = tmp_path / "flight", tmp_path / "calls.job"
        assert cli.dispatch(["cc", "--linux", str(PROGRAMS / "flight.c"), "-o", str(program)]) == 0
        assert cli.dispatch(["cc", "--config", "amp-dsp", "--job", str(PROGRAMS / "calls_job.c"), "-o", str(job)]) == 0
        capfd.readouterr()
        added = ["--add", str(program), "--add", str(job)]
        script = "/bin/flight /bin/calls.job; poweroff"
        code = cli.dispatch(["linux", "--config", "amp-dsp", "--coherence", *added, "--run", script])
    finally:
        module.sources.cache_clear()
    said = capfd.readouterr()
    assert "PASS" in said.out.splitlines()
    assert re.search(f"trapeze-sim: incoherent: {says}", said.err), said.err
    assert code == 126
