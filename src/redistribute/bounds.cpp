// SPDX-License-Identifier: Apache-2.0
// Lower bounds: differences of boxes for a device, and of unions of boxes, counted on the grid of all cuts,
// for a group.
#include "redistribute/bounds.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "redistribute/lost.hpp"

namespace tw::redistribute {

using sharding::Box;

namespace {

// The elements of the array in a tile: disjoint boxes, more than one where the tile goes around a border.
using Boxes = std::vector<Box>;

Boxes elements_in(const Box &tile, const Layout &layout, const graph::Shape &shape) {
  Boxes boxes{tile};
  for (size_t i = 0; i < shape.size(); ++i) {
    const sharding::Interval held{tile.offset[i], tile.offset[i] + tile.extent[i]};
    Boxes cut;
    for (const sharding::Interval part : elements_of(layout.halo(i), shape[i], held))
      for (Box &box : boxes) {
        box.offset[i] = part.begin;
        box.extent[i] = part.size();
        cut.push_back(box);
      }
    boxes = std::move(cut);
  }
  return boxes;
}

// What of a tile can come from somewhere.
Boxes shared(const Box &tile, const Boxes &left) {
  Boxes boxes;
  for (const Box &held : left)
    if (Box box = intersect(tile, held); !box.empty())
      boxes.push_back(std::move(box));
  return boxes;
}

int64_t count(const Boxes &boxes) {
  int64_t elements = 0;
  for (const Box &box : boxes)
    elements += box.elements();
  return elements;
}

int64_t count_shared(const Boxes &a, const Boxes &b) {
  int64_t elements = 0;
  for (const Box &one : a)
    for (const Box &other : b)
      elements += intersect(one, other).elements();
  return elements;
}

// The array cut wherever a tile of either side begins or ends. Where values stay partial there are several
// arrays, which have nothing to do with each other.
class CellGrid {
public:
  CellGrid(const Problem &problem, std::span<const Boxes> src, std::span<const Boxes> dst)
      : cuts_(problem.rank()), array_(problem.num_devices(), 0) {
    const sharding::Mesh &mesh = problem.dst().mesh;
    for (const sharding::Partial &kept : problem.dst().sharding.partial) {
      arrays_ *= static_cast<uint64_t>(mesh.size(kept.axis));
      for (Device d = 0; static_cast<size_t>(d) < array_.size(); ++d) {
        uint64_t &array = array_[static_cast<size_t>(d)];
        array *= static_cast<uint64_t>(mesh.size(kept.axis));
        array += static_cast<uint64_t>(mesh.coordinate(problem.dst_position(d), kept.axis));
      }
    }
    for (size_t i = 0; i < cuts_.size(); ++i) {
      for (const auto side : {src, dst})
        for (const Boxes &boxes : side)
          for (const Box &box : boxes)
            if (!box.empty()) {
              cuts_[i].push_back(box.offset[i]);
              cuts_[i].push_back(box.offset[i] + box.extent[i]);
            }
      std::ranges::sort(cuts_[i]);
      cuts_[i].erase(std::unique(cuts_[i].begin(), cuts_[i].end()), cuts_[i].end());
    }
  }

  // Those that a device has in some boxes.
  template <class Visit> void each_cell(size_t device, const Boxes &boxes, Visit visit) const {
    for (const Box &box : boxes)
      if (!box.empty())
        each_cell(array_[device], box, visit);
  }

private:
  template <class Visit> void each_cell(uint64_t array, const Box &box, Visit visit) const {
    const size_t rank = cuts_.size();
    std::vector<size_t> low(rank), high(rank);
    for (size_t i = 0; i < rank; ++i) {
      low[i] = static_cast<size_t>(std::ranges::lower_bound(cuts_[i], box.offset[i]) - cuts_[i].begin());
      high[i] = static_cast<size_t>(std::ranges::lower_bound(cuts_[i], box.offset[i] + box.extent[i]) -
                                    cuts_[i].begin());
    }
    std::vector<size_t> at = low;
    for (;;) {
      uint64_t cell = 0;
      int64_t size = 1;
      for (size_t i = 0; i < rank; ++i) {
        cell = cell * cuts_[i].size() + at[i];
        size *= cuts_[i][at[i] + 1] - cuts_[i][at[i]];
      }
      visit(cell * arrays_ + array, size);
      size_t i = rank;
      while (i-- > 0) {
        if (++at[i] < high[i])
          break;
        at[i] = low[i];
      }
      if (i == SIZE_MAX)
        return;
    }
  }

