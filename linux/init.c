// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * @brief The first program of the initial file system: mounts the usual file systems, runs a script, powers off.
 *
 * It loads the driver first, if the file DRIVER exists. The script is SCRIPT; trapeze.linux.image defines both paths.
 * Without a script it reads lines from the console. A line consists of commands separated by `;`, a command of words
 * separated by blanks. A command is one of those in `builtins`, or a program's path. There is no quoting. The exit code
 * of the run is that of the last command of the script: if it is not 0, power-off reports a failure.
 *
 * C library: nolibc of the kernel's sources.
 */
#include <linux/reboot.h>
#include <linux/signal.h>
#include <linux/utsname.h>

enum {
	LINE_BYTES = 4096,
	MAX_WORDS = 64,
	NOT_FOUND = 127,
};

struct command {
	const char *name;
	int (*run)(int argc, char *const argv[]);
};

static int print(const char *text)
{
	return write(1, text, strlen(text)) < 0;
}

static int complain(const char *command, const char *about, const char *why)
{
	print(command);
	print(": ");
	print(about);
	print(": ");
	print(why);
	print("\n");
	return 1;
}

static int run_cat(int argc, char *const argv[])
{
	char bytes[1024];
	int failed = 0;

	for (int i = 1; i < argc; i++) {
		const int file = open(argv[i], O_RDONLY, 0);
		ssize_t count;

		if (file < 0) {
			failed = complain(argv[0], argv[i], "no such file");
			continue;
		}
		while ((count = read(file, bytes, sizeof(bytes))) > 0) {
			write(1, bytes, (size_t)count);
		}
		close(file);
	}
	return failed;
}

static int run_echo(int argc, char *const argv[])
{
	for (int i = 1; i < argc; i++) {
		print(argv[i]);
		print(i + 1 < argc ? " " : "");
	}
	return print("\n");
}

static int run_uname(int argc, char *const argv[])
{
	struct new_utsname name;

	if (my_syscall1(__NR_uname, &name) < 0) {
		return complain(argv[0], "uname", "not supported");
	}
	if (argc < 2 || strcmp(argv[1], "-a") != 0) {
		print(name.sysname);
		return print("\n");
	}
	const char *const parts[] = {name.sysname, name.nodename, name.release, name.version, name.machine};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		print(i > 0 ? " " : "");
		print(parts[i]);
	}
	return print("\n");
}

static int last_status;

static void power_off(void)
{
	reboot(last_status == 0 ? LINUX_REBOOT_CMD_POWER_OFF : LINUX_REBOOT_CMD_RESTART);
}

static int run_poweroff(int argc, char *const argv[])
{
	(void)argc;
	power_off();
	return complain(argv[0], "poweroff", "refused by the kernel");
}

/** Ends the first program, and so causes a panic of the kernel. */
static int run_exit(int argc, char *const argv[])
{
	(void)argc;
	(void)argv;
	exit(1);
}

static int run_true(int argc, char *const argv[])
{
	(void)argc;
	return strcmp(argv[0], "true") != 0;
}

/** Loads a module from one file, with parameters. */
static int run_insmod(int argc, char *const argv[])
{
	char parameters[256] = "";
	size_t used = 0;

	if (argc < 2) {
		return complain(argv[0], "usage", "insmod FILE [NAME=VALUE...]");
	}
	for (int i = 2; i < argc; i++) {
		const size_t bytes = strlen(argv[i]);

		if (bytes + 2 > sizeof(parameters) - used) {
			return complain(argv[0], argv[i], "too many parameters");
		}
		memcpy(parameters + used, argv[i], bytes);
		used += bytes;
		parameters[used++] = ' ';
		parameters[used] = 0;
	}

	const int file = open(argv[1], O_RDONLY, 0);

	if (file < 0) {
		return complain(argv[0], argv[1], "no such file");
	}
	const long error = my_syscall3(__NR_finit_module, file, parameters, 0);

	close(file);
	return error < 0 ? complain(argv[0], argv[1], "refused by the kernel") : 0;
}

static int run_rmmod(int argc, char *const argv[])
{
	if (argc != 2) {
		return complain(argv[0], "usage", "rmmod NAME");
	}
	if (my_syscall2(__NR_delete_module, argv[1], O_NONBLOCK) < 0) {
		return complain(argv[0], argv[1], "not loaded, or in use");
	}
	return 0;
}

static const struct command builtins[] = {
	{"cat", run_cat},           {"echo", run_echo}, {"uname", run_uname},
	{"poweroff", run_poweroff}, {"true", run_true}, {"false", run_true},
	{"insmod", run_insmod},     {"rmmod", run_rmmod},
	{"exit", run_exit},
};

static char *const environment[] = {"PATH=/bin", "HOME=/", "TERM=linux", NULL};

static int shell_is_there(void)
{
	const int file = open(SHELL, O_RDONLY, 0);

	if (file < 0) {
		return 0;
	}
	close(file);
	return 1;
}

