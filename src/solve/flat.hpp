// SPDX-License-Identifier: Apache-2.0
// The costs of the choices of all variables, one variable behind the other.
#pragma once

#include "solve/model.hpp"

namespace tw::solve {

struct Flat {
  explicit Flat(const Model &model) {
    begins.push_back(0);
    for (const std::vector<Cost> &own : model.costs) {
      costs.insert(costs.end(), own.begin(), own.end());
      begins.push_back(static_cast<uint32_t>(costs.size()));
    }
  }
  std::vector<uint32_t> begins; // by variable, and the end
  std::vector<Cost> costs;

  uint32_t size(uint32_t v) const { return begins[v + 1] - begins[v]; }
  // A variable's part of values that stand like costs.
  std::span<const Cost> of(const std::vector<Cost> &values, uint32_t v) const {
    return std::span(values).subspan(begins[v], size(v));
  }
  std::span<Cost> of(std::vector<Cost> &values, uint32_t v) const {
    return std::span(values).subspan(begins[v], size(v));
  }
};

} // namespace tw::solve
