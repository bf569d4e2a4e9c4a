// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// 16550-compatible UART whose serial line is a byte stream to and from the host. Register map: regs/uart.rdl;
// behaviour: PC16550D data sheet. FIFOs of 16, loop-back, all interrupts; no baud rate, parity or break.
//
// Bus: granted at once, answered in the next cycle. An access of more than one byte, or above offset 7, is an error
// and has no effect.
//
// Streams: a byte moves in a cycle with valid and ready. A byte that is written while the transmit FIFO is full is
// lost, as on the original. A full receive FIFO stops the receive stream with ready low: an overrun can occur in
// loop-back only.
module tz_uart
  import uart_reg_pkg::*;
#(
  parameter int unsigned RxTimeoutCycles = 64  // idle clock cycles before a receive timeout (4 characters on a line)
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  obi_pkg::obi_req_t req_i,
  output obi_pkg::obi_rsp_t rsp_o,

  output logic              tx_valid_o,  // to the host
  output logic [7:0]        tx_data_o,
  input  logic              tx_ready_i,

  input  logic              rx_valid_i,  // from the host
  input  logic [7:0]        rx_data_i,
  output logic              rx_ready_o,

  output logic              irq_o        // active high, level
);

  localparam int unsigned FifoDepth = 16;
  localparam int unsigned CountW = $clog2(FifoDepth) + 1;
  localparam int unsigned TimeoutW = $clog2(RxTimeoutCycles + 1);

  // Bus access, decoded
  logic       byte_access, legal, read, write;
  logic [2:0] offset;
  logic [7:0] wbyte;

  always_comb begin
    byte_access = 1'b1;
    unique case (req_i.be)
      4'b0001: {offset[1:0], wbyte} = {2'd0, req_i.wdata[7:0]};
      4'b0010: {offset[1:0], wbyte} = {2'd1, req_i.wdata[15:8]};
      4'b0100: {offset[1:0], wbyte} = {2'd2, req_i.wdata[23:16]};
      4'b1000: {offset[1:0], wbyte} = {2'd3, req_i.wdata[31:24]};
      default: begin
        {offset[1:0], wbyte} = '0;
        byte_access = 1'b0;
      end
    endcase
    offset[2] = req_i.addr[2];
  end
  assign legal = req_i.req && byte_access && req_i.addr[AddrWidth-1:3] == '0;
  assign read  = legal && !req_i.we;
  assign write = legal && req_i.we;

  // Registers without side effects
  ier_t       ier_q;
  lcr_t       lcr_q;
  mcr_t       mcr_q;
  logic [7:0] scr_q, dll_q, dlm_q;
  logic       fifo_en_q;
  logic [1:0] trigger_q;

  logic rd_rbr, rd_iir, rd_lsr, rd_msr, wr_thr, wr_ier, wr_fcr;
  fcr_t fcr;
  assign rd_rbr = read && offset == RbrOffset[2:0] && !lcr_q.dlab;
  assign rd_iir = read && offset == IirOffset[2:0];
  assign rd_lsr = read && offset == LsrOffset[2:0];
  assign rd_msr = read && offset == MsrOffset[2:0];
  assign wr_thr = write && offset == ThrOffset[2:0] && !lcr_q.dlab;
  assign wr_ier = write && offset == IerOffset[2:0] && !lcr_q.dlab;
  assign wr_fcr = write && offset == FcrOffset[2:0];
  assign fcr    = fcr_t'(wbyte);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ier_q     <= IerReset;
      lcr_q     <= LcrReset;
      mcr_q     <= McrReset;
      scr_q     <= ScrReset;
      dll_q     <= DllReset;
      dlm_q     <= DlmReset;
      fifo_en_q <= FcrReset.enable;
      trigger_q <= FcrReset.trigger;
    end else if (write) begin
      if (wr_ier) ier_q <= ier_t'(wbyte & 8'h0f);
      if (wr_fcr) begin
        fifo_en_q <= fcr.enable;
        // The other bits count only together with the enable.
        if (fcr.enable) trigger_q <= fcr.trigger;
      end
      if (offset == LcrOffset[2:0]) lcr_q <= lcr_t'(wbyte);
      if (offset == McrOffset[2:0]) mcr_q <= mcr_t'(wbyte & 8'h1f);
      if (offset == ScrOffset[2:0]) scr_q <= wbyte;
      if (offset == DllOffset[2:0] && lcr_q.dlab) dll_q <= wbyte;
      if (offset == DlmOffset[2:0] && lcr_q.dlab) dlm_q <= wbyte;
    end
  end

  // FIFOs; without FIFO mode only one byte of each is used
  logic fifo_toggle, tx_clear, rx_clear;
  assign fifo_toggle = wr_fcr && fcr.enable != fifo_en_q;
  assign tx_clear    = fifo_toggle || (wr_fcr && fcr.enable && fcr.tx_reset);
  assign rx_clear    = fifo_toggle || (wr_fcr && fcr.enable && fcr.rx_reset);

  logic              tx_room, tx_avail, tx_pop, tx_free;
  logic [7:0]        tx_head;
  logic              rx_room, rx_avail, rx_push, rx_free, loop_push;
  logic              rx_destroy, overrun;
  logic [7:0]        rx_head, rx_in;
  logic [CountW-1:0] rx_count, unused_tx_count;

  assign tx_free = fifo_en_q ? tx_room : !tx_avail;
  assign rx_free = fifo_en_q ? rx_room : !rx_avail;

  assign tx_valid_o = tx_avail && !mcr_q.loopback;
  assign tx_data_o  = tx_head;
  assign tx_pop     = tx_avail && (mcr_q.loopback || tx_ready_i);
  assign loop_push  = tx_avail && mcr_q.loopback;
  assign rx_ready_o = rx_free && !mcr_q.loopback && !rx_clear;
  assign rx_push    = mcr_q.loopback ? loop_push && rx_room : rx_valid_i && rx_ready_o;
  assign rx_in      = mcr_q.loopback ? tx_head : rx_data_i;

  // Overrun: with FIFOs the new byte is lost. Without FIFOs it replaces the byte in RBR, unless that byte is read in
  // this cycle.
  assign rx_destroy = loop_push && !fifo_en_q && rx_avail && !rd_rbr;
  assign overrun    = rx_destroy || (loop_push && !rx_room);

  tz_fifo #(
    .Width(8),
    .Depth(FifoDepth)
  ) u_tx_fifo (
    .clk_i,
    .rst_ni,
    .clear_i(tx_clear),
    .valid_i(wr_thr && tx_free),
    .data_i (wbyte),
    .ready_o(tx_room),
    .valid_o(tx_avail),
    .data_o (tx_head),
    .ready_i(tx_pop),
    .count_o(unused_tx_count)
  );

  tz_fifo #(
    .Width(8),
    .Depth(FifoDepth)
  ) u_rx_fifo (
    .clk_i,
    .rst_ni,
    .clear_i(rx_clear),
    .valid_i(rx_push),
    .data_i (rx_in),
    .ready_o(rx_room),
    .valid_o(rx_avail),
    .data_o (rx_head),
    .ready_i(rd_rbr || rx_destroy),
    .count_o(rx_count)
  );

  // Line status
  logic overrun_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) overrun_q <= LsrReset.oe;
    else if (overrun) overrun_q <= 1'b1;
    else if (rd_lsr) overrun_q <= 1'b0;
  end

  lsr_t lsr;
  always_comb begin
    lsr      = '0;
    lsr.dr   = rx_avail;
    lsr.oe   = overrun_q;
    lsr.thre = !tx_avail;
    lsr.temt = !tx_avail;
  end

  // Modem status: in loop-back the outputs feed the inputs
  msr_t       msr;
  logic [3:0] lines, lines_q, delta_q;  // {dcd, ri, dsr, cts}, {ddcd, teri, ddsr, dcts}

  assign lines = mcr_q.loopback ? {mcr_q.out2, mcr_q.out1, mcr_q.dtr, mcr_q.rts}
                                : {MsrReset.dcd, MsrReset.ri, MsrReset.dsr, MsrReset.cts};

  logic [3:0] delta;  // with the changes of this cycle, so that a read shows a new level together with its bit
  assign delta = delta_q | {lines[3] != lines_q[3], !lines[2] && lines_q[2], lines[1:0] ^ lines_q[1:0]};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      lines_q <= {MsrReset.dcd, MsrReset.ri, MsrReset.dsr, MsrReset.cts};
      delta_q <= {MsrReset.ddcd, MsrReset.teri, MsrReset.ddsr, MsrReset.dcts};
    end else begin
      lines_q <= lines;
      delta_q <= rd_msr ? 4'b0 : delta;
    end
  end
  assign msr = {lines, delta};

  // Interrupts
  logic                rx_level, rx_timeout, thre_irq_q, thre_q;
  logic [TimeoutW-1:0] idle_q;
  logic [CountW-1:0]   trigger_level;
  iir_t                iir;

  always_comb begin
    unique case (trigger_q)
      FcrTriggerOne:   trigger_level = CountW'(1);
      FcrTriggerFour:  trigger_level = CountW'(4);
      FcrTriggerEight: trigger_level = CountW'(8);
      default:         trigger_level = CountW'(14);
    endcase
  end
  assign rx_level   = fifo_en_q ? rx_count >= trigger_level : rx_avail;
  assign rx_timeout = fifo_en_q && idle_q == TimeoutW'(RxTimeoutCycles);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) idle_q <= '0;
    else if (!rx_avail || rx_push || rd_rbr || rx_clear) idle_q <= '0;
    else if (idle_q != TimeoutW'(RxTimeoutCycles)) idle_q <= idle_q + 1'b1;
  end

  // The transmitter interrupt comes when the FIFO runs empty, or is enabled while empty; IIR or THR takes it back.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      thre_q     <= LsrReset.thre;
      thre_irq_q <= 1'b0;
    end else begin
      thre_q <= lsr.thre;
      if (wr_thr) thre_irq_q <= 1'b0;
      else if (lsr.thre && !thre_q) thre_irq_q <= 1'b1;
      else if (wr_ier && wbyte[1] && !ier_q.etbei) thre_irq_q <= lsr.thre;
      else if (rd_iir && iir.id == IirIdThrEmpty) thre_irq_q <= 1'b0;
    end
  end

  always_comb begin
    iir       = IirReset;
    iir.fifos = {2{fifo_en_q}};
    if (ier_q.elsi && overrun_q) iir.id = IirIdLineStatus;
    else if (ier_q.erbfi && rx_level) iir.id = IirIdRxData;
    else if (ier_q.erbfi && rx_timeout) iir.id = IirIdRxTimeout;
    else if (ier_q.etbei && thre_irq_q) iir.id = IirIdThrEmpty;
    else if (ier_q.edssi && delta != '0) iir.id = IirIdModem;
    else iir.id = IirIdNone;
  end
  assign irq_o = iir.id != IirIdNone;

  // Response
  logic [7:0] rbyte, rdata_q;
  logic       rvalid_q, err_q;

  always_comb begin
    unique case (offset)
      RbrOffset[2:0]: rbyte = lcr_q.dlab ? dll_q : (rx_avail ? rx_head : RbrReset);
      IerOffset[2:0]: rbyte = lcr_q.dlab ? dlm_q : ier_q;
      IirOffset[2:0]: rbyte = iir;
      LcrOffset[2:0]: rbyte = lcr_q;
      McrOffset[2:0]: rbyte = mcr_q;
      LsrOffset[2:0]: rbyte = lsr;
      MsrOffset[2:0]: rbyte = msr;
      default:        rbyte = scr_q;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rvalid_q <= 1'b0;
      err_q    <= 1'b0;
      rdata_q  <= '0;
    end else begin
      rvalid_q <= req_i.req;
      err_q    <= !legal;
      if (read) rdata_q <= rbyte;
    end
  end

  assign rsp_o = '{exokay: 1'b0, gnt: 1'b1, rvalid: rvalid_q, err: err_q, rdata: {4{rdata_q}}};

  logic unused;
  assign unused = ^{req_i.prv, req_i.mid, req_i.atop, req_i.addr[31:AddrWidth], req_i.addr[1:0], fcr.dma_mode,
                    fcr.reserved_5_4};

endmodule
