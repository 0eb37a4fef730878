// SPDX-License-Identifier: Apache-2.0
// Hands pieces on through the levels of a topology: from where they lie, to one device of each group that
// wants them, to all of its devices.
#include "redistribute/level.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "redistribute/direct.hpp"
#include "redistribute/split_box.hpp"
#include "redistribute/step_builder.hpp"
#include "redistribute/tile_edges.hpp"

namespace tw::redistribute {

using sharding::Box;

namespace {

// A box that some devices hold and others want.
struct Item {
  Box box;
  std::vector<Source> held;   // who can give it by now
  std::vector<Device> takers; // who lacks it, ascending
  std::optional<size_t> turn; // see Share
};

class Distribution {
public:
  Distribution(const Problem &problem, const Topology &topology)
      : problem_(problem), topology_(topology), edges_(problem), sent_(problem.num_devices(), 0) {}

  LevelSteps run(int64_t chunks, SumOrder order) {
    LevelSteps result;
    if (problem_.combined().empty())
      take_held();
    else
      result = combine(order);
    for (size_t level = 0; level < topology_.num_levels(); ++level) {
      if (level == 0 && chunks > 0 && topology_.num_levels() > 1)
        relay(chunks);
      else
        distribute(level);
    }
    for (auto &[builder, level] : steps_) {
      if (builder.empty())
        continue;
      result.steps.push_back(builder.finish(target_));
      result.steps.back().level = static_cast<uint32_t>(level);
    }
    for (Step &step : result.steps)
      describe(step, problem_);
    return result;
  }

private:
  using Tile = std::vector<int64_t>; // bounds, and the coordinates along axes that stay partial
  struct Part {
    StepBuilder builder;
    size_t level;
  };

  StepBuilder &step(size_t index, size_t level) {
    while (steps_.size() <= index)
      steps_.push_back({StepBuilder(problem_), level});
    return steps_[index].builder;
  }

  int32_t group(size_t level, Device d) const {
    return level < topology_.groups.size() ? topology_.groups[level][static_cast<size_t>(d)] : d;
  }

  Tile key(const Box &box, Position position) const {
    Tile tile = box.offset;
    tile.insert(tile.end(), box.extent.begin(), box.extent.end());
    for (const sharding::Partial &s : problem_.dst().sharding.partial)
      tile.push_back(problem_.dst().mesh.coordinate(position, s.axis));
    return tile;
  }

  // Where tiles overlap, several of them have one part.
  void add_item(Item item, Position taker) {
    if (edges_.none()) {
      items_.push_back(std::move(item));
      return;
    }
    for (const Box &box : edges_.cut(item.box)) {
      const auto [at, fresh] = known_.try_emplace(key(box, taker), items_.size());
      if (fresh) {
        items_.push_back(item);
        items_.back().box = box;
        continue;
      }
      std::vector<Device> &all = items_[at->second].takers;
      all.insert(all.end(), item.takers.begin(), item.takers.end());
      std::ranges::sort(all);
    }
  }

  // Every piece of every target tile with all of its holders. What a device holds itself it copies in the
  // first step.
  void take_held() {
    const auto devices = static_cast<Device>(problem_.num_devices());
    std::map<Tile, std::vector<Device>> holders, takers;
    for (Device d = 0; d < devices; ++d) {
      if (const Box box = problem_.src_box(d); !box.empty() && problem_.src_position(d) >= 0)
        holders[key(box, problem_.src_position(d))].push_back(d);
      if (const Box box = problem_.dst_box(d); !box.empty() && problem_.dst_position(d) >= 0)
        takers[key(box, problem_.dst_position(d))].push_back(d);
    }
    DirectExchange direct(problem_);
    PieceList list;
    for (const auto &[tile, wanting] : takers) {
      list.clear();
      direct.append(problem_.dst_position(wanting[0]), problem_.src_position(wanting[0]), list);
      for (size_t i = 0; i < list.size(); ++i) {
        const Position position = list.sources[i];
        const auto found = holders.find(key(problem_.src_box_at(position), position));
        if (found == holders.end()) // lost
          continue;
        const std::vector<Device> &having = found->second;
        Item item{box_at(list.bounds, i), {}, {}, {}};
        for (const Device d : having)
          item.held.push_back({d, 0});
        for (const Device d : wanting) {
          if (std::ranges::binary_search(having, d))
            step(0, 0).add(d, item.box, Source{d, 0});
          else
            item.takers.push_back(d);
        }
        if (!item.takers.empty())
          add_item(std::move(item), problem_.dst_position(wanting[0]));
      }
    }
  }

  // What is left to be done once shares of the sums are made.
  LevelSteps combine(SumOrder order) {
    Shares made = make_shares(problem_, topology_, order);
    target_ = static_cast<uint32_t>(made.partial.size()) + 1;
    for (Share &share : made.shares)
      items_.push_back({std::move(share.box), {{share.maker, target_}}, std::move(share.takers), share.turn});
    return {std::move(made.steps), std::move(made.partial)};
  }

