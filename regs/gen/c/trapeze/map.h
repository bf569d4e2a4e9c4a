/*
 * Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Generated from the SystemRDL in regs by regs/generate.py; do not edit.
 */

/**
 * @file
 * @brief Memory map of the platform.
 *
 * Only macros, usable from C, C++ and assembly.
 */

#ifndef TRAPEZE_MAP_H_
#define TRAPEZE_MAP_H_

/* A build for another map than `mcu` defines TRAPEZE_MAP_<NAME>; for one of no name here it defines
 * TRAPEZE_MAP_FILE, a header that includes one of these and says what differs. */
#if defined(TRAPEZE_MAP_FILE)
#include TRAPEZE_MAP_FILE
#elif defined(TRAPEZE_MAP_AMP)
#include <trapeze/map_amp.h>
#elif defined(TRAPEZE_MAP_AMP_DSP)
#include <trapeze/map_amp_dsp.h>
#elif defined(TRAPEZE_MAP_APP)
#include <trapeze/map_app.h>
#elif defined(TRAPEZE_MAP_DUO)
#include <trapeze/map_duo.h>
#else
#include <trapeze/map_mcu.h>
#endif

#endif /* TRAPEZE_MAP_H_ */
