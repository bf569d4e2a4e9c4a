# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Campaigns: every combination of lists of parameters, each a run, on many cores, kept in a store."""
