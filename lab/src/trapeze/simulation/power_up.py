# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Seeds for what no reset reaches: registers without reset and memory start with values that follow from one."""

from __future__ import annotations

import datetime
import hashlib

_LIMIT = 2**31 - 1


def seed(*of: object) -> int:
    """A seed that follows from some words; never 0, which means zeros."""
    return int.from_bytes(hashlib.sha256("/".join(map(str, of)).encode()).digest()[:8]) % _LIMIT + 1


def of_today(*of: object) -> int:
    """The same, another one every day."""
    return seed(datetime.date.today().isoformat(), *of)
