// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// UART: registers. 16550-compatible console: byte registers, byte accesses. While LCR.DLAB is 1, DLL and DLM are at offsets 0 and 1.
// Generated from the SystemRDL in regs by regs/generate.py; do not edit.

// A package describes everything; no design uses all of it.
// verilator lint_off UNUSEDPARAM
package uart_reg_pkg;

  /// Address bits the block decodes.
  parameter int unsigned AddrWidth = 8;

  /// Receiver buffer, r. Oldest received byte; the read removes it.
  parameter logic [7:0] RbrOffset = 8'h00;
  typedef struct packed {
    logic [7:0] data; // received byte
  } rbr_t;
  parameter rbr_t RbrReset = 8'h00;

  /// Transmitter holding, w. The byte written is queued towards the host.
  parameter logic [7:0] ThrOffset = 8'h00;
  typedef struct packed {
    logic [7:0] data; // byte to send
  } thr_t;
  parameter thr_t ThrReset = 8'h00;

  /// Interrupt enable, rw.
  parameter logic [7:0] IerOffset = 8'h01;
  typedef struct packed {
    logic [3:0] reserved_7_4; // reserved
    logic       edssi;        // modem status
    logic       elsi;         // receiver line status
    logic       etbei;        // transmitter holding register empty
    logic       erbfi;        // received data, and its timeout
  } ier_t;
  parameter ier_t IerReset = 8'h00;

  /// Interrupt identification, r. Most urgent pending interrupt.
  parameter logic [7:0] IirOffset = 8'h02;
  typedef struct packed {
    logic [1:0] fifos;        // 3: FIFOs enabled, 0: disabled
    logic [1:0] reserved_5_4; // reserved
    logic [3:0] id;           // interrupt, bit 0 clear when one is pending
  } iir_t;
  parameter iir_t IirReset = 8'h01;
  parameter logic [3:0] IirIdModem = 4'h0;  // modem status (bit 0 clear: pending)
  parameter logic [3:0] IirIdNone = 4'h1;  // no interrupt is pending
  parameter logic [3:0] IirIdThrEmpty = 4'h2;  // transmitter empty; cleared by reading IIR or writing THR
  parameter logic [3:0] IirIdRxData = 4'h4;  // received data at or above the trigger level
  parameter logic [3:0] IirIdLineStatus = 4'h6;  // receiver line status (overrun)
  parameter logic [3:0] IirIdRxTimeout = 4'hc;  // received data below the trigger level, not read for a while

  /// FIFO control, w.
  parameter logic [7:0] FcrOffset = 8'h02;
  typedef struct packed {
    logic [1:0] trigger;      // receive interrupt trigger level
    logic [1:0] reserved_5_4; // reserved
    logic       dma_mode;     // DMA mode, ignored
    logic       tx_reset;     // empty the transmit FIFO
    logic       rx_reset;     // empty the receive FIFO
    logic       enable;       // enable both FIFOs; a change empties them
  } fcr_t;
  parameter fcr_t FcrReset = 8'h00;
  parameter logic [1:0] FcrTriggerOne = 2'h0;  // 1 byte
  parameter logic [1:0] FcrTriggerFour = 2'h1;  // 4 bytes
  parameter logic [1:0] FcrTriggerEight = 2'h2;  // 8 bytes
  parameter logic [1:0] FcrTriggerFourteen = 2'h3;  // 14 bytes

  /// Line control, rw. Stored; only DLAB has an effect.
  parameter logic [7:0] LcrOffset = 8'h03;
  typedef struct packed {
    logic       dlab;      // offsets 0 and 1 are the divisor latches
    logic       set_break; // send break
    logic [2:0] parity;    // parity: enable, even, stick
    logic       stb;       // stop bits
    logic [1:0] wls;       // word length - 5
  } lcr_t;
  parameter lcr_t LcrReset = 8'h00;

  /// Modem control, rw.
  parameter logic [7:0] McrOffset = 8'h04;
  typedef struct packed {
    logic [2:0] reserved_7_5; // reserved
    logic       loopback;     // loop the transmitter back to the receiver, MCR to MSR
    logic       out2;         // output 2
    logic       out1;         // output 1
    logic       rts;          // request to send
    logic       dtr;          // data terminal ready
  } mcr_t;
  parameter mcr_t McrReset = 8'h00;

  /// Line status, r.
  parameter logic [7:0] LsrOffset = 8'h05;
  typedef struct packed {
    logic fifo_error; // error in the receive FIFO, never set
    logic temt;       // transmitter idle
    logic thre;       // transmit FIFO empty
    logic bi;         // break, never set
    logic fe;         // framing error, never set
    logic pe;         // parity error, never set
    logic oe;         // overrun: a byte was lost; cleared by reading
    logic dr;         // received data ready
  } lsr_t;
  parameter lsr_t LsrReset = 8'h60;

  /// Modem status, r. CTS, DSR and DCD are on, unless looped back.
  parameter logic [7:0] MsrOffset = 8'h06;
  typedef struct packed {
    logic dcd;  // data carrier detect
    logic ri;   // ring indicator
    logic dsr;  // data set ready
    logic cts;  // clear to send
    logic ddcd; // DCD changed; cleared by reading
    logic teri; // RI fell; cleared by reading
    logic ddsr; // DSR changed; cleared by reading
    logic dcts; // CTS changed; cleared by reading
  } msr_t;
  parameter msr_t MsrReset = 8'hb0;

  /// Scratch, rw.
  parameter logic [7:0] ScrOffset = 8'h07;
  typedef struct packed {
    logic [7:0] data; // stored
  } scr_t;
  parameter scr_t ScrReset = 8'h00;

  /// Divisor latch, low (while DLAB), rw. Stored; the host stream has no baud rate.
  parameter logic [7:0] DllOffset = 8'h00;
  typedef struct packed {
    logic [7:0] data; // divisor 7:0
  } dll_t;
  parameter dll_t DllReset = 8'h00;

  /// Divisor latch, high (while DLAB), rw. Stored; the host stream has no baud rate.
  parameter logic [7:0] DlmOffset = 8'h01;
  typedef struct packed {
    logic [7:0] data; // divisor 15:8
  } dlm_t;
  parameter dlm_t DlmReset = 8'h00;

endpackage
// verilator lint_on UNUSEDPARAM
