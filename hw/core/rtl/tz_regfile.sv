// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Integer register file: two asynchronous read ports, one write port at the rising edge. x0 reads as zero. The
// registers have no reset. Without `Gates` they are arrays, from which FPGA tools infer distributed memory. With
// `Gates` they are flip-flops that are read through an AND-OR, the smallest form in standard cells.
//
// A read in the cycle of a write returns the old value: the reader bypasses. One exception is ra of a fresh bank
// (`link`): the first instruction of a handler may read it in the cycle in which it is written, and sees the new value.
//
// With `Fast` (fastirq) the registers of a frame exist 1 + NumBanks times: each bank is an array, in the order of the
// frame, of the caller-saved registers or with `Whole` of all but sp, gp and tp. The pipeline reads and writes the current bank. fastirq has a third read port and a second write port, which
// reach any bank, in the same cycle as the pipeline's. Both write ports never write the same bank in one cycle, so a
// bank needs one write port with a multiplexer. Without spare banks there is one array, as without fastirq, and only
// one of the ports writes in a cycle. sp is a register of its own, so that fastirq can set it in the cycle in which WB
// writes it last.
//
// With `UserIrq` a bank that a handler of user mode enters reads zero in all registers that the handler has not
// written. So user mode does not see what machine mode left in them (docs/user-level-interrupts.md).
module tz_regfile
  import tz_core_pkg::*;
  import tz_fast_pkg::*;
