# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""A browser without a window, for tests of what it shows: Chromium."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from trapeze.common.errors import TrapezeError

SECONDS = 120
"""After which it hangs."""

SIZE = "2000,3200"
"""Pixels of its window."""


def elements(address: str, folder: Path, milliseconds: int, allow_files: bool = False) -> tuple[str, str]:
    """Open a page and let its own time pass.

    Args:
        address: Of the page, `file:` and all.
        folder: For the browser's own files.
        milliseconds: Of the page's time, which goes faster than ours.
        allow_files: Whether a page from a file may look into another one, as a test's frame has to. Who reads a page
            has a browser that forbids it.

    Returns:
        The page's elements at the end, as HTML, and what the browser complained of, a line each.

    Raises:
        TrapezeError: there is no browser.
    """
    browser = shutil.which("chromium")
    if browser is None:
        raise TrapezeError("chromium is missing; ./trapeze installs it as root", 1)
    options = ["--headless=new", "--no-sandbox", "--disable-gpu", f"--window-size={SIZE}", "--enable-logging=stderr"]
    options += ["--allow-file-access-from-files"] * allow_files
    bounds = [f"--virtual-time-budget={milliseconds}", f"--user-data-dir={folder / 'profile'}"]
    command = [browser, *options, *bounds, "--dump-dom", address]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=True)
    return done.stdout, "\n".join(line for line in done.stderr.splitlines() if ":CONSOLE" in line)
