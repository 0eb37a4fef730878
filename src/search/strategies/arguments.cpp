// SPDX-License-Identifier: Apache-2.0
// A beam search over arguments. Storage, which leaves less to save to all others, comes behind them, and once
// more all.
#include "search/beam.hpp"
#include "search/strategy.hpp"

namespace tw::search::arguments_strategy {

namespace {

void run(Driver &driver) {
  const std::vector<uint32_t> all = driver.first_decisions();
  std::vector<uint32_t> tiles, storage;
  for (const uint32_t d : all)
    (driver.space().decisions[d].kind == Decision::Kind::tile ? tiles : storage).push_back(d);
  Beam beam(driver);
  auto best = beam.run({{{}, driver.score(driver.root())}}, tiles);
  best = beam.run(std::move(best), storage);
  const Driver::Candidate first = driver.first();
  beam.run({{first.sequence, first.score}}, all);
}

} // namespace

const Strategy &strategy() {
  static const Strategy strategy{"beam", "The best few plans, with each decision more, again and again.",
                                 run};
  return strategy;
}

} // namespace tw::search::arguments_strategy
