// SPDX-License-Identifier: Apache-2.0
// Finds the cheapest sequence: paths without a permutation in the order of their costs until one can be
// realised, or until the cheapest path with one permutation, which always can, costs no more.
#include "redistribute/sequence.hpp"

#include <algorithm>
#include <limits>

#include "base/status.hpp"
#include "redistribute/cut_dimensions.hpp"
#include "redistribute/one_permutation.hpp"
#include "redistribute/permutation_free.hpp"

namespace tw::redistribute {

int64_t Tilings::devices() const {
  int64_t n = 1;
  for (const int64_t size : axes)
    n *= size;
  return n;
}

namespace {

// Up to so many states and beginnings of paths, every cheaper path is looked at one by one. Beyond, only
// those that meet needs.
constexpr size_t kFewStates = 500, kLittleWork = 2000, kMuchWork = 1 << 16;
constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

// One search; its memory is kept per thread.
class Search {
public:
  std::optional<Sequence> find(const Tilings &t, const CutDimensions &dims, const ShapeProblem &p) {
    p_ = p;
    found_ = {};
    permuted_length_ = kUnreachable;
    const std::vector<int32_t> src = dims.some(t.src_tiles), dst = dims.some(t.dst_tiles);
    const Ends ends = {p.graph, src, dst, p.source, p.target};
    free_.start(ends, t.axes);
    const Length bound = distances_to_target(p, {}, kUnreachable, to_target_);
    weak_ = to_target_.to(p.source);
    if (weak_ == kUnreachable)
      return std::nullopt;

    const bool few = p.graph->num_states() <= kFewStates;
    if (few)
      walk(dims, to_target_, bound, kLittleWork);
    if (found_.steps.empty() && (!few || paths_.gave_up()))
      walk_large(dims, bound);
    if (found_.steps.empty()) {
      permuted_length();
      permuted_.realise(p, ends);
      for (const OnePermutation::Step &step : permuted_.steps())
        found_.steps.push_back(dims.step(*p.graph, step.from, step.to, step.tiles));
      found_.cost = permuted_.cost();
    }
    certify(dims);
    return std::move(found_);
  }

private:
  // Only now it matters what a permutation costs.
  Length permuted_length() {
    if (permuted_length_ == kUnreachable)
      permuted_length_ = permuted_.find(p_, to_target_, from_source_);
    return permuted_length_;
  }

  // Realises the first path that can be, and lists those before it.
  void walk(const CutDimensions &dims, const Distances &to_target, Length bound, size_t work) {
    const TileGraph &graph = *p_.graph;
    unknown_ = kNever;
    found_.certificate.excluded.clear();
    paths_.start(p_, to_target, bound, work);
    bool limited = false; // by what a permutation costs
    for (;;) {
      const std::span<const State> path = paths_.next(limited ? kNever : weak_.cost);
      if (path.empty() && (limited || paths_.gave_up()))
        return;
      if (path.empty()) { // none is as cheap as the weak bound
        paths_.lower(permuted_length());
        limited = true;
        continue;
      }
      const PermutationFree::Answer answer = free_.realise(path);
      const int64_t cost = cost_of(path);
      switch (answer) {
      case PermutationFree::Answer::realised:
        for (size_t at = 1; at < path.size(); ++at)
          found_.steps.push_back(dims.step(graph, path[at - 1], path[at], free_.tiles(at)));
        found_.cost = cost;
        return;
      case PermutationFree::Answer::digits:
        exclude(dims, path, cost, Certificate::Excluded::Why::digits, 0);
        break;
      case PermutationFree::Answer::balance:
        exclude(dims, path, cost, Certificate::Excluded::Why::balance, free_.step());
        break;
      case PermutationFree::Answer::unknown: unknown_ = std::min(unknown_, cost); break;
      }
    }
  }

  // Too many paths to look at: of those in which digits are in each other's way, none.
  void walk_large(const CutDimensions &dims, Length bound) {
    std::vector<Need> needs = free_.needs();
    needs.resize(std::min(needs.size(), kMaxNeeds));
    if (needs.empty())
      return walk(dims, to_target_, bound, kMuchWork);
    distances_to_target(p_, needs, permuted_length(), to_target_met_);
    walk(dims, to_target_met_, permuted_length(), kMuchWork);
  }

  int64_t cost_of(std::span<const State> path) const {
    int64_t cost = 0;
    for (size_t at = 1; at < path.size(); ++at)
      if (!p_.graph->contains(path[at - 1], path[at])) // no slice
        cost += p_.size(path[at]);
    return cost;
  }

  void exclude(const CutDimensions &dims, std::span<const State> path, int64_t cost,
               Certificate::Excluded::Why why, size_t step) {
    Certificate::Excluded &excluded = found_.certificate.excluded.emplace_back();
    for (const State s : path)
      excluded.shards.push_back(dims.shards(*p_.graph, s));
    excluded.cost = cost;
    excluded.why = why;
    excluded.step = step;
  }

  void certify(const CutDimensions &dims) {
    Certificate &proof = found_.certificate;
    proof.weak = weak_.cost;
    if (!dims.complete()) // the last step that communicates ends at a tile no smaller than the target's
      proof.weak = p_.graph->contains(p_.source, p_.target) ? 0 : p_.size(p_.target);
    std::erase_if(proof.excluded, [&](const auto &e) { return e.cost >= found_.cost; });
    const bool all_seen = unknown_ >= found_.cost && paths_.ahead().cost >= found_.cost;
    found_.exact = found_.cost == proof.weak || (dims.complete() && all_seen);
    if (found_.cost == proof.weak || !found_.exact)
      proof.excluded.clear();
  }

  ShapeProblem p_;
  Sequence found_;
  Length weak_, permuted_length_;
  int64_t unknown_ = kNever; // the least cost of a path of which nothing is known
  Distances to_target_, to_target_met_, from_source_;
  PathsInOrder paths_;
  PermutationFree free_;
  OnePermutation permuted_;
};

} // namespace

std::optional<Sequence> find_sequence(const Tilings &t, OpSet ops, int64_t cap) {
  static thread_local Search search;
  const CutDimensions dims(t);
  const TileGraph *graph = TileGraph::of(dims.rank(), t.devices());
  if (graph == nullptr)
    return std::nullopt;
  const std::vector<int64_t> sizes = dims.tile_sizes(*graph, cap);
  const ShapeProblem p = {graph, ops, sizes, dims.state(*graph, t.src_shards),
                          dims.state(*graph, t.dst_shards)};
  TW_ASSERT(p.source != kNoState && p.target != kNoState);
  if (!p.allowed(p.source) || !p.allowed(p.target))
    return std::nullopt;
  if (p.source == p.target && t.src_tiles == t.dst_tiles) {
    Sequence nothing;
    nothing.exact = true;
    return nothing;
  }
  return search.find(t, dims, p);
}

} // namespace tw::redistribute
