// SPDX-License-Identifier: Apache-2.0
// Instances of the IOPDDL contest from arbitrary bytes: an error that says something, or a problem that is
// solved within its bound.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "solve/iopddl.hpp"
#include "solve/solve.hpp"

namespace {

void require(bool condition) {
  if (!condition)
    std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace tw;
  const auto read = solve::read_iopddl({reinterpret_cast<const char *>(data), size});
  if (!read) {
    require(!read.error().message().empty() && read.error().code() != Code::internal);
    return 0;
  }
  const solve::Problem &problem = read->problem;
  const solve::Solved solved = solve::solve(problem, {.rounds = 50});
  require(solved.bound <= solved.cost);
  if (solved.choices) {
    require(problem.model.cost_of(*solved.choices) == solved.cost);
    require(solve::overflow_of(solve::usage_of(problem, *solved.choices), problem.limits) == 0);
  }
  return 0;
}
