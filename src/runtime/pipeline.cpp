// SPDX-License-Identifier: Apache-2.0
// The passes over steps, from first to last.
#include "base/watch.hpp"
#include "runtime/scheduling.hpp"

namespace tw::runtime {
namespace {

struct Pass {
  std::string_view name;
  void (*run)(Scheduling &);
};

constexpr Pass kPasses[] = {
#define TW_PASS(name) {#name, name},
#include "runtime/pass_list.inc"
#undef TW_PASS
};

} // namespace

std::vector<std::string_view> step_passes() {
  std::vector<std::string_view> names;
  for (const Pass &pass : kPasses)
    names.push_back(pass.name);
  return names;
}

std::vector<uint32_t> Scheduling::straight_runs() const {
  std::vector<uint32_t> runs;
  for (const uint32_t place : places) {
    const auto [at, behind] =
        std::equal_range(borders.begin(), borders.end(), place); // apart where it stands on one
    runs.push_back(static_cast<uint32_t>((at - borders.begin()) + (behind - borders.begin())));
  }
  return runs;
}

void run_passes(Scheduling &s) {
  for (const Pass &pass : kPasses)
    if (s.does(pass.name) && !gives_up())
      pass.run(s);
}

} // namespace tw::runtime
