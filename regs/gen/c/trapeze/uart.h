/*
 * Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Generated from the SystemRDL in regs by regs/generate.py; do not edit.
 */

/**
 * @file
 * @brief UART: registers of the Trapeze SoC. 16550-compatible console: byte registers, byte accesses. While LCR.DLAB is 1, DLL and DLM are at offsets 0 and 1.
 *
 * Only macros, usable from C, C++ and assembly.
 */

#ifndef TRAPEZE_UART_H_
#define TRAPEZE_UART_H_

/** Receiver buffer (r), 8 bits: offset. Oldest received byte; the read removes it. */
#define TRAPEZE_UART_RBR_OFFSET 0x00
/** Receiver buffer: value after reset. */
#define TRAPEZE_UART_RBR_RESET 0x0
/** Field (r (read clears)): received byte. */
#define TRAPEZE_UART_RBR_DATA_MASK 0xff
#define TRAPEZE_UART_RBR_DATA_SHIFT 0

/** Transmitter holding (w), 8 bits: offset. The byte written is queued towards the host. */
#define TRAPEZE_UART_THR_OFFSET 0x00
/** Transmitter holding: value after reset. */
#define TRAPEZE_UART_THR_RESET 0x0
/** Field (w): byte to send. */
#define TRAPEZE_UART_THR_DATA_MASK 0xff
#define TRAPEZE_UART_THR_DATA_SHIFT 0

/** Interrupt enable (rw), 8 bits: offset. */
#define TRAPEZE_UART_IER_OFFSET 0x01
/** Interrupt enable: value after reset. */
#define TRAPEZE_UART_IER_RESET 0x0
/** Field (rw): received data, and its timeout. */
#define TRAPEZE_UART_IER_ERBFI_MASK 0x1
#define TRAPEZE_UART_IER_ERBFI_SHIFT 0
/** Field (rw): transmitter holding register empty. */
#define TRAPEZE_UART_IER_ETBEI_MASK 0x2
#define TRAPEZE_UART_IER_ETBEI_SHIFT 1
/** Field (rw): receiver line status. */
#define TRAPEZE_UART_IER_ELSI_MASK 0x4
#define TRAPEZE_UART_IER_ELSI_SHIFT 2
/** Field (rw): modem status. */
#define TRAPEZE_UART_IER_EDSSI_MASK 0x8
#define TRAPEZE_UART_IER_EDSSI_SHIFT 3

/** Interrupt identification (r), 8 bits: offset. Most urgent pending interrupt. */
#define TRAPEZE_UART_IIR_OFFSET 0x02
/** Interrupt identification: value after reset. */
#define TRAPEZE_UART_IIR_RESET 0x1
/** Field (r): interrupt, bit 0 clear when one is pending. */
#define TRAPEZE_UART_IIR_ID_MASK 0xf
#define TRAPEZE_UART_IIR_ID_SHIFT 0
/** Field value: modem status (bit 0 clear: pending). */
#define TRAPEZE_UART_IIR_ID_MODEM 0x0
/** Field value: no interrupt is pending. */
#define TRAPEZE_UART_IIR_ID_NONE 0x1
/** Field value: transmitter empty; cleared by reading IIR or writing THR. */
#define TRAPEZE_UART_IIR_ID_THR_EMPTY 0x2
/** Field value: received data at or above the trigger level. */
#define TRAPEZE_UART_IIR_ID_RX_DATA 0x4
/** Field value: receiver line status (overrun). */
#define TRAPEZE_UART_IIR_ID_LINE_STATUS 0x6
/** Field value: received data below the trigger level, not read for a while. */
#define TRAPEZE_UART_IIR_ID_RX_TIMEOUT 0xc
/** Field (r): 3: FIFOs enabled, 0: disabled. */
#define TRAPEZE_UART_IIR_FIFOS_MASK 0xc0
#define TRAPEZE_UART_IIR_FIFOS_SHIFT 6

