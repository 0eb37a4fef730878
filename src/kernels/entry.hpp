// SPDX-License-Identifier: Apache-2.0
// What a kernel file registers: the ops it knows and how it binds one.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "kernels/kernel.hpp"
#include "ops/strided.hpp"

namespace tw::kernels {

struct Entry {
  const char *name; // "cpu:copy"
  // Which it may accept: these, and any op with a reference and all of `flags`, where it has flags or no
  // kinds.
  std::span<const tw::ops::OpKind> ops;
  Factory bind;
  uint32_t flags = 0; // ops::OpFlags
};

using ops::dense_strides;

#define TW_KERNEL(folder, name)                                                                              \
  namespace folder::name##_kernel {                                                                          \
    Entry entry();                                                                                           \
  }
#include "kernels/kernel_list.inc"
#undef TW_KERNEL

} // namespace tw::kernels
