// SPDX-License-Identifier: Apache-2.0
// Whether parts cover an array. Parts of shardings are grids, which are checked dimension by dimension;
// others pair by pair.
#include "store/array.hpp"

#include <algorithm>
#include <span>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tw::store {

using sharding::Box;

namespace {

constexpr size_t kMostInPairs = 1024; // boxes of no grid

using Boxes = std::span<const Box *>;

bool in_order(const Box *a, const Box *b, size_t d) { return a->offset[d] < b->offset[d]; }

// Two boxes that overlap, or none.
struct Overlap {
  const Box *first = nullptr, *second = nullptr;
};

// Boxes that agree in all dimensions before `d`, or overlap in them.
Result<Overlap> find_overlap(Boxes boxes, size_t d, size_t rank) {
  if (boxes.size() < 2)
    return Overlap{};
  if (d == rank)
    return Overlap{boxes[0], boxes[1]};
  std::ranges::sort(boxes, [d](const Box *a, const Box *b) { return in_order(a, b, d); });
  for (size_t begin = 0; begin < boxes.size();) {
    // A group: boxes whose intervals along `d` are connected.
    int64_t end_of_group = 0;
    size_t end = begin;
    bool equal = true;
    while (end < boxes.size() && (end == begin || boxes[end]->offset[d] < end_of_group)) {
      end_of_group = std::max(end_of_group, boxes[end]->offset[d] + boxes[end]->extent[d]);
      equal &= boxes[end]->offset[d] == boxes[begin]->offset[d] &&
               boxes[end]->extent[d] == boxes[begin]->extent[d];
      ++end;
    }
    const Boxes group = boxes.subspan(begin, end - begin);
    if (equal) {
      TW_ASSIGN(const Overlap found, find_overlap(group, d + 1, rank));
      if (found.first != nullptr)
        return found;
    } else {
      if (group.size() > kMostInPairs)
        return fail(Code::unimplemented, "TW-902",
                    fmt::format("{} parts that are no grid; at most {} of them are read", group.size(),
                                kMostInPairs));
      for (size_t i = 0; i < group.size(); ++i)
        for (size_t j = i + 1; j < group.size(); ++j)
          if (!sharding::intersect(*group[i], *group[j]).empty())
            return Overlap{group[i], group[j]};
    }
    begin = end;
  }
  return Overlap{};
}

// An element that no box has, where some are missing.
std::vector<int64_t> missing_element(Boxes boxes, const graph::Shape &dims) {
  std::vector<int64_t> at(dims.size(), 0);
  std::vector<const Box *> here(boxes.begin(), boxes.end());
  for (size_t d = 0; d < dims.size(); ++d) {
    // The first place along `d` where the boxes through it have too few elements behind it.
    std::vector<int64_t> places = {0};
    for (const Box *box : here)
      places.insert(places.end(), {box->offset[d], box->offset[d] + box->extent[d]});
    std::ranges::sort(places);
    int64_t wanted = 1;
    for (size_t e = d + 1; e < dims.size(); ++e)
      wanted *= dims[e];
    for (const int64_t place : places) {
      if (place >= dims[d])
        break;
      std::vector<const Box *> through;
      int64_t has = 0;
      for (const Box *box : here)
        if (box->offset[d] <= place && place < box->offset[d] + box->extent[d]) {
          through.push_back(box);
          int64_t behind = 1;
          for (size_t e = d + 1; e < dims.size(); ++e)
            behind *= box->extent[e];
          has += behind;
        }
      if (has < wanted) {
        at[d] = place;
        here = std::move(through);
        break;
      }
    }
  }
  return at;
}

} // namespace

std::string box_text(const Box &box) {
  std::vector<std::string> sides;
  for (size_t d = 0; d < box.rank(); ++d)
    sides.push_back(fmt::format("{}+{}", box.offset[d], box.extent[d]));
  return fmt::format("[{}]", fmt::join(sides, ", "));
}

std::string described(const Array &array) {
  return fmt::format("{}: {}", array.name,
                     array.problem.empty() ? graph::to_short_text({array.dtype, array.dims}) : array.foreign);
}

Status check_cover(const Array &array, const std::string &where) {
  const auto wrong = [&](const std::string &why) {
    return fail(Code::invalid_argument, "TW-902", fmt::format("{}: {}: {}", where, described(array), why));
  };
  const Box whole = Box::whole(array.dims);
  std::vector<const Box *> boxes;
  for (const Part &part : array.parts) {
    if (part.box.rank() != array.dims.size())
      return wrong(fmt::format("part {} has {} dimensions", box_text(part.box), part.box.rank()));
    for (size_t d = 0; d < array.dims.size(); ++d)
      if (const int64_t n = array.dims[d], begin = part.box.offset[d], size = part.box.extent[d];
          begin < 0 || size < 0 || size > n || begin > n - size)
        return wrong(fmt::format("part {} lies outside the array", box_text(part.box)));
    if (!part.box.empty())
      boxes.push_back(&part.box);
  }
  std::ranges::sort(boxes, [](const Box *a, const Box *b) {
    return std::tie(a->offset, a->extent) < std::tie(b->offset, b->extent);
  });
  const auto copies =
      std::unique(boxes.begin(), boxes.end(), [](const Box *a, const Box *b) { return *a == *b; });
  boxes.erase(copies, boxes.end());
  auto overlap = find_overlap(boxes, 0, array.dims.size());
  if (!overlap)
    return wrong(overlap.error().message());
  if (overlap->first != nullptr)
    return wrong(fmt::format("parts {} and {} overlap; only equal parts may be doubled",
                             box_text(*overlap->first), box_text(*overlap->second)));
  int64_t elements = 0;
  for (const Box *box : boxes)
    elements += box->elements();
  if (elements != whole.elements())
    return wrong(fmt::format(
        "{} of {} elements are in no part{}", whole.elements() - elements, whole.elements(),
        boxes.size() > kMostInPairs ? std::string()
                                    : fmt::format(", the first of them is ({})",
                                                  fmt::join(missing_element(boxes, array.dims), ", "))));
  return {};
}

} // namespace tw::store
