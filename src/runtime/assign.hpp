// SPDX-License-Identifier: Apache-2.0
// Moves what control flow carries: from where it was made to where the variable lies.
#pragma once

#include <vector>

#include "kernels/kernel.hpp"

namespace tw::runtime {

// Copies operand i to result i, `bytes[i]` each; one that lies there already costs nothing. No result is
// read.
class Assign final : public kernels::Kernel {
public:
  explicit Assign(std::vector<int64_t> bytes);
  const char *name() const override { return "copy"; }
  int64_t parts() const override { return parts_; }
  Status run(int64_t part, std::span<const void *const> operands, std::span<void *const> results,
             void *scratch) const override;

private:
  std::vector<int64_t> bytes_;
  int64_t parts_;
};

} // namespace tw::runtime
