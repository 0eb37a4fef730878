// SPDX-License-Identifier: Apache-2.0
// Lays out the scratch of intermediate tiles, finds what must be saved before a target tile is written over
// its source, and runs the arrays' steps round by round.
#include "runtime/plan_runner.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/saturating.hpp"
#include "redistribute/fused_sums.hpp"
#include "runtime/best_fit.hpp"

namespace tw::runtime {

using comm::StepWork;
using redistribute::Device;
using redistribute::Image;
using redistribute::Placement;
using redistribute::Plan;
using redistribute::Source;

namespace {

constexpr size_t kBufferPage = 4096;
constexpr size_t kBufferSkew =
    4096 + 256; // so that equal offsets on different devices do not share cache sets
constexpr int64_t kPlanPartBytes = 128 << 10;

int64_t elements(std::span<const int64_t> extent) {
  return std::accumulate(extent.begin(), extent.end(), int64_t{1}, std::multiplies<>());
}

// The same steps for target tiles that lie on source tiles. From the first step that writes the target on,
// whatever is read of the source is read from one more buffer, into which a step put before that one saves
// it; pieces that are at their place already stay there.
struct Rewritten {
  std::vector<redistribute::Step> steps;
  std::vector<Placement> buffers;
  std::vector<Image> images;
};
std::optional<Rewritten> rewrite_for_aliases(const Plan &plan) {
  const auto first =
      std::ranges::find(plan.steps.read(), plan.target(), &redistribute::Step::target) - plan.steps.begin();
  if (first == std::ssize(plan.steps))
    return {};
  Rewritten made{plan.steps.read(), plan.buffers, plan.images};
  const size_t rank = plan.buffers[0].rank(), devices = plan.buffers[0].num_devices();
  const auto saved_buffer = static_cast<uint32_t>(plan.buffers.size());
  Placement saved(rank, devices);
  std::vector<bool> saves(devices, false);
  // Where the source is seen from away, what is saved of it is seen from there too.
  const auto image_of_saved = [&](const Image &image) {
    const auto known = std::ranges::find_if(
        made.images, [&](const Image &i) { return i.of == saved_buffer && i.shift == image.shift; });
    if (known != made.images.end())
      return known->buffer;
    const auto fresh =
        static_cast<uint32_t>(plan.buffers.size() + 1 + made.images.size() - plan.images.size());
    made.images.push_back({fresh, saved_buffer, image.shift});
    return fresh;
  };
  for (size_t s = static_cast<size_t>(first); s < made.steps.size(); ++s) {
    redistribute::Step &step = made.steps[s];
    const auto stays = s == static_cast<size_t>(first) ? comm::stays_in_place(step, plan.buffers)
                                                       : std::vector<bool>(step.num_pieces(), false);
    for (size_t p = 0; p < step.num_pieces(); ++p) {
      if (stays[p])
        continue;
      for (uint32_t i = step.first_source[p]; i < step.first_source[p + 1]; ++i) {
        Source &source = step.sources[i];
        if (plan.memory_of(source.buffer) != 0)
          continue;
        const Image *image = plan.find_image(source.buffer);
        std::vector<int64_t> begin(step.offset(p, rank).begin(), step.offset(p, rank).end());
        for (size_t dim = 0; image != nullptr && dim < rank; ++dim)
          begin[dim] -= image->shift[dim];
        source.buffer = image == nullptr ? saved_buffer : image_of_saved(*image);
        saves[static_cast<size_t>(source.device)] = true;
        saved.enclose(source.device, begin, step.extent(p, rank));
      }
    }
  }
  if (std::ranges::find(saves, true) == saves.end())
    return {};
  redistribute::Step save;
  save.target = saved_buffer;
  for (Device d = 0; d < static_cast<Device>(devices); ++d) {
    save.first_piece.push_back(static_cast<uint32_t>(save.sources.size()));
    if (!saves[static_cast<size_t>(d)])
      continue;
    save.first_source.push_back(static_cast<uint32_t>(save.sources.size()));
    save.bounds.insert(save.bounds.end(), saved.offset(d).begin(), saved.offset(d).end());
    save.bounds.insert(save.bounds.end(), saved.extent(d).begin(), saved.extent(d).end());
    save.sources.push_back({d, 0});
  }
  save.first_piece.push_back(static_cast<uint32_t>(save.sources.size()));
  save.first_source.push_back(static_cast<uint32_t>(save.sources.size()));
  made.steps.insert(made.steps.begin() + first, std::move(save));
  made.buffers.push_back(saved);
  for (size_t i = plan.images.size(); i < made.images.size(); ++i)
    made.buffers.push_back(saved.seen_from(made.images[i].shift));
  return made;
}

} // namespace

// One array: its plan, as it is and for aliased or shared targets, and the tiles of all buffers.
struct PlanRunner::Array {
  std::shared_ptr<const Plan> plan;
  std::optional<Rewritten> rewritten;              // none: target tiles on source tiles need nothing else
  std::vector<redistribute::TileOwner> owners;     // where tiles are shared
  std::vector<redistribute::Step> steps_at_owners; //
  int64_t element_size = 0;
  std::vector<void *> tiles; // [buffer * devices + device]

