// SPDX-License-Identifier: Apache-2.0
// Whether nothing cheaper exists: bounds by labels that are corrected until none improves, all cheaper paths
// by depth first, and the two conditions by their definitions, over the devices one by one.
#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <set>

#include "redistribute/check_parts.hpp"
#include "redistribute/shard_space.hpp"

namespace tw::redistribute {

namespace {

using Path = std::vector<size_t>; // of states

constexpr int64_t kFar = INT64_MAX;
constexpr size_t kMaxWork = 60'000'000; // pairs of states looked at

class CheckCertificate {
public:
  CheckCertificate(const Plan &plan, int64_t cap, Findings &findings)
      : plan_(plan), problem_(*plan.problem), rank_(problem_.rank()), devices_(problem_.num_devices()),
        cap_(cap), findings_(findings), space_(problem_, plan.method == Method::scalar) {
    for (size_t b = 0; b < plan.buffers.size(); ++b)
      for (Device d = 0; static_cast<size_t>(d) < devices_; ++d)
        cap_ = std::max(cap_, elements(tile_of(plan, b, d)));
  }

  Verdict run() {
    if (space_.size() == 0)
      return Verdict::too_long;
    source_ = space_.find(problem_.src());
    target_ = space_.find(problem_.dst());
    for (Device d = 0; static_cast<size_t>(d) < devices_; ++d) {
      add_tiles(problem_.src(), problem_.src_position(d), src_tiles_);
      add_tiles(problem_.dst(), problem_.dst_position(d), dst_tiles_);
    }
    to_target_ = distances(target_, false);
    const std::vector<int64_t> from_source = distances(source_, true);
    if (work_ > kMaxWork)
      return Verdict::too_long;
    const int64_t weak = to_target_[source_], claimed = plan_.certificate.weak;
    if (claimed > weak)
      findings_.add("certificate: no sequence is claimed to cost less than {}, and shapes alone allow {}",
                    claimed, weak);
    // A permutation may stand anywhere; then nothing keeps the tiles from being any.
    int64_t permuted = kFar;
    for (size_t s = 0; s < space_.size(); ++s)
      if (allowed(s) && from_source[s] != kFar && to_target_[s] != kFar)
        permuted = std::min(permuted, from_source[s] + space_.elements(s) + to_target_[s]);
    if (plan_.fig11_cost > permuted)
      findings_.add("exact is claimed at {}, and with a permutation {} is enough", plan_.fig11_cost,
                    permuted);
    if (!findings_.none())
      return Verdict::refuted;
    read_excluded();
    // From here on no path passes a tiling twice: what lies between could as well be one permutation there.
    Path path{source_};
    const bool complete = walk(path, 0, false);
    if (!findings_.none())
      return Verdict::refuted;
    return complete ? Verdict::verified : Verdict::too_long;
  }

private:
  bool allowed(size_t s) const { return space_.elements(s) <= cap_; }

  static void add_tiles(const Layout &layout, Position position, std::vector<int64_t> &tiles) {
    for (const sharding::DimSharding &dim : layout.sharding.dims)
      tiles.push_back(tile_index(dim, layout.mesh, position));
  }

  // Of every state from or to one, without permutations.
  std::vector<int64_t> distances(size_t end, bool forwards) {
    std::vector<int64_t> far(space_.size(), kFar);
    std::deque<size_t> queue{end};
    std::vector<bool> queued(space_.size(), false);
    far[end] = 0;
    while (!queue.empty() && work_ <= kMaxWork) {
      const size_t here = queue.front();
      queue.pop_front();
      queued[here] = false;
      for (size_t s = 0; s < space_.size(); ++s) {
        ++work_;
        const auto op = forwards ? space_.op(here, s) : space_.op(s, here);
        if (!op || !allowed(s))
          continue;
        const int64_t length = far[here] + space_.cost(*op, forwards ? s : here);
        if (length >= far[s])
          continue;
        far[s] = length;
        if (!queued[s])
          queue.push_back(s);
        queued[s] = true;
      }
    }
    return far;
  }

  // What the certificate lists: paths of the ops, each with its cost, each impossible for the reason given.
  void read_excluded() {
    for (const Certificate::Excluded &e : plan_.certificate.excluded) {
      Path path;
      for (const auto &shards : e.shards)
        path.push_back(space_.find(shards));
      if (path.empty() || path.front() != source_ || path.back() != target_ ||
          std::ranges::count(path, ShardSpace::kNone) != 0) {
        findings_.add("certificate: an excluded path does not lead from source to target");
        continue;
      }
      int64_t cost = 0;
      Path canonical{source_};
      bool sliced = false, ops = true;
      for (size_t t = 1; t < path.size() && ops; ++t) {
        const auto op = space_.op(path[t - 1], path[t]);
        ops = op.has_value();
        if (!ops)
          break;
        cost = add_saturating(cost, space_.cost(*op, path[t]));
        if (sliced && *op == Kind::copy)
          canonical.back() = path[t];
        else
          canonical.push_back(path[t]);
        sliced = *op == Kind::copy;
      }
      if (!ops)
        findings_.add("certificate: excluded path {} takes a step that is none of the {} ops", to_text(path),
                      name(plan_.method));
      else if (cost != e.cost)
        findings_.add("certificate: excluded path {} is said to cost {}, and it costs {}", to_text(path),
                      e.cost, cost);
      else if (!impossible(path, e))
        findings_.add("certificate: excluded path {} does not violate the condition given", to_text(path));
      else
        excluded_.insert(std::move(canonical));
    }
  }

