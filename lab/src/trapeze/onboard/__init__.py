# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What a running board says of its latency probes over a serial line. Its side of it: `fw/hal/src/probe_report.c`."""
