# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The kind `irq-latency`: from the edge to the handler, in every cycle of a program."""

from __future__ import annotations

from trapeze.experiments.irq_latency import measure
from trapeze.experiments.measuring import Kind

KINDS = {
    "irq-latency": Kind(measure.check, measure.measure, beside=True),
}
