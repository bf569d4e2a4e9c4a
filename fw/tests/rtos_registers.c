/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: FreeRTOS tasks keep all their registers, whether they yield or the tick switches them at any instruction
rtos: freertos
args: [-DconfigUSE_TIME_SLICING=1, -DconfigTICK_RATE_HZ=60000]
expect: |
  PASS
*/
#include <stdbool.h>
#include <stdlib.h>

#include <FreeRTOS.h>
#include <task.h>

#include "test.h"

#define TASKS  4U
#define ROUNDS 60U

/* Writes every register but sp, gp and tp, waits, and returns 0 if all have kept their values. */
uint32_t churn(uint32_t seed, uint32_t rounds);
/* clang-format off */
__asm__(".text\n"
#ifdef __riscv_32e
	".macro saved op\n"
	"	\\op x1, 0(sp)\n	\\op x8, 4(sp)\n	\\op x9, 8(sp)\n"
	".endm\n"
#else
	".macro saved op\n"
	"	.set k, 0\n"
	"	.irp r, 1, 8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27\n"
	"	\\op x\\r, (4 * k)(sp)\n"
	"	.set k, k + 1\n"
	"	.endr\n"
	".endm\n"
#endif
#ifdef __riscv_32e
#define REGISTERS "1, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15"
#else
#define REGISTERS                                                                                  \
	"1, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, "   \
	"28, 29, 30, 31"
#endif
	".balign 4\n"
	"churn:\n"
	"	addi sp, sp, -64\n"
	"	saved sw\n"
	"	sw a1, 60(sp)\n"
	"1:	.irp r, " REGISTERS "\n"
	"	addi x\\r, a0, 3 * \\r\n"
	"	.endr\n"
	"	.rept 4\n"
	"	.irp r, " REGISTERS "\n"
	"	addi x\\r, x\\r, 1\n"
	"	.endr\n"
	"	addi a0, a0, 1\n"
	"	.endr\n"
	"	.irp r, " REGISTERS "\n"
	"	sub x\\r, x\\r, a0\n"
	"	addi x\\r, x\\r, -3 * \\r\n"
	"	.endr\n"
	"	.irp r, " REGISTERS "\n"
	"	or x1, x1, x\\r\n"
	"	.endr\n"
	"	bnez x1, 2f\n"
	"	lw a1, 60(sp)\n"
	"	addi a1, a1, -1\n"
	"	sw a1, 60(sp)\n"
	"	bnez a1, 1b\n"
	"2:	mv a0, x1\n"
	"	saved lw\n"
	"	addi sp, sp, 64\n"
	"	ret\n");
/* clang-format on */

static volatile uint32_t done;
static volatile uint32_t rounds[TASKS];

static void work(void *arg)
{
	uint32_t me = (uint32_t)arg;

	for (uint32_t round = 0; round < ROUNDS; round++) {
		CHECK_EQ(churn(0x1f2e3d4cU * (me + 1U) + round, 1U + (round * 5U + me * 3U) % 11U),
			 0U);
		rounds[me]++;
		if (round % 3U == me % 3U) {
			taskYIELD();
		}
		if (round % 16U == me) {
			vTaskDelay(1U + me % 2U);
		}
	}
	CHECK_EQ(rounds[me], ROUNDS);
	taskENTER_CRITICAL();
	done++;
	taskEXIT_CRITICAL();
	if (done == TASKS) {
		CHECK(xTaskGetTickCount() > TASKS);
		exit(test_end());
	}
	vTaskDelete(NULL);
}

int main(void)
{
	test_begin();
	for (uint32_t task = 0; task < TASKS; task++) {
		CHECK_EQ(xTaskCreate(work, "work", configMINIMAL_STACK_SIZE, (void *)task, 1, NULL),
			 pdPASS);
	}
	vTaskStartScheduler();
	return 1;
}
