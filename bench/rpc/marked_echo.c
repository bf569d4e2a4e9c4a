/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The service of fw/rpmsg/echo.c, its work on a message between two markers.
 */
#include <trapeze/irq.h>
#include <trapeze/rpmsg.h>

#include "markers.h"

/* Any below 1024, from which on Linux gives out addresses itself: RPMSG_RESERVED_ADDRESSES of virtio_rpmsg_bus.c. */
#define ECHO 400U

static void echo(uint32_t from, const void *data, uint32_t bytes)
{
	TRAPEZE_MARKER(MARKER_COMPUTE);
	(void)rpmsg_send(from, data, bytes);
	TRAPEZE_MARKER(MARKER_COMPUTE_END);
}

int main(void)
{
	rpmsg_start("rpmsg-raw", ECHO, echo);
	irq_unlock_all();
	for (;;) {
		irq_wait();
	}
}
