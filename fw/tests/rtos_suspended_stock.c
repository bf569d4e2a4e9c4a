/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: the kernel's own port, with all tasks suspended before the scheduler starts - vTaskResume() reads the
  priority of a task that does not exist
config: [mcu-clint, mcu-clint-e]
rtos: freertos-stock
exit: 69
expect_regex: '\ntrapeze: unexpected exception: load access fault, mcause 0x00000005, pc 0x8[0-9a-f]{7}, mtval 0x0000002c\n'
*/
#include <FreeRTOS.h>
#include <task.h>

#include <trapeze/csr.h>
#include <trapeze/exit.h>

#include "test.h"

/* defined in start/vectors.S */
extern const char __trapeze_vectors[];

static void task(void *arg)
{
	(void)arg;
	trapeze_exit(0);
}

/* vTaskSuspend() sets pxCurrentTCB to NULL when no task is ready (tasks.c, V11.2.0), and vTaskResume() reads
 * pxCurrentTCB->uxPriority. rtos_suspended.c is the same program with this repository's port.
 */
int main(void)
{
	TaskHandle_t made = NULL;

	CHECK_EQ(xTaskCreate(task, "task", configMINIMAL_STACK_SIZE, NULL, 1, &made), pdPASS);
	vTaskSuspend(made);
	CHECK(xTaskGetCurrentTaskHandle() == NULL);
	/* The HAL's vectors, because the HAL reports exceptions. The port's would save the registers of a task that
	 * does not exist.
	 */
	csr_write(CSR_MTVEC, (uint32_t)__trapeze_vectors | MTVEC_MODE_VECTORED);
	vTaskResume(made);
	vTaskStartScheduler();
	return 1;
}
