// SPDX-License-Identifier: Apache-2.0
// Arguments that a program gives away to results, which may be made in their memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tw::graph {

class Graph;

struct DonationFault {
  enum class Kind : uint8_t {
    range, // there is no such result
    twice, // two arguments are given to one result
    type   // the two are of different types
  } kind;
  uint32_t argument; // of `twice` the second
  std::string text;  // one line
};

// The first argument whose donation cannot be: each goes to one result of its type, and each result takes
// one. Those that are donated to no result in particular are as they should be.
std::optional<DonationFault> find_donation_fault(const Graph &graph);

} // namespace tw::graph
