/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Messages from and to Linux by its rpmsg: this hart is the device of two virtio rings, and announces a service.
 *
 * `trapeze linux` gives Linux the driver if the program of this hart calls rpmsg_start(). Such a program has the mailbox for
 * itself alone, and does not serve jobs.
 */
#ifndef TRAPEZE_RPMSG_H_
#define TRAPEZE_RPMSG_H_

#include <stdbool.h>
#include <stdint.h>

/** Bytes of a message at most: a buffer without the header of rpmsg. */
#define RPMSG_BYTES 496U

/** Bytes of a service's name at most. Source: RPMSG_NAME_SIZE of linux/rpmsg.h, with its end. */
#define RPMSG_NAME 31U

/**
 * Called for each message, in the mailbox's interrupt handler. It may send one message: a message is handed over only if
 * there is a buffer for an answer.
 *
 * @param from address of the sender
 * @param data the message, at a multiple of 4; Linux may change it at any time
 * @param bytes of it, at most RPMSG_BYTES
 */
typedef void (*rpmsg_service_t)(uint32_t from, const void *data, uint32_t bytes);

/**
 * Makes the rings known to Linux and enables the mailbox's interrupt. Linux announces the service to its drivers when it
 * has attached; /dev/rpmsg0 is a service with the name "rpmsg-raw".
 *
 * A program that is loaded anew goes on with the rings as they are. A message that it was at and had not answered is handed
 * over again.
 *
 * @param name at most RPMSG_NAME bytes
 * @param address of the service: not 53, which is that of announcements
 */
void rpmsg_start(const char *name, uint32_t address, rpmsg_service_t service);

/**
 * Sends a message to an address of Linux. In the service, or with interrupts locked.
 *
 * @return false: no buffer is free, or the message is too long, or Linux is not there
 */
bool rpmsg_send(uint32_t to, const void *data, uint32_t bytes);

#endif /* TRAPEZE_RPMSG_H_ */
