// SPDX-License-Identifier: Apache-2.0
// What tests of searches share: a machine, programs and plans.
#pragma once

#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "partition/plan.hpp"
#include "search/search.hpp"
#include "support/printed_by.hpp"
#include "support/random_program.hpp"
#include "support/towers.hpp"
#include "support/unit.hpp"
#include "system/system.hpp"

namespace tw::test {

inline system::System machine_of(const std::string &text) {
  auto made = system::parse(text, "test.conf");
  REQUIRE(made.has_value());
  return *std::move(made);
}

// Small enough for small programs: links and starts take their share.
inline std::string small_machine_text(const std::string &bandwidth = "1e10",
                                      const std::string &latency = "1e-7") {
  return fmt::format("[device] flops.f32=1e12 hbm_bytes=1e9 hbm_bw=1e11 launch_s=1e-8\n"
                     "[eff] matmul=0:0.1,16:0.6,128:0.9\n[axis *] bw={} lat={} base=5e-7\n",
                     bandwidth, latency);
}
inline system::System small_machine(const std::string &bandwidth = "1e10",
                                    const std::string &latency = "1e-7") {
  return machine_of(small_machine_text(bandwidth, latency));
}

inline partition::Plan plan_of(const std::shared_ptr<const graph::Graph> &graph, const std::string &mesh) {
  return {graph, *sharding::Mesh::parse(mesh)};
}

// A training step of a small GPT.
inline std::shared_ptr<const graph::Graph> gpt_step() {
  std::ifstream file(source_path("examples/models/gpt_step.mlir"));
  return graph_of({std::istreambuf_iterator<char>(file), {}});
}

// What examples/models/transformer.py prints for these arguments.
inline std::shared_ptr<const graph::Graph> transformer_step(const std::string &arguments) {
  const auto text =
      printed_by(fmt::format("python3 '{}' {}", source_path("examples/models/transformer.py"), arguments));
  REQUIRE_MESSAGE(text.has_value(), "transformer.py " << arguments);
  return graph_of(*text);
}

// One of its steps that runs in no time.
inline std::string random_transformer(Dice &random) {
  const int64_t heads = random.between(1, 2) * 2;
  std::string arguments =
      fmt::format("--layers {} --heads {} --d {} --ffn {} --vocab {} --seq {} --batch {} --type f32",
                  random.between(1, 5), heads, heads * 4, random.between(2, 4) * 8, random.between(2, 4) * 8,
                  random.between(1, 2) * 4, random.between(1, 2) * 4);
  for (const char *option : {" --tied", " --clip", " --buffers", " --recompute cheap"})
    if (random.chance(4))
      arguments += option;
  return arguments;
}

} // namespace tw::test
