// SPDX-License-Identifier: Apache-2.0
// Finds the cheapest sequence: paths without a permutation in the order of their costs until one can be realised, or until the cheapest
// path with one permutation, which always can, costs less.
#include "redistribute/sequence.hpp"

#include <algorithm>
#include <limits>

#include "base/status.hpp"
#include "redistribute/one_permutation.hpp"
#include "redistribute/permutation_free.hpp"
#include "redistribute/shape_paths.hpp"

namespace tw::redistribute {

int64_t Tilings::devices() const {
  int64_t n = 1;
  for (const int64_t size : axes)
    n *= size;
  return n;
}

namespace {

// Up to so many states and beginnings of paths, every cheaper path is looked at one by one. Beyond, only those that meet needs.
constexpr size_t kFewStates = 500, kLittleWork = 2000, kMuchWork = 1 << 16;

// The dimensions that may be cut at all, and how they may.
struct Dimensions {
  std::vector<size_t> active; // indices into the shape
  bool all = true;            // none left out that could be cut

  size_t rank() const { return active.size(); }
};

// Whether the end types cut a dimension into tiles of different sizes. Where they do not, nothing on the way does.
bool uneven(const Tilings &t, size_t dim) {
  return t.shape[dim] % t.src_shards[dim] != 0 || t.shape[dim] % t.dst_shards[dim] != 0;
}

Dimensions cut_dimensions(const Tilings &t, int64_t devices) {
  Dimensions dims;
  std::vector<size_t> idle; // cut on the way at most
  for (size_t dim = 0; dim < t.shape.size(); ++dim) {
    bool may = uneven(t, dim);
    for (int64_t p = 2, left = devices; left > 1 && !may; ++p)
      for (; left % p == 0; left /= p)
        may = may || t.shape[dim] % p == 0;
    if (!may)
      continue;
    dims.active.push_back(dim);
    if (t.src_shards[dim] == 1 && t.dst_shards[dim] == 1)
      idle.push_back(dim);
  }
  while (!idle.empty() && TileGraph::of(dims.rank(), devices) == nullptr) {
    std::erase(dims.active, idle.back());
    idle.pop_back();
    dims.all = false;
  }
  return dims;
}

std::vector<int32_t> tiles_in(const Dimensions &dims, const std::vector<int32_t> &tiles, size_t devices) {
  const size_t rank = tiles.size() / std::max<size_t>(devices, 1);
  if (dims.rank() == rank)
    return tiles;
  std::vector<int32_t> some;
  some.reserve(devices * dims.rank());
  for (size_t device = 0; device < devices; ++device)
    for (const size_t dim : dims.active)
      some.push_back(tiles[device * rank + dim]);
  return some;
}

std::vector<int64_t> tile_sizes(const Tilings &t, const Dimensions &dims, const TileGraph &graph,
                                int64_t cap) {
  int64_t whole = 1; // what the dimensions that are never cut contribute
  for (size_t dim = 0; dim < t.shape.size(); ++dim)
    if (std::ranges::find(dims.active, dim) == dims.active.end())
      whole *= t.shape[dim];
  std::vector<int64_t> sizes(graph.num_states());
  for (size_t s = 0; s < sizes.size(); ++s) {
    const std::span<const int32_t> shards = graph.shards(static_cast<State>(s));
    int64_t size = whole;
    for (size_t i = 0; i < dims.rank() && size != kForbidden; ++i) {
      const int64_t n = t.shape[dims.active[i]];
      if (n % shards[i] == 0)
        size *= n / shards[i];
      else
        size = uneven(t, dims.active[i]) ? size * ((n + shards[i] - 1) / shards[i]) : kForbidden;
    }
    sizes[s] = size <= cap ? size : kForbidden;
  }
  return sizes;
}

State state_of(const TileGraph &graph, const Dimensions &dims, const std::vector<int64_t> &shards) {
  std::vector<int64_t> some;
  for (const size_t dim : dims.active)
    some.push_back(shards[dim]);
  return graph.find(some);
}

// Writes sequences in terms of all dimensions.
class Writer {
public:
  Writer(const Tilings &t, const Dimensions &dims, const TileGraph &graph)
      : t_(t), dims_(dims), graph_(graph) {}

