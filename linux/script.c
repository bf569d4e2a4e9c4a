// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * @brief The first program of an image with a script for the shell: mounts the usual file systems, loads the driver,
 * runs the script, and ends the run with its exit code.
 *
 * init.c is the first program of other images. It stays as it is for experiments, whose images have no shell.
 *
 * An exit code other than 0 goes to the platform's finisher, whose registers the kernel gives to programs as a device of
 * UIO (linux/application.dts). Without that device the run ends with 2, like every restart.
 *
 * C library: nolibc of the kernel's sources.
 */
#include <linux/reboot.h>
#include <linux/signal.h>
#include <trapeze/host.h>

enum {
	NOT_FOUND = 127,
	PAGE_BYTES = 4096,
	UIO_DEVICES = 2, /* the other one is the mailbox */
	BLOCK = 0,
	UNBLOCK = 1,
	SIGNAL_SET_BYTES = 8,
	/* Signals that busybox sends to the first program for `poweroff`, `reboot` and `halt`. */
	ASKED_TO_HALT = 10,
	ASKED_TO_POWER_OFF = 12,
	ASKED_TO_REBOOT = 15,
	CHILD_ENDED = 17,
	RESTARTS = 256, /* no exit code */
	SEND_REST = 0x5409, /* TCSBRK, with 1: wait until all is sent */
};

static const uint64_t wanted = 1ull << (ASKED_TO_HALT - 1) | 1ull << (ASKED_TO_POWER_OFF - 1) |
			       1ull << (ASKED_TO_REBOOT - 1) | 1ull << (CHILD_ENDED - 1);

static int exists(const char *path)
{
	const int file = open(path, O_RDONLY, 0);

	if (file >= 0) {
		close(file);
	}
	return file >= 0;
}

/** Starts a program with the usual signals. */
static pid_t start(char *const argv[])
{
	char *const environment[] = {"PATH=/bin", "HOME=/", "TERM=linux", NULL};
	const pid_t child = fork();

	if (child == 0) {
		my_syscall4(__NR_rt_sigprocmask, UNBLOCK, &wanted, NULL, SIGNAL_SET_BYTES);
		execve(SHELL, argv, environment);
		exit(NOT_FOUND);
	}
	return child;
}

/** Waits for a program, and for every orphan meanwhile. Return: its exit code, or that of a request to end. */
static int end_of(pid_t child)
{
	for (;;) {
		const long signal = my_syscall4(__NR_rt_sigtimedwait, &wanted, NULL, NULL, SIGNAL_SET_BYTES);
		int status = 0;

		if (signal == ASKED_TO_POWER_OFF || signal == ASKED_TO_HALT) {
			return 0;
		}
		if (signal == ASKED_TO_REBOOT) {
			return RESTARTS;
		}
		for (pid_t ended; (ended = waitpid(-1, &status, WNOHANG)) > 0;) {
			if (ended == child) {
				return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + (status & 0x7f);
			}
		}
	}
}

/** Ends the run with an exit code, if the platform lets programs do so. */
static void finish(unsigned int code)
{
	char name[] = "/sys/class/uio/uio0/name";
	char device[] = "/dev/uio0";

	for (int i = 0; i < UIO_DEVICES; i++) {
		char is[9] = "";

		name[sizeof(name) - sizeof("0/name")] = device[sizeof(device) - 2] = (char)('0' + i);

		const int named = open(name, O_RDONLY, 0);
		const int file = open(device, O_RDWR, 0);

		if (named >= 0 && file >= 0 && read(named, is, 8) == 8 && strcmp(is, "finisher") == 0) {
			volatile uint32_t *const registers =
			    mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);

			ioctl(1, SEND_REST, (void *)1);
			registers[TRAPEZE_HOST_FINISHER_OFFSET / 4] =
			    code << TRAPEZE_HOST_FINISHER_CODE_SHIFT | TRAPEZE_HOST_FINISHER_STATUS_FAIL;
		}
	}
}

int main(void)
{
	char *const load[] = {"insmod", DRIVER, NULL};
	char *const script[] = {"sh", SCRIPT, NULL};
	int code;

	mount("proc", "/proc", "proc", 0, NULL);
	mount("sys", "/sys", "sysfs", 0, NULL);
	mount("dev", "/dev", "devtmpfs", 0, NULL);
	my_syscall4(__NR_rt_sigprocmask, BLOCK, &wanted, NULL, SIGNAL_SET_BYTES);
	if (exists(DRIVER)) {
		end_of(start(load));
	}
	code = end_of(start(script));
	if (code != 0 && code != RESTARTS) {
		finish((unsigned int)code);
	}
	reboot(code == 0 ? LINUX_REBOOT_CMD_POWER_OFF : LINUX_REBOOT_CMD_RESTART);
	return 1;
}
