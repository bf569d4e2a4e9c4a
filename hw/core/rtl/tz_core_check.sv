// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Stops elaboration with a message that names the field if the configuration of trapeze_core is not possible. The
// module has no ports and makes no hardware.
module tz_core_check
  import tz_core_pkg::*;
  import tz_fast_pkg::*;
#(
  parameter core_cfg_pkg::core_cfg_t Cfg = core_cfg_pkg::CoreDefault
) ();

  if (Cfg.ResetVector[1:0] != '0) begin : gen_check_reset_vector
    $fatal(1, "trapeze_core: ResetVector must be 4-byte aligned");
  end
  if (!(Cfg.DivBitsPerCycle inside {1, 2, 4})) begin : gen_check_div
    $fatal(1, "trapeze_core: DivBitsPerCycle must be 1, 2 or 4");
  end
  if (Cfg.NumIrqSources < 1 || Cfg.NumIrqSources > 4096) begin : gen_check_sources
    $fatal(1, "trapeze_core: NumIrqSources must be 1 to 4096");
  end
  if (Cfg.Saver != core_cfg_pkg::SaverNone && Cfg.IrqScheme != irq_pkg::IrqClic) begin : gen_check_saver
    $fatal(1, "trapeze_core: a Saver needs the CLIC (IrqScheme)");
  end
  if (Cfg.Saver == core_cfg_pkg::SaverBanks && (Cfg.NumBanks < 1 || Cfg.NumBanks > 4)) begin : gen_check_banks
    $fatal(1, "trapeze_core: NumBanks must be 1 to 4");
  end
  // User-level interrupts with frames of all registers have not been tried: they are refused.
  if (Cfg.WholeFrames && (Cfg.Saver != core_cfg_pkg::SaverBanks || Cfg.UserIrq)) begin : gen_check_whole
    $fatal(1, "trapeze_core: WholeFrames needs SaverBanks and goes without UserIrq");
  end
  if (Cfg.UserIrq && Cfg.IrqScheme != irq_pkg::IrqClic) begin : gen_check_user
    $fatal(1, "trapeze_core: UserIrq needs the CLIC (IrqScheme)");
  end
  // Uintr without spare banks, or without memory protection, has not been tried: it is refused.
  if (Cfg.Uintr && !(Cfg.UserIrq && Cfg.ExtA && Cfg.Saver == core_cfg_pkg::SaverBanks && Cfg.PmpRegions != 0))
  begin : gen_check_post
    $fatal(1, "trapeze_core: Uintr needs UserIrq, ExtA, PmpRegions, and SaverBanks");
  end
  if (Cfg.Triggers > 8) begin : gen_check_triggers
    $fatal(1, "trapeze_core: Triggers must be 0 to 8");
  end
  if (!frame_agrees(Cfg.RV32E, Cfg.WholeFrames)) begin : gen_check_frame
    $fatal(1, "trapeze_core: tz_fast_pkg and isa_pkg differ on the order of the frame");
  end

endmodule
