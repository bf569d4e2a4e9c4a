# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The kind `engine-speed`: instructions a second of the engines."""

from __future__ import annotations

from trapeze.experiments.engine_speed import measure
from trapeze.experiments.measuring import Kind

KINDS = {
    "engine-speed": Kind(measure.check, measure.measure, prepare=measure.prepare),
}