/** FIFO control (w), 8 bits: offset. */
#define TRAPEZE_UART_FCR_OFFSET 0x02
/** FIFO control: value after reset. */
#define TRAPEZE_UART_FCR_RESET 0x0
/** Field (w): enable both FIFOs; a change empties them. */
#define TRAPEZE_UART_FCR_ENABLE_MASK 0x1
#define TRAPEZE_UART_FCR_ENABLE_SHIFT 0
/** Field (w): empty the receive FIFO. */
#define TRAPEZE_UART_FCR_RX_RESET_MASK 0x2
#define TRAPEZE_UART_FCR_RX_RESET_SHIFT 1
/** Field (w): empty the transmit FIFO. */
#define TRAPEZE_UART_FCR_TX_RESET_MASK 0x4
#define TRAPEZE_UART_FCR_TX_RESET_SHIFT 2
/** Field (w): DMA mode, ignored. */
#define TRAPEZE_UART_FCR_DMA_MODE_MASK 0x8
#define TRAPEZE_UART_FCR_DMA_MODE_SHIFT 3
/** Field (w): receive interrupt trigger level. */
#define TRAPEZE_UART_FCR_TRIGGER_MASK 0xc0
#define TRAPEZE_UART_FCR_TRIGGER_SHIFT 6
/** Field value: 1 byte. */
#define TRAPEZE_UART_FCR_TRIGGER_ONE 0x0
/** Field value: 4 bytes. */
#define TRAPEZE_UART_FCR_TRIGGER_FOUR 0x1
/** Field value: 8 bytes. */
#define TRAPEZE_UART_FCR_TRIGGER_EIGHT 0x2
/** Field value: 14 bytes. */
#define TRAPEZE_UART_FCR_TRIGGER_FOURTEEN 0x3

/** Line control (rw), 8 bits: offset. Stored; only DLAB has an effect. */
#define TRAPEZE_UART_LCR_OFFSET 0x03
/** Line control: value after reset. */
#define TRAPEZE_UART_LCR_RESET 0x0
/** Field (rw): word length - 5. */
#define TRAPEZE_UART_LCR_WLS_MASK 0x3
#define TRAPEZE_UART_LCR_WLS_SHIFT 0
/** Field (rw): stop bits. */
#define TRAPEZE_UART_LCR_STB_MASK 0x4
#define TRAPEZE_UART_LCR_STB_SHIFT 2
/** Field (rw): parity: enable, even, stick. */
#define TRAPEZE_UART_LCR_PARITY_MASK 0x38
#define TRAPEZE_UART_LCR_PARITY_SHIFT 3
/** Field (rw): send break. */
#define TRAPEZE_UART_LCR_SET_BREAK_MASK 0x40
#define TRAPEZE_UART_LCR_SET_BREAK_SHIFT 6
/** Field (rw): offsets 0 and 1 are the divisor latches. */
#define TRAPEZE_UART_LCR_DLAB_MASK 0x80
#define TRAPEZE_UART_LCR_DLAB_SHIFT 7

/** Modem control (rw), 8 bits: offset. */
#define TRAPEZE_UART_MCR_OFFSET 0x04
/** Modem control: value after reset. */
#define TRAPEZE_UART_MCR_RESET 0x0
/** Field (rw): data terminal ready. */
#define TRAPEZE_UART_MCR_DTR_MASK 0x1
#define TRAPEZE_UART_MCR_DTR_SHIFT 0
/** Field (rw): request to send. */
#define TRAPEZE_UART_MCR_RTS_MASK 0x2
#define TRAPEZE_UART_MCR_RTS_SHIFT 1
/** Field (rw): output 1. */
#define TRAPEZE_UART_MCR_OUT1_MASK 0x4
#define TRAPEZE_UART_MCR_OUT1_SHIFT 2
/** Field (rw): output 2. */
#define TRAPEZE_UART_MCR_OUT2_MASK 0x8
#define TRAPEZE_UART_MCR_OUT2_SHIFT 3
/** Field (rw): loop the transmitter back to the receiver, MCR to MSR. */
#define TRAPEZE_UART_MCR_LOOPBACK_MASK 0x10
#define TRAPEZE_UART_MCR_LOOPBACK_SHIFT 4

