/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Requests of calls.c to its job: the first word of the input.
 */
#ifndef CALLS_H_
#define CALLS_H_

enum ask {
	ASK_SUM = 1,	/* sum of in[1] numbers from in[2] on */
	ASK_VARIABLES,	/* 42, in the first run of this load of the code */
	ASK_STORE,	/* store to address in[1] */
	ASK_LOAD,	/* load from address in[1] */
	ASK_STORE_INPUT, /* store to its own input */
	ASK_JUMP,	/* jump to address in[1] */
	ASK_MACHINE,	/* write a register of machine mode */
	ASK_STACK,	/* use more stack than there is */
	ASK_SPIN,	/* in[1] into out[0], then an endless loop */
	ASK_TRIPLE,	/* triple in[1] numbers from in[2] on into out; their sum */
	ASK_LATER,	/* in[2], after in[1] iterations of a loop */
};

#endif /* CALLS_H_ */
