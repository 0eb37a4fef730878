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

// `flatten` brings the body, and all that it calls, into this function and so under its target.
template <BlockFn Body>
__attribute__((target("avx2"), flatten)) void wide_block(const void *const *in, void *out, int64_t n) {
  Body(in, out, n);
}

template <BlockFn Body> BlockFn wide() { return has_wide_vectors() ? wide_block<Body> : Body; }

#else

template <BlockFn Body> BlockFn wide() { return Body; }

#endif

} // namespace tw::kernels::ref
