# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The simulator as a process: built on demand, run, its records and traces read."""
