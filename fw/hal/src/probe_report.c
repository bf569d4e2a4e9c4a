/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* The board's side of `trapeze probe PORT`: lines with checksums over the console. */
#include <stddef.h>
#include <string.h>

#include <trapeze/console.h>
#include <trapeze/probe_report.h>

#define MARK     "tzprobe "
#define PER_LINE 16U

/** A request is shorter. */
#define LINE_BYTES 96U

#define CRC_START  0xffffffffU
#define CRC_DIGITS 8U

/** What the program was built for: fw/start/note.S. */
extern const char __trapeze_built_for[];

static uint32_t line_crc;
static uint32_t lines;

/** CRC-32 of IEEE 802.3, reflected. */
static uint32_t crc32_byte(uint32_t crc, uint32_t byte)
{
	crc ^= byte;
	for (unsigned int bit = 0; bit < 8U; bit++) {
		crc = (crc >> 1) ^ ((crc & 1U) != 0U ? 0xedb88320U : 0U);
	}
	return crc;
}

static void put_char(char c)
{
	line_crc = crc32_byte(line_crc, (unsigned char)c);
	console_putc(c);
}

static void put(const char *text)
{
	while (*text != '\0') {
		put_char(*text++);
	}
}

static void put_hex(uint32_t value, unsigned int digits)
{
	while (digits-- > 0U) {
		put_char("0123456789abcdef"[(value >> (4U * digits)) & 15U]);
	}
}

static void put_decimal(uint32_t value)
{
	char digits[10];
	unsigned int count = 0;

	do {
		digits[count++] = (char)('0' + value % 10U);
		value /= 10U;
	} while (value != 0U);
	while (count > 0U) {
		put_char(digits[--count]);
	}
}

/** Puts " name=value". */
static void put_field(const char *name, uint32_t value)
{
	put_char(' ');
	put(name);
	put_char('=');
	put_decimal(value);
}

static void begin_line(const char *word)
{
	lines++;
	/* A line of its own, whatever the console printed before. */
	console_puts("\n@");
	line_crc = CRC_START;
	put(MARK);
	put_decimal(PROBE_REPORT_VERSION);
	put_char(' ');
	put(word);
}

static void end_line(void)
{
	uint32_t crc = ~line_crc;

	put(" *");
	put_hex(crc, CRC_DIGITS);
	console_putc('\n');
}

void probe_report_ready(void)
{
	begin_line("ready ");
	put(__trapeze_built_for);
	end_line();
}

void probe_report_begin(const struct probe_report_request *request, uint32_t clock_hz)
{
	begin_line("begin");
	put_field("number", request->number);
	put_field("samples", request->samples);
	put_field("stress", request->stress);
	put_field("clock", clock_hz);
	put_char(' ');
	put(__trapeze_built_for);
	end_line();
	lines = 0;
}

void probe_report_samples(const char *test, const uint16_t *samples, uint32_t count)
{
	for (uint32_t first = 0; first < count; first += PER_LINE) {
		begin_line(test);
		put_field("first", first);
		for (uint32_t i = first; i < count && i < first + PER_LINE; i++) {
			put_char(' ');
			put_hex(samples[i], 4U);
		}
		end_line();
	}
}

void probe_report_count(const char *name, uint32_t value)
{
	begin_line("count");
	put_field(name, value);
	end_line();
}

void probe_report_end(bool right)
{
	uint32_t sent = lines;

	begin_line("end");
	put_field("right", right ? 1U : 0U);
	put_field("lines", sent);
	end_line();
}

void probe_report_refuse(const char *why)
{
	begin_line("refused ");
	put(why);
	end_line();
}

/** Skips @p text if @p place begins with it. */
static bool skip(const char **place, const char *text)
{
	size_t length = strlen(text);

	if (strncmp(*place, text, length) != 0) {
		return false;
	}
	*place += length;
	return true;
}

/** Reads a decimal number behind @p name; false if there is none, or more than 32 bits. */
static bool read_field(const char **place, const char *name, uint32_t *value)
{
	uint64_t number = 0;

	if (!skip(place, name) || **place < '0' || **place > '9') {
		return false;
	}
	while (**place >= '0' && **place <= '9' && number <= UINT32_MAX) {
		number = number * 10U + (uint32_t)(*(*place)++ - '0');
	}
	*value = (uint32_t)number;
	return number <= UINT32_MAX;
}

/** Whether the text behind `@` has its checksum, which is cut off. */
static bool is_whole(char *text)
{
	char *end = strrchr(text, '*');
	uint32_t crc = CRC_START;
	uint32_t said = 0;

	if (end == NULL || end == text || end[-1] != ' ' || strlen(end + 1) != CRC_DIGITS) {
		return false;
	}
	for (const char *digit = end + 1; *digit != '\0'; digit++) {
		const char *known = strchr("0123456789abcdef", *digit);

		if (known == NULL) {
			return false;
		}
		said = said << 4 | (uint32_t)(known - "0123456789abcdef");
	}
	end[-1] = '\0';
	for (const char *c = text; *c != '\0'; c++) {
		crc = crc32_byte(crc, (unsigned char)*c);
	}
	return ~crc == said;
}

/** Receives what stands between `@` and the end of its line; false if that is too long. */
static bool receive(char text[LINE_BYTES])
{
	size_t length = 0;
	int c;

	do {
		c = console_getc();
	} while (c != '@');
	while ((c = console_getc()) != '\n' && c != '\r') {
		if (c == '@') {
			length = 0;
		} else if (length < LINE_BYTES - 1U) {
			text[length++] = (char)c;
		} else {
			return false;
		}
	}
	text[length] = '\0';
	return true;
}

bool probe_report_wait(struct probe_report_request *request)
{
	for (;;) {
		char text[LINE_BYTES];
		const char *place = text;
		struct probe_report_request asked = {0};
		uint32_t version;

		if (!receive(text) || !is_whole(text) || !read_field(&place, MARK, &version)) {
			continue;
		}
		if (version != PROBE_REPORT_VERSION) {
			probe_report_refuse("version");
		} else if (!skip(&place, " measure") ||
			   !read_field(&place, " number=", &asked.number) ||
			   !read_field(&place, " samples=", &asked.samples) ||
			   !read_field(&place, " stress=", &asked.stress) || *place != '\0' ||
			   asked.number == 0U) {
			probe_report_refuse("request");
		} else {
			bool again = asked.number == request->number &&
				     asked.samples == request->samples &&
				     asked.stress == request->stress;

			*request = asked;
			return !again;
		}
	}
}
