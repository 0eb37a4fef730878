// SPDX-License-Identifier: Apache-2.0
// Finds who wants which sum of whose values, cuts each sum into shares, and adds group by group where levels
// say so.
#include "redistribute/level_sums.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "redistribute/direct.hpp"
#include "redistribute/split_box.hpp"
#include "redistribute/step_builder.hpp"
#include "redistribute/tile_edges.hpp"

namespace tw::redistribute {

using sharding::Box;

namespace {

// Devices whose values are summed, in rank order.
using Terms = std::vector<Device>;
// A part of a sum, and all that want it, ascending.
struct Wanted {
  Box box;
  std::vector<Device> takers;
  std::vector<Device> others = {}; // who take it from these, and make nothing of it
};
// By the devices that hold the values: several such sets where values lie on several devices each. The parts
// in the order of their places.
using Sums = std::map<std::vector<Terms>, std::vector<Wanted>>;

// `copies`: whoever wants a sum may have it of any copies of the values; else of those that are nearest to
// it.
Sums find_sums(const Problem &problem, bool copies) {
  const size_t rank = problem.rank();
  DirectExchange exchange(problem, DirectExchange::Sources::first); // who tells a sum's devices
  const TileEdges edges(problem);
  struct Found {
    std::set<Device> firsts;
    std::vector<Device> takers;
  };
  std::map<std::pair<std::vector<int64_t>, std::vector<Device>>, Found> found; // by bounds, and what tells
                                                                               // sums apart
  PieceList list;
  for (Device d = 0; static_cast<size_t>(d) < problem.num_devices(); ++d) {
    if (problem.dst_position(d) < 0)
      continue;
    list.clear();
    exchange.append(problem.dst_position(d), problem.src_position(d), list);
    std::vector<Device> kept;
    for (const sharding::Partial &s : problem.dst().sharding.partial)
      kept.push_back(static_cast<Device>(problem.dst().mesh.coordinate(problem.dst_position(d), s.axis)));
    for (size_t piece = 0; piece < list.size(); ++piece) {
      const Device first = problem.src_device(list.sources[piece]);
      const int64_t *bounds_at = list.bounds.data() + 2 * rank * piece;
      for (const Box &box :
           edges.cut({{bounds_at, bounds_at + rank}, {bounds_at + rank, bounds_at + 2 * rank}})) {
        std::vector<int64_t> bounds = box.offset;
        bounds.insert(bounds.end(), box.extent.begin(), box.extent.end());
        Found &sum = found[{std::move(bounds), copies ? kept : std::vector<Device>{first}}];
        sum.firsts.insert(first);
        sum.takers.push_back(d);
      }
    }
  }
  const auto terms_of = [&](Device first) {
    Terms terms;
    for (const int64_t shift : exchange.terms())
      terms.push_back(problem.src_device(Position(problem.src_position(first) + shift)));
    return terms;
  };
  Sums sums;
  for (auto &[what, sum] : found) {
    const auto middle = what.first.begin() + static_cast<std::ptrdiff_t>(rank);
    std::vector<Terms> of;
    for (const Device first : sum.firsts)
      of.push_back(terms_of(first));
    sums[std::move(of)].push_back(
        {Box{{what.first.begin(), middle}, {middle, what.first.end()}}, std::move(sum.takers), {}});
  }
  return sums;
}

class Summing {
public:
  Summing(const Problem &problem, const Topology &topology)
      : problem_(problem), topology_(topology), final_(problem) {
    for (size_t level = 0; level < topology.groups.size(); ++level)
      partial_.push_back({StepBuilder(problem), Placement(problem.rank(), problem.num_devices())});
  }

  void add_flat(const Terms &from, const std::vector<Wanted> &wanted) {
    const std::vector<Source> sources = source_tiles(from);
    for (const auto &[box, takers, others] : wanted) {
      const std::vector<Box> parts = split(box, static_cast<int64_t>(takers.size()));
      for (size_t i = 0; i < parts.size(); ++i)
        make(parts[i], takers[i], sources, takers, std::nullopt);
    }
  }

