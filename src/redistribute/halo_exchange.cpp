// SPDX-License-Identifier: Apache-2.0
// Works dimension by dimension in unrolled coordinates: an interval of the target tile, cut where the
// device's own source tile begins and ends, seen from as many periods as reach it.
#include "redistribute/halo_exchange.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "redistribute/direct.hpp"
#include "redistribute/step_builder.hpp"

namespace tw::redistribute {

using sharding::Box;
using sharding::Halo;
using sharding::Interval;

namespace {

// Part of a dimension, and how far from there what it takes its elements from is seen.
struct Part {
  Interval at;
  int64_t shift;
};
using Parts = std::vector<Part>;

int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

Interval meet(Interval a, Interval b) { return {std::max(a.begin, b.begin), std::min(a.end, b.end)}; }

// Where `image` and its like, whole periods of n away, lie in `within`; itself alone where nothing wraps.
Parts images_in(Interval image, Interval within, int64_t n, bool wraps) {
  Parts parts;
  if (image.size() <= 0 || within.size() <= 0)
    return parts;
  const int64_t first = wraps ? floor_div(within.begin - image.end, n) + 1 : 0;
  const int64_t last = wraps ? floor_div(within.end - image.begin - 1, n) : 0;
  for (int64_t k = first; k <= last; ++k)
    if (const Interval part = meet({image.begin + k * n, image.end + k * n}, within); part.size() > 0)
      parts.push_back({part, k * n});
  return parts;
}

// What of an interval is to be filled or read, each element once: all that lies in the array, or one period
// from the tile's begin on.
Interval once(const Halo &halo, int64_t n, Interval held) {
  if (!halo.wraps() || n == 0)
    return meet(held, {0, n});
  if (held.size() <= n)
    return held;
  const int64_t begin = std::min(held.begin + halo.before, held.end - n);
  return {begin, begin + n};
}

// Visits every choice of one part of each dimension.
template <class Visit> void each_choice(const std::vector<Parts> &dims, Visit visit) {
  Box box{std::vector<int64_t>(dims.size()), std::vector<int64_t>(dims.size())};
  std::vector<int64_t> shift(dims.size());
  if (std::ranges::any_of(dims, [](const Parts &parts) { return parts.empty(); }))
    return;
  std::vector<size_t> at(dims.size(), 0);
  for (;;) {
    for (size_t d = 0; d < dims.size(); ++d) {
      const Part &part = dims[d][at[d]];
      box.offset[d] = part.at.begin;
      box.extent[d] = part.at.size();
      shift[d] = part.shift;
    }
    visit(std::as_const(box), std::as_const(shift));
    size_t d = dims.size();
    while (d-- > 0) {
      if (++at[d] < dims[d].size())
        break;
      at[d] = 0;
    }
    if (d == SIZE_MAX)
      return;
  }
}

class HaloExchange {
public:
  explicit HaloExchange(Plan &plan)
      : plan_(plan), problem_(*plan.problem), shape_(problem_.type().dims), rank_(shape_.size()),
        direct_(problem_), receive_(problem_), copy_(problem_), source_(rank_), target_(rank_), own_(rank_) {}

  void run() {
    const size_t devices = problem_.num_devices();
    Placement src(rank_, devices), dst(rank_, devices);
    for (Device d = 0; static_cast<size_t>(d) < devices; ++d) {
      problem_.src_tile(d, src.offset(d), src.extent(d));
      problem_.dst_tile(d, dst.offset(d), dst.extent(d));
    }
    plan_.buffers = {src};
    for (Device d = 0; static_cast<size_t>(d) < devices; ++d)
      if (problem_.dst_position(d) >= 0)
        receive(d);
    for (Device d = 0; static_cast<size_t>(d) < devices; ++d)
      if (problem_.dst_position(d) >= 0)
        repeat(d, dst);
    plan_.buffers.push_back(std::move(dst));
    for (Image &image : plan_.images)
      if (image.of != 0)
        image.of = plan_.target();
    std::vector<Step> steps{receive_.finish(plan_.target(), problem_.reduction())};
    if (!copy_.empty())
      steps.push_back(copy_.finish(plan_.target()));
    for (Step &step : steps)
      describe(step, problem_);
    plan_.steps = std::move(steps);
  }

private:
  // The buffer `of`, seen from `shift` away; of the target it is not known yet which buffer that is.
  uint32_t image(uint32_t of, const Placement &tiles, const std::vector<int64_t> &shift) {
    if (std::ranges::count(shift, 0) == std::ssize(shift))
      return of;
    const auto [at, fresh] = numbers_.try_emplace({of, shift}, static_cast<uint32_t>(plan_.buffers.size()));
    if (fresh) {
      plan_.buffers.push_back(tiles.seen_from(shift));
      plan_.images.push_back({at->second, of, shift});
    }
    return at->second;
  }
  uint32_t source_image(const std::vector<int64_t> &shift) { return image(0, plan_.buffers[0], shift); }

