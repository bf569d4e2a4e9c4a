# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Every directed test of fw/tests: in lockstep without and with random wait states, and on QEMU."""

from __future__ import annotations

from pathlib import Path

import pytest

from trapeze.common.errors import TrapezeError
from trapeze.platform import configurations as config
from trapeze.simulation import power_up
from verify.dev import directed as firmware
from verify.dev.directed import Directed

TESTS = firmware.collect()
ON_RTL = [
    pytest.param(test, name, id=f"{test.name}-{name}")
    for test in TESTS
    for name in test.configs
    if "rtl" in test.engines
]
ON_QEMU = [pytest.param(test, name, id=f"{test.name}-{name}") for test in TESTS for name in firmware.on_qemu(test)]
FOR_THE_CLIC = [pytest.param(test, id=test.name) for test in TESTS if test.name.startswith("clic_")]
WITH_A_STAGE = [
    pytest.param(test, id=test.name)
    for test in TESTS
    if test.name.startswith(("clic_", "rtos_")) and "mcu-clic" in test.configs and "rtl" in test.engines
]
OF_FASTIRQ = [
    pytest.param(test, id=test.name)
    for test in TESTS
    if test.name.startswith(("fast_bound", "rtos_")) and "mcu-fastirq" in test.configs and "rtl" in test.engines
]
NO_WAIT = (0, 0, 0)
WAITS = [(90, 0, 1), (0, 90, 2), (140, 140, 3)]
"""For fetches, for data, for both."""

ALONE = ("probe_stress",)
"""Tests that do not run in lockstep: stress is a matter of the hardware's bus, the model has none."""
OWN_WAITING = ("atomic_", "irq_unmask_wfi", "probe_", "suclic_wfi")
"""Beginnings of tests of what the model decides by itself where no RTL leads it: when to go on, what it measures."""
ON_THE_MODEL = [param for param in ON_RTL if str(param.id).startswith(OWN_WAITING) and "absent" not in str(param.id)]


def _engine(test: Directed) -> str:
    """Lockstep, so that a run is judged by the test and by the model."""
    return "rtl" if test.name.startswith(ALONE) else "lockstep"


def _wait(test: Directed, name: str) -> tuple[int, int, int]:
    """The wait states that a test and a configuration have today: each kind on one day of three."""
    return WAITS[power_up.of_today(test.name, name) % len(WAITS)]


@pytest.mark.parametrize(("test", "name"), ON_RTL)
def test_rtl(test: Directed, name: str) -> None:
    assert firmware.run_rtl(test, config.load(name), NO_WAIT, engine=_engine(test)) is None


@pytest.mark.parametrize(("test", "name"), ON_RTL)
def test_rtl_with_wait_states(test: Directed, name: str) -> None:
    assert firmware.run_rtl(test, config.load(name), _wait(test, name), engine=_engine(test)) is None


@pytest.mark.parametrize(("test", "name"), [param for param in ON_THE_MODEL if not str(param.id).startswith(ALONE)])
def test_model(test: Directed, name: str) -> None:
    assert firmware.run_rtl(test, config.load(name), NO_WAIT, engine="model") is None


@pytest.mark.parametrize("suffix", ["", "-e"])
@pytest.mark.parametrize("test", FOR_THE_CLIC)
def test_clic_firmware_where_fastirq_is_off(test: Directed, suffix: str) -> None:
    target, origin = config.load(f"mcu-fastirq{suffix}"), config.load(f"mcu-clic{suffix}")
    assert firmware.run_rtl(test, target, NO_WAIT, built_for=origin) is None


@pytest.mark.parametrize("test", WITH_A_STAGE)
def test_clic_firmware_with_a_stage_in_the_tree(test: Directed) -> None:
    """Above all the kernel, which reads back what it has made pending, and then counts on being interrupted."""
    assert firmware.run_rtl(test, config.load("mcu-clic-pipelined"), NO_WAIT, engine="lockstep") is None


