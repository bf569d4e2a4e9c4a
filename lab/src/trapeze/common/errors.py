# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The one exception a user may see, and the near-match hints that go into it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class TrapezeError(Exception):
    """Something the user can mend: one line that names the thing and the remedy.

    Args:
        message: The line, without a final full stop or line break.
        exit_code: Of the process: 2 for bad input, 1 for a check that failed.
    """

    def __init__(self, message: str, exit_code: int = 2) -> None:
        super().__init__(message)
        self.exit_code = exit_code


def choices(wrong: str, known: Iterable[str]) -> str:
    """Suggest what the user may have meant.

    Args:
        wrong: What was given.
        known: The valid choices.

    Returns:
        `did you mean 'x'? choices: x, y`, the first part only with a near match.
    """
    names = sorted(known)
    by_case = {name.lower(): name for name in names}
    near = difflib.get_close_matches(wrong.lower(), by_case, n=1, cutoff=0.55)
    hint = f"did you mean '{by_case[near[0]]}'? " if near else ""
    return f"{hint}choices: {', '.join(names) or 'none'}"