#(
  parameter bit          RV32E    = 1'b0,  // 16 registers instead of 32
  parameter bit          Fast     = 1'b0,  // fastirq
  parameter int unsigned NumBanks = 0,     // with Fast: spare banks, 0 to 4
  parameter bit          Whole    = 1'b0,  // with banks: frames hold all registers but sp, gp and tp
  parameter bit          UserIrq  = 1'b0,  // a handler may be user mode's
  parameter bit          Gates    = 1'b0,  // 1: for standard cells; 0: for an FPGA's memories
  localparam int unsigned BankW   = (NumBanks > 0) ? $clog2(NumBanks + 1) : 1,
  localparam int unsigned Rows    = frame_words(RV32E, Whole) - 2  // registers of a frame: without mepc and mcause
) (
  input  logic        clk_i,
  input  logic        rst_ni,       // resets only the bits `shown`, not the registers
  input  logic [4:0]  raddr_a_i,
  output logic [31:0] rdata_a_o,
  input  logic [4:0]  raddr_b_i,
  output logic [31:0] rdata_b_o,
  input  logic        we_i,         // never with waddr_i = 0
  input  logic [4:0]  waddr_i,
  input  logic [31:0] wdata_i,

  // fastirq
  input  fast_to_regfile_t   fast_i /*verilator split_var*/,
  output fast_from_regfile_t fast_o /*verilator split_var*/
);

  // The row of a register in its bank.
  localparam int unsigned RowW = $clog2(Rows);
  function automatic logic [RowW-1:0] row(logic [4:0] register);
    return RowW'(frame_word(register, Whole));
  endfunction

  logic [BankW-1:0] bank, fill_bank, drain_bank;  // current bank; bank that fastirq writes; bank that fastirq reads
  logic             fill_we;
  logic [RowW-1:0]  fill_word;
  logic [31:0]      fill_data;
  assign bank       = fast_i.bank[BankW-1:0];
  assign fill_we    = fast_i.fill_we;
  assign fill_bank  = fast_i.fill_bank[BankW-1:0];
  assign fill_word  = fast_i.fill_word[RowW-1:0];
  assign fill_data  = fast_i.fill_data;
  assign drain_bank = fast_i.drain_bank[BankW-1:0];

  logic [31:0] sp_q;
  if (Fast) begin : gen_sp
    always_ff @(posedge clk_i) sp_q <= fast_i.sp_set ? fast_i.sp : fast_o.sp_next;
    assign fast_o.sp_next = (we_i && waddr_i == 5'd2) ? wdata_i : sp_q;
  end else begin : gen_no_sp
    assign sp_q      = '0;
    assign fast_o.sp_next = '0;
    logic unused;
    assign unused = ^{fast_i, bank, fill_we, fill_bank, fill_word, fill_data, drain_bank};
  end
  assign fast_o.sp = sp_q;

  // shown: whether a read of a register of a bank sees its value, or zero. A bank that user mode's handler enters would
  // otherwise show what machine mode left in it. So an entry for user mode clears the bits of its bank, and a write of a
  // register sets its bit. Entries of machine mode change none: it may see everything.
  logic [NumBanks:0][Rows-1:0] shown;
  if (UserIrq && NumBanks > 0) begin : gen_shown
    logic [NumBanks:0][Rows-1:0] shown_d, shown_q;
    for (genvar b = 0; b <= int'(NumBanks); b++) begin : gen_bank
      for (genvar r = 0; r < int'(Rows); r++) begin : gen_register
        logic write, fresh;
        assign write = (we_i && bank == BankW'(b) && in_frame(waddr_i, RV32E, Whole) &&
                        row(waddr_i) == RowW'(r)) ||
                       (fill_we && fill_bank == BankW'(b) && fill_word == RowW'(r));
        assign fresh = fast_i.fresh && fast_i.next_bank[BankW-1:0] == BankW'(b);
        assign shown_d[b][r] = (shown_q[b][r] || write) && !fresh;
      end
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) shown_q <= '1;
      else         shown_q <= shown_d;
    end
    assign shown = shown_q;
  end else begin : gen_all_shown
    assign shown = '1;
    logic unused;
    assign unused = ^{rst_ni, fast_i.fresh, fast_i.next_bank, shown};
  end

  if (Gates) begin : gen_gates
    localparam int unsigned Last = RV32E ? 15 : 31;
    // kept_n: the registers, each bit inverted. The read ports are AND-OR trees, which map to NAND gates: with inverted
    // registers no bit needs an inverter.
    logic [NumBanks:0][Last:1][31:0] kept_n;
    logic [NumBanks:0][Last:1]       write, select_a, select_b, select_d;
    logic [NumBanks:0]               fill;
    for (genvar b = 0; b <= int'(NumBanks); b++) begin : gen_bank
      logic [31:0] wdata;
      assign fill[b] = Fast && fill_we && (fill_bank == BankW'(b));
      assign wdata   = fill[b] ? fill_data : wdata_i;
      for (genvar r = 1; r <= int'(Last); r++) begin : gen_register
        localparam bit Banked = Fast && in_frame(5'(r), RV32E, Whole);
        logic current;
        assign current        = !Banked || (bank == BankW'(b));
        logic seen;
        assign seen           = !Banked || shown[b][row(5'(r))];
        assign select_a[b][r] = current && seen && (raddr_a_i == 5'(r)) && !(fast_i.link && r == 1);
        assign select_b[b][r] = current && seen && (raddr_b_i == 5'(r)) && !(fast_i.link && r == 1);
        assign select_d[b][r] = Banked && seen && (drain_bank == BankW'(b)) &&
                                (fast_i.drain_word == frame_word(5'(r), Whole));
        assign write[b][r]    = (current && we_i && (waddr_i == 5'(r))) ||
                                (Banked && fill[b] && (fill_word == row(5'(r))));
        if (Banked || (b == 0 && !(Fast && r == 2))) begin : gen_kept
          always_ff @(posedge clk_i) begin
            if (write[b][r]) kept_n[b][r] <= ~(Banked ? wdata : wdata_i);
          end
        end else begin : gen_none
          assign kept_n[b][r] = '1;
        end
      end
    end

    always_comb begin
      rdata_a_o    = (sp_q & {32{raddr_a_i == 5'd2}}) | (fill_data & {32{fast_i.link && raddr_a_i == 5'd1}});
      rdata_b_o    = (sp_q & {32{raddr_b_i == 5'd2}}) | (fill_data & {32{fast_i.link && raddr_b_i == 5'd1}});
      fast_o.drain_data = '0;
      for (int unsigned b = 0; b <= NumBanks; b++) begin
        for (int unsigned r = 1; r <= Last; r++) begin
          rdata_a_o    |= ~kept_n[b][r] & {32{select_a[b][r]}};
          rdata_b_o    |= ~kept_n[b][r] & {32{select_b[b][r]}};
          fast_o.drain_data |= ~kept_n[b][r] & {32{select_d[b][r]}};
        end
      end
    end
  end else begin : gen_memory
    logic [31:0] data_a, data_b;  // what the arrays give: right for all registers but x0 and sp
    always_comb begin
      rdata_a_o = data_a;
      rdata_b_o = data_b;
      if (Fast && fast_i.link && raddr_a_i == 5'd1) rdata_a_o = fill_data;
      if (Fast && fast_i.link && raddr_b_i == 5'd1) rdata_b_o = fill_data;
      if (Fast && raddr_a_i == 5'd2) rdata_a_o = sp_q;
      if (Fast && raddr_b_i == 5'd2) rdata_b_o = sp_q;
      if (raddr_a_i == '0) rdata_a_o = '0;
      if (raddr_b_i == '0) rdata_b_o = '0;
    end

    if (NumBanks > 0) begin : gen_banks
      localparam int unsigned OtherRows = Whole ? 2 : RV32E ? 4 : 14;
      localparam int unsigned OtherW    = $clog2(OtherRows);
      // The registers that are in no frame have an array of their own (others). This function gives the row of a
      // register in it: of x8, x9, x18 to x27, x4, x3 (RV32E: x8, x9, x4, x3; whole frames: x4, x3).
      function automatic logic [OtherW-1:0] other_row(logic [4:0] register);
        if (Whole) return OtherW'(register[0]);
        if (RV32E) return OtherW'({!register[3], register[0]});
        return OtherW'(register[4] ? register[3:0] : {{2{!register[3]}}, 1'b0, register[0]});
      endfunction

      logic [31:0] others[OtherRows];
      logic        banked_a, banked_b, banked_w;
      logic [NumBanks:0][31:0] bank_a, bank_b, bank_d;

      assign banked_a = in_frame(raddr_a_i, RV32E, Whole);
      assign banked_b = in_frame(raddr_b_i, RV32E, Whole);
      assign banked_w = in_frame(waddr_i, RV32E, Whole);

      for (genvar b = 0; b <= int'(NumBanks); b++) begin : gen_bank
        logic [31:0] regs[Rows];
        logic        fill;
        assign fill = fill_we && (fill_bank == BankW'(b));
        always_ff @(posedge clk_i) begin
          if (fill || (we_i && banked_w && bank == BankW'(b))) begin
            regs[fill ? fill_word : row(waddr_i)] <= fill ? fill_data : wdata_i;
          end
        end
        assign bank_a[b] = regs[row(raddr_a_i)] & {32{shown[b][row(raddr_a_i)]}};
        assign bank_b[b] = regs[row(raddr_b_i)] & {32{shown[b][row(raddr_b_i)]}};
        assign bank_d[b] = regs[fast_i.drain_word[RowW-1:0]] & {32{shown[b][fast_i.drain_word[RowW-1:0]]}};
      end

      always_ff @(posedge clk_i) begin
        if (we_i && !banked_w && waddr_i != 5'd2) others[other_row(waddr_i)] <= wdata_i;
      end

      assign fast_o.drain_data = bank_d[drain_bank];
      assign data_a       = banked_a ? bank_a[bank] : others[other_row(raddr_a_i)];
      assign data_b       = banked_b ? bank_b[bank] : others[other_row(raddr_b_i)];
    end else begin : gen_plain
      localparam int unsigned AddrW = RV32E ? 4 : 5;
      logic [31:0] mem[2**AddrW];
      logic        fill;
      logic [4:0]  waddr, drain;
      assign fill         = Fast && fill_we;
      assign waddr        = fill ? frame_register(5'(fill_word), Whole) : waddr_i;
      assign drain        = frame_register(fast_i.drain_word, Whole);
      always_ff @(posedge clk_i) begin
        if (we_i || fill) mem[waddr[AddrW-1:0]] <= fill ? fill_data : wdata_i;
      end
      assign data_a       = mem[raddr_a_i[AddrW-1:0]];
      assign data_b       = mem[raddr_b_i[AddrW-1:0]];
      assign fast_o.drain_data = Fast ? mem[drain[AddrW-1:0]] : '0;
      if (Fast) begin : gen_one_bank
        logic unused;
        assign unused = ^{bank, fill_bank, drain_bank, fast_i};
      end
      if (RV32E) begin : gen_no_upper
        logic unused;
        assign unused = ^{waddr[4], drain[4]};
      end
    end
  end

  if (RV32E) begin : gen_rv32e_unused
    logic unused;
    assign unused = &{1'b0, raddr_a_i[4], raddr_b_i[4], waddr_i[4]};
  end

`ifndef SYNTHESIS
  ZeroUnwritten_A: assert property (@(posedge clk_i) !(we_i && waddr_i == '0));
  OneWriter_A: assert property (@(posedge clk_i)
    !(Fast && we_i && fill_we && (NumBanks == 0 || (fill_bank == bank && in_frame(waddr_i, RV32E, Whole)))));
`endif
`ifdef TRAPEZE_CHECK
  NextBank_A: assert property (@(posedge clk_i) !(Fast && fast_i.fresh) ||
    (32'(fast_i.next_bank) <= NumBanks && (NumBanks == 0 || fast_i.next_bank != fast_i.bank)));
  WordKnown_A: assert property (@(posedge clk_i) !(Fast && fast_i.fill_we) || 32'(fast_i.fill_word) < Rows);
  UpperAbsent_A: assert property (@(posedge clk_i)
    !RV32E || (!(we_i && waddr_i[4]) && !(Fast && fast_i.fill_we && 32'(fast_i.fill_word) >= Rows)));
  BankKnown_A: assert property (@(posedge clk_i)
    !Fast || (32'(fast_i.bank) <= NumBanks && (!fast_i.fill_we || 32'(fast_i.fill_bank) <= NumBanks)));
  LinkFast_A: assert property (@(posedge clk_i) Fast || !fast_i.link);
`endif

endmodule
