// SPDX-License-Identifier: Apache-2.0
// Moves a number for every element and every partial value through the buffers of a plan, and looks what
// arrived.
#include <algorithm>

#include "base/hash.hpp"
#include "redistribute/check_parts.hpp"

namespace tw::redistribute {

using sharding::AxisId;
using sharding::Mesh;

namespace {

constexpr int64_t kMaxCopies = 256; // of the array, over all devices and buffers
constexpr uint64_t kNothing = 0x5ca1ab1e0ddba11;

// Sums within groups are added up too, so the order of terms is left to the replay.
uint64_t combine(uint64_t a, uint64_t b) { return a + b; }

// Where a global index lies in a row-major tile.
size_t place_in(BoxView tile, std::span<const int64_t> index) {
  int64_t at = 0;
  for (size_t i = 0; i < index.size(); ++i)
    at = at * tile.extent[i] + index[i] - tile.offset[i];
  return static_cast<size_t>(at);
}

// Visits the first index of every row of a box that is not empty.
template <class Visit> void each_row(BoxView box, Visit visit) {
  std::vector<int64_t> at(box.offset.begin(), box.offset.end());
  const size_t rows = at.size() - 1;
  for (;;) {
    visit(std::span<const int64_t>(at));
    size_t i = rows;
    while (i-- > 0) {
      if (++at[i] < box.end(i))
        break;
      at[i] = box.offset[i];
    }
    if (i == SIZE_MAX)
      return;
  }
}

class Mover {
public:
  explicit Mover(const Plan &plan)
      : plan_(plan), problem_(*plan.problem), devices_(problem_.num_devices()), held_(plan),
        buffers_(plan.buffers.size()) {}

  bool fits(int64_t move_elements) const {
    int64_t all = 0;
    for (size_t b = 0; b < plan_.buffers.size(); ++b)
      for (Device d = 0; static_cast<size_t>(d) < devices_; ++d)
        all = add_saturating(all, elements(tile_of(plan_, b, d)));
    return problem_.type().elements() <= move_elements && all / kMaxCopies <= move_elements;
  }

  void run(Findings &findings) {
    for (size_t b = 0; b < plan_.buffers.size(); ++b)
      for (Device d = 0;
           static_cast<size_t>(d) < devices_ && plan_.find_image(static_cast<uint32_t>(b)) == nullptr; ++d)
        buffers_[b].emplace_back(static_cast<size_t>(elements(tile_of(plan_, b, d))), kNothing);
    for (Device d = 0; static_cast<size_t>(d) < devices_; ++d)
      if (!values(0, d).empty())
        fill_source(d);
    for (const Step &step : plan_.steps)
      for (Device d = 0; static_cast<size_t>(d) < devices_; ++d)
        for (uint32_t i = step.first_piece[static_cast<size_t>(d)];
             i < step.first_piece[static_cast<size_t>(d) + 1]; ++i)
          receive(step, d, i);
    for (Device d = 0; static_cast<size_t>(d) < devices_; ++d)
      if (!values(plan_.target(), d).empty())
        compare(d, findings);
  }

private:
  std::vector<uint64_t> &values(size_t buffer, Device d) {
    return buffers_[plan_.memory_of(static_cast<uint32_t>(buffer))][static_cast<size_t>(d)];
  }

  // Visits what the coordinates of a row of a layout stand for: their number in the row, and the element; -1:
  // none, around an array that ends.
  template <class Visit>
  void each_element(const Layout &layout, std::span<const int64_t> row_begin, size_t count,
                    Visit visit) const {
    const auto &dims = problem_.type().dims;
    const size_t last = dims.size() - 1;
    int64_t row = 0; // of the array
    for (size_t i = 0; i < last && row >= 0; ++i) {
      const int64_t along = sharding::element_at(layout.halo(i), dims[i], row_begin[i]);
      row = along < 0 ? -1 : row * dims[i] + along;
    }
    const sharding::Halo halo = layout.halo(last);
    for (size_t i = 0; i < count; ++i) {
      const int64_t along =
          row < 0 ? -1 : sharding::element_at(halo, dims[last], row_begin[last] + static_cast<int64_t>(i));
      visit(i, along < 0 ? -1 : row * dims[last] + along);
    }
  }

  // A partial value is known by its element and its coordinates along the axes that the source stacks.
  static uint64_t partial(size_t element, int64_t coordinates) {
    return hash_mix(element, static_cast<uint64_t>(coordinates));
  }
  int64_t partial_part(Position position) const {
    int64_t part = 0;
    for (const sharding::Partial &s : problem_.src().sharding.partial)
      part += problem_.src().mesh.coordinate(position, s.axis) * problem_.src().mesh.stride(s.axis);
    return part;
  }

