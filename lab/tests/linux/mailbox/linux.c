/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Program of Linux: rings, sends the words of message.h through the mailbox, which it has by UIO, and sleeps in read() until
 * there is an answer.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <trapeze/mailbox_side.h>
#include <trapeze/map.h>

#include "message.h"

static volatile uint32_t *side;

static volatile uint32_t *mailbox(unsigned int offset)
{
	return side + offset / sizeof(*side);
}

static void fail(const char *what)
{
	printf("FAIL: %s\n", what);
	exit(1);
}

static uint32_t status(uint32_t mask, unsigned int shift)
{
	return (*mailbox(TRAPEZE_MAILBOX_SIDE_STATUS_OFFSET) & mask) >> shift;
}

/* The driver turns the interrupt off when it comes: it is turned on anew before each sleep. */
static void wait_for_interrupt(int device)
{
	uint32_t on = 1;
	uint32_t count;

	if (write(device, &on, sizeof(on)) != sizeof(on) ||
	    read(device, &count, sizeof(count)) != sizeof(count)) {
		fail("the device does not interrupt");
	}
}

int main(void)
{
	const int device = open("/dev/uio0", O_RDWR);
	uint32_t sent = 0;
	unsigned int waits = 0;

	if (device < 0) {
		fail("no /dev/uio0");
	}
	side = mmap(NULL, TRAPEZE_MAILBOX_A_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, device, 0);
	if (side == MAP_FAILED) {
		fail("mmap");
	}
	*mailbox(TRAPEZE_MAILBOX_SIDE_BELLS_ENABLE_OFFSET) = MESSAGE_BELL;
	*mailbox(TRAPEZE_MAILBOX_SIDE_IRQ_ENABLE_OFFSET) =
	    TRAPEZE_MAILBOX_SIDE_IRQ_ENABLE_WORD_MASK;
	*mailbox(TRAPEZE_MAILBOX_SIDE_RING_OFFSET) = MESSAGE_BELL;
	for (uint32_t answered = 0; answered < MESSAGE_WORDS;) {
		const uint32_t most =
		    TRAPEZE_MAILBOX_SIDE_STATUS_RESET >> TRAPEZE_MAILBOX_SIDE_STATUS_PLACES_SHIFT;

		while (sent < MESSAGE_WORDS && sent - answered < most) {
			*mailbox(TRAPEZE_MAILBOX_SIDE_SEND_OFFSET) = message_word(sent++);
		}
		wait_for_interrupt(device);
		waits++;
		while (status(TRAPEZE_MAILBOX_SIDE_STATUS_WAITING_MASK,
			      TRAPEZE_MAILBOX_SIDE_STATUS_WAITING_SHIFT) != 0) {
			if (*mailbox(TRAPEZE_MAILBOX_SIDE_RECEIVE_OFFSET) !=
			    message_answer(message_word(answered++))) {
				fail("another answer");
			}
		}
	}
	while (*mailbox(TRAPEZE_MAILBOX_SIDE_BELLS_OFFSET) != MESSAGE_BELL) {
		wait_for_interrupt(device);
		waits++;
	}
	*mailbox(TRAPEZE_MAILBOX_SIDE_BELLS_OFFSET) = MESSAGE_BELL;
	if (status(TRAPEZE_MAILBOX_SIDE_STATUS_OVERFLOW_MASK,
		   TRAPEZE_MAILBOX_SIDE_STATUS_OVERFLOW_SHIFT) != 0) {
		fail("a word was lost");
	}
	printf("PASS: %u answers, %s\n", (unsigned int)sent,
	       waits != 0 ? "by interrupt" : "polled");
	return 0;
}
