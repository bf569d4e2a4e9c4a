# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""How results are shown: tables, figures in the terminal, pages."""
