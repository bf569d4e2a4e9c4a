# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""How much is taken before it is too much."""

MAX_CYCLES = 1_000_000_000
"""Cycles after which a run ends, unless it is said otherwise."""

MAX_TEXT = 1 << 28
"""Bytes of a file of YAML, TOML or JSON: more than any that is written here."""

FUNCTIONAL_TURN = 1000
"""Instructions that each of several harts of the model executes in turn, in a run that nothing measures or traces."""
