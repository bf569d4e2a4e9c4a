# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The kind `timing-accuracy`: cycles of programs on the RTL of a core of others, beside those of our model of it."""

from __future__ import annotations

from trapeze.experiments.measuring import Kind
from trapeze.experiments.timing_accuracy import agreement, measure

KINDS = {
    "timing-accuracy": Kind(measure.check, measure.measure, agreement.show, prepare=measure.prepare, beside=True),
}
