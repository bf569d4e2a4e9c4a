# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Figures: statistics of samples, rows, result files, budgets, and how two results differ."""
