# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What the command lines of random programs share."""

from __future__ import annotations

import argparse


def seed_range(text: str) -> range:
    """The seeds `A..B`, both among them, or the one seed `A`.

    Raises:
        argparse.ArgumentTypeError: the text is no such thing.
    """
    first, _, last = text.partition("..")
    try:
        return range(int(first), int(last or first) + 1)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text}: not a seed range; write A..B") from None
