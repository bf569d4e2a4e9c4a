# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Where things are in the repository."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
"""The root of the repository this package is part of."""

BUILD = ROOT / "build"
CONFIGS = ROOT / "configs"
BENCH = ROOT / "bench"
HARDWARE = ROOT / "hw"
FIRMWARE = ROOT / "fw"
SIMULATOR = ROOT / "sim"
LAB = ROOT / "lab"
SCHEMAS = Path(__file__).resolve().parent / "schemas"
MAP = ROOT / "regs" / "gen" / "map.json"
