// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Records how many clocks pass from the rise of `irq_i` to the rise of `ack_i`. Registers: regs/probe.rdl.
//
// One memory with two ports holds the samples and, above them, four registers: alarm_lat, last, max and min. Port A
// serves the reads of s00, and writes alarm_lat. Port B serves the recorder, and the reads of s01 while the recorder is
// idle. The recorder stores the latency, compares it with one register after the other, and replaces those that it
// must. The counter stands meanwhile:
//
//   cycle   0      1       2       3       4       5        6         7         8
//           ack    RdMax   WrMax   RdMin   WrMin   RdAlarm  WrLast    WrSample  Idle: the next irq may rise
//
// Reset: the flip-flops that the command `clear` clears have a synchronous reset, because the flip-flops of most FPGAs
// have a synchronous or an asynchronous clear, not both. So a reset must last over a rising edge of the clock.
module tz_latency_probe
  import probe_reg_pkg::*;
#(
  parameter int unsigned Width         = 16,   // bits of a latency, 2 to 32
  parameter int unsigned Depth         = 512,  // samples, a power of two, 4 to 32768
  parameter int unsigned MissedWidth   = 8,    // bits of the count of missed interrupts, 1 to 8
  parameter int unsigned HistogramBins = 0,    // bins of the histogram, a power of two, 2 to 512; 0: none
  parameter bit          Moments       = 0,    // sum and sum of squares
  parameter bit          Break         = 0     // output on the alarm and on a new maximum
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                irq_i,      // start; synchronous to clk_i, as is ack_i
  input  logic                ack_i,      // end

  input  axil_pkg::axil_req_t s00_req_i,  // samples
  output axil_pkg::axil_rsp_t s00_rsp_o,
  input  axil_pkg::axil_req_t s01_req_i,  // registers
  output axil_pkg::axil_rsp_t s01_rsp_o,

  output logic                break_o     // pulse of one clock
);

  localparam int unsigned IdxW = $clog2(Depth);

  if (Width < 2 || Width > 32) begin : gen_bad_width
    $error("tz_latency_probe: Width must be 2 to 32");
  end
  if (Depth < 4 || Depth > 32768 || 2 ** IdxW != Depth) begin : gen_bad_depth
    $error("tz_latency_probe: Depth must be a power of two, 4 to 32768");
  end
  if (MissedWidth < 1 || MissedWidth > 8) begin : gen_bad_missed
    $error("tz_latency_probe: MissedWidth must be 1 to 8");
  end
  if (HistogramBins != 0 && (HistogramBins < 2 || HistogramBins > 512 || 2 ** $clog2(HistogramBins) != HistogramBins))
  begin : gen_bad_bins
    $error("tz_latency_probe: HistogramBins must be 0 or a power of two, 2 to 512");
  end
  if (ControlOffset != 'h00 || AlarmLatOffset != 'h10 || LastOffset != 'h14 || MaxOffset != 'h18 || MinOffset != 'h1c)
  begin : gen_bad_offsets
    $error("tz_latency_probe: bits 4:2 of the offsets are the registers' places in memory");
  end

  // The four registers in memory, by bits 3:2 of their offsets.
  localparam logic [1:0] AtAlarm = AlarmLatOffset[3:2];
  localparam logic [1:0] AtLast = LastOffset[3:2];
  localparam logic [1:0] AtMax = MaxOffset[3:2];
  localparam logic [1:0] AtMin = MinOffset[3:2];

  // {busy, register on port B, port B may write}; WrSample has the code of a write of alarm_lat, which port B never does.
  typedef enum logic [3:0] {
    Idle     = 4'b0000,
    RdMax    = {1'b1, AtMax, 1'b0},
    WrMax    = {1'b1, AtMax, 1'b1},
    RdMin    = {1'b1, AtMin, 1'b0},
    WrMin    = {1'b1, AtMin, 1'b1},
    RdAlarm  = {1'b1, AtAlarm, 1'b0},
    WrLast   = {1'b1, AtLast, 1'b1},
    WrSample = {1'b1, AtAlarm, 1'b1}
  } state_e;

  state_e           state_q, state_d;
  logic             busy;         // recording
  logic [1:0]       at;           // register on port B
  logic             may_write;    // a state that can write on port B
  logic             option_busy;  // an option clears its memory
  logic             done;         // the latency is complete
  logic             clear;
  logic             first_q;      // no latency was recorded since the last clear
  logic             greater;      // the counter is larger than the word that port B read in the last cycle
  logic [Width-1:0] count_q;      // the latency that is being measured, or the last one
  logic [15:0]      num_q;

  // ------------------------------------------------------------------ buses
  logic        s00_read, s01_write_begin, s01_write, s01_read;
  logic        write_control, write_alarm;
  logic        option_write, option_read;  // the address is that of a register of tz_probe_options
  logic [31:0] s01_rdata_q;
  logic [Width-1:0] a_rdata, b_rdata;
  control_t    wcontrol;
  logic [2:0]  unused_s00;
  logic        unused_s01;

  // A write of s01 takes port A for the cycle after its begin. It waits for the recorder, and so does a read.
  tz_axil_port #(
    .WriteError(1)
  ) u_s00 (
    .clk_i,
    .rst_ni,
    .req_i        (s00_req_i),
    .rsp_o        (s00_rsp_o),
    .write_ready_i(1'b1),
    .write_begin_o(unused_s00[0]),
    .write_o      (unused_s00[1]),
    .read_ready_i (!s01_write_begin),
    .read_begin_o (unused_s00[2]),
    .read_o       (s00_read),
    .rdata_i      (32'(a_rdata))
  );

  tz_axil_port u_s01 (
    .clk_i,
    .rst_ni,
    .req_i        (s01_req_i),
    .rsp_o        (s01_rsp_o),
    .write_ready_i(!busy && !option_busy && !(HistogramBins != 0 && done)),  // a histogram is cleared between records
    .write_begin_o(s01_write_begin),
    .write_o      (s01_write),
    .read_ready_i (!busy && !option_busy && !s01_write),
    .read_begin_o (unused_s01),
    .read_o       (s01_read),
    .rdata_i      (s01_rdata_q)
  );

  assign wcontrol      = s01_req_i.wdata;
  assign write_control = s01_write && !option_write && s01_req_i.awaddr[4:2] == ControlOffset[4:2];
  assign write_alarm   = s01_write && !option_write && s01_req_i.awaddr[4:2] == AlarmLatOffset[4:2];

  // ------------------------------------------------------------------ memory
  // Port A: the address of a sample is put to 0 for a write of alarm_lat, which is the first of the registers.
  logic [IdxW-1:0] a_idx_q;
  always_ff @(posedge clk_i) a_idx_q <= s01_write_begin ? '0 : s00_req_i.araddr[2+:IdxW];

  logic [IdxW-1:0] b_idx;
  logic            b_sample, b_we, full;
  assign b_sample = may_write && at == AtAlarm;
  assign full     = num_q[15:IdxW] != '0;

  always_comb begin
    b_idx      = b_sample ? num_q[IdxW-1:0] : '0;
    b_idx[1:0] = b_sample ? num_q[1:0] : busy ? at : s01_req_i.araddr[3:2];
    unique case (at)
      AtMax:   b_we = may_write && (greater || first_q);
      AtMin:   b_we = may_write && (!greater || first_q);
      AtLast:  b_we = may_write;
      AtAlarm: b_we = may_write && !full;
      default: b_we = 1'bx;
    endcase
  end

  tz_probe_ram #(
    .Width(Width),
    .Words(Depth + 4)
  ) u_ram (
    .clk_i,
    .a_we_i   (write_alarm),
    .a_re_i   (s00_read),
    .a_addr_i ({s01_write, a_idx_q}),
    .a_wdata_i(s01_req_i.wdata[Width-1:0]),
    .a_rdata_o(a_rdata),
    .b_we_i   (b_we),
    .b_addr_i ({!b_sample, b_idx}),
    .b_wdata_i(count_q),
    .b_rdata_o(b_rdata)
  );

  // ------------------------------------------------------------------ measurement
  logic we_q, irq_q, ack_q, run_q, saturated, irq_rise;
  logic [Width:0] count_inc;

  assign irq_rise  = irq_i && !irq_q;
  assign done      = run_q && ack_i && !ack_q && !option_busy;
  assign count_inc = {1'b0, count_q} + 1'b1;
  assign saturated = count_inc[Width];

  always_ff @(posedge clk_i) begin
    irq_q <= irq_i;
    ack_q <= ack_i;
    // During the measurement count_q is one less than the latency so far: the acknowledge itself makes the last
    // increment.
    if (!run_q && !busy) count_q <= '0;
    else if (run_q && !saturated) count_q <= count_inc[Width-1:0];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      we_q  <= ControlReset.we;
      run_q <= 1'b0;
    end else begin
      if (write_control) we_q <= wcontrol.we;
      // An acknowledge in the cycle of the interrupt that starts a measurement is ignored.
      run_q <= we_q && !option_busy && (run_q ? !done : irq_rise && !busy);
    end
  end

  // ------------------------------------------------------------------ recorder
  always_comb begin
    unique case (state_q)
      Idle:     state_d = done ? RdMax : Idle;
      RdMax:    state_d = WrMax;
      WrMax:    state_d = RdMin;
      RdMin:    state_d = WrMin;
      WrMin:    state_d = RdAlarm;
      RdAlarm:  state_d = WrLast;
      WrLast:   state_d = WrSample;
      WrSample: state_d = Idle;
      default:  state_d = state_e'('x);
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= Idle;
    else state_q <= state_d;
  end

  assign busy     = state_q[3];
  assign at       = state_q[2:1];
  assign may_write = state_q[0];
  // verilator lint_off SYNCASYNCNET
  assign clear    = !rst_ni || (write_control && wcontrol.clear);
  // verilator lint_on SYNCASYNCNET

  // greater: count_q > b_rdata, with two bits in each step. A step has two functions of the same four bits, which fit
  // into one LUT. The addition is mapped to a carry chain, which combines the steps.
  localparam int unsigned Steps = (Width + 1) / 2;
  logic [Steps-1:0] above, not_below;
  logic [Steps:0]   chain;
  for (genvar i = 0; i < int'(Steps); i++) begin : gen_step
    localparam int unsigned Bits = (2 * i + 1 < int'(Width)) ? 2 : 1;
    assign above[i]     = count_q[2*i+:Bits] > b_rdata[2*i+:Bits];
    assign not_below[i] = count_q[2*i+:Bits] >= b_rdata[2*i+:Bits];
  end
  assign chain   = {1'b0, above} + {1'b0, not_below};
  assign greater = chain[Steps];

  // ------------------------------------------------------------------ status
  logic                   alarm_q, alarm_on_q, overflow_q, alarm_hit;
  logic [MissedWidth-1:0] missed_q;
  logic [MissedWidth:0]   missed_inc;
  logic [16:0]            num_inc;

  assign num_inc    = {1'b0, num_q} + 1'b1;
  assign missed_inc = {1'b0, missed_q} + 1'b1;
  assign alarm_hit  = may_write && at == AtLast && greater && alarm_on_q;  // port B has read alarm_lat

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) alarm_on_q <= 1'b0;
    else if (write_alarm) alarm_on_q <= 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (clear) begin
      first_q    <= 1'b1;
      num_q      <= ControlReset.num;
      alarm_q    <= ControlReset.alarm;
      overflow_q <= ControlReset.overflow;
      missed_q   <= ControlReset.missed[MissedWidth-1:0];
    end else begin
      if (b_sample) first_q <= 1'b0;
      if (b_sample && !num_inc[16]) num_q <= num_inc[15:0];
      if (alarm_hit) alarm_q <= 1'b1;
      if (run_q && saturated) overflow_q <= 1'b1;
      if (irq_rise && (run_q || busy || option_busy) && !missed_inc[MissedWidth]) begin
        missed_q <= missed_inc[MissedWidth-1:0];
      end
    end
  end

  // ------------------------------------------------------------------ options
  logic [31:0] option_rdata;
  logic [1:0] break_mode;
  if (Break) begin : gen_break
    logic [1:0] mode_q;  // {maximum, alarm}
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) mode_q <= {ControlReset.break_max, ControlReset.break_alarm};
      else if (write_control) mode_q <= {wcontrol.break_max, wcontrol.break_alarm};
    end
    logic break_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) break_q <= 1'b0;
      else break_q <= (mode_q[0] && alarm_hit) || (mode_q[1] && state_q == WrMax && greater && !first_q);
    end
    assign break_mode = mode_q;
    assign break_o    = break_q;
  end else begin : gen_no_break
    assign break_mode = '0;
    assign break_o    = 1'b0;
  end

  if (HistogramBins != 0 || Moments) begin : gen_options
    tz_probe_options #(
      .Width        (Width),
      .HistogramBins(HistogramBins),
      .Moments      (Moments)
    ) u_options (
      .clk_i,
      .rst_ni,
      .clear_i    (clear),
      .latency_i  (count_q),
      .fetch_i    (may_write && at == AtLast),
      .record_i   (b_sample),
      .add_i      (!num_inc[16]),
      .busy_o     (option_busy),
      .write_i    (s01_write),
      .waddr_i    (s01_req_i.awaddr[AddrWidth-1:2]),
      .wdata_i    (s01_req_i.wdata),
      .write_hit_o(option_write),
      .raddr_i    (s01_req_i.araddr[AddrWidth-1:2]),
      .rdata_o    (option_rdata),
      .read_hit_o (option_read)
    );
  end else begin : gen_no_options
    assign option_busy  = 1'b0;
    assign option_write = 1'b0;
    assign option_read  = 1'b0;
    assign option_rdata = '0;
  end

  // ------------------------------------------------------------------ reads of s01
  // The answer is copied into flip-flops. So it does not change until the manager takes it, whatever is recorded
  // meanwhile.
  control_t    status;
  logic        from_ram, hidden;
  logic [31:0] rdata_d;

  always_comb begin
    status             = '0;
    status.we          = we_q;
    status.alarm       = alarm_q;
    status.overflow    = overflow_q;
    status.break_alarm = break_mode[0];
    status.break_max   = break_mode[1];
    status.missed      = 8'(missed_q);
    status.num         = num_q;

    from_ram = s01_req_i.araddr[4];
    hidden   = (s01_req_i.araddr[3:2] == AtAlarm) ? !alarm_on_q : first_q;
    rdata_d  = from_ram ? 32'(b_rdata) : status;
    if (option_read) rdata_d = option_rdata;
  end

  always_ff @(posedge clk_i) begin
    if (s01_read) s01_rdata_q <= (from_ram && hidden && !option_read) ? '0 : rdata_d;
  end

  logic unused;
  assign unused = ^{s00_req_i, s01_req_i, wcontrol};

endmodule