  size_t num_devices() const { return plan->buffers[0].num_devices(); }
  std::span<const Placement> buffers() const { return rewritten ? rewritten->buffers : plan->buffers; }
  std::span<const Image> images() const { return rewritten ? rewritten->images : plan->images; }
  uint32_t memory_of(uint32_t buffer) const { return redistribute::memory_of(images(), buffer); }
  std::span<const redistribute::Step> steps(bool aliased) const {
    return aliased && rewritten ? rewritten->steps : owners.empty() ? plan->steps.read() : steps_at_owners;
  }
  redistribute::TileOwner owner(Device d) const {
    return owners.empty() ? redistribute::TileOwner{false, d} : owners[static_cast<size_t>(d)];
  }
  int64_t tile_bytes(uint32_t buffer, Device d) const {
    return elements(buffers()[buffer].extent(d)) * element_size;
  }
  // Halo cells around an array that ends are zero: after the steps, since a target tile may lie on its
  // source.
  void clear_borders() const;
  // Where the intermediate tiles of a device lie; answers with their bytes together.
  int64_t place(Device d, std::vector<int64_t> &offsets) const {
    std::vector<Block> blocks(buffers().size());
    const auto live = [&](uint32_t seen, uint32_t step) {
      const uint32_t buffer = memory_of(seen);
      if (buffer == 0 || buffer == plan->target())
        return;
      Block &block = blocks[buffer];
      if (block.bytes == 0)
        block = {tile_bytes(buffer, d), step, step};
      block.last = step;
    };
    const auto all = steps(true);
    for (uint32_t s = 0; s < all.size(); ++s) {
      live(all[s].target, s);
      for (const Source &source : all[s].sources)
        live(source.buffer, s);
    }
    return best_fit(blocks, offsets);
  }
};

void PlanRunner::Array::clear_borders() const {
  const redistribute::Problem &problem = *plan->problem;
  if (problem.dst().halos.empty())
    return;
  const Placement &target = plan->buffers.back();
  const auto &shape = problem.type().dims;
  for (Device d = 0; d < static_cast<Device>(num_devices()); ++d) {
    if (target.elements(d) == 0 || owner(d) != redistribute::TileOwner{false, d})
      continue;
    auto *at = static_cast<std::byte *>(tiles[plan->target() * num_devices() + static_cast<size_t>(d)]);
    // Dimension by dimension, what lies before the array and behind it, as runs of a dense tile.
    int64_t outer = 1, inner = target.elements(d) * element_size;
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      const int64_t extent = target.extent(d)[dim], begin = target.offset(d)[dim];
      inner /= extent;
      if (!problem.dst().halo(dim).wraps() || shape[dim] == 0) {
        const int64_t before = std::clamp<int64_t>(-begin, 0, extent);
        const int64_t inside = std::clamp<int64_t>(shape[dim] - begin, before, extent);
        for (int64_t row = 0; row < outer; ++row) {
          std::byte *const first = at + row * extent * inner;
          std::memset(first, 0, static_cast<size_t>(before * inner));
          std::memset(first + inside * inner, 0, static_cast<size_t>((extent - inside) * inner));
        }
      }
      outer *= extent;
    }
  }
}

PlanRunner::PlanRunner() = default;
PlanRunner::~PlanRunner() = default;

void PlanRunner::Free::operator()(std::byte *memory) const { allocator.release(memory, bytes, kBufferPage); }

