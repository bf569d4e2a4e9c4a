# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The kind `iterations`: programs that count for themselves."""

from __future__ import annotations

from trapeze.experiments.iterations import measure, report
from trapeze.experiments.measuring import Kind

KINDS = {
    "iterations": Kind(measure.check, measure.measure, figures=report.figures, beside=True),
}