  Box box_at(const std::vector<int64_t> &bounds, size_t i) const {
    const auto at = bounds.begin() + static_cast<std::ptrdiff_t>(2 * problem_.rank() * i);
    const auto middle = at + static_cast<std::ptrdiff_t>(problem_.rank());
    return {{at, middle}, {middle, middle + static_cast<std::ptrdiff_t>(problem_.rank())}};
  }

  // The takers in each group of a level that has nobody who can give the item.
  std::vector<std::vector<Device>> entered(const Item &item, size_t level) const {
    std::map<int32_t, std::vector<Device>> groups;
    for (const Device d : item.takers)
      groups[group(level, d)].push_back(d);
    std::vector<std::vector<Device>> result;
    for (auto &[g, members] : groups)
      if (std::ranges::none_of(item.held,
                               [&, g = g](const Source &s) { return group(level, s.device) == g; }))
        result.push_back(std::move(members));
    return result;
  }

  // Who has sent least of those that can give the item inside the group around the receiver's.
  Source giver(const Item &item, size_t level, Device to) {
    const Source *best = nullptr;
    for (const Source &s : item.held)
      if ((level == 0 || group(level - 1, s.device) == group(level - 1, to)) &&
          (best == nullptr ||
           sent_[static_cast<size_t>(s.device)] < sent_[static_cast<size_t>(best->device)]))
        best = &s;
    TW_ASSERT(best != nullptr);
    sent_[static_cast<size_t>(best->device)] += item.box.elements();
    return *best;
  }

  void receive(Item &item, std::vector<Device> receivers) {
    for (const Device to : receivers)
      item.held.push_back({to, target_});
    std::ranges::sort(receivers);
    std::erase_if(item.takers, [&](Device d) { return std::ranges::binary_search(receivers, d); });
  }

  static size_t largest(const std::vector<std::vector<Device>> &groups) {
    size_t n = 0;
    for (const auto &members : groups)
      n = std::max(n, members.size());
    return n;
  }

  // Every group that lacks an item gets it once, in shares for its devices.
  void distribute(size_t level) {
    StepBuilder &builder = step(done_, level);
    steps_[done_++].level = level;
    std::vector<Item> next;
    for (Item &item : items_) {
      const auto groups = entered(item, level);
      if (groups.empty()) {
        next.push_back(std::move(item));
        continue;
      }
      const std::vector<Box> shares =
          item.turn ? std::vector{item.box} : split(item.box, static_cast<int64_t>(largest(groups)));
      for (size_t i = 0; i < shares.size(); ++i) {
        Item share{shares[i], item.held, item.takers, item.turn};
        const Item before = share;
        std::vector<Device> receivers;
        for (const auto &members : groups) {
          const Device to = members[item.turn.value_or(i) % members.size()];
          builder.add(to, share.box, giver(before, level, to));
          receivers.push_back(to);
        }
        receive(share, std::move(receivers));
        if (!share.takers.empty())
          next.push_back(std::move(share));
      }
    }
    items_ = std::move(next);
  }

  // The outermost level: from group to group, chunk behind chunk.
  void relay(int64_t chunks) {
    const size_t begin = done_;
    std::vector<Item> next;
    for (Item &item : items_) {
      const auto groups = entered(item, 0);
      if (groups.empty()) {
        next.push_back(std::move(item));
        continue;
      }
      const size_t count = largest(groups);
      const std::vector<Box> parts = split(item.box, static_cast<int64_t>(count) * chunks);
      for (size_t i = 0; i < parts.size(); ++i) {
        Item part{parts[i], item.held, item.takers, item.turn};
        Source from = giver(part, 0, groups[0][i % groups[0].size()]);
        for (size_t hop = 0; hop < groups.size(); ++hop) {
          const Device to = groups[hop][i % groups[hop].size()];
          step(begin + i / count + hop, 0).add(to, part.box, from);
          receive(part, {to});
          from = {to, target_};
        }
        if (!part.takers.empty())
          next.push_back(std::move(part));
      }
    }
    done_ = std::max(steps_.size(), begin);
    items_ = std::move(next);
  }

  const Problem &problem_;
  const Topology &topology_;
  const TileEdges edges_;
  std::vector<int64_t> sent_; // elements, by device
  std::vector<Item> items_;
  std::map<Tile, size_t> known_; // of parts: their items, where tiles overlap
  std::vector<Part> steps_;
  size_t done_ = 0;     // steps that take no more pieces
  uint32_t target_ = 1; // buffer
};

} // namespace

LevelSteps level_steps(const Problem &problem, const Topology &topology, SumOrder order) {
  return Distribution(problem, topology).run(0, order);
}

LevelSteps relay_steps(const Problem &problem, const Topology &topology, int64_t chunks) {
  return Distribution(problem, topology).run(chunks, SumOrder::by_level);
}

LevelSteps combine_steps(const Problem &problem) {
  return Distribution(problem, Topology{}).run(0, SumOrder::flat);
}

} // namespace tw::redistribute
