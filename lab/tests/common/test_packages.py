# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Packages in the words of the distribution at hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from trapeze.common import packages, paths
from trapeze.common.errors import TrapezeError

RELEASES = {
    "debian": 'NAME="Debian GNU/Linux"\nID=debian\n',
    "ubuntu": 'NAME="Ubuntu"\nID=ubuntu\nID_LIKE=debian\n',
    "mint": '# a comment\n\nNAME="Linux Mint"\nID=linuxmint\nID_LIKE="ubuntu debian"\n',
    "fedora": 'NAME="Fedora Linux"\nVERSION="44 (Workstation)"\nID=fedora\n',
    "rhel": 'NAME="Red Hat Enterprise Linux"\nID="rhel"\nID_LIKE="fedora"\n',
    "arch": 'NAME="Arch Linux"\nID=arch\n',
}
"""What os-release says there."""


def here(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> packages.Distribution:
    """The distribution that its os-release makes of this one."""
    (folder / "os-release").write_text(RELEASES[name])
    monkeypatch.setattr(packages, "RELEASE", folder / "os-release")
    return packages.distribution()


@pytest.mark.parametrize(
    ("name", "package", "remedy"),
    [
        ("debian", "cargo-web", "apt-get install cargo-web"),
        ("ubuntu", "cargo-web", "apt-get install cargo"),
        ("ubuntu", "g++", "apt-get install g++"),
        ("ubuntu", "chromium", "Ubuntu has no package; snap install chromium"),
        ("mint", "cargo-web", "apt-get install cargo"),
        ("fedora", "g++", "dnf install gcc-c++"),
        ("fedora", "cmake", "dnf install cmake"),
        ("fedora", "gdb-multiarch", "dnf install gdb; then ln -s gdb /usr/bin/gdb-multiarch"),
        ("rhel", "zlib1g-dev", "dnf install zlib-devel"),
        ("arch", "g++", "install Debian package g++"),
    ],
)
def test_remedy(name: str, package: str, remedy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert here(name, tmp_path, monkeypatch).remedy(package) == remedy


def test_no_bare_metal_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says what to do instead, and does not try to install what does not exist."""
    fedora = here("fedora", tmp_path, monkeypatch)
    assert fedora.remedy("picolibc-riscv64-unknown-elf").startswith(
        "Fedora Linux has no package; trapeze in a container"
    )
    assert fedora.command(["picolibc-riscv64-unknown-elf", "make"]) == "dnf install make"
    assert fedora.command(["picolibc-riscv64-unknown-elf"]) == ""
    monkeypatch.setattr(packages, "place", lambda _: None)
    with pytest.raises(TrapezeError, match=r"trapeze linux: linux-source: Fedora Linux has no package"):
        packages.need(["linux-source", "bc"], "trapeze linux", "for the kernel")


def test_no_os_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "RELEASE", tmp_path / "none")
    assert packages.distribution().remedy("g++") == "install Debian package g++"


def test_what_to_run_by_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is not root gets the distribution's own command."""
    here("fedora", tmp_path, monkeypatch)
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    monkeypatch.setattr(packages, "place", lambda _: None)
    with pytest.raises(TrapezeError, match=r"--rtos: cargo not found .*; as root run: dnf install cargo"):
        packages.need(["cargo-web"], "--rtos", "fetches sources")


def test_every_name_is_one_of_debian() -> None:
    """The list of other names has no package that the list of packages does not have, and says what is to be said."""
    known = {name for name, _ in packages.listed("run", "test", *packages.ON_DEMAND)}
    lines = (paths.LAB / "distributions.txt").read_text().splitlines()
    rows = [line.split(None, 3) for line in lines if line.strip() and not line.startswith("#")]
    assert {row[1] for row in rows} <= known | {"*"}
    assert [row for row in rows if row[2] == "-" and len(row) < 4] == []
    assert len({(row[0], row[1]) for row in rows}) == len(rows)
