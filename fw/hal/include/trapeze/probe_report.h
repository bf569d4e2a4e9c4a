/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Samples of latency probes for a host at the other end of the console: the board's side of `trapeze probe PORT`.
 *
 * Both sides send lines of text; other text may stand between them. A line is
 *
 *     @tzprobe VERSION WORD... *CRC32
 *
 * The CRC, eight hexadecimal digits, is zlib's of what stands between `@` and ` *`. The host asks:
 *
 *     measure number=N samples=N stress=N
 *
 * `number` is one that the host chooses; `stress` is the chance, in 1/256, that the stress generator begins an access in a
 * cycle. The board answers:
 *
 *     begin number=N samples=N stress=N clock=HZ config=NAME ...   before it measures; what the program was built for
 *     TEST first=N XXXX...                                         16 samples in a line at most, in cycles, hexadecimal
 *     count NAME=N                                                 what else the program counted
 *     end right=0|1 lines=N                                        whether all was right; lines between begin and end
 *
 * or `refused WHY`. A request with the number of the one before is a repetition, because lines got lost: the board sends
 * the same samples again and does not measure. At its start it says `ready`. `clock` is 0 where the program does not know
 * it.
 */
#ifndef TRAPEZE_PROBE_REPORT_H_
#define TRAPEZE_PROBE_REPORT_H_

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Version of the protocol. */
#define PROBE_REPORT_VERSION 1

/** What the host asks for. */
struct probe_report_request {
	uint32_t number;  /**< of the request, not 0 */
	uint32_t samples; /**< how many of each latency */
	uint32_t stress;  /**< chance of an access of the stress generator, in 1/256 */
};

/** Says that the program is there. To be called once, before probe_report_wait(). */
void probe_report_ready(void);

/**
 * Waits for a request.
 *
 * @param request the one before, all 0 at first; gets the new one
 * @return whether to measure; else send the samples of the request before once more
 */
bool probe_report_wait(struct probe_report_request *request);

/** Begins the answer. @p clock_hz is the clock of the hart, 0 if it is not known. */
void probe_report_begin(const struct probe_report_request *request, uint32_t clock_hz);

/** Sends the samples of a latency, such as "t1". */
void probe_report_samples(const char *test, const uint16_t *samples, uint32_t count);

/** Sends something else that was counted. */
void probe_report_count(const char *name, uint32_t value);

/** Ends the answer; @p right says whether every sample is there and all results were right. */
void probe_report_end(bool right);

/** Answers that the request cannot be carried out; @p why is a word without spaces. */
void probe_report_refuse(const char *why);

#ifdef __cplusplus
}
#endif

#endif /* TRAPEZE_PROBE_REPORT_H_ */
