// SPDX-License-Identifier: Apache-2.0
// Which form a collective takes between processes. Where boxes are large both are tried by all processes
// together, on arrays as large as its own, before the collective is made; all choose the one that the slowest
// of them was faster with, and remember.
#pragma once

#include <cstdint>
#include <map>
#include <span>

#include "comm/array_steps.hpp"
#include "comm/remote/collective.hpp"

namespace tw::comm {

class Forms {
public:
  // `process` by position. All processes call with the same.
  Result<Form> choose(const Rounds &rounds, Processes &processes, std::span<const int64_t> process);

private:
  std::map<uint64_t, Form> known_;
};

} // namespace tw::comm
