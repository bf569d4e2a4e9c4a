# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The sequence of words that the random generator and the stress generator produce."""

from __future__ import annotations

from collections.abc import Iterator


def xorshift(state: int) -> Iterator[int]:
    """Words that follow a state of the generator."""
    while True:
        state ^= state << 13 & 0xFFFF_FFFF
        state ^= state >> 17
        state ^= state << 5 & 0xFFFF_FFFF
        yield state
