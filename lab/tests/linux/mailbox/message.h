/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* What Linux and the firmware say to each other through the mailbox. */
#ifndef MESSAGE_H_
#define MESSAGE_H_

#include <stdint.h>

/** Words that Linux sends, more than a queue holds: the first of them says so. */
#define MESSAGE_WORDS 20U
/** Doorbell by which Linux says that it has begun, and the firmware that it has answered everything. */
#define MESSAGE_BELL  (1U << 5)
/** The last word. */
#define MESSAGE_END   0xffffffffU

static inline uint32_t message_word(uint32_t number)
{
	return number + 1U == MESSAGE_WORDS ? MESSAGE_END : 0xa5000000U + number * 0x01010101U;
}

static inline uint32_t message_answer(uint32_t word)
{
	return word ^ 0x5a5a5a5aU;
}

#endif /* MESSAGE_H_ */
