# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""RTL and model in lockstep: the corpus first, then five million random instructions with interrupts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trapeze.common.edges import Edge
from trapeze.common.errors import TrapezeError
from verify.dev.turns import STANDING
from verify.random import seeds, soak
from verify.random.instructions import isa
from verify.random.lockstep import corpus, engines, shrink
from verify.random.lockstep.engines import Engines, Settings, Verdict
from verify.random.programs import generator

TOTAL = 5_000_000
"""Instructions that are compared by `test_random`."""
CHUNKS = 6
"""Parts for each configuration, which may run side by side."""
SHARE = TOTAL // (CHUNKS * len(engines.configs())) + 1


@pytest.mark.parametrize("entry", corpus.collect(), ids=lambda entry: entry.name)
def test_corpus(entry: corpus.Entry, tmp_path: Path) -> None:
    """What once failed passes, in the cycles it always took."""
    complaint = corpus.complaint(entry, entry.run(Engines.of(entry.config), tmp_path))
    assert complaint is None, complaint


def test_corpus_is_seeded() -> None:
    """There is something in it, small enough to be read."""
    entries = corpus.collect()
    assert len(entries) >= 12
    for entry in entries:
        assert entry.found
        assert len(entry.text.splitlines()) < 200, entry.name


@pytest.mark.slow
@pytest.mark.parametrize("config", engines.configs())
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random(chunk: int, config: str) -> None:
    """Programs of fixed seeds until this part has its share of the instructions."""
    on = Engines.of(config)
    done, seed = 0, 1000 * (chunk + 1)
    while done < SHARE:
        verdict = seeds.check(seed, on)
        done += verdict.instructions
        seed += 1


def test_same_seed_gives_same_program() -> None:
    """A seed names one program and its circumstances."""
    first, again, other = (seeds.make(seed, "mcu-clint", 60) for seed in (5, 5, 6))
    assert first[0].text == again[0].text
    assert first[1] == again[1]
    assert first[0].text != other[0].text
    assert first[1].irq


def test_program_in_parts_is_the_program() -> None:
    """Nothing is outside the parts, and there is one for each block."""
    program = generator.generate(3, isa.RV32I, generator.Options(40, lockstep=True))
    assert program.parts is not None
    assert program.parts.text() == program.text
    assert len(program.parts.blocks) >= 40


def test_settings_survive_being_written() -> None:
    """What the corpus stores is what it reads."""
    settings = Settings((Edge(3, 12), Edge(4, 13, ":pulse=3")), 10, 20, 7, 999)
    assert Settings.parse(str(settings)) == settings
    assert Settings.parse("") == Settings()
    for wrong in ("--sweep 1@2..3", "--seed x"):
        with pytest.raises(TrapezeError, match="none of"):
            Settings.parse(wrong)


def test_corpus_file_needs_its_header(tmp_path: Path) -> None:
    """A file without settings is refused, not run in some other way."""
    path = tmp_path / "bad.s"
    path.write_text("# config: mcu-clint\n")
    with pytest.raises(TrapezeError, match="lacks found, settings"):
        corpus.read(path)


@given(st.lists(st.integers(0, 20), max_size=30), st.sets(st.integers(0, 20), max_size=4))
def test_reduced_is_what_is_needed(items: list[int], needed: set[int]) -> None:
    """Cutting down leaves what fails and nothing besides."""

    def fails(kept: Sequence[int]) -> bool:
        return needed <= set(kept)

    if fails(items):
        assert sorted(shrink.reduced(items, fails)) == sorted(needed)


@pytest.mark.parametrize("hart", ["", "hart 1:\n"], ids=["one-hart", "two-harts"])
def test_report_is_read(hart: str) -> None:
    """What differs, and the cycle up to which a run has to last, whether the report names a hart or not."""
    number = "1 " if hart else ""
    report = f"lockstep: rtl and model disagree after 7 instructions\n{hart}  value of a0: 0x1, follower 0x0\n"
    verdict = Verdict(engines.MISMATCH, None, f"{report}leader:   {number}      4900 M 80000000:\t00000013\tnop", 7)
    assert shrink.signature(verdict) == shrink.signature(replace(verdict, report=report.replace("0x1", "0x2")))
    assert "value of a" in shrink.signature(verdict)
    assert 4900 <= shrink.bounded(Settings(), verdict).max_cycles < 8_000_000


def test_failure_is_kept_cut_down_and_repeatable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A design that gets `sh2add` wrong: the message names seed, command and files, and the small program is small."""
    sound = Engines.of("mcu-clint")

    def run(_engines: Engines, elf: Path, _settings: Settings, _more: Sequence[str] = ()) -> Verdict:
        text = elf.with_suffix(".s").read_text()
        report = "lockstep: rtl and model disagree after 7 instructions\n  value of a0: 0x00000001, follower 0x0\n"
        if "\tsh2add " in text:
            return Verdict(engines.MISMATCH, None, f"{report}leader:      900 M 80000000:\t00000013\tnop", 7)
        return Verdict(engines.PASS, 0, "", 100, 100)

    monkeypatch.setattr(Engines, "run", run)
    monkeypatch.setattr(engines, "kept", lambda config: tmp_path / config)
    with pytest.raises(seeds.LockstepError) as caught:
        seeds.check(1, sound, 120)
    message = str(caught.value)
    assert "again: make soak SEEDS=1 CONFIG=mcu-clint BLOCKS=120" in message
    assert "value of a0" in message
    entry = corpus.read(tmp_path / "mcu-clint" / "1" / "seed-1.s")
    assert str(tmp_path / "mcu-clint" / "1" / "seed-1.s") in message
    assert entry.text.count("sh2add") == 1
    assert entry.settings.irq == ()


def test_soak_reports_what_it_compared(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A short one with given seeds, of the configurations that have engines anyway."""
    monkeypatch.setattr(seeds, "configs", lambda: STANDING)
    monkeypatch.setattr("sys.argv", ["soak", "--seeds", "1..2", "--blocks", "30", "--jobs", "1"])
    assert soak.main() == 0
    said = capsys.readouterr().out
    for config in STANDING:
        assert f"{config}: " in said
    assert f"instructions compared, {2 * len(STANDING)} programs" in said
    assert "0 failures" in said
