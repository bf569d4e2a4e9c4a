# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The examples of the book's pages: files that a page shows, and the commands that it tells to run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from trapeze.common import paths

PROGRAM = '#include <stdio.h>\nint main(void) { printf("hello\\n"); return 0; }\n'
"""What a page means by `main.c` where it does not show one."""

_BLOCK = re.compile(r"(?:^|\n)([^\n]*)\n+```(\w*)\n(.*?)\n```", re.DOTALL)
_NAMED = re.compile(r"`([\w./-]+\.\w+)`:?$")
_COMMAND = re.compile(
    r"^(\./trapeze|trapeze |make|gdb-multiarch|\(gdb\)|cmake|fusesoc|\$ |git clone|echo |podman |python3 )"
)


def blocks(page: Path) -> Iterator[tuple[str, str, str]]:
    """The fenced blocks of a page: the line before, the language, the content."""
    for found in _BLOCK.finditer(page.read_text()):
        yield found[1], found[2], found[3]


def commands(page: Path) -> list[str]:
    """The commands of a page, without comments; lines that go on are joined."""
    found = []
    for _, language, text in blocks(page):
        if language in ("", "sh", "console"):
            found += commands_of(text)
    return found


def commands_of(block: str) -> list[str]:
    """The commands of a block."""
    lines = block.replace("\\\n", " ").splitlines()
    return [re.sub(r"\s+#.*$", "", line).strip() for line in lines if _COMMAND.match(line)]


def expected(page: Path, command: str) -> int:
    """The exit code that a page announces in a comment behind a command."""
    said = re.search(re.escape(command) + r"\s+# exit code (\d+)", page.read_text())
    return int(said[1]) if said else 0


def write_files(page: Path, folder: Path) -> None:
    """What a page shows as the content of files, and the folders that its commands name."""
    (folder / "main.c").write_text(PROGRAM)
    for name in ("trapeze", "bench", "fw"):
        (folder / name).symlink_to(paths.ROOT / name)
    tutorial = paths.ROOT / "docs" / "getting-started.md"
    for source in (tutorial, page):
        for before, _, text in blocks(source):
            named = re.match(r"# ([\w-]+\.toml)\n", text) or _NAMED.search(before)
            name = named[1] if named else ""
            if name and "/" not in name:
                (folder / name).write_text(text + "\n")
