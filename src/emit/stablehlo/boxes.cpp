// SPDX-License-Identifier: Apache-2.0
// Rounds are filled greedily, box after box in the order of those who receive them.
#include "emit/stablehlo/boxes.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "emit/stablehlo/exchange.hpp"
#include "ops/strided.hpp"
#include "redistribute/moves.hpp"

namespace tw::emit::stablehlo {

using graph::TensorType;
using sharding::Sharding;

Boxes::Boxes(DeviceText &text, const TensorType &global, const Sharding &from, const Sharding &to)
    : text_(text), say_(text.collectives()), global_(global), from_(from), to_(to) {
  const sharding::Mesh &mesh = say_.mesh();
  const redistribute::Move move(mesh, global, from, to);
  for (sharding::Position p; p < mesh.num_devices(); ++p)
    for (const redistribute::Piece &piece : redistribute::direct(move.problem(), p))
      pieces_.push_back({piece.box, static_cast<size_t>(piece.sources[0]), static_cast<size_t>(int64_t{p})});
  rounds_ = plan(true);
  if (!say_.takes_pairs() || text.in_branch()) // of who sends nothing may be known there
    return;
  // Devices that stand in no line are reached in one move instead of one along each axis.
  std::vector<Round> by_pairs = plan(false);
  if (moved(by_pairs) < moved(rounds_))
    rounds_ = std::move(by_pairs);
}

std::vector<Boxes::Round> Boxes::plan(bool by_route) const {
  using Way = std::tuple<bool, graph::Shape, Collectives::Route>;
  const auto n = static_cast<size_t>(say_.mesh().num_devices());
  std::map<Way, std::vector<Round>> rounds;
  for (size_t i = 0; i < pieces_.size(); ++i) {
    const Piece &piece = pieces_[i];
    const bool leaves = piece.source != piece.target;
    Collectives::Route route;
    if (leaves && by_route)
      route = say_.route(static_cast<int64_t>(piece.source), static_cast<int64_t>(piece.target));
    auto &same = rounds[{leaves, piece.box.extent, route}];
    auto round = std::ranges::find_if(
        same, [&](const Round &r) { return !r.sends[piece.source] && !r.receives[piece.target]; });
    if (round == same.end())
      round = same.insert(same.end(), {leaves, piece.box.extent, route, std::vector<std::optional<size_t>>(n),
                                       std::vector<std::optional<size_t>>(n)});
    round->sends[piece.source] = i;
    round->receives[piece.target] = i;
  }
  std::vector<Round> all;
  for (auto &[way, same] : rounds)
    std::ranges::move(same, std::back_inserter(all));
  return all;
}

int64_t Boxes::moved(const std::vector<Round> &rounds) const {
  int64_t elements = 0;
  for (const Round &round : rounds)
    if (round.leaves)
      elements += ops::product(round.extent) * say_.hops(round.route);
  return elements;
}

Local Boxes::take(const Round &round, const Local &value, const Local &made) const {
  const Tiles have = tiles_of(from_, global_, say_.mesh()), want = tiles_of(to_, global_, say_.mesh());
  const size_t n = round.sends.size();
  const Starts zero(n, std::vector<int64_t>(want.extent.size()));
  Starts from = zero, into = zero;
  std::vector<std::vector<int64_t>> pairs;
  std::vector<bool> takes(n);
  for (size_t p = 0; p < n; ++p) {
    for (size_t d = 0; d < want.extent.size(); ++d) {
      if (round.sends[p])
        from[p][d] = pieces_[*round.sends[p]].box.offset[d] - have.starts[p][d];
      if (round.receives[p])
        into[p][d] = pieces_[*round.receives[p]].box.offset[d] - want.starts[p][d];
    }
    takes[p] = round.receives[p].has_value();
    if (takes[p])
      pairs.push_back({static_cast<int64_t>(pieces_[*round.receives[p]].source), static_cast<int64_t>(p)});
  }
  Local box = text_.slice(value, from, round.extent);
  if (round.leaves)
    box = say_.permute(text_, box, round.route, pairs);
  const Local put = text_.update(made, box, into);
  return std::ranges::count(takes, false) == 0 ? put : text_.select(text_.decide(takes), put, made);
}

Local Boxes::move(const Local &value) const {
  Local made = text_.zeros({global_.dtype, tiles_of(to_, global_, say_.mesh()).extent});
  for (const Round &round : rounds_)
    made = take(round, value, made);
  return made;
}

} // namespace tw::emit::stablehlo
