// SPDX-License-Identifier: Apache-2.0
// What the steps or threads of a loop make becomes complete: a tile goes to its place in the result, a
// partial value is added to it.
#pragma once

#include <vector>

#include "comm/local/combine.hpp"
#include "kernels/kernel.hpp"

namespace tw::runtime {

// Operands hold one box of the array, the result a box around it. With `onto` the operands are combined with
// what is there.
class Accumulate final : public kernels::Kernel {
public:
  // `combine` may be none where there is one operand and nothing there.
  Accumulate(const sharding::Box &from, const sharding::Box &to, size_t operands, bool onto,
             size_t element_size, comm::Combine combine);
  const char *name() const override { return "accumulate"; }
  int64_t parts() const override { return parts_; }
  Status run(int64_t part, std::span<const void *const> operands, std::span<void *const> results,
             void *scratch) const override;

private:
  comm::CombineJob job_;
  size_t operands_;
  int64_t parts_;
};

} // namespace tw::runtime
