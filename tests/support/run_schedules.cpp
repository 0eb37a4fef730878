// SPDX-License-Identifier: Apache-2.0
// One random program on devices whose commands run when a seed says so, again and again.
#include "support/run_schedules.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/hash.hpp"
#include "kernels/ref/evaluate.hpp"
#include "runtime/executable.hpp"
#include "spmd/program.hpp"
#include "support/run_random.hpp"

namespace tw::test {

std::string run_schedules(uint64_t seed, int64_t schedules, const device::Kind &kind, uint64_t &out_hash) {
  RandomCase given(seed);
  const graph::Graph &graph = *given.made.graph;
  const auto want = kernels::ref::evaluate(graph, given.made.inputs);
  if (!want)
    return "the reference evaluator failed: " + want.error().message();
  auto program = spmd::lower(given.plan, given.lowering);
  if (!program)
    return "lowering failed: " + program.error().message();
  std::vector<runtime::TensorView> inputs;
  for (const kernels::ref::Array &a : given.made.inputs)
    inputs.push_back({a.type.dtype, a.type.dims, const_cast<std::byte *>(a.bytes.data()), {}});
  // A third of the schedules in each way in which devices may share memory.
  for (uint64_t shares = 0; shares < 3; ++shares) {
    runtime::Options options;
    options.workers = 1;
    options.device = &kind;
    options.delays = 3 + shares;
    auto executable = runtime::Executable::create(*program, std::move(options));
    if (!executable)
      return "no executable: " + executable.error().message();
    for (int64_t i = static_cast<int64_t>(shares); i < schedules; i += 3) {
      (*executable)
          ->set_hooks({{}, (seed + static_cast<uint64_t>(i) + 1) * 0x9e3779b97f4a7c15u, nullptr, nullptr});
      std::vector<std::vector<std::byte>> got;
      std::vector<runtime::TensorView> outputs;
      for (const kernels::ref::Array &a : *want)
        got.emplace_back(a.bytes.size(), std::byte{0xa5});
      for (size_t r = 0; r < got.size(); ++r)
        outputs.push_back({(*want)[r].type.dtype, (*want)[r].type.dims, got[r].data(), {}});
      if (const Status status = (*executable)->run(inputs, outputs); !status)
        return fmt::format("schedule {} failed: {}", i, status.error().message());
      Hasher hasher;
      for (const auto &bytes : got)
        hasher.add(std::string_view(reinterpret_cast<const char *>(bytes.data()), bytes.size()));
      if (i == 0) {
        out_hash = hasher.value();
        for (size_t r = 0; r < got.size(); ++r)
          if (!equal_but_for_zeros((*want)[r].type, (*want)[r].bytes, got[r]))
            return fmt::format("{} differs from the reference", graph.result_name(r));
      }
      if (hasher.value() != out_hash)
        return fmt::format("schedule {} gives other bits than the first", i);
    }
  }
  return "";
}

} // namespace tw::test
