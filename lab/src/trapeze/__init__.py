# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The laboratory of Trapeze: command line, experiments, statistics and reports.

It depends on `trapeze-sim` and its JSON records, never on the inside of the simulator.
"""

__version__ = "0.1.0"
