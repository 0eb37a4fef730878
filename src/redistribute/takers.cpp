// SPDX-License-Identifier: Apache-2.0
// Sorts devices by what decides whom they take from, and names the exchange class by class.
#include "redistribute/takers.hpp"

#include <unordered_map>

#include "base/hash.hpp"
#include "redistribute/step_builder.hpp"

namespace tw::redistribute {

namespace {

struct KeyHash {
  size_t operator()(const std::vector<int64_t> &key) const { return Hasher().add(std::span(key)).value(); }
};

} // namespace

Takers::Takers(const Problem &problem, By by)
    : problem_(problem), exchange_(problem, DirectExchange::Sources::first), terms_(exchange_.terms()) {
  std::unordered_map<std::vector<int64_t>, size_t, KeyHash> known;
  std::vector<int64_t> key;
  for (Device d = 0; static_cast<size_t>(d) < problem.num_devices(); ++d) {
    if (problem.dst_position(d) < 0)
      continue;
    key.clear();
    const int64_t pieces =
        exchange_.find_givers(problem.dst_position(d), problem.src_position(d), by == By::boxes, key);
    if (pieces == 0)
      continue;
    const auto [at, fresh] = known.try_emplace(key, classes_.size());
    if (fresh) {
      classes_.emplace_back();
      if (__builtin_add_overflow(num_pieces_, pieces, &num_pieces_))
        num_pieces_ = INT64_MAX;
    }
    classes_[at->second].push_back(d);
  }
}

void Takers::append(size_t c, PieceList &out) {
  const Device d = classes_[c][0];
  exchange_.append(problem_.dst_position(d), problem_.src_position(d), out);
}

void Takers::append_givers(Position first, std::vector<Device> &out) const {
  for (const int64_t shift : terms_)
    out.push_back(problem_.src_device(Position(first + shift)));
}

StepHead direct_head(const Problem &problem) {
  Takers takers(problem, Takers::By::givers);
  StepNamer namer(problem);
  PieceList list;
  std::vector<Device> givers;
  for (size_t c = 0; c < takers.num_classes(); ++c) {
    list.clear();
    givers.clear();
    takers.append(c, list);
    for (const Position first : list.sources)
      takers.append_givers(first, givers);
    const StepNamer::Givers from = namer.give(givers);
    for (const Device d : takers.members(c))
      namer.take(d, from);
  }
  StepHead head;
  head.target = 1;
  head.reduction = problem.reduction();
  namer.finish(head);
  if (problem.same_mesh() && namer.moves())
    head.kind = summarise(problem).kind;
  return head;
}

} // namespace tw::redistribute