static int run_program(char *const argv[])
{
	int status = 0;
	const pid_t child = fork();

	if (child == 0) {
		execve(argv[0], argv, environment);
		if (strchr(argv[0], '/') == NULL) {
			execve(SHELL, argv, environment);
		}
		complain(argv[0], "command", "not found");
		exit(NOT_FOUND);
	}
	if (child < 0 || waitpid(child, &status, 0) < 0) {
		return complain(argv[0], "fork", "failed");
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + (status & 0x7f);
}

static int run_command(char *text)
{
	char *words[MAX_WORDS + 1];
	int count = 0;

	while (count < MAX_WORDS) {
		while (*text == ' ' || *text == '\t') {
			*text++ = '\0';
		}
		if (*text == '\0') {
			break;
		}
		words[count++] = text;
		while (*text != ' ' && *text != '\t' && *text != '\0') {
			text++;
		}
	}
	words[count] = NULL;
	if (count == 0 || words[0][0] == '#') {
		return last_status;
	}
	for (size_t i = 0; i < sizeof(builtins) / sizeof(builtins[0]); i++) {
		if (strcmp(builtins[i].name, words[0]) == 0) {
			return builtins[i].run(count, words);
		}
	}
	return run_program(words);
}

/** Whether a line goes to the shell: it has special characters, and there is a shell. */
static int is_for_shell(const char *line)
{
	for (; *line != '\0'; line++) {
		if (strchr("|&<>\"'$*?`(){}[]\\=~!", *line) != NULL) {
			return shell_is_there();
		}
	}
	return 0;
}

static void run_line(char *line)
{
	if (is_for_shell(line)) {
		char *const command[] = {"sh", "-c", line, NULL};

		last_status = run_program(command);
		return;
	}
	while (line != NULL) {
		char *const end = strchr(line, ';');

		if (end != NULL) {
			*end = '\0';
		}
		last_status = run_command(line);
		line = end != NULL ? end + 1 : NULL;
	}
}

/** Runs each line of a file. Prints the prompt whenever it is ready for a line. */
static void run_lines(int file, const char *prompt)
{
	static char line[LINE_BYTES];
	size_t length = 0;
	char byte;

	print(prompt);
	while (read(file, &byte, 1) == 1) {
		if (byte != '\n' && length + 1 < sizeof(line)) {
			line[length++] = byte;
			continue;
		}
		line[length] = '\0';
		length = 0;
		run_line(line);
		print(prompt);
	}
	line[length] = '\0';
	run_line(line);
}

/** Signals that busybox sends to the first program: `poweroff` and `reboot`, and the kernel's at the end of a child. */
enum {
	ASKED_TO_POWER_OFF = 12,
	ASKED_TO_REBOOT = 15,
	CHILD_ENDED = 17,
	BLOCK = 0,
	SIGNAL_SET_BYTES = 8,
};

/**
 * Runs a shell on the console, until it ends or requests power-off or reboot. The status of the run is that of the
 * shell.
 */
static void run_shell(void)
{
	const uint64_t wanted = 1ull << (ASKED_TO_POWER_OFF - 1) | 1ull << (ASKED_TO_REBOOT - 1) |
				1ull << (CHILD_ENDED - 1);
	const uint64_t none = 0;
	char *const command[] = {"sh", NULL};
	int status = 0;

	my_syscall4(__NR_rt_sigprocmask, BLOCK, &wanted, NULL, SIGNAL_SET_BYTES);

	const pid_t child = fork();

	if (child == 0) {
		my_syscall4(__NR_rt_sigprocmask, 2, &none, NULL, SIGNAL_SET_BYTES);
		setsid();
		char name[64] = "/dev/";
		const int active = open("/sys/class/tty/console/active", O_RDONLY, 0);
		const ssize_t bytes = read(active, name + 5, sizeof(name) - 6);

		name[bytes > 0 ? 5 + bytes - 1 : 0] = '\0'; /* minus the newline */
		const int console = open(name, O_RDWR, 0);

		if (console >= 0) {
			dup2(console, 0);
			dup2(console, 1);
			dup2(console, 2);
			ioctl(0, TIOCSCTTY, (void *)1);
		}
		execve(SHELL, command, environment);
		exit(NOT_FOUND);
	}
	for (;;) {
		const long signal = my_syscall4(__NR_rt_sigtimedwait, &wanted, NULL, NULL, SIGNAL_SET_BYTES);

		if (signal == ASKED_TO_POWER_OFF) {
			last_status = 0;
			return;
		}
		if (signal == ASKED_TO_REBOOT) {
			last_status = 1;
			return;
		}
		for (pid_t ended; (ended = waitpid(-1, &status, WNOHANG)) > 0;) {
			if (ended == child) {
				last_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + (status & 0x7f);
				return;
			}
		}
	}
}

int main(void)
{
	mount("proc", "/proc", "proc", 0, NULL);
	mount("sys", "/sys", "sysfs", 0, NULL);
	mount("dev", "/dev", "devtmpfs", 0, NULL);

	const int driver = open(DRIVER, O_RDONLY, 0);

	if (driver >= 0) {
		char *const load[] = {"insmod", DRIVER, NULL};

		close(driver);
		run_insmod(2, load);
	}

	const int script = open(SCRIPT, O_RDONLY, 0);

	if (script >= 0) {
		run_lines(script, "");
	} else if (shell_is_there()) {
		run_shell();
	} else {
		run_lines(0, "# ");
	}
	power_off();
	return 1;
}
