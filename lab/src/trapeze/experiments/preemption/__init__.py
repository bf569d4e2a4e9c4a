# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The kind `preemption`: which interrupt goes first."""

from __future__ import annotations

from trapeze.experiments.measuring import Kind
from trapeze.experiments.preemption import measure

KINDS = {
    "preemption": Kind(measure.check, measure.measure, beside=True),
}
