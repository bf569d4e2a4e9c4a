# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Several runs of a tool at a time; what they find out is in the cache then."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed

from trapeze.simulator import Progress


def together(work: Sequence[Callable[[], object]], progress: Progress, most: int | None = None) -> None:
    """Do all of it, as many at a time as the machine has processors.

    Args:
        work: What to do.
        progress: Told how many are done.
        most: At a time, if there is another limit.

    Raises:
        TrapezeError: the first that failed; what has not begun does not begin.
    """
    progress(0, len(work))
    with ThreadPoolExecutor(max_workers=most or os.cpu_count() or 1) as pool:
        futures = [pool.submit(one) for one in work]
        try:
            for done, future in enumerate(as_completed(futures), 1):
                future.result()
                progress(done, len(work))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
