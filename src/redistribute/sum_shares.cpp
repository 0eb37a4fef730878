// SPDX-License-Identifier: Apache-2.0
// Devices that want the same of the same make a share of it each, and give it to the others of them: what is
// said of one of them follows from its number among them.
#include "redistribute/sum_shares.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

#include "redistribute/split_box.hpp"
#include "redistribute/step_builder.hpp"
#include "redistribute/takers.hpp"

namespace tw::redistribute {

namespace {

class Sharing {
public:
  Sharing(const Problem &problem, std::span<const Placement> tiles)
      : problem_(problem), tiles_(tiles), takers_(problem, Takers::By::boxes), making_(problem),
        giving_(problem), made_(problem.num_devices(), 0), given_(problem.num_devices(), 0) {}

  std::optional<SumShares> run(const CostModel &model) {
    for (size_t c = 0; c < takers_.num_classes(); ++c)
      add(c);
    if (size_given_.pieces == 0)
      return {};
    SumShares result;
    StepHead make{Kind::reduce_scatter, {}, 1, 1, 0, problem_.reduction()}, give{Kind::all_gather, {}, 1, 1};
    making_.finish(make);
    giving_.finish(give);
    result.heads = {std::move(make), std::move(give)};
    std::vector<StepCost> steps;
    steps.push_back(cost_of_step(std::move(made_), kept_max_, makers_peers_max_, model));
    steps.push_back(cost_of_step(std::move(given_), 0, takers_peers_max_, model));
    result.cost = cost_of_steps(problem_, tiles_, std::move(steps));
    result.size = {size_made_.pieces + size_given_.pieces, size_made_.sources + size_given_.sources};
    return result;
  }

private:
  // A piece that all of a class take, of which the first of them make a share each.
  struct Piece {
    const int64_t *bounds;
    Position first;
    ShareSizes shares;
  };

  void add(size_t c) {
    const std::span<const Device> members = takers_.members(c);
    list_.clear();
    takers_.append(c, list_);
    const size_t rank = problem_.rank();
    std::vector<Piece> pieces;
    int64_t wanted = 0;
    for (size_t p = 0; p < list_.size(); ++p) {
      const int64_t *bounds = list_.bounds.data() + 2 * rank * p;
      pieces.push_back(
          {bounds, list_.sources[p], ShareSizes({bounds + rank, bounds + 2 * rank}, std::ssize(members))});
      wanted += pieces.back().shares.elements();
    }
    std::ranges::sort(pieces, std::greater<>(), [](const Piece &piece) { return piece.shares.count(); });
    const auto num_makers = static_cast<size_t>(pieces[0].shares.count());
    const auto takes = [&](size_t i) { // so many of the pieces have a share that a member makes
      return static_cast<size_t>(
          std::ranges::partition_point(
              pieces, [&](const Piece &piece) { return piece.shares.count() > static_cast<int64_t>(i); }) -
          pieces.begin());
    };
    size_t named = 0; // so many pieces' devices are `from`
    StepNamer::Givers from{};
    for (size_t i = 0; i < members.size(); ++i) {
      const size_t shares = takes(i);
      if (shares != 0 && shares != named)
        from = name_givers({pieces.data(), named = shares});
      make(members[i], i, {pieces.data(), shares}, from, wanted);
    }
    const auto others = std::ssize(members) - 1;
    if (others == 0)
      return;
    const StepNamer::Givers makers = giving_.give(members.first(num_makers));
    for (const Device d : members)
      giving_.take(d, makers);
    takers_peers_max_ = std::max(takers_peers_max_, std::min(static_cast<int64_t>(num_makers), others));
    for (const Piece &piece : pieces)
      size_given_.pieces += piece.shares.count() * others;
    size_given_.sources = size_given_.pieces;
  }

  // Of some pieces, who holds the values. Many classes may take from the same devices.
  StepNamer::Givers name_givers(std::span<const Piece> pieces) {
    std::vector<int64_t> firsts;
    for (const Piece &piece : pieces)
      firsts.push_back(piece.first);
    std::ranges::sort(firsts);
    const auto [at, fresh] = named_.try_emplace(std::move(firsts));
    if (fresh) {
      std::vector<Device> givers;
      for (const int64_t first : at->first)
        takers_.append_givers(Position(first), givers);
      at->second = making_.give(givers);
    }
    return at->second;
  }

  // What member i of a class does: the shares that it makes, and those that it gets.
  void make(Device d, size_t i, std::span<const Piece> pieces, const StepNamer::Givers &from,
            int64_t wanted) {
    const int64_t terms = problem_.num_terms(), item = problem_.item_size();
    int64_t own = 0, kept = 0, peers = 0;
    for (const Piece &piece : pieces) {
      const int64_t share = piece.shares.elements(static_cast<int64_t>(i));
      const bool has_value = holds(d, piece.bounds);
      own += share;
      kept += has_value ? share : 0;
      peers += terms - (has_value ? 1 : 0);
    }
    made_[static_cast<size_t>(d)] = (own * terms - kept) * item;
    given_[static_cast<size_t>(d)] = (wanted - own) * item;
    kept_max_ = std::max(kept_max_, kept * item);
    makers_peers_max_ = std::max(makers_peers_max_, peers);
    if (!pieces.empty())
      making_.take(d, from);
    const auto count = std::ssize(pieces);
    size_made_.pieces += count;
    size_made_.sources += count * terms;
  }

  bool holds(Device d, const int64_t *bounds) const {
    if (problem_.src_position(d) < 0)
      return false;
    const auto offset = tiles_[0].offset(d), extent = tiles_[0].extent(d);
    for (size_t i = 0; i < offset.size(); ++i)
      if (bounds[i] < offset[i] || bounds[i] >= offset[i] + extent[i])
        return false;
    return true;
  }

  const Problem &problem_;
  std::span<const Placement> tiles_;
  Takers takers_;
  PieceList list_;
  StepNamer making_, giving_;
  std::map<std::vector<int64_t>, StepNamer::Givers> named_; // by the first holders of pieces
  std::vector<int64_t> made_, given_;                       // bytes, by device
  int64_t kept_max_ = 0, makers_peers_max_ = 0, takers_peers_max_ = 0;
  StepSize size_made_, size_given_;
};

} // namespace

bool sums_follow_from_tiles(const Problem &problem) {
  return !problem.has_spans() && !DirectExchange(problem).takes_turns();
}

std::optional<SumShares> share_sums(const Problem &problem, std::span<const Placement> tiles,
                                    const CostModel &model) {
  return Sharing(problem, tiles).run(model);
}

} // namespace tw::redistribute
