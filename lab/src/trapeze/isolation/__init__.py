# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Hostile attempts of a program against the partition that it runs in."""
