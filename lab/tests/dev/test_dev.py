# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The tools of developers: forbidden words, counting of tests, the launcher."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from trapeze.common import paths
from verify.dev import words
from verify.dev.suite import Count, junit

NOTICE = "# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0\n"


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.py", NOTICE + "path = '/" + "work/x'\n", "a.py:2: a path of one machine"),
        ("a.md", "see /" + "home/me/x\n", "a.md:1: a path of one machine"),
        ("a.md", "get it from pypi" + ".org\n", "a registry's host"),
        ("a.py", "x = 1\n", "lacks the line"),
        ("a.c", "/* " + NOTICE[2:] + "*/\n// TO" + "DO: x\n", "a.c:3: unfinished"),
        ("a.py", NOTICE + "\n" * 500, "longer than 500 lines"),
        ("a.sv", "// " + NOTICE[2:] + "\n" * 601, "longer than 600 lines"),
    ],
)
def test_words(name: str, text: str, says: str) -> None:
    found = list(words.complaints(Path(name), text))
    assert len(found) == 1
    assert says in found[0]


def test_good_words() -> None:
    text = NOTICE + "build/work/x, a/root/b, homework\n"
    assert list(words.complaints(Path("a.py"), text)) == []
    assert list(words.complaints(Path("regs/gen/a.h"), "/* " + NOTICE[2:] + "*/" + "\n" * 900)) == []


def test_counting(tmp_path: Path) -> None:
    path = tmp_path / "r.xml"
    path.write_text(
        "<testsuites><testsuite><testcase/><testcase><failure/></testcase>"
        "<testcase><skipped message='no root'/></testcase>"
        "<testcase><error/></testcase><testcase status='notrun'/></testsuite></testsuites>"
    )
    found = junit(path, 1)
    assert (found.passed, found.failed, found.skipped) == (1, 2, 2)
    assert found.reasons == {"no root": 1, "says no reason": 1}
    assert junit(tmp_path / "none.xml", 3) == Count(0, 1)
    path.write_text("<testsuites><testsuite><testcase/></testsuite></testsuites>")
    assert junit(path, 0) == Count(1, 0)
    assert junit(path, 2) == Count(1, 1)


def copy(folder: Path) -> Path:
    """The launcher in a repository of its own that was never set up."""
    (folder / "lab" / "src").mkdir(parents=True)
    for name in ("trapeze", "lab/requirements.lock", "lab/packages.txt", "lab/distributions.txt"):
        (folder / name).write_bytes((paths.ROOT / name).read_bytes())
    (folder / "trapeze").chmod(0o755)
    return folder / "trapeze"


def tools(folder: Path, **scripts: str) -> dict[str, str]:
    """An environment whose path begins with these scripts."""
    folder.mkdir()
    for name, text in scripts.items():
        path = folder / name.replace("_", "-")
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
    return os.environ | {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}


def launch(launcher: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Start a launcher."""
    return subprocess.run([launcher, "--version"], env=environment, capture_output=True, text=True)


def test_launcher_names_missing_packages(tmp_path: Path) -> None:
    environment = tools(tmp_path / "bin", dpkg_query="exit 1", id="echo 1000")
    done = launch(copy(tmp_path / "repo"), environment)
    assert done.returncode == 2
    assert "missing packages; as root run: apt-get install" in done.stderr
    assert "gcc-riscv64-unknown-elf" in done.stderr
    assert "qemu" not in done.stderr


def test_launcher_installs_as_root(tmp_path: Path) -> None:
    environment = tools(tmp_path / "bin", dpkg_query="exit 1", id="echo 0", apt_get='echo "$@"; exit 100')
    done = launch(copy(tmp_path / "repo"), environment | {"TRAPEZE_GROUPS": "run test"})
    assert done.returncode == 2
    assert "apt-get failed" in done.stderr
    assert "qemu-system-misc" in done.stderr


@pytest.mark.parametrize("release", ["ID=ubuntu\nID_LIKE=debian\n", 'ID=linuxmint\nID_LIKE="ubuntu debian"\n'])
def test_launcher_uses_names_of_the_distribution(tmp_path: Path, release: str) -> None:
    """A name that it does not know would make apt-get install nothing at all."""
    (tmp_path / "os-release").write_text(release)
    environment = tools(tmp_path / "bin", dpkg_query="exit 1", id="echo 1000")
    environment |= {"TRAPEZE_OS_RELEASE": str(tmp_path / "os-release"), "TRAPEZE_GROUPS": "test rtos linux"}
    done = launch(copy(tmp_path / "repo"), environment)
    named = done.stderr.split()
    assert {"cargo", "spin", "libgtest-dev", "bc"} <= set(named)
    assert not {"cargo-web", "chromium", "linux-source", "-"} & set(named)


def test_launcher_without_os_release(tmp_path: Path) -> None:
    environment = tools(tmp_path / "bin", dpkg_query="exit 1", id="echo 1000")
    environment |= {"TRAPEZE_OS_RELEASE": str(tmp_path / "none"), "TRAPEZE_GROUPS": "rtos"}
    assert "cargo-web" in launch(copy(tmp_path / "repo"), environment).stderr.split()


def test_launcher_without_python(tmp_path: Path) -> None:
    environment = tools(tmp_path / "bin", dpkg_query="echo installed")
    done = launch(copy(tmp_path / "repo"), environment | {"TRAPEZE_PYTHON": "no-such-python"})
    assert done.returncode == 2
    assert "no-such-python not found" in done.stderr


PYTHON = """\
if [ "$1" = -c ]; then exit 0; fi
echo "$@" >>"$MADE"
mkdir -p "$3/bin"
printf '#!/bin/sh\\necho %s\\n' "$3/bin" >"$3/bin/python"
chmod +x "$3/bin/python"
"""
"""An interpreter that makes virtual environments of nothing but an interpreter, which names its place."""


def test_a_checkout_that_was_moved_or_copied(tmp_path: Path) -> None:
    """The virtual environment names the old place in each script: it is made again, once."""
    environment = tools(tmp_path / "bin", dpkg_query="echo installed", fake_python=PYTHON)
    environment |= {"TRAPEZE_PYTHON": "fake-python", "MADE": str(tmp_path / "made")}
    old, new, other = (tmp_path / name for name in ("old", "new", "other"))

    def place(root: Path) -> str:
        done = launch(root / "trapeze", environment)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    copy(old)
    assert place(old) == place(old) == str(old / "build" / "venv" / "bin")
    old.rename(new)
    assert place(new) == place(new) == str(new / "build" / "venv" / "bin")
    shutil.copytree(new, other)
    assert place(other) == str(other / "build" / "venv" / "bin")
    assert len((tmp_path / "made").read_text().splitlines()) == 3
