/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Sends every message of Linux back. Linux has the service as /dev/rpmsg0. */
#include <stdio.h>

#include <trapeze/irq.h>
#include <trapeze/rpmsg.h>

/* Any below 1024, from which on Linux gives out addresses itself: RPMSG_RESERVED_ADDRESSES of virtio_rpmsg_bus.c. */
#define ECHO 400U

static void echo(uint32_t from, const void *data, uint32_t bytes)
{
	(void)rpmsg_send(from, data, bytes);
}

int main(void)
{
	rpmsg_start("rpmsg-raw", ECHO, echo);
	irq_unlock_all();
	puts("echo: begins");
	for (;;) {
		irq_wait();
	}
}
