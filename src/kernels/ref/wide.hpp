// SPDX-License-Identifier: Apache-2.0
// Block functions for wider vectors: the same source compiled once more, chosen when the machine has them.
// The bits are the same, since nothing is contracted or reordered.
#pragma once

#include "kernels/kernel_args.hpp"

namespace tw::kernels::ref {

#if defined(__x86_64__) && defined(__GNUC__)

inline bool has_wide_vectors() {
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has;
}

// At -O2 gcc vectorises no loop of unknown length, and whichever source made an instance has its level.
#if defined(__clang__)
#define TW_VECTORISED
#else
#define TW_VECTORISED , optimize("O3")
#endif

// `flatten` brings the body, and all that it calls, into this function and so under its target.
template <BlockFn Body>
__attribute__((target("avx2"), flatten TW_VECTORISED)) void wide_block(const void *const *in, void *out,
                                                                       int64_t n) {
  Body(in, out, n);
}

#undef TW_VECTORISED

template <BlockFn Body> BlockFn wide() { return has_wide_vectors() ? wide_block<Body> : Body; }

#else

template <BlockFn Body> BlockFn wide() { return Body; }

#endif

} // namespace tw::kernels::ref
