# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Chunks of runs on the workers of a Dask cluster: one of this machine's cores, or one that is there already."""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from distributed import Client, KilledWorker, LocalCluster, as_completed

from trapeze.campaigns.worker import Chunk, Made, work
from trapeze.common.errors import TrapezeError

SECONDS = 4.0
"""That a chunk should take: a kill loses no more, and passing it on takes a thousandth of that."""

FIRST = 4
"""Runs of the first chunks, when nobody knows how long one takes."""

LARGEST = 1000
"""Runs of a chunk."""

IN_FLIGHT = 2
"""Chunks of each worker that were given away: one that runs, one that waits."""

PATIENCE = 10
"""Seconds in which the scheduler of a cluster has to answer."""


class Cluster:
    """Workers."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.workers = max(1, sum(client.nthreads().values()))
        self._size = FIRST

    def each(self, draw: Callable[[int], Chunk | None]) -> Iterator[tuple[Chunk, Made | None]]:
        """Have chunks made, and give them back in the order in which they are done.

        Args:
            draw: Gives a chunk of as many runs as are asked for, or fewer; None: there are no more.

        Yields:
            A chunk and what came of it; None: the workers that had it died.

        Raises:
            TrapezeError: a worker cannot work.
        """
        chunks: dict[Any, Chunk] = {}
        done = as_completed()

        def give() -> None:
            if (chunk := draw(self._size)) is not None:
                future = self._client.submit(work, chunk, pure=False)
                chunks[future.key] = chunk
                done.add(future)

        for _ in range(IN_FLIGHT * self.workers):
            give()
        for future in done:
            chunk = chunks.pop(future.key)
            made: Made | None = None
            try:
                made = future.result()
                self._learn(len(chunk.runs), made.seconds)
            except KilledWorker:
                self._size = 1  # so that the run that does it takes no others with it
            future.release()
            give()
            yield chunk, made

    def _learn(self, runs: int, seconds: float) -> None:
        """Choose the size of chunks to come by how long one took."""
        wanted = int(SECONDS * runs / max(seconds, 1e-3))
        self._size = max(1, min(wanted, 4 * self._size, LARGEST))


def _options() -> dict[str, Any]:
    return {
        "n_workers": os.cpu_count() or 1,
        "threads_per_worker": 1,
        "processes": True,
        "dashboard_address": None,
        "silence_logs": logging.CRITICAL,
    }


def _leave_interrupts() -> None:
    """Have a worker leave Ctrl-C at the terminal to the command, which ends all workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def connected(address: str | None) -> Iterator[Cluster]:
    """A cluster for the time of the block: that at an address, or one of processes, one for each core.

    Raises:
        TrapezeError: nothing answers at the address.
    """
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what matters of a worker's end is in the store
    if address is None:
        with LocalCluster(**_options()) as local, Client(local) as client:
            client.run(_leave_interrupts)
            yield Cluster(client)
        return
    try:
        client = Client(address, timeout=PATIENCE)
    except (OSError, ValueError, TimeoutError):
        raise TrapezeError(
            f"--cluster {address}: no scheduler answers; start one with `dask scheduler`, and name it tcp://HOST:PORT"
        ) from None
    with client:
        if not client.nthreads():
            raise TrapezeError(f"--cluster {address}: has no workers; start some with `dask worker {address}`")
        yield Cluster(client)
