// SPDX-License-Identifier: Apache-2.0
// The pieces of a move are followed from the boxes on both sides, at every position of a small mesh.
#include "spmd/check_move.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace tw::spmd {

using redistribute::Problem;
using sharding::AxisId;
using sharding::Box;
using sharding::Mesh;

sharding::AxisSet axes_of(const sharding::Sharding &s) {
  sharding::AxisSet set;
  for (const auto &dim : s.dims)
    for (const AxisId axis : dim.axes)
      set.add(axis);
  return set | s.partial_axes();
}

std::vector<Position> positions_along(const Mesh &mesh, sharding::AxisSet axes) {
  std::vector<Position> positions(1);
  for (const AxisId axis : axes) {
    std::vector<Position> more;
    for (const Position p : positions)
      for (int64_t c = 0; c < mesh.size(axis); ++c)
        more.emplace_back(p + c * mesh.stride(axis));
    positions = std::move(more);
  }
  return positions;
}

std::vector<Position> sample(std::vector<Position> positions, int64_t limit) {
  const auto count = static_cast<int64_t>(positions.size());
  limit = std::max<int64_t>(limit, 2);
  if (count <= limit)
    return positions;
  std::vector<Position> chosen;
  for (int64_t i = 0; i < limit; ++i)
    chosen.push_back(positions[static_cast<size_t>(i * (count - 1) / (limit - 1))]);
  return chosen;
}

namespace {

// Each answers with what is wrong, or "".
std::string check_kinds(const sharding::Sharding &src, const sharding::Sharding &dst) {
  std::optional<sharding::Reduction> combined;
  for (const auto &partial : dst.partial)
    if (std::ranges::count(src.partial, partial) == 0)
      return "the result is partial where the operand is not";
  for (const auto &partial : src.partial)
    if (std::ranges::count(dst.partial, partial) == 0) {
      if (partial.kind == sharding::Reduction::raw || (combined && *combined != partial.kind))
        return "the partial values of one collective must combine in one way";
      combined = partial.kind;
    }
  return "";
}

std::string check_exchange(const Problem &problem, Position position) {
  const Box target = problem.dst_box(problem.dst_device(position));
  int64_t covered = 0;
  for (const redistribute::Piece &piece : redistribute::direct(problem, position)) {
    covered += piece.box.elements();
    if (!target.contains(piece.box))
      return fmt::format("a piece for position {} lies outside its target", position);
    for (const Position source : piece.sources)
      if (!problem.src_box(problem.src_device(source)).contains(piece.box))
        return fmt::format("position {} is asked for a piece that it does not hold", source);
  }
  if (covered != target.elements())
    return fmt::format("position {} gets {} of {} elements", position, covered, target.elements());
  return "";
}

} // namespace

tl::expected<redistribute::Summary, std::string> check_move(const Problem &problem) {
  const sharding::Sharding &src = problem.src().sharding, &dst = problem.dst().sharding;
  std::string wrong = check_kinds(src, dst);
  const std::vector<Position> positions = positions_along(problem.src().mesh, axes_of(src) | axes_of(dst));
  const int64_t most = std::max<int64_t>(2, kMaxPositions / static_cast<int64_t>(positions.size()));
  for (const Position position : sample(positions, most))
    if (wrong.empty())
      wrong = check_exchange(problem, position);
  if (!wrong.empty())
    return tl::unexpected(std::move(wrong));
  return redistribute::summarise(problem);
}

} // namespace tw::spmd