  void fill_source(Device d) {
    const BoxView tile = tile_of(plan_, 0, d);
    const int64_t coordinates = partial_part(problem_.src_position(d));
    const auto row = static_cast<size_t>(tile.extent.back());
    each_row(tile, [&](std::span<const int64_t> at) {
      uint64_t *to = values(0, d).data() + place_in(tile, at);
      each_element(problem_.src(), at, row, [&](size_t i, int64_t element) {
        if (element >= 0)
          to[i] = partial(static_cast<size_t>(element), coordinates);
      });
    });
  }

  void receive(const Step &step, Device d, size_t piece) {
    const BoxView box = piece_of(step, problem_.rank(), piece), tile = tile_of(plan_, step.target, d);
    const auto sources = step.sources_of(piece);
    const auto row = static_cast<size_t>(box.extent.back());
    each_row(box, [&](std::span<const int64_t> at) {
      uint64_t *to = values(step.target, d).data() + place_in(tile, at);
      for (size_t s = 0; s < sources.size(); ++s) {
        const BoxView held = tile_of(plan_, sources[s].buffer, sources[s].device);
        const uint64_t *from = values(sources[s].buffer, sources[s].device).data() + place_in(held, at);
        for (size_t i = 0; i < row; ++i)
          to[i] = s == 0 ? from[i] : combine(to[i], from[i]);
      }
    });
  }

  // The coordinates of all terms of the sums that a device of the target wants, in rank order.
  std::vector<int64_t> terms(Device d) const {
    const Mesh &mesh = problem_.src().mesh;
    int64_t kept = 0; // partial before and after, on one mesh
    for (const sharding::Partial &s : problem_.dst().sharding.partial)
      kept += mesh.coordinate(problem_.dst_position(d), s.axis) * mesh.stride(s.axis);
    std::vector<int64_t> all{kept};
    for (const AxisId axis : problem_.combined()) {
      const std::vector<int64_t> before = std::exchange(all, {});
      for (const int64_t part : before)
        for (int64_t c = 0; c < mesh.size(axis); ++c)
          all.push_back(part + c * mesh.stride(axis));
    }
    std::ranges::sort(all); // by position
    return all;
  }

  bool is_held(std::span<const int64_t> row_begin, size_t i) const {
    if (problem_.lost().empty())
      return true;
    std::vector<int64_t> at(row_begin.begin(), row_begin.end());
    at.back() += static_cast<int64_t>(i);
    return held_.contains(at);
  }

  void compare(Device d, Findings &findings) {
    const BoxView tile = tile_of(plan_, plan_.target(), d);
    const std::vector<int64_t> all = terms(d);
    const auto row = static_cast<size_t>(tile.extent.back());
    size_t wrong = 0;
    std::vector<int64_t> first;
    each_row(tile, [&](std::span<const int64_t> at) {
      const uint64_t *got = values(plan_.target(), d).data() + place_in(tile, at);
      each_element(problem_.dst(), at, row, [&](size_t i, int64_t element) {
        uint64_t wanted = kNothing; // not written, where there is no element, or nobody has it
        for (size_t t = 0; element >= 0 && is_held(at, i) && t < all.size(); ++t) {
          const uint64_t term = partial(static_cast<size_t>(element), all[t]);
          wanted = t == 0 ? term : combine(wanted, term);
        }
        if (got[i] != wanted && wrong++ == 0) {
          first.assign(at.begin(), at.end());
          first.back() += static_cast<int64_t>(i);
        }
      });
    });
    if (wrong != 0) {
      const std::vector<int64_t> ones(first.size(), 1);
      findings.add("moved, device {}: {} elements of its target tile {} are wrong, the first at {}",
                   problem_.device_id(d), wrong, to_text(tile), to_text(BoxView{first, ones}));
    }
  }

  const Plan &plan_;
  const Problem &problem_;
  size_t devices_;
  const HeldTiles held_;
  std::vector<std::vector<std::vector<uint64_t>>> buffers_; // per buffer and device: its tile
};

} // namespace

bool check_move(const Plan &plan, int64_t move_elements, Findings &findings) {
  Mover mover(plan);
  if (!mover.fits(move_elements))
    return false;
  mover.run(findings);
  return true;
}

} // namespace tw::redistribute