  // An outermost group that has all values makes the sum for itself, and for those that have not. All such
  // groups add in one way, so that they come to the same bits.
  void add_by_level(const std::vector<Terms> &copies, const std::vector<Wanted> &wanted) {
    std::vector<Terms> whole;
    std::map<int32_t, std::vector<Terms>> inside; // the same by group
    for (const Terms &terms : copies)
      if (groups_at(0, terms).size() == 1 && (whole.empty() || grouping(terms) == grouping(whole[0]))) {
        whole.push_back(terms);
        inside[outermost(terms[0])].push_back(terms);
      }
    std::map<int32_t, std::vector<Wanted>> own;
    std::vector<Wanted> elsewhere;
    for (const Wanted &part : wanted) {
      std::map<int32_t, std::vector<Device>> in_groups;
      std::vector<Device> others;
      for (const Device d : part.takers)
        (inside.contains(outermost(d)) ? in_groups[outermost(d)] : others).push_back(d);
      if (in_groups.empty()) {
        elsewhere.push_back(part);
        continue;
      }
      const auto boxes = split(part.box, others.empty() ? 1 : static_cast<int64_t>(in_groups.size()));
      size_t turn = 0;
      for (const auto &[group, takers] : in_groups) {
        for (size_t i = 0; i < boxes.size(); ++i)
          own[group].push_back({boxes[i], takers, i == turn ? others : std::vector<Device>()});
        ++turn;
      }
    }
    for (const auto &[group, parts] : own)
      add_slabs(inside.at(group), parts);
    if (!elsewhere.empty())
      add_slabs(whole.empty() ? copies : whole, elsewhere);
  }

  Shares finish() {
    Shares made;
    std::vector<uint32_t> number(partial_.size() + 2, 0); // of buffers, without those that nobody fills
    for (size_t level = 0; level < partial_.size(); ++level)
      if (!partial_[level].builder.empty()) {
        made.partial.push_back(std::move(partial_[level].tiles));
        number[buffer_of(level)] = static_cast<uint32_t>(made.partial.size());
      }
    const auto finish = [&](StepBuilder &builder, size_t level, uint32_t target) {
      Step step = builder.finish(target, problem_.reduction());
      for (Source &source : step.sources)
        source.buffer = number[source.buffer];
      step.kind = Kind::reduce_scatter;
      step.level = static_cast<uint32_t>(level);
      made.steps.push_back(std::move(step));
    };
    for (size_t level = partial_.size(); level-- > 0;)
      if (!partial_[level].builder.empty())
        finish(partial_[level].builder, level + 1, number[buffer_of(level)]);
    if (!final_.empty())
      finish(final_, 0, static_cast<uint32_t>(made.partial.size()) + 1);
    made.shares = std::move(shares_);
    return made;
  }

private:
  // A part is cut into slabs, one for each taker of the group that has most of them, and a slab among the
  // groups. Each group adds its values of a slab on one of its devices; whoever makes a share adds what the
  // groups have. Copies of the values take turns.
  void add_slabs(const std::vector<Terms> &copies, const std::vector<Wanted> &wanted) {
    struct Slab {
      Box box;
      size_t turn;
      size_t part; // of `wanted`
    };
    std::vector<Slab> slabs;
    std::vector<std::vector<std::vector<Device>>> taker_groups; // by part
    for (size_t part = 0; part < wanted.size(); ++part) {
      size_t most = 0;
      for (const auto &group : taker_groups.emplace_back(groups_at(0, wanted[part].takers)))
        most = std::max(most, group.size());
      const std::vector<Box> boxes = split(wanted[part].box, static_cast<int64_t>(most));
      for (size_t i = 0; i < boxes.size(); ++i)
        slabs.push_back({boxes[i], i, part});
    }
    for (size_t s = 0; s < slabs.size(); ++s) {
      const auto &[box, turn, part] = slabs[s];
      const auto &groups = taker_groups[part];
      const std::vector<Box> shares = split(box, static_cast<int64_t>(groups.size()));
      for (size_t i = 0; i < shares.size(); ++i) {
        const auto &makers = groups[(i + turn) % groups.size()];
        const std::vector<const Terms *> near = copies_in(makers[0], copies);
        const size_t at = s * near.size();
        const Device maker = makers[turn % makers.size()];
        make(shares[i], maker,
             add_in_groups(0, *near[at / slabs.size()], maker, shares[i], at % slabs.size(), slabs.size()),
             everybody(wanted[part]), turn);
      }
    }
  }

  static std::vector<Device> everybody(const Wanted &part) {
    std::vector<Device> all;
    std::ranges::merge(part.takers, part.others, std::back_inserter(all));
    return all;
  }

