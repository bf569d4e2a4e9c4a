// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
// Cargo wants a target; Cargo.toml says what this package is for.
