# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`python -m trapeze`, what the launcher starts."""

import sys

from trapeze.commandline.cli import main

sys.exit(main())