  // A step keeps the tile of the coarser of the cuts before and after it, so that a way keeps that of what
  // all its cuts have in common.
  std::vector<int64_t> common(const Path &path, size_t from, size_t to) const {
    std::vector<int64_t> shards(rank_, 0);
    for (size_t t = from; t <= to; ++t)
      for (size_t i = 0; i < rank_; ++i)
        shards[i] = std::gcd(shards[i], space_.shards(path[t])[i]);
    return shards;
  }
  int64_t src_tile(size_t d, size_t i, int64_t shards) const {
    return src_tiles_[d * rank_ + i] / (space_.shards(source_)[i] / shards);
  }
  int64_t dst_tile(size_t d, size_t i, int64_t shards) const {
    return dst_tiles_[d * rank_ + i] / (space_.shards(target_)[i] / shards);
  }

  bool impossible(const Path &path, const Certificate::Excluded &e) const {
    switch (e.why) {
    case Certificate::Excluded::Why::digits: return out_of_reach(path);
    case Certificate::Excluded::Why::balance: return e.step < path.size() && unbalanced(path, e.step);
    }
    return false;
  }

  // A step keeps every device inside the coarser of its tiles before and after: where that leads to from a
  // source tile, dimension by dimension, has to include the target tile.
  bool out_of_reach(const Path &path) const {
    for (size_t i = 0; i < rank_; ++i) {
      std::map<int64_t, std::vector<bool>> reached; // from a source tile
      for (size_t d = 0; d < devices_; ++d) {
        const int64_t from = src_tiles_[d * rank_ + i], to = dst_tiles_[d * rank_ + i];
        const auto [at, fresh] = reached.try_emplace(from);
        if (fresh)
          at->second = reach(path, i, from);
        if (!at->second[static_cast<size_t>(to)])
          return true;
      }
    }
    return false;
  }

  std::vector<bool> reach(const Path &path, size_t i, int64_t from) const {
    std::vector<bool> now(static_cast<size_t>(space_.shards(path[0])[i]), false);
    now[static_cast<size_t>(from)] = true;
    for (size_t t = 1; t < path.size(); ++t) {
      const auto before = now.size(), after = static_cast<size_t>(space_.shards(path[t])[i]);
      const size_t coarse = std::min(before, after); // one divides the other
      std::vector<bool> next(after, false);
      for (size_t tile = 0; tile < before; ++tile)
        for (size_t part = 0; now[tile] && part < after / coarse; ++part)
          next[tile / (before / coarse) * (after / coarse) + part] = true;
      now = std::move(next);
    }
    return now;
  }

  // At state t a device is still in the source tile of all cuts so far, and already in the target tile of all
  // cuts to come. Every tile of state t has equally many devices, and so has each of these; of the two, the
  // finer is looked at in every dimension.
  bool unbalanced(const Path &path, size_t t) const {
    const std::vector<int64_t> past = common(path, 0, t), future = common(path, t, path.size() - 1);
    int64_t tiles = 1;
    for (size_t i = 0; i < rank_; ++i)
      tiles *= std::max(past[i], future[i]);
    std::map<std::vector<int64_t>, int64_t> holders;
    std::vector<int64_t> forced(rank_);
    for (size_t d = 0; d < devices_; ++d) {
      for (size_t i = 0; i < rank_; ++i)
        forced[i] = future[i] >= past[i] ? dst_tile(d, i, future[i]) : src_tile(d, i, past[i]);
      ++holders[forced];
    }
    return std::ranges::any_of(
        holders, [&](const auto &held) { return held.second * tiles != static_cast<int64_t>(devices_); });
  }

  // All paths that cost less than the plan, slices next to one another as one step. False where there are too
  // many.
  bool walk(Path &path, int64_t cost, bool sliced) {
    const size_t here = path.back();
    if (here == target_ && cost < plan_.fig11_cost && !excluded_.contains(path)) {
      work_ += devices_ * rank_;
      if (!out_of_reach(path))
        findings_.add("certificate: path {} costs {} and is not excluded", to_text(path), cost);
    }
    for (size_t s = 0; s < space_.size(); ++s) {
      if (++work_ > kMaxWork)
        return false;
      const auto op = space_.op(here, s);
      if (!op || !allowed(s) || to_target_[s] == kFar || (sliced && *op == Kind::copy) ||
          std::ranges::count(path, s) != 0)
        continue;
      const int64_t there = cost + space_.cost(*op, s);
      if (there + to_target_[s] >= plan_.fig11_cost)
        continue;
      path.push_back(s);
      const bool complete = walk(path, there, *op == Kind::copy);
      path.pop_back();
      if (!complete)
        return false;
    }
    return true;
  }

  std::string to_text(const Path &path) const {
    std::string text;
    for (const size_t s : path) {
      text += text.empty() ? "" : " -> ";
      for (size_t i = 0; i < rank_; ++i)
        text += fmt::format("{}{}", i == 0 ? "" : "x", space_.shards(s)[i]);
    }
    return text;
  }

  const Plan &plan_;
  const Problem &problem_;
  size_t rank_, devices_;
  int64_t cap_;
  Findings &findings_;
  ShardSpace space_;
  size_t source_ = 0, target_ = 0, work_ = 0;
  std::vector<int64_t> src_tiles_, dst_tiles_; // devices x rank
  std::vector<int64_t> to_target_;
  std::set<Path> excluded_;
};

} // namespace

Verdict check_certificate(const Plan &plan, int64_t cap, Findings &findings) {
  return CheckCertificate(plan, cap, findings).run();
}

} // namespace tw::redistribute
