/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Words from hart to hart, announced by the software interrupt.
 *
 * Each pair of harts has a queue of MAILBOX_WORDS words in each direction, in shared memory. A queue has
 * one sender and one receiver, so it needs no lock and no atomic instructions.
 */
#ifndef TRAPEZE_MAILBOX_H_
#define TRAPEZE_MAILBOX_H_

#include <stdint.h>

#include <trapeze/hart.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Words that a queue holds. */
#define MAILBOX_WORDS 8U

/**
 * Receives a word, in the handler of the software interrupt.
 *
 * @param from the hart that sent it
 * @param word what it sent
 * @param arg what mailbox_open() was given
 */
typedef void (*mailbox_handler_t)(unsigned int from, uint32_t word, void *arg);

/**
 * Lets @p handler receive the words sent to this hart, those that have come already among them. Takes the
 * software interrupt (IRQ_SOFTWARE) for it and enables it; the caller unlocks interrupts.
 */
void mailbox_open(mailbox_handler_t handler, void *arg);

/**
 * Sends a word; from handlers, too. Words of one sender arrive in order, and after everything that the
 * sender has written before.
 *
 * @param to number of the receiving hart; a hart may send to itself
 * @param word the word
 * @return 0, -EINVAL if there is no such hart, -EAGAIN if the queue is full
 */
int mailbox_send(unsigned int to, uint32_t word);

#ifdef __cplusplus
}
#endif

#endif /* TRAPEZE_MAILBOX_H_ */
