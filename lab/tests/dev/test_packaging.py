# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`pip install .` gives the command with all it works on; FuseSoC finds and resolves every core."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest
import yaml
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from trapeze.common import paths
from trapeze.platform import cores

PROJECT = tomllib.loads((paths.ROOT / "pyproject.toml").read_text())
PROGRAM = '#include <stdio.h>\nint main(void) { printf("hello\\n"); return 0; }\n'


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a wheel of the repository installs."""
    folder = tmp_path_factory.mktemp("wheel")
    options = ["--no-deps", "--no-build-isolation", "--quiet", "--disable-pip-version-check"]
    subprocess.run([sys.executable, "-m", "pip", "wheel", *options, "-w", folder, str(paths.ROOT)], check=True)
    (wheel,) = folder.glob("trapeze-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def command(installed: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Call the installed package somewhere else."""
    environment = os.environ | {"PYTHONPATH": str(installed), "TRAPEZE_BUILD": str(folder / "cache")}
    line = [sys.executable, "-m", "trapeze", *words]
    return subprocess.run(line, cwd=folder, env=environment, capture_output=True, text=True)


def test_installed_command(installed: Path, tmp_path: Path) -> None:
    """It works outside of the repository, on files of its own."""
    (tmp_path / "main.c").write_text(PROGRAM)
    place = command(installed, tmp_path, "configs")
    assert place.returncode == 0, place.stderr
    assert "mcu-fastirq-e" in place.stdout
    built = command(installed, tmp_path, "cc", "--config", "mcu-fastirq", "main.c", "-o", "main.elf")
    assert built.returncode == 0, built.stderr
    assert (tmp_path / "main.elf").stat().st_size > 1000
    assert (tmp_path / "cache").is_dir()
    doctor = command(installed, tmp_path, "doctor")
    assert "Traceback" not in doctor.stderr


def test_own_configuration_of_an_installed_command(installed: Path, tmp_path: Path) -> None:
    """A file of the user's own is a configuration, and parameters can be set."""
    (tmp_path / "main.c").write_text(PROGRAM)
    (tmp_path / "mine.yaml").write_text(
        "schema: trapeze.config/1\nsummary: mine\nextends: mcu-fastirq\nirq: {lines: 20}\n"
    )
    chosen = ["./mine.yaml", "--set", "banks=4"]
    shown = command(installed, tmp_path, "show", *chosen)
    assert shown.returncode == 0, shown.stderr
    assert "NumBanks" in shown.stdout
    built = command(installed, tmp_path, "cc", "--config", *chosen, "main.c", "-o", "main.elf")
    assert built.returncode == 0, built.stderr


def test_wheel_is_whole(installed: Path) -> None:
    """Every file that the simulator and the firmware are made from is in it, and nothing built."""
    repository = installed / "trapeze" / "repository"
    for room in ("hw", "sim", "fw", "configs", "regs", "bench", "synth"):
        listed = subprocess.run(
            ["git", "ls-files", room], cwd=paths.ROOT, capture_output=True, text=True, check=True
        ).stdout.split()
        lacking = [name for name in listed if not (repository / name).is_file()]
        assert lacking == []
    assert not list(repository.rglob("__pycache__"))
    assert {one.name for one in installed.iterdir()} == {"trapeze", next(installed.glob("trapeze-*.dist-info")).name}
    assert not (repository / "build").exists()


def test_pins_are_those_of_the_lock() -> None:
    lock = [line for line in (paths.LAB / "requirements.lock").read_text().splitlines() if "==" in line]
    assert set(PROJECT["project"]["dependencies"]) <= set(lock)
    assert lock == sorted(lock, key=lambda line: line.lower().replace("_", "-").split("==")[0])


OLDEST = min(one.version for one in SpecifierSet(PROJECT["project"]["requires-python"]))
"""The oldest interpreter that the README promises."""

ON_OLDEST: dict[str, str] = {
    **{key: str(value) for key, value in default_environment().items()},
    **{"python_full_version": OLDEST, "python_version": OLDEST.rpartition(".")[0]},
}
"""The environment in which markers of requirements are read."""


def _pinned() -> dict[str, str]:
    lines = (paths.LAB / "requirements.lock").read_text().splitlines()
    return dict(line.split("==") for line in lines if "==" in line)


def _unfit(name: str, pinned: str, pins: dict[str, str]) -> list[str]:
    """What stands against a pin, by the metadata of the wheel that was installed."""
    wheel = distribution(name)
    takes = SpecifierSet(wheel.metadata["Requires-Python"] or "")
    if not takes.contains(OLDEST):
        return [f"{name} {pinned} wants Python {takes}; pin an older one that takes {OLDEST}"]
    wanted = [Requirement(line) for line in wheel.requires or []]
    due = [one for one in wanted if one.marker is None or one.marker.evaluate(ON_OLDEST | {"extra": ""})]
    found = [(one, pins.get(canonicalize_name(one.name))) for one in due]
    return [
        f"{name} {pinned} requires {one}, pinned is {version}"
        for one, version in found
        if version is None or not one.specifier.contains(version, prereleases=True)
    ]


def test_pins_install_on_the_oldest_python() -> None:
    """Each takes that interpreter; all that it requires there is pinned, and fits."""
    pins = _pinned()
    assert {name: distribution(name).version for name in pins} == pins
    by_name = {canonicalize_name(name): version for name, version in pins.items()}
    assert [line for name, pinned in pins.items() for line in _unfit(name, pinned, by_name)] == []


def test_the_set_up_asks_for_the_oldest_python() -> None:
    """`./trapeze` refuses what is older in words of its own."""
    text = (paths.ROOT / "trapeze").read_text()
    assert f"\noldest={OLDEST} " in text


CORES = sorted(path for room in ("hw", "regs") for path in (paths.ROOT / room).rglob("*.core"))


def test_every_hardware_room_has_a_core() -> None:
    rooms = {path.parent for path in paths.HARDWARE.rglob("rtl") if path.is_dir() and "gen" not in path.parts}
    assert len(rooms) > 5
    assert rooms - {path.parent for path in CORES} == set()


TOPS = [path for path in CORES if "toplevel" in yaml.safe_load(path.read_text())["targets"]["default"]]
"""The others are libraries, resolved with the cores that depend on them."""


@pytest.mark.parametrize("core", TOPS, ids=lambda path: path.stem)
def test_fusesoc_resolves(core: Path, tmp_path: Path) -> None:
    """FuseSoC itself sets the core up, and lists the same sources as our own resolver."""
    name = yaml.safe_load(core.read_text())["name"]
    roots = ["--cores-root", str(paths.HARDWARE), "--cores-root", str(paths.ROOT / "regs")]
    work = ["--work-root", str(tmp_path / "work"), "--target", "default", "--tool", "verilator"]
    tool = Path(sys.executable).parent / "fusesoc"
    environment = os.environ | {"XDG_CONFIG_HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)}
    done = subprocess.run(
        [tool, *roots, "run", "--setup", *work, name], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (listing,) = (tmp_path / "work").glob("*.vc")
    theirs = [Path(line).name for line in listing.read_text().split() if line.endswith((".sv", ".v", ".vlt"))]
    found = cores.Library().resolve(name.rpartition(":")[0], "default", ("tool_verilator",))
    kinds = ("systemVerilogSource", "verilogSource", "vlt")
    assert sorted(theirs) == sorted(path.name for path in found.of_type(*kinds))
