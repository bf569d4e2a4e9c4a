# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The C library of jobs, compiled for this machine: what it does without a driver."""

from __future__ import annotations

import subprocess
from pathlib import Path

from trapeze.common import paths

SIZES = """\
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include <trapeze_jobs.h>

int main(void)
{
	static const size_t sizes[] = {0, 1, 4096, 4097, SIZE_MAX / 2, SIZE_MAX / 2 + 1, SIZE_MAX / 2 + 2, SIZE_MAX};

	(void)alarm(5);
	for (unsigned int i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct trapeze_job job = {0};

		errno = 0;
		(void)trapeze_buffer(-1, sizes[i]);
		printf("%zx %d ", trapeze_buffer_bytes(sizes[i]), errno == ENOMEM);
		(void)trapeze_job_pass(&job, NULL, sizes[i], 0);
		printf("%llx\\n", (unsigned long long)job.regions[0].bytes);
	}
	return 0;
}
"""


def run(folder: Path, text: str) -> list[str]:
    """The lines of a program with the library, but for calls, which have instructions of the harts."""
    source, program = folder / "program.c", folder / "program"
    source.write_text(text)
    library = paths.ROOT / "linux" / "lib"
    folders = (library, paths.ROOT / "linux" / "driver", paths.ROOT / "regs" / "jobs")
    words = ["gcc", "-std=gnu17", "-Wall", "-Werror", *(f"-I{one}" for one in folders), str(source)]
    subprocess.run(
        [*words, *(str(one) for one in library.glob("*.c") if one.name != "trapeze_calls.c"), "-o", str(program)],
        check=True,
    )
    return subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()


def test_sizes_that_no_memory_has(tmp_path: Path) -> None:
    """Such as a product that has overflowed: an error at once, and a region that is not empty."""
    said = run(tmp_path, SIZES)
    half = 1 << 63
    assert [line.split() for line in said] == [
        ["1000", "0", "0"],
        ["1000", "0", "40"],
        ["1000", "0", "1000"],
        ["2000", "0", "1040"],
        [f"{half:x}", said[4].split()[1], f"{half:x}"],
        [f"{half:x}", said[5].split()[1], f"{half:x}"],
        ["0", "1", f"{half + 64:x}"],
        ["0", "1", f"{(1 << 64) - 64:x}"],
    ]


TIMES = """\
#include <errno.h>
#include <stdio.h>

#include <trapeze_jobs.h>

static struct trapeze_times times;

static void show(void)
{
	for (int stage = 0; stage < TRAPEZE_STAGES; stage++) {
		struct trapeze_statistics of;
		const int error = trapeze_times_statistics(&times, stage, &of) == 0 ? 0 : errno;

		printf("%d %d %d %d %d %d\\n", error == ENODATA, (int)of.count, (int)of.min, (int)of.p50,
			(int)of.p99, (int)of.max);
	}
}

int main(void)
{
	show();
	for (int i = 0; i < 200; i++) {
		trapeze_times_add(&times, (uint64_t)(i * 7 % 200 + 1), 1000);
		if (i == 0 || i == 199) {
			show();
		}
	}
	trapeze_times_free(&times);
	show();
	return 0;
}
"""


def test_statistics_of_calls(tmp_path: Path) -> None:
    """None, one, and 200, of which two are above the 99th percentile."""
    none = ["1 0 0 0 0 0"] * 3
    one = ["0 1 1 1 1 1", "0 1 1000 1000 1000 1000", "0 1 1001 1001 1001 1001"]
    many = ["0 200 1 100 198 200", "0 200 1000 1000 1000 1000", "0 200 1001 1100 1198 1200"]
    assert run(tmp_path, TIMES) == [*none, *one, *many, *none]
