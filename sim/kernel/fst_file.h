// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Finishing touches on FST wave files: finds files that a full disk has cut off, which their writer does not report,
 * and removes the date of writing, so that the same run gives the same file.
 *
 * Source of the layout: "Unofficial Fast Signal Trace (FST) file format", and GTKWave's fstapi.
 */
#ifndef TRAPEZE_SIM_KERNEL_FST_FILE_H
#define TRAPEZE_SIM_KERNEL_FST_FILE_H

#include <string>

namespace trapeze {

/** True if the file at `path` is a whole FST file: blocks that fill it exactly, the first one a header. */
bool fst_is_whole(const std::string& path);

/** Clears the date in the header, so that the same run gives the same bytes. False if the file cannot be written. */
bool fst_clear_date(const std::string& path);

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_FST_FILE_H
