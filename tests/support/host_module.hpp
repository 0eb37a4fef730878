// SPDX-License-Identifier: Apache-2.0
// Generated source compiled by the host's compiler and run in this process.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/dynlib.hpp"
#include "kernels/generated/source.hpp"

namespace tw {

class HostModule {
public:
  // All sources in one file; an exception where that fails. `device_math`: functions are those that a device
  // would call.
  static HostModule compile(std::span<const kernels::generated::Source> sources, bool device_math = false);

  // Runs one of them. `numbers` take the place of its first launches' numbers, where there are any.
  void run(const kernels::generated::Source &source, std::span<const void *const> operands,
           std::span<void *const> results, std::span<const int64_t> numbers = {}) const;

private:
  explicit HostModule(DynLib library) : library_(std::move(library)) {}
  DynLib library_;
};

} // namespace tw
