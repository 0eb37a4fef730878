// SPDX-License-Identifier: Apache-2.0
// Runs programs on detached devices.
#pragma once

#include "device/kind.hpp"
#include "unit/runtime/step_program.hpp"

namespace tw::test {

inline runtime::Options detached(uint64_t delays = 0) {
  runtime::Options options;
  options.device = *device::find_kind("detached");
  options.delays = delays;
  options.workers = 1;
  return options;
}

// What the reference evaluator makes of the inputs, as Runner::bytes gives it.
inline std::string evaluated(const graph::Graph &graph, const Runner &runner) {
  const auto made = kernels::ref::evaluate(graph, arrays_of(runner.inputs));
  REQUIRE(made.has_value());
  std::string all;
  for (const kernels::ref::Array &a : *made)
    all.append(reinterpret_cast<const char *>(a.bytes.data()), a.bytes.size());
  return all;
}

// Small integers, of which every order of sums makes the same bits.
inline void give_integers(Runner &runner) {
  for (auto &t : runner.inputs)
    for (int64_t i = 0; i < t.type().elements(); ++i)
      t.as<float>()[i] = static_cast<float>((i * 7 + 3) % 5 - 2);
}

inline constexpr const char *kLoopSpec = "tile(arg=w, dim=0, axis=\"m\"); infer-propagate";

} // namespace tw::test