/** Line status (r), 8 bits: offset. */
#define TRAPEZE_UART_LSR_OFFSET 0x05
/** Line status: value after reset. */
#define TRAPEZE_UART_LSR_RESET 0x60
/** Field (r): received data ready. */
#define TRAPEZE_UART_LSR_DR_MASK 0x1
#define TRAPEZE_UART_LSR_DR_SHIFT 0
/** Field (r (read clears)): overrun: a byte was lost; cleared by reading. */
#define TRAPEZE_UART_LSR_OE_MASK 0x2
#define TRAPEZE_UART_LSR_OE_SHIFT 1
/** Field (r): parity error, never set. */
#define TRAPEZE_UART_LSR_PE_MASK 0x4
#define TRAPEZE_UART_LSR_PE_SHIFT 2
/** Field (r): framing error, never set. */
#define TRAPEZE_UART_LSR_FE_MASK 0x8
#define TRAPEZE_UART_LSR_FE_SHIFT 3
/** Field (r): break, never set. */
#define TRAPEZE_UART_LSR_BI_MASK 0x10
#define TRAPEZE_UART_LSR_BI_SHIFT 4
/** Field (r): transmit FIFO empty. */
#define TRAPEZE_UART_LSR_THRE_MASK 0x20
#define TRAPEZE_UART_LSR_THRE_SHIFT 5
/** Field (r): transmitter idle. */
#define TRAPEZE_UART_LSR_TEMT_MASK 0x40
#define TRAPEZE_UART_LSR_TEMT_SHIFT 6
/** Field (r): error in the receive FIFO, never set. */
#define TRAPEZE_UART_LSR_FIFO_ERROR_MASK 0x80
#define TRAPEZE_UART_LSR_FIFO_ERROR_SHIFT 7

/** Modem status (r), 8 bits: offset. CTS, DSR and DCD are on, unless looped back. */
#define TRAPEZE_UART_MSR_OFFSET 0x06
/** Modem status: value after reset. */
#define TRAPEZE_UART_MSR_RESET 0xb0
/** Field (r (read clears)): CTS changed; cleared by reading. */
#define TRAPEZE_UART_MSR_DCTS_MASK 0x1
#define TRAPEZE_UART_MSR_DCTS_SHIFT 0
/** Field (r (read clears)): DSR changed; cleared by reading. */
#define TRAPEZE_UART_MSR_DDSR_MASK 0x2
#define TRAPEZE_UART_MSR_DDSR_SHIFT 1
/** Field (r (read clears)): RI fell; cleared by reading. */
#define TRAPEZE_UART_MSR_TERI_MASK 0x4
#define TRAPEZE_UART_MSR_TERI_SHIFT 2
/** Field (r (read clears)): DCD changed; cleared by reading. */
#define TRAPEZE_UART_MSR_DDCD_MASK 0x8
#define TRAPEZE_UART_MSR_DDCD_SHIFT 3
/** Field (r): clear to send. */
#define TRAPEZE_UART_MSR_CTS_MASK 0x10
#define TRAPEZE_UART_MSR_CTS_SHIFT 4
/** Field (r): data set ready. */
#define TRAPEZE_UART_MSR_DSR_MASK 0x20
#define TRAPEZE_UART_MSR_DSR_SHIFT 5
/** Field (r): ring indicator. */
#define TRAPEZE_UART_MSR_RI_MASK 0x40
#define TRAPEZE_UART_MSR_RI_SHIFT 6
/** Field (r): data carrier detect. */
#define TRAPEZE_UART_MSR_DCD_MASK 0x80
#define TRAPEZE_UART_MSR_DCD_SHIFT 7

/** Scratch (rw), 8 bits: offset. */
#define TRAPEZE_UART_SCR_OFFSET 0x07
/** Scratch: value after reset. */
#define TRAPEZE_UART_SCR_RESET 0x0
/** Field (rw): stored. */
#define TRAPEZE_UART_SCR_DATA_MASK 0xff
#define TRAPEZE_UART_SCR_DATA_SHIFT 0

/** Divisor latch, low (rw, while DLAB is set), 8 bits: offset. Stored; the host stream has no baud rate. */
#define TRAPEZE_UART_DLL_OFFSET 0x00
/** Divisor latch, low: value after reset. */
#define TRAPEZE_UART_DLL_RESET 0x0
/** Field (rw): divisor 7:0. */
#define TRAPEZE_UART_DLL_DATA_MASK 0xff
#define TRAPEZE_UART_DLL_DATA_SHIFT 0

/** Divisor latch, high (rw, while DLAB is set), 8 bits: offset. Stored; the host stream has no baud rate. */
#define TRAPEZE_UART_DLM_OFFSET 0x01
/** Divisor latch, high: value after reset. */
#define TRAPEZE_UART_DLM_RESET 0x0
/** Field (rw): divisor 15:8. */
#define TRAPEZE_UART_DLM_DATA_MASK 0xff
#define TRAPEZE_UART_DLM_DATA_SHIFT 0

#endif /* TRAPEZE_UART_H_ */
