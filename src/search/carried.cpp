// SPDX-License-Identifier: Apache-2.0
// An edge is told what the one between the ops told that stand for its two. These count as often as they
// stand for an op, so each op hears its part. Where nothing answers to it, nothing is told: whatever is,
// bounds the program.
#include "search/carried.hpp"

#include <algorithm>

namespace tw::search {

using graph::kNone;
using graph::OpId;
using graph::ValueId;

namespace {

constexpr int kOfRole = 3; // ops

// Between ops of few layers: the maker's, and of those in the reader's role the one that reads it there.
const Told::mapped_type *find_told(const EdgeName &name, const graph::Graph &whole, const Told &told,
                                   const FewLayers &few, double &times) {
  const graph::Value &value = whole.value(name.value);
  const OpId maker = value.def == kNone ? kNone : few.of[value.def];
  const OpId reader = name.reader == kNone ? kNone : few.of[name.reader];
  if (maker == kNone || (name.reader != kNone && reader == kNone))
    return nullptr;
  EdgeName there = name;
  there.value = few.graph->result(maker, value.index);
  for (const bool is_further : {true, false}) { // most layers are read by others like them
    there.is_further = is_further;
    const int tries = reader == kNone ? 1 : kOfRole;
    there.reader = reader;
    for (int i = 0; i < tries; ++i) {
      if (const auto at = told.find(there); at != told.end()) {
        times = static_cast<double>(few.repeats.count[maker] - (is_further ? 1 : 0));
        if (reader != kNone && !is_further)
          times = std::max(times, static_cast<double>(few.repeats.count[there.reader]));
        return &at->second;
      }
      if (there.reader != kNone)
        there.reader = few.next[there.reader];
    }
  }
  return nullptr;
}

} // namespace

std::vector<solve::Cost> carry(const Relaxation &to, const graph::Graph &whole, const Told &told,
                               const FewLayers &few) {
  std::vector<solve::Cost> all;
  for (size_t e = 0; e < to.edges.size(); ++e) {
    const size_t sizes[] = {to.model.costs[to.model.edges[e].first].size(),
                            to.model.costs[to.model.edges[e].second].size()};
    double times = 1;
    const auto *from = find_told(to.edges[e], whole, told, few, times);
    for (size_t side = 0; side < 2; ++side)
      if (from != nullptr && (*from)[0].size() == sizes[0] && (*from)[1].size() == sizes[1])
        std::ranges::transform((*from)[side], std::back_inserter(all),
                               [&](solve::Cost cost) { return cost / times; });
      else
        all.insert(all.end(), sizes[side], 0);
  }
  return all;
}

} // namespace tw::search