  // Sums within the groups of a level.
  struct PartialSums {
    StepBuilder builder;
    Placement tiles;
  };
  // Of the sums of a level, before those are left out that nobody fills.
  static uint32_t buffer_of(size_t level) { return 1 + static_cast<uint32_t>(level); }

  static std::vector<Source> source_tiles(const std::vector<Device> &devices) {
    std::vector<Source> sources;
    for (const Device d : devices)
      sources.push_back({d, 0});
    return sources;
  }

  // Those of which the outermost group around a device has some values; all where it has none.
  std::vector<const Terms *> copies_in(Device device, const std::vector<Terms> &copies) const {
    const auto &groups = topology_.groups[0];
    std::vector<const Terms *> near, all;
    for (const Terms &terms : copies) {
      all.push_back(&terms);
      if (std::ranges::any_of(terms, [&](Device d) {
            return groups[static_cast<size_t>(d)] == groups[static_cast<size_t>(device)];
          }))
        near.push_back(&terms);
    }
    return near.empty() ? all : near;
  }

  // In the order in which the groups come first.
  std::vector<std::vector<Device>> groups_at(size_t level, const std::vector<Device> &devices) const {
    std::vector<std::vector<Device>> groups;
    std::map<int32_t, size_t> known;
    for (const Device d : devices) {
      const int32_t group = topology_.groups[level][static_cast<size_t>(d)];
      const auto [at, fresh] = known.try_emplace(group, groups.size());
      if (fresh)
        groups.emplace_back();
      groups[at->second].push_back(d);
    }
    return groups;
  }

  int32_t outermost(Device d) const { return topology_.groups[0][static_cast<size_t>(d)]; }

  // Which group each value is in, level by level; groups count in the order in which they come first.
  std::vector<size_t> grouping(const Terms &terms) const {
    std::vector<size_t> numbers;
    for (const auto &level : topology_.groups) {
      std::map<int32_t, size_t> known;
      for (const Device d : terms)
        numbers.push_back(known.try_emplace(level[static_cast<size_t>(d)], known.size()).first->second);
    }
    return numbers;
  }

  // Where the values of some devices are for `maker` once each group from a level on has added its own. The
  // device of a group that adds a slab follows from the slab's number, so that each adds slabs that lie
  // together.
  std::vector<Source> add_in_groups(size_t level, const std::vector<Device> &from, Device maker,
                                    const Box &box, size_t slab, size_t slabs) {
    if (level == topology_.groups.size())
      return source_tiles(from);
    const auto groups = groups_at(level, from);
    const auto &group = topology_.groups[level];
    if (groups.size() == 1 && group[static_cast<size_t>(from[0])] == group[static_cast<size_t>(maker)])
      return add_in_groups(level + 1, from, maker, box, slab, slabs);
    std::vector<Source> sources;
    for (const auto &members : groups) {
      if (members.size() == 1) {
        sources.push_back({members[0], 0});
        continue;
      }
      const Device adder = members[slab * members.size() / slabs];
      const std::vector<Source> inner = add_in_groups(level + 1, members, adder, box, slab, slabs);
      PartialSums &partial = partial_[level];
      partial.builder.add(adder, box, inner);
      partial.tiles.enclose(adder, box.offset, box.extent);
      sources.push_back({adder, buffer_of(level)});
    }
    return sources;
  }

  void make(const Box &box, Device maker, const std::vector<Source> &sources,
            const std::vector<Device> &takers, std::optional<size_t> turn) {
    final_.add(maker, box, sources);
    Share share{box, maker, {}, turn};
    std::ranges::remove_copy(takers, std::back_inserter(share.takers), maker);
    if (!share.takers.empty())
      shares_.push_back(std::move(share));
  }

  const Problem &problem_;
  const Topology &topology_;
  std::vector<PartialSums> partial_; // by level
  StepBuilder final_;
  std::vector<Share> shares_;
};

} // namespace

Shares make_shares(const Problem &problem, const Topology &topology, SumOrder order) {
  Summing summing(problem, topology);
  const bool by_level = order == SumOrder::by_level && !topology.groups.empty();
  for (const auto &[terms, wanted] : find_sums(problem, by_level))
    by_level ? summing.add_by_level(terms, wanted) : summing.add_flat(terms[0], wanted);
  return summing.finish();
}

} // namespace tw::redistribute