@pytest.mark.parametrize("test", OF_FASTIRQ)
def test_fastirq_firmware_with_whole_frames(test: Directed) -> None:
    """One program for both kinds of frames: the kernel's port and bound tasks find out which they have."""
    target, origin = config.load("mcu-fastirq-whole"), config.load("mcu-fastirq")
    for wait in (NO_WAIT, _wait(test, target.name)):
        assert firmware.run_rtl(test, target, wait, built_for=origin, engine="lockstep") is None


@pytest.mark.parametrize(("test", "name"), ON_QEMU)
def test_qemu(test: Directed, name: str) -> None:
    assert firmware.run_qemu(test, config.load(name)) is None


def test_there_are_tests() -> None:
    assert len(TESTS) > 30


def test_variants_are_for_those_that_name_them(tmp_path: Path) -> None:
    path = tmp_path / "x.c"
    path.write_text("/* trapeze-test\nsummary: x\n*/")
    assert list(firmware.read(path).configs) == config.names(variants=False, several_harts=False)


@pytest.mark.parametrize(
    ("metadata", "says"),
    [
        ("", "has no comment"),
        ("/* trapeze-test\nsumary: x\n*/", "unknown key 'sumary'; did you mean 'summary'|missing key 'summary'"),
        ("/* trapeze-test\nsummary: x\nengines: [rtl]\n*/", "missing key 'qemu'"),
        ("/* trapeze-test\nsummary: x\nengines: [rtl, spike]\nqemu: x\n*/", "'spike' is not a choice"),
        ("/* trapeze-test\nsummary: [\n*/", "not YAML"),
        ("/* trapeze-test\nsummary: x\nexpect: a\nexpect_regex: a\n*/", "metadata"),
    ],
)
def test_wrong_metadata(tmp_path: Path, metadata: str, says: str) -> None:
    path = tmp_path / "x.c"
    path.write_text(metadata)
    with pytest.raises(TrapezeError, match=says):
        firmware.read(path)


def test_cases_of_a_source(tmp_path: Path) -> None:
    """Each is a test of its own: what it does not say is the source's."""
    path = tmp_path / "end.c"
    path.write_text(
        "/* trapeze-test\nsummary: x\nconfig: [mcu-clint]\nargs: [-O2]\nexit: 1\ncases:\n"
        "  one: {exit: 3}\n  other_way: {engines: [rtl], qemu: why}\n*/"
    )
    one, other = firmware.cases(path)
    assert (one.name, one.exit, one.args, one.engines) == ("end_one", 3, ("-O2", "-DCASE_ONE"), ("rtl", "qemu"))
    assert (other.name, other.exit, other.engines) == ("end_other_way", 1, ("rtl",))
    assert one.path == other.path == path
    path.write_text("/* trapeze-test\nsummary: x\ncases:\n  one: {exit: 3}\n  two: {engines: [rtl]}\n*/")
    with pytest.raises(TrapezeError, match="qemu"):
        firmware.cases(path)


def test_an_interrupt_again_and_again(tmp_path: Path) -> None:
    path = tmp_path / "x.c"
    path.write_text('/* trapeze-test\nsummary: x\nirq: ["1@5", {edge: "3@100:pulse", times: 3, every: 7}]\n*/')
    assert [str(one) for one in firmware.read(path).irq] == ["1@5", "3@100:pulse", "3@107:pulse", "3@114:pulse"]


def test_complaints(tmp_path: Path) -> None:
    path = tmp_path / "x.c"
    path.write_text("/* trapeze-test\nsummary: x\nexit: 3\nexpect: |\n  a\n*/")
    test = firmware.read(path)
    assert test.complaint(3, "a\n") is None
    assert "exit code 0, expected 3" in str(test.complaint(0, "a\n"))
    assert "instead of" in str(test.complaint(3, "b\n"))
    path.write_text("/* trapeze-test\nsummary: x\nexpect_regex: 'a+\\n'\n*/")
    test = firmware.read(path)
    assert test.complaint(0, "aaa\n") is None
    assert "does not match" in str(test.complaint(0, "aaab\n"))