Result<std::unique_ptr<PlanRunner>> PlanRunner::prepare(std::vector<std::shared_ptr<const Plan>> plans,
                                                        PlanRunOptions options) {
  std::unique_ptr<PlanRunner> made(new PlanRunner);
  made->donate_ = options.donate;
  if (options.donate && options.share)
    return fail(Code::invalid_argument, "TW-624",
                "source tiles that are overwritten cannot be shared: donate them or share them");
  size_t tiles = 0;
  for (auto &given : plans) {
    Array array;
    auto plan = redistribute::fuse_sums(std::move(given));
    array.element_size = plan->problem->item_size();
    if (options.donate)
      array.rewritten = rewrite_for_aliases(*plan);
    if (options.share) {
      array.owners = redistribute::find_owners(*plan);
      array.steps_at_owners = redistribute::steps_at_owners(*plan, array.owners);
    }
    array.plan = std::move(plan);
    array.tiles.assign(array.buffers().size() * array.num_devices(), nullptr);
    tiles += array.num_devices();
    made->arrays_.push_back(std::move(array));
  }
  made->ranges_.reserve(2 * tiles);
  TW_TRY(made->allocate(options));
  TW_ASSIGN(made->schedule_, made->make_schedule(false));
  if (std::ranges::any_of(made->arrays_, [](const Array &a) { return a.rewritten.has_value(); })) {
    TW_ASSIGN(made->aliased_schedule_, made->make_schedule(true));
  }
  return made;
}

Status PlanRunner::allocate(const PlanRunOptions &options) {
  struct Tile {
    void **at;
    size_t offset;
  };
  std::vector<Tile> tiles;
  size_t total = 0;
  for (Array &array : arrays_)
    for (Device d = 0; d < static_cast<Device>(array.num_devices()); ++d) {
      std::vector<int64_t> offsets;
      const int64_t bytes = array.place(d, offsets);
      if (bytes == 0)
        continue;
      scratch_bytes_ = saturating_add(scratch_bytes_, bytes);
      for (uint32_t b = 1; b < array.buffers().size(); ++b)
        if (b != array.plan->target())
          tiles.push_back({&array.tiles[b * array.num_devices() + static_cast<size_t>(d)],
                           total + static_cast<size_t>(offsets[b])});
      if (__builtin_add_overflow(
              total, (static_cast<size_t>(bytes) + kBufferPage - 1) / kBufferPage * kBufferPage + kBufferSkew,
              &total))
        return fail(Code::resource_exhausted, "TW-623", "the devices need more than 2^64 bytes");
    }
  if (options.max_bytes > 0 && scratch_bytes_ > options.max_bytes)
    return fail(Code::resource_exhausted, "TW-622",
                fmt::format("the intermediate tiles need {} bytes in all, more than the limit of {}",
                            scratch_bytes_, options.max_bytes));
  if (total == 0)
    return {};
  scratch_ = {static_cast<std::byte *>(options.allocator.allocate(total, kBufferPage)),
              Free{options.allocator, total}};
  if (scratch_ == nullptr)
    return fail(Code::resource_exhausted, "TW-623", fmt::format("no memory for {} bytes of scratch", total));
  std::memset(scratch_.get(), 0, total); // touched here, once: the first touch of a page is dear
  for (const Tile &tile : tiles)
    *tile.at = scratch_.get() + tile.offset;
  return {};
}

redistribute::TileOwner PlanRunner::owner(size_t array, Device device) const {
  return arrays_[array].owner(device);
}

Result<PlanRunner::Schedule> PlanRunner::make_schedule(bool aliased) const {
  size_t rounds = 0;
  for (const Array &array : arrays_)
    rounds = std::max(rounds, array.steps(aliased).size());
  Schedule schedule(rounds);
  for (size_t r = 0; r < rounds; ++r) {
    int64_t bytes = 0;
    for (const Array &array : arrays_)
      if (r < array.steps(aliased).size())
        bytes += comm::bytes_written(array.steps(aliased)[r], array.buffers()[0].rank(), array.element_size);
    Round &round = schedule[r];
    for (size_t a = 0; a < arrays_.size(); ++a) {
      const Array &array = arrays_[a];
      if (r >= array.steps(aliased).size())
        continue;
      const redistribute::Step &step = array.steps(aliased)[r];
      comm::Combine combine;
      if (step.sources.size() > step.num_pieces()) {
        TW_ASSIGN(combine, comm::combiner(step.reduction, array.plan->problem->type().dtype));
      }
      round.works.emplace_back(step, array.buffers(), array.element_size, combine, bytes);
      add_units(round, static_cast<uint32_t>(a), step.target);
    }
    int64_t sum = 0;
    round.starts.push_back(0);
    for (size_t u = 0; u < round.units.size(); ++u) {
      const Unit &unit = round.units[u];
      sum += round.works[unit.work].bytes(0, unit.part);
      if (sum >= kPlanPartBytes || u + 1 == round.units.size()) {
        round.starts.push_back(u + 1);
        sum = 0;
      }
    }
  }
  return schedule;
}