  std::vector<int64_t> shards(State s) const {
    std::vector<int64_t> all(t_.shape.size(), 1);
    for (size_t i = 0; i < dims_.rank(); ++i)
      all[dims_.active[i]] = graph_.shards(s)[i];
    return all;
  }
  void step(Sequence &sequence, State from, State to, std::span<const int32_t> tiles) const {
    const size_t rank = t_.shape.size();
    Collective c;
    c.up.assign(rank, 1);
    c.down.assign(rank, 1);
    bool grows = false, shrinks = false;
    for (size_t i = 0; i < dims_.rank(); ++i) {
      const int64_t before = graph_.shards(from)[i], after = graph_.shards(to)[i];
      grows = grows || after < before;
      shrinks = shrinks || after > before;
      if (after < before)
        c.up[dims_.active[i]] = before / after;
      else
        c.down[dims_.active[i]] = after / before;
    }
    c.kind = grows ? (shrinks ? Kind::all_to_all : Kind::all_gather) : (shrinks ? Kind::copy : Kind::permute);
    c.shards = shards(to);
    if (dims_.rank() == rank) {
      c.tiles.assign(tiles.begin(), tiles.end());
    } else {
      const size_t devices = static_cast<size_t>(t_.devices());
      c.tiles.assign(devices * rank, 0);
      for (size_t device = 0; device < devices; ++device)
        for (size_t i = 0; i < dims_.rank(); ++i)
          c.tiles[device * rank + dims_.active[i]] = tiles[device * dims_.rank() + i];
    }
    sequence.steps.push_back(std::move(c));
  }

private:
  const Tilings &t_;
  const Dimensions &dims_;
  const TileGraph &graph_;
};

// Working memory of one search, kept per thread.
struct Search {
  Distances to_target, to_target_met, from_source;
  PathsInOrder paths;
  PermutationFree free;
  OnePermutation permuted;
};

int64_t cost_of(const ShapeProblem &p, std::span<const State> path) {
  int64_t cost = 0;
  for (size_t at = 1; at < path.size(); ++at)
    if (!p.graph->contains(path[at - 1], path[at]))
      cost += p.size(path[at]);
  return cost;
}

} // namespace

std::optional<Sequence> find_sequence(const Tilings &t, OpSet ops, int64_t cap) {
  static thread_local Search search;
  const int64_t devices = t.devices();
  const Dimensions dims = cut_dimensions(t, devices);
  const TileGraph *graph = TileGraph::of(dims.rank(), devices);
  if (graph == nullptr)
    return std::nullopt;
  const std::vector<int64_t> sizes = tile_sizes(t, dims, *graph, cap);
  const ShapeProblem p = {graph, ops, sizes, state_of(*graph, dims, t.src_shards),
                          state_of(*graph, dims, t.dst_shards)};
  TW_ASSERT(p.source != kNoState && p.target != kNoState);
  if (!p.allowed(p.source) || !p.allowed(p.target))
    return std::nullopt;

  Sequence found;
  if (t.src_shards == t.dst_shards && t.src_tiles == t.dst_tiles) {
    found.exact = true;
    return found;
  }
  const std::vector<int32_t> src = tiles_in(dims, t.src_tiles, static_cast<size_t>(devices)),
                             dst = tiles_in(dims, t.dst_tiles, static_cast<size_t>(devices));
  const Ends ends = {graph, src, dst, p.source, p.target};
  const Writer writer(t, dims, *graph);

  const Length bound = distances_to_target(p, {}, kUnreachable, search.to_target);
  const Length weak = search.to_target.to(p.source);
  if (weak == kUnreachable)
    return std::nullopt;
  // Without all dimensions in sight: the last step that communicates ends at a tile no smaller than the target's.
  found.certificate.weak = dims.all ? weak.cost : graph->contains(p.source, p.target) ? 0 : p.size(p.target);
  search.free.start(ends, t.axes);

  int64_t unknown;               // the least cost of a path of which nothing is known
  bool with_permutation = false; // whether its cost is known
  const auto permute = [&] {
    with_permutation = true;
    return search.permuted.find(p, search.to_target, search.from_source);
  };
  // Realises the first path that can be; lists the others.
  const auto walk = [&](const Distances &to_target, Length limit, size_t work) {
    unknown = std::numeric_limits<int64_t>::max();
    found.certificate.excluded.clear();
    search.paths.start(p, to_target, limit, work);
    for (;;) {
      const int64_t most = with_permutation ? std::numeric_limits<int64_t>::max() : weak.cost;
      const std::span<const State> path = search.paths.next(most);
      if (path.empty() && (with_permutation || search.paths.gave_up()))
        return;
      if (path.empty()) { // nothing as cheap as the bound: only now it matters what a permutation costs
        search.paths.lower(permute());
        continue;
      }
      const PermutationFree::Answer answer = search.free.realise(path);
      const int64_t cost = cost_of(p, path);
      if (answer == PermutationFree::Answer::realised) {
        for (size_t at = 1; at < path.size(); ++at)
          writer.step(found, path[at - 1], path[at], search.free.tiles(at));
        found.cost = cost;
        return;
      }
      if (answer == PermutationFree::Answer::unknown) {
        unknown = std::min(unknown, cost);
        continue;
      }
      const bool digits = answer == PermutationFree::Answer::digits;
      Certificate::Excluded excluded;
      for (const State s : path)
        excluded.shards.push_back(writer.shards(s));
      excluded.cost = cost;
      excluded.why = digits ? Certificate::Excluded::Why::digits : Certificate::Excluded::Why::balance;
      excluded.step = digits ? 0 : search.free.step();
      found.certificate.excluded.push_back(std::move(excluded));
    }
  };
  if (graph->num_states() <= kFewStates)
    walk(search.to_target, bound, kLittleWork);
  if (found.steps.empty() && (graph->num_states() > kFewStates || search.paths.gave_up())) {
    // Too many paths to look at: only those that leave no digit in the way of another.
    std::vector<Need> needs = search.free.needs();
    needs.resize(std::min(needs.size(), kMaxNeeds));
    if (needs.empty()) {
      walk(search.to_target, bound, kMuchWork);
    } else {
      const Length limit = with_permutation ? search.permuted.length() : permute();
      distances_to_target(p, needs, limit, search.to_target_met);
      walk(search.to_target_met, limit, kMuchWork);
    }
    if (found.steps.empty() && !with_permutation)
      permute();
  }
  if (found.steps.empty()) {
    search.permuted.realise(p, ends);
    for (const OnePermutation::Step &step : search.permuted.steps())
      writer.step(found, step.from, step.to, step.tiles);
    found.cost = search.permuted.cost();
  }
  std::erase_if(found.certificate.excluded, [&](const auto &e) { return e.cost >= found.cost; });
  found.exact = found.cost == found.certificate.weak ||
                (dims.all && unknown >= found.cost && search.paths.ahead().cost >= found.cost);
  if (found.cost == found.certificate.weak || !found.exact)
    found.certificate.excluded.clear();
  return found;
}

} // namespace tw::redistribute
