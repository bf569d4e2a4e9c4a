# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The words that random and stress generator make."""

from __future__ import annotations

from collections.abc import Iterator


def xorshift(state: int) -> Iterator[int]:
    """The words that follow a state."""
    while True:
        state ^= state << 13 & 0xFFFF_FFFF
        state ^= state >> 17
        state ^= state << 5 & 0xFFFF_FFFF
        yield state
