# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The kind `probe`: the latency probes on the chip."""

from __future__ import annotations

from trapeze.experiments import probe_report as report
from trapeze.experiments.measuring import Kind
from trapeze.experiments.probe import measure

KINDS = {
    "probe": Kind(measure.check, measure.measure, report.show, report.figures, beside=True),
}