  std::vector<std::vector<int64_t>> cuts_;
  std::vector<uint64_t> array_; // by device
  uint64_t arrays_ = 1;
};

// What the members of one group hold and want, cell by cell.
struct Cell {
  int64_t size = 0;
  bool held = false, wanted = false;
};

struct GroupBounds {
  int64_t enter = 0, leave = 0; // elements, the most over the groups of a level
  double enter_each = 0;        // the same shared among the devices of the group
};

GroupBounds of_level(const CellGrid &grid, std::span<const int32_t> group, std::span<const Boxes> src,
                     std::span<const Boxes> dst) {
  std::map<int32_t, std::map<uint64_t, Cell>> groups;
  for (size_t d = 0; d < group.size(); ++d) {
    auto &cells = groups[group[d]];
    const auto mark = [&](const Boxes &boxes, bool Cell::*what) {
      grid.each_cell(d, boxes, [&](uint64_t id, int64_t size) {
        Cell &cell = cells[id];
        cell.size = size;
        cell.*what = true;
      });
    };
    mark(src[d], &Cell::held);
    mark(dst[d], &Cell::wanted);
  }
  // How many groups hold a cell, and how many want it without holding it.
  std::map<uint64_t, std::pair<int, int>> all;
  for (const auto &[g, cells] : groups)
    for (const auto &[id, cell] : cells) {
      all[id].first += cell.held;
      all[id].second += cell.wanted && !cell.held;
    }
  GroupBounds most;
  for (const auto &[g, cells] : groups) {
    GroupBounds of_group;
    for (const auto &[id, cell] : cells) {
      if (cell.wanted && !cell.held)
        of_group.enter += cell.size;
      if (const auto [holders, lacking] = all.at(id); cell.held && holders == 1 && lacking > 0)
        of_group.leave += cell.size;
    }
    most.enter = std::max(most.enter, of_group.enter);
    most.enter_each = std::max(most.enter_each, static_cast<double>(of_group.enter) /
                                                    static_cast<double>(std::ranges::count(group, g)));
    most.leave = std::max(most.leave, of_group.leave);
  }
  return most;
}

// Of sums: a group that wants one and has not all of its values needs one value at least. To have a sum
// anywhere the values of as many groups must come together as it takes to have them all, one value each but
// for the first; each further group that wants it hears of it.
GroupBounds of_level_sums(const Problem &problem, const CellGrid &grid, std::span<const int32_t> group,
                          std::span<const Boxes> src, std::span<const Boxes> dst) {
  struct Members {
    std::set<int64_t> terms; // coordinates along the combined axes
    bool wants = false;
  };
  struct Sum {
    int64_t size = 0;
    std::map<int32_t, Members> groups;
  };
  // Sums of other coordinates along axes that neither are combined nor stay partial are made elsewhere, of
  // the same values where these lie there too.
  std::map<uint64_t, Sum> sums;
  const sharding::Mesh &mesh = problem.src().mesh;
  const int64_t all_terms = problem.num_terms();
  std::set<int32_t> names;
  for (size_t d = 0; d < group.size(); ++d) {
    names.insert(group[d]);
    if (!src[d].empty()) {
      int64_t term = 0;
      for (const sharding::AxisId axis : problem.combined())
        term = term * mesh.size(axis) + mesh.coordinate(problem.src_position(static_cast<Device>(d)), axis);
      grid.each_cell(d, src[d], [&](uint64_t id, int64_t size) {
        sums[id].size = size;
        sums[id].groups[group[d]].terms.insert(term);
      });
    }
    grid.each_cell(d, dst[d], [&](uint64_t id, int64_t size) {
      sums[id].size = size;
      sums[id].groups[group[d]].wants = true;
    });
  }
  std::map<int32_t, int64_t> enter;
  double total = 0;
  for (const auto &[id, sum] : sums) {
    int64_t most = 1, lacking = 0;
    for (const auto &[g, members] : sum.groups) {
      const auto terms = static_cast<int64_t>(members.terms.size());
      most = std::max(most, terms);
      if (members.wants && terms < all_terms) {
        enter[g] += sum.size;
        ++lacking;
      }
    }
    const int64_t together = (all_terms + most - 1) / most - 1; // moves until the first group has the sum
    total += static_cast<double>(sum.size) *
             static_cast<double>(lacking == 0 || together == 0 ? lacking : together + lacking - 1);
  }
  GroupBounds bounds;
  for (const auto &[g, elements] : enter)
    bounds.enter = std::max(bounds.enter, elements);
  bounds.enter = std::max(bounds.enter,
                          static_cast<int64_t>(std::ceil(total / static_cast<double>(names.size()) - 1e-9)));
  bounds.enter_each = total / static_cast<double>(group.size());
  return bounds;
}

// How many sums somebody wants.
int64_t count_sums(const Problem &problem, std::span<const Boxes> src, std::span<const Boxes> dst) {
  const bool all = std::ranges::none_of(problem.dst().sharding.dims, [](const sharding::DimSharding &dim) {
    return dim.rule.kind == sharding::SplitRule::Kind::spans;
  });
  int64_t sums = problem.type().elements();
  if (all && problem.dst().mesh.loop_axes().empty()) {
    for (const sharding::Partial &kept : problem.dst().sharding.partial)
      sums *= problem.dst().mesh.size(kept.axis);
    return sums;
  }
  const CellGrid grid(problem, src, dst);
  std::set<uint64_t> wanted;
  sums = 0;
  for (size_t d = 0; d < dst.size(); ++d)
    grid.each_cell(d, dst[d],
                   [&](uint64_t id, int64_t size) { sums += wanted.insert(id).second ? size : 0; });
  return sums;
}

} // namespace

Bounds find_bounds(const Problem &problem, const Topology &topology, const CostModel &model) {
  const size_t devices = problem.num_devices();
  const int64_t item = problem.item_size();
  Bounds bounds;
  std::vector<Boxes> src, dst;
  bool local = true;
  int64_t largest_target = 0;
  double moves = 0; // elements
  const Boxes left = problem.lost().empty() ? Boxes() : tiles_left(problem);
  for (Device d = 0; static_cast<size_t>(d) < devices; ++d) {
    const Box before = problem.src_box(d), after = problem.dst_box(d);
    bounds.height_bytes = std::max({bounds.height_bytes, before.elements() * item, after.elements() * item});
    largest_target = std::max(largest_target, after.elements());
    src.push_back(elements_in(before, problem.src(), problem.type().dims));
    dst.push_back(problem.lost().empty() ? elements_in(after, problem.dst(), problem.type().dims)
                                         : shared(after, left));
    const int64_t missing = count(dst.back()) - count_shared(src.back(), dst.back());
    // Partial values that stay partial never leave their coordinate, so a box held is held with them: layouts
    // share the axes.
    local = local && missing == 0;
    moves += static_cast<double>(missing);
    bounds.b1_max = std::max(bounds.b1_max, missing * item);
  }
  if (!problem.combined().empty()) {
    // The first device to have the sum of g values has heard, directly or not, of g - 1 others; each further
    // one that wants it hears once more. Sums of different coordinates along axes that stay partial have
    // nothing to do with each other.
    const int64_t g = problem.num_terms();
    if (g > 1) {
      moves = static_cast<double>(count_sums(problem, src, dst)) * static_cast<double>(g - 2);
      for (const Boxes &boxes : dst) {
        moves += static_cast<double>(count(boxes));
        bounds.b1_max = std::max(bounds.b1_max, count(boxes) * item);
      }
      local = false;
    }
  }
  bounds.b1_mean = moves * static_cast<double>(item) / static_cast<double>(std::max<size_t>(devices, 1));
  // Some device receives no less than the mean.
  bounds.b1_max = std::max(bounds.b1_max, static_cast<int64_t>(std::ceil(bounds.b1_mean - 1e-9)));
  bounds.fig11_floor = local ? 0 : largest_target;
  // A device that receives so much over links of this level and those outside it, all at once, since each has
  // its own.
  const auto time = [&](uint32_t level, double bytes) {
    double alpha_us = model.link(topology, 0).alpha_us, gb_per_s = 0;
    for (uint32_t l = 0; l <= level; ++l) {
      alpha_us = std::min(alpha_us, model.link(topology, l).alpha_us);
      gb_per_s += model.link(topology, l).gb_per_s;
    }
    if (bytes > 0)
      bounds.time_us = std::max(bounds.time_us, alpha_us + bytes / gb_per_s / 1e3);
  };
  const auto innermost = static_cast<uint32_t>(topology.num_levels() - 1);
  time(innermost, static_cast<double>(bounds.b1_max));
  if (topology.groups.empty())
    return bounds;
  const bool sums = problem.num_terms() > 1;
  const CellGrid grid(problem, src, dst);
  for (uint32_t level = 0; level < topology.groups.size(); ++level) {
    const GroupBounds most = sums ? of_level_sums(problem, grid, topology.groups[level], src, dst)
                                  : of_level(grid, topology.groups[level], src, dst);
    bounds.b2.push_back(most.enter * item);
    if (!sums)
      bounds.b3.push_back(most.leave * item);
    time(level, most.enter_each * static_cast<double>(item));
  }
  return bounds;
}

} // namespace tw::redistribute
