/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief The server's task.
 */
#ifndef SERVER_H_
#define SERVER_H_

/** Lets the task look for work. For handlers. */
void server_wake_from_handler(void);

#endif /* SERVER_H_ */
