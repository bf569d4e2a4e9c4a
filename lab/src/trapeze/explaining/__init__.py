# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Why an interrupt took as long as it did, from the trace of a run that shows it again."""
