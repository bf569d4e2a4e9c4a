# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What `generate.py` is made of: a reader for each kind of source, and a writer for each kind of generated file."""
