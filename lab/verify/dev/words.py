# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What no file of the repository may hold: paths of one machine, hosts of package registries, files without licence.

The words are put together here, so that this file does not hold them itself.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from trapeze.common import paths

_FOLDERS = "|".join(f"/{name}/" for name in ("work", "root", "home", "Users"))
_HOSTS = "|".join(("pypi" + r"\.org", "python" + r"hosted\.org", "arti" + "factory", "deb" + r"\.debian\.org"))
FORBIDDEN = {
    "a path of one machine": re.compile(rf"(?<![\w.*}}-])({_FOLDERS}|/tmp/[\w.]*venv)"),
    "a registry's host": re.compile(_HOSTS, re.IGNORECASE),
    "a merge conflict": re.compile(r"^(<{7} |>{7} )", re.MULTILINE),
}
_MARK = re.compile(r"\b(TO" + r"DO|FIX" + r"ME|X" + r"XX)\b")

_LICENSED = {
    *(".c", ".h", ".S", ".cpp", ".hpp", ".ld", ".sv", ".svh", ".vlt", ".rdl", ".py", ".sh", ".yaml", ".yml", ".toml"),
    *(".core", ".cmake"),
}
_NOTICE = "Copyright Trapeze contributors. SPDX-License-Identifier: "
_LICENCE = "Apache-2.0"
_OTHER_LICENCES = {"linux/driver": "GPL-2.0-only", "linux/rpmsg": "GPL-2.0-only"}
"""By folder; each has a file with the text."""

LIMITS = {".sv": 600, ".py": 500, ".cpp": 500, ".h": 500, ".c": 500, ".S": 500}
"""Lines of a file, by suffix; generated files are free."""


def tracked(root: Path = paths.ROOT) -> list[Path]:
    """The files that git tracks or would add; without links, whose targets are among them."""
    command = ["git", "-c", f"safe.directory={root}", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
    found = (root / name for name in listed.split("\0") if name)
    return [path for path in found if path.is_file() and not path.is_symlink()]


def complaints(path: Path, text: str) -> Iterator[str]:
    """What is wrong with a file's text."""
    for what, pattern in FORBIDDEN.items():
        for found in pattern.finditer(text):
            line = text.count("\n", 0, found.start()) + 1
            yield f"{path}:{line}: {what}: {found[0]}"
    if path.suffix in _LICENSED:
        notice = _NOTICE + _OTHER_LICENCES.get(path.parent.as_posix(), _LICENCE)
        if notice not in text[:600]:
            yield f"{path}:1: lacks the line '{notice}'"
        for mark in _MARK.finditer(text):
            yield f"{path}:{text.count(chr(10), 0, mark.start()) + 1}: unfinished: {mark[0]}"
    length = text.count("\n")
    if length > LIMITS.get(path.suffix, length) and "gen" not in path.parts:
        yield f"{path}:{length}: longer than {LIMITS[path.suffix]} lines; make two files of it"


def check(root: Path = paths.ROOT) -> list[str]:
    """All complaints about all files."""
    found: list[str] = []
    for path in tracked(root):
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        found += complaints(path.relative_to(root), text)
    return found