  Interval once(const Layout &layout, size_t i, Position position) const {
    return redistribute::once(
        layout.halo(i), shape_[i],
        interval_of(layout.sharding.dims[i], layout.halo(i), shape_[i], layout.mesh, position));
  }

  void find_own(Device d) {
    const Position position = problem_.combined().empty() ? problem_.src_position(d) : sharding::kNoPosition;
    for (size_t i = 0; i < rank_; ++i) {
      source_[i] = position < 0 ? Interval{} : once(problem_.src(), i, position);
      own_[i] = images_in(source_[i], target_[i], shape_[i], problem_.wraps(i));
    }
  }

  void find_target(Device d) {
    for (size_t i = 0; i < rank_; ++i)
      target_[i] = once(problem_.dst(), i, problem_.dst_position(d));
  }

  // Every element of the target tile once.
  void receive(Device d) {
    find_target(d);
    if (std::ranges::any_of(target_, [](Interval part) { return part.size() <= 0; }))
      return;
    find_own(d);
    each_choice(own_, [&](const Box &box, const std::vector<int64_t> &shift) {
      receive_.add(d, box, Source{d, source_image(shift)});
    });
    // The rest: what is not its own along some dimension, and is along those before it.
    std::vector<Parts> rest;
    for (const Interval part : target_)
      rest.push_back({{part, 0}});
    for (size_t i = 0; i < rank_; ++i) {
      rest[i].clear();
      int64_t at = target_[i].begin;
      for (const Part &part : own_[i]) {
        rest[i].push_back({{at, part.at.begin}, 0});
        at = part.at.end;
      }
      rest[i].push_back({{at, target_[i].end}, 0});
      std::erase_if(rest[i], [](const Part &part) { return part.at.size() <= 0; });
      each_choice(rest, [&](const Box &box, const std::vector<int64_t> &) { fetch(d, box); });
      rest[i] = own_[i];
    }
  }

  // A box of the target tile from tiles of other devices; of partial values from all that have them.
  void fetch(Device d, const Box &box) {
    std::vector<Parts> periods(rank_);
    for (size_t i = 0; i < rank_; ++i)
      periods[i] = images_in({0, shape_[i]}, {box.offset[i], box.offset[i] + box.extent[i]}, shape_[i],
                             problem_.wraps(i));
    each_choice(periods, [&](const Box &part, const std::vector<int64_t> &shift) {
      std::vector<Interval> wanted;
      for (size_t i = 0; i < rank_; ++i)
        wanted.push_back({part.offset[i] - shift[i], part.offset[i] - shift[i] + part.extent[i]});
      PieceList list;
      direct_.append(wanted, problem_.dst_position(d), problem_.src_position(d), list);
      const uint32_t buffer = source_image(shift);
      for (size_t p = 0; p < list.size(); ++p) {
        const int64_t *bounds = list.bounds.data() + 2 * rank_ * p;
        Box piece{{bounds, bounds + rank_}, {bounds + rank_, bounds + 2 * rank_}};
        for (size_t i = 0; i < rank_; ++i)
          piece.offset[i] += shift[i];
        std::vector<Source> from;
        for (uint32_t s = list.first_source[p]; s < list.first_source[p + 1]; ++s)
          from.push_back({problem_.src_device(list.sources[s]), buffer});
        receive_.add(d, piece, from);
      }
    });
  }

  // What stands in a tile again, periods away.
  void repeat(Device d, const Placement &tiles) {
    find_target(d);
    std::vector<Parts> parts(rank_);
    bool again = false;
    for (size_t i = 0; i < rank_; ++i) {
      const Interval tile{tiles.offset(d)[i], tiles.offset(d)[i] + tiles.extent(d)[i]};
      const bool wraps = problem_.dst().halo(i).wraps();
      parts[i] = images_in(target_[i], wraps ? tile : target_[i], shape_[i], wraps);
      again = again || parts[i].size() > 1;
    }
    if (again)
      each_choice(parts, [&](const Box &box, const std::vector<int64_t> &shift) {
        if (const uint32_t buffer = image(kTarget, tiles, shift); buffer != kTarget)
          copy_.add(d, box, Source{d, buffer});
      });
  }

  static constexpr uint32_t kTarget = UINT32_MAX;
  Plan &plan_;
  const Problem &problem_;
  const graph::Shape &shape_;
  size_t rank_;
  DirectExchange direct_;
  StepBuilder receive_, copy_;
  std::vector<Interval> source_, target_;                                 // of a device, each element once
  std::vector<Parts> own_;                                                // the former in the latter
  std::map<std::pair<uint32_t, std::vector<int64_t>>, uint32_t> numbers_; // of images
};

} // namespace

void plan_halo_exchange(Plan &plan) { HaloExchange(plan).run(); }

} // namespace tw::redistribute
