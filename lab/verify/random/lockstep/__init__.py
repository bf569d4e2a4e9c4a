# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Two engines on one program: running them, the corpus, cutting a failing program down."""
