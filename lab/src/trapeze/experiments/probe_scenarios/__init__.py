# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The kind `probe-scenarios`: the latency probes beside nothing, and beside Linux."""

from __future__ import annotations

from trapeze.experiments import probe_report
from trapeze.experiments.measuring import Kind
from trapeze.experiments.probe_scenarios import figures, measure

KINDS = {
    "probe-scenarios": Kind(measure.check, measure.measure, probe_report.show, figures.figures, measure.prepare, True),
}