void PlanRunner::add_units(Round &round, uint32_t array, uint32_t target) {
  const auto work = static_cast<uint32_t>(round.works.size() - 1);
  for (int64_t part = 0; part < round.works.back().parts(); ++part)
    round.units.push_back({work, array, target, part});
}

// Notes where the caller's tiles lie.
Status PlanRunner::take(std::span<const Tiles> given, bool &aliased) {
  if (given.size() != arrays_.size())
    return fail(Code::invalid_argument, "TW-624",
                fmt::format("{} arrays for {} plans", given.size(), arrays_.size()));
  ranges_.clear();
  for (size_t a = 0; a < arrays_.size(); ++a) {
    Array &array = arrays_[a];
    const size_t devices = array.num_devices();
    if (given[a].src.size() != devices || given[a].dst.size() != devices)
      return fail(Code::invalid_argument, "TW-624",
                  fmt::format("array {}: {} source and {} target tiles for {} devices", a,
                              given[a].src.size(), given[a].dst.size(), devices));
    const uint32_t target = array.plan->target();
    for (size_t d = 0; d < devices; ++d) {
      const auto device = static_cast<Device>(d);
      void *const src = const_cast<void *>(given[a].src[d]), *const dst = given[a].dst[d];
      const auto src_bytes = static_cast<uintptr_t>(array.tile_bytes(0, device)),
                 dst_bytes = array.owner(device) == redistribute::TileOwner{false, device}
                                 ? static_cast<uintptr_t>(array.tile_bytes(target, device))
                                 : 0;
      if ((src == nullptr && src_bytes > 0) || (dst == nullptr && dst_bytes > 0))
        return fail(Code::invalid_argument, "TW-625",
                    fmt::format("array {}: device {} has no {} tile", a,
                                array.plan->problem->device_id(device),
                                src == nullptr && src_bytes > 0 ? "source" : "target"));
      array.tiles[d] = src;
      array.tiles[target * devices + d] = dst;
      for (const Image &image : array.images())
        array.tiles[image.buffer * devices + d] = array.tiles[image.of * devices + d];
      const auto at = static_cast<uint32_t>(a);
      const auto src_begin = reinterpret_cast<uintptr_t>(src), dst_begin = reinterpret_cast<uintptr_t>(dst);
      if (donate_ && src == dst && src_bytes > 0 && dst_bytes > 0) {
        aliased = true;
        ranges_.push_back({dst_begin, dst_begin + std::max(src_bytes, dst_bytes), at, device, true});
        continue;
      }
      if (src_bytes > 0)
        ranges_.push_back({src_begin, src_begin + src_bytes, at, device, false});
      if (dst_bytes > 0)
        ranges_.push_back({dst_begin, dst_begin + dst_bytes, at, device, true});
    }
  }
  return check_apart();
}

// No target shares memory with anything else; sources may with each other.
Status PlanRunner::check_apart() {
  std::ranges::sort(ranges_, {}, &Range::begin);
  const Range *source = nullptr, *target = nullptr; // those that end last so far
  for (const Range &range : ranges_) {
    const Range *other = target != nullptr && target->end > range.begin ? target : nullptr;
    if (other == nullptr && range.target && source != nullptr && source->end > range.begin)
      other = source;
    if (other != nullptr) {
      const auto text = [&](const Range &r) {
        return fmt::format("the {} tile of array {} on device {}", r.target ? "target" : "source", r.array,
                           arrays_[r.array].plan->problem->device_id(r.device));
      };
      return fail(Code::invalid_argument, "TW-630",
                  fmt::format("{} and {} share memory", text(*other), text(range)));
    }
    const Range *&last = range.target ? target : source;
    if (last == nullptr || last->end < range.end)
      last = &range;
  }
  return {};
}

Status PlanRunner::run(std::span<const Tiles> arrays, WorkerPool &pool) {
  bool aliased = false;
  TW_TRY(take(arrays, aliased));
  for (const Round &round : aliased && !aliased_schedule_.empty() ? aliased_schedule_ : schedule_)
    pool.parallel_for(static_cast<int64_t>(round.starts.size()) - 1, [&](int64_t part, unsigned) {
      const auto p = static_cast<size_t>(part);
      for (size_t u = round.starts[p]; u < round.starts[p + 1]; ++u) {
        const Unit &unit = round.units[u];
        const Array &array = arrays_[unit.array];
        const std::span<void *const> tiles(array.tiles);
        round.works[unit.work].run(0, unit.part, tiles,
                                   tiles.subspan(unit.target * array.num_devices(), array.num_devices()));
      }
    });
  for (const Array &array : arrays_)
    array.clear_borders();
  return {};
}

} // namespace tw::runtime
