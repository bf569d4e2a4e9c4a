# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Chunks of runs on the workers of a Dask cluster: one of this machine's cores, or one that is there already.

A chunk whose workers died, as often as Dask allows, holds a run that kills them, or was beside one. Its runs are then
made one by one, with nothing else on the cluster: a run is lost only if it alone is the reason.
"""

from __future__ import annotations

import hashlib
import logging
import os
import signal
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import resource_tracker
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from distributed import Client, KilledWorker, LocalCluster, get_worker

from trapeze.campaigns import delivery
from trapeze.campaigns.worker import Chunk, Lacks, Made, work
from trapeze.common.errors import TrapezeError

SECONDS = 4.0
"""That a chunk should take: a kill loses no more, and passing it on takes a thousandth of that."""

FIRST = 4
"""Runs of the first chunks, when nobody knows how long one takes."""

LARGEST = 1000
"""Runs of a chunk."""

IN_FLIGHT = 2
"""Chunks of each worker that were given away: one that runs, one that waits."""

PATIENCE = 10.0
"""Seconds in which the scheduler of a cluster has to answer."""

LOOK = 1.0
"""Seconds without a result after which it is looked whether there are workers."""

GRACE = 10.0
"""Seconds without workers that are not worth a word: one that died is started anew in less."""

LIMIT = 300.0
"""Seconds without workers after which a campaign ends: in five minutes a person has started some."""

DELIVERIES = 10
"""Of the same file to the same worker: a few chunks may ask for it at the same time, and a full disk asks for ever."""

Waiting = Callable[[str | None, str], None]
"""Told again and again why nothing comes, in a few words, and what helps; None: it is over."""


@dataclass(frozen=True)
class _Flying:
    """A chunk that was given away.

    Attributes:
        future: Its result.
        chunk: What is to be made.
        alone: Whether nothing else was given away.
    """

    future: Any
    chunk: Chunk
    alone: bool


def _at_worker(chunk: Chunk) -> tuple[Made | Lacks, str]:
    """What a worker makes of a chunk, and its address."""
    return work(chunk), str(get_worker().address)


class Cluster:
    """Workers.

    Args:
        client: Of their scheduler.
        address: That the user gave; None: the workers are processes of this machine.
        waiting: Told why nothing comes.
        expected: Workers that will be there.
        tend: Called about every `LOOK` seconds, to keep them there.
    """

    def __init__(
        self,
        client: Client,
        address: str | None,
        waiting: Waiting,
        expected: int = 1,
        tend: Callable[[], None] = lambda: None,
    ) -> None:
        self._client = client
        self._address = address
        self._waiting = waiting
        self._expected = expected
        self._tend = tend
        self._size = FIRST
        self._workers = 0
        self._flying: dict[str, _Flying] = {}
        self._suspects: deque[Chunk] = deque()
        self._done: SimpleQueue[str] = SimpleQueue()
        self._delivered: Counter[tuple[str, str]] = Counter()
        self._looked = self._last_seen = time.monotonic()

    def each(self, draw: Callable[[int], Chunk | None]) -> Iterator[tuple[Chunk, Made | None]]:
        """Have chunks made, and give them back in the order in which they are done.

        Args:
            draw: Gives a chunk of as many runs as are asked for, or fewer; None: there are no more.

        Yields:
            A chunk and what came of it; None: it is one run, whose workers died.

        Raises:
            TrapezeError: a worker cannot work, or there is none for `LIMIT` seconds.
        """
        self._look()
        self._give(draw)
        while self._flying:
            flying = self._flying.pop(self._next())
            try:
                made, worker = flying.future.result()
            except KilledWorker:
                self._size = 1  # more of its kind may follow
                if flying.alone:
                    yield flying.chunk, None
                else:
                    self._suspects += (
                        Chunk([run], flying.chunk.files, flying.chunk.simulator) for run in flying.chunk.runs
                    )
            except TrapezeError as error:
                raise TrapezeError(f"{self._named()}{error}", error.exit_code) from None
            except CancelledError:
                raise self._gone() from None
            except Exception as error:
                reason = " ".join(f"{type(error).__name__}: {error}".split())
                raise TrapezeError(
                    f"{self._named()}a worker cannot work: {reason}; scheduler and workers need this version of trapeze"
                ) from None
            else:
                if isinstance(made, Lacks):
                    self._deliver(worker, flying.chunk, made)
                    self._submit(flying.chunk, flying.alone)
                else:
                    self._learn(len(flying.chunk.runs), made.seconds)
                    yield flying.chunk, made
            flying.future.release()
            self._give(draw)

    def _give(self, draw: Callable[[int], Chunk | None]) -> None:
        """Keep the workers busy. A suspect gets them when nothing else is given away, and then for itself."""
        if self._suspects:
            if not self._flying:
                self._submit(self._suspects.popleft(), alone=True)
            return
        if any(one.alone for one in self._flying.values()):
            return
        while (
            len(self._flying) < IN_FLIGHT * max(self._expected, self._workers)
            and (chunk := draw(self._size)) is not None
        ):
            self._submit(chunk, alone=False)

    def _submit(self, chunk: Chunk, alone: bool) -> None:
        future = self._client.submit(_at_worker, chunk, pure=False)
        self._flying[str(future.key)] = _Flying(future, chunk, alone)
        future.add_done_callback(lambda done: self._done.put(str(done.key)))

    def _learn(self, runs: int, seconds: float) -> None:
        """Choose the size of chunks to come by how long one took."""
        wanted = int(SECONDS * runs / max(seconds, 1e-3))
        self._size = max(1, min(wanted, 4 * self._size, LARGEST))

    def _next(self) -> str:
        """The key of the next future that is done; waits for it."""
        while True:
            if time.monotonic() - self._looked >= LOOK:
                self._look()
            try:
                return self._done.get(timeout=LOOK)
            except Empty:
                continue

    def _look(self) -> None:
        """See how many workers there are; say so if there are none, and end it if that lasts.

        Raises:
            TrapezeError: there were none for `LIMIT` seconds, or the connection to the scheduler is lost.
        """
        if self._client.status != "running":
            raise self._gone()
        self._tend()
        scheduler: Any = self._client.scheduler
        try:
            threads = self._client.sync(scheduler.ncores, callback_timeout=PATIENCE)
        except (OSError, TimeoutError):
            threads, what, remedy = {}, "the scheduler does not answer", "see whether it runs, and can be reached"
        else:
            start = f"start some with `dask worker {self._address}`"
            what, remedy = (
                "no worker is there",
                start if self._address else "the processes of this machine start slowly, or end at once",
            )
        self._workers = sum(threads.values())
        self._looked = time.monotonic()
        if self._workers:
            self._last_seen = self._looked
            self._waiting(None, "")
            return
        seconds = self._looked - self._last_seen
        if seconds >= LIMIT:
            raise TrapezeError(
                f"{self._named()}{what} for {seconds:.0f} s; {remedy}; what is done is kept, go on with --resume"
            )
        if seconds >= GRACE:
            self._waiting(f"{what} for {seconds:.0f} s", f"{remedy}; the campaign ends after {LIMIT:.0f} s")

    def _gone(self) -> TrapezeError:
        return TrapezeError(f"{self._named()}the scheduler is gone; what is done is kept, go on with --resume")

    def _named(self) -> str:
        return "" if self._address is None else f"--cluster {self._address}: "

    def _deliver(self, worker: str, chunk: Chunk, lacks: Lacks) -> None:
        """Give a worker the files that it has not.

        Raises:
            TrapezeError: it cannot keep one, or the file is not what it was.
        """
        for path in lacks.paths:
            sha256 = chunk.files[path]
            self._delivered[worker, sha256] += 1
            if self._delivered[worker, sha256] > DELIVERIES:
                raise TrapezeError(f"{self._named()}{worker} was given {path} {DELIVERIES} times, and does not keep it")
            try:
                content = Path(path).read_bytes()
            except OSError as error:
                raise TrapezeError(f"{path}: cannot be read: {(error.strerror or str(error)).lower()}") from None
            if hashlib.sha256(content).hexdigest() != sha256:
                raise TrapezeError(f"{path}: was changed while the campaign runs; go on with --resume")
            answers = self._client.run(
                delivery.keep, Path(path).name, sha256, content, workers=[worker], on_error="return"
            )
            if isinstance(answers.get(worker), TrapezeError):
                raise TrapezeError(f"{self._named()}{worker}: {answers[worker]}")
            # Any other error: the worker is gone, and the chunk goes to another one.


class _Processes:
    """The workers of this machine, a process for each core.

    Dask starts one anew that died, but not one that died while it started: `tend` does that.
    """

    def __init__(self) -> None:
        self.count = os.cpu_count() or 1
        self._dead: set[object] = set()
        resource_tracker.ensure_running()  # the thread that starts it has no signal blocked afterwards
        self.dask = LocalCluster(
            n_workers=0,  # `tend` brings them
            threads_per_worker=1,
            processes=True,
            dashboard_address="127.0.0.1:0",  # None is the port of another campaign
            silence_logs=logging.CRITICAL,
        )

    def tend(self) -> None:
        """Start those that are not there, and in the place of those that were dead the last time, too."""
        self.dask.sync(self._tend)

    async def _tend(self) -> None:
        # What this thread starts leaves Ctrl-C at the terminal to the command, which ends all of them.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        dead = {name for name, nanny in self.dask.workers.items() if not nanny.is_alive()}
        for name in dead & self._dead:
            with suppress(Exception):  # however it ends, it is to be replaced
                await self.dask.workers.pop(name).close()
        self._dead = dead - self._dead
        self.dask.scale(self.count)


@contextmanager
def connected(address: str | None, waiting: Waiting) -> Iterator[Cluster]:
    """A cluster for the time of the block: that at an address, or one of processes, one for each core.

    Args:
        address: Of its scheduler; None: of processes.
        waiting: Told why nothing comes.

    Raises:
        TrapezeError: nothing answers at the address.
    """
    for name in ("distributed", "distributed.client"):  # what matters of a worker's end is in the store
        logging.getLogger(name).setLevel(logging.CRITICAL)
    if address is None:
        processes = _Processes()
        with processes.dask, Client(processes.dask) as client:
            yield Cluster(client, None, waiting, processes.count, processes.tend)
        return
    try:
        client = Client(address, timeout=PATIENCE)
    except (OSError, ValueError, TimeoutError):
        raise TrapezeError(
            f"--cluster {address}: no scheduler answers; start one with `dask scheduler`, and name it tcp://HOST:PORT"
        ) from None
    with client:
        yield Cluster(client, address, waiting)
