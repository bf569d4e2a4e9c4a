# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Several runs of a tool at a time; what they find out is in the cache then."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed

Progress = Callable[[int, int], None]
"""Called with how much is done, of how much."""


def together(
    work: Sequence[Callable[[], object]],
    progress: Progress,
    most: int | None = None,
    stop: threading.Event | None = None,
) -> None:
    """Do all of it, as many at a time as the machine has processors. What fails does not keep the rest from being done.

    Args:
        work: What to do.
        progress: Told how many are done.
        most: Largest number at a time, if it is not the number of processors.
        stop: Set when the whole work is interrupted, while parts that have begun come to their end.

    Raises:
        TrapezeError: the first that failed, when all is done.
        KeyboardInterrupt: no further part begins.
    """
    progress(0, len(work))
    with ThreadPoolExecutor(max_workers=most or os.cpu_count() or 1) as pool:
        futures = [pool.submit(one) for one in work]
        failed: list[Exception] = []
        try:
            for done, future in enumerate(as_completed(futures), 1):
                try:
                    future.result()
                except Exception as error:
                    failed.append(error)
                progress(done, len(work))
        except BaseException:
            if stop is not None:
                stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    if failed:
        raise failed[0]
