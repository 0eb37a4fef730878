// SPDX-License-Identifier: Apache-2.0
// Rewrites the pieces of a step: those with several sources and takers in several processes fall into one
// share a process.
#include "comm/remote/shares.hpp"

#include <algorithm>
#include <utility>

namespace tw::comm {
namespace {

using redistribute::Device;
using redistribute::Source;
using redistribute::Step;

// Below, the second round costs more than the traffic it saves.
constexpr int64_t kLeastBytes = 16 << 10;

struct Piece {
  std::vector<int64_t> bounds; // offsets, extents
  std::vector<Source> sources;
};

Step step_of(const std::vector<std::vector<Piece>> &pieces, uint32_t target) {
  Step step;
  step.target = target;
  for (const auto &of_device : pieces) {
    step.first_piece.push_back(static_cast<uint32_t>(step.first_source.size()));
    for (const Piece &piece : of_device) {
      step.bounds.insert(step.bounds.end(), piece.bounds.begin(), piece.bounds.end());
      step.first_source.push_back(static_cast<uint32_t>(step.sources.size()));
      step.sources.insert(step.sources.end(), piece.sources.begin(), piece.sources.end());
    }
  }
  step.first_piece.push_back(static_cast<uint32_t>(step.first_source.size()));
  step.first_source.push_back(static_cast<uint32_t>(step.sources.size()));
  return step;
}

// Cut along the outermost dimension that gives every part something, else the longest.
std::vector<int64_t> share_of(std::span<const int64_t> bounds, int64_t part, int64_t parts) {
  const size_t rank = bounds.size() / 2;
  const auto extent = bounds.subspan(rank);
  const auto enough = std::ranges::find_if(extent, [&](int64_t n) { return n >= parts; });
  const auto longest = enough != extent.end() ? enough : std::ranges::max_element(extent);
  const auto d = static_cast<size_t>(longest - extent.begin());
  const int64_t begin = extent[d] * part / parts, end = extent[d] * (part + 1) / parts;
  std::vector<int64_t> share(bounds.begin(), bounds.end());
  share[d] += begin;
  share[rank + d] = end - begin;
  return share;
}

// One step in one round or two.
std::vector<ArrayStep> in_rounds(const ArrayStep &move, std::span<const int64_t> process) {
  const Step &step = move.step;
  const size_t rank = move.buffers[0].rank(), devices = process.size();
  std::vector<std::vector<Piece>> first(devices), second(devices);

  std::vector<bool> shared(step.num_pieces(), false);
  for (const redistribute::Combined &combined : combined_pieces(step, rank)) {
    std::vector<int64_t> takers; // processes
    for (const Device d : combined.takers)
      takers.push_back(process[static_cast<size_t>(d)]);
    std::ranges::sort(takers);
    takers.erase(std::unique(takers.begin(), takers.end()), takers.end());
    int64_t bytes = move.element_size;
    for (const int64_t n : step.extent(combined.piece, rank))
      bytes *= n;
    if (takers.size() < 2 || !move.combine || bytes < kLeastBytes)
      continue;
    for (const size_t p : combined.pieces)
      shared[p] = true;
    const auto sources = step.sources_of(combined.piece);
    for (size_t i = 0; i < takers.size(); ++i) {
      auto share = share_of(step.bounds_of(combined.piece, rank), static_cast<int64_t>(i),
                            static_cast<int64_t>(takers.size()));
      if (std::ranges::count(std::span(share).subspan(rank), 0) != 0)
        continue;
      Device holder = -1; // of the finished share
      for (const Device d : combined.takers)
        if (process[static_cast<size_t>(d)] == takers[i]) {
          first[static_cast<size_t>(d)].push_back({share, {sources.begin(), sources.end()}});
          holder = holder < 0 ? d : holder;
        }
      for (const Device d : combined.takers)
        if (process[static_cast<size_t>(d)] != takers[i])
          second[static_cast<size_t>(d)].push_back({share, {{holder, 1}}});
    }
  }
  if (std::ranges::count(shared, true) == 0)
    return {move};
  for (size_t d = 0; d < devices; ++d)
    for (size_t p = step.first_piece[d]; p < step.first_piece[d + 1]; ++p)
      if (!shared[p]) {
        const auto bounds = step.bounds_of(p, rank);
        const auto sources = step.sources_of(p);
        first[d].push_back({{bounds.begin(), bounds.end()}, {sources.begin(), sources.end()}});
      }
  ArrayStep one = move, two = move;
  one.step = step_of(first, step.target);
  two.step = step_of(second, step.target);
  return {std::move(one), std::move(two)};
}

} // namespace

Rounds between_processes(const Rounds &given, std::span<const int64_t> process) {
  Rounds rounds;
  for (const auto &of_array : given)
    rounds.push_back(of_array.size() == 1 ? in_rounds(of_array[0], process) : of_array);
  return rounds;
}

} // namespace tw::comm
