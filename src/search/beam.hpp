// SPDX-License-Identifier: Apache-2.0
// Beam search: the best few plans, with each decision more, and of these again the best few, as long as one
// gets cheaper. What is decided in another order is not tried again.
#pragma once

#include <vector>

#include "search/driver.hpp"

namespace tw::search {

class Beam {
public:
  struct Plan {
    Sequence sequence;
    double score;
  };

  explicit Beam(Driver &driver) : driver_(driver) {}

  // From some plans on, the best of all that these decisions lead to, the best first.
  std::vector<Plan> run(std::vector<Plan> from, const std::vector<uint32_t> &decisions);

private:
  Driver &driver_;
};

} // namespace tw::search
