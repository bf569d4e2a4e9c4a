# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The kind `sim-speed`: simulated cycles a second."""

from __future__ import annotations

from trapeze.experiments.measuring import Kind
from trapeze.experiments.sim_speed import measure

KINDS = {
    "sim-speed": Kind(measure.check, measure.measure),
}
