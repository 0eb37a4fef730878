// SPDX-License-Identifier: Apache-2.0
// Prepares what the plans move on a communicator, gives it memory, and looks at the caller's tiles before
// each run.
#include "runtime/redistributor.hpp"

#include <algorithm>
#include <cstring>
#include <deque>
#include <utility>

#include <fmt/format.h>

#include "base/hash.hpp"
#include "comm/local/local.hpp"
#include "comm/run_group.hpp"
#include "redistribute/check.hpp"
#include "redistribute/fused_sums.hpp"
#include "redistribute/in_place.hpp"
#include "runtime/placing.hpp"

namespace tw::runtime {

using redistribute::Device;
using redistribute::Placement;
using redistribute::Plan;

namespace {

constexpr size_t kPage = 4096;

} // namespace

// Halo cells around an array that ends are zero: after the steps, since a target tile may lie on its source.
template <class Clear> void Redistributor::clear_borders(comm::TargetTiles dst, Clear &&clear) const {
  for (size_t a = 0; a < arrays_.size(); ++a) {
    const redistribute::Problem &problem = *arrays_[a].plan->problem;
    const Placement &target = arrays_[a].plan->buffers.back();
    const auto &shape = problem.type().dims;
    for (auto d = static_cast<Device>(devices_.first); d < devices_.last && !problem.dst().halos.empty();
         ++d) {
      if (target.elements(d) == 0 || !has_own(arrays_[a].owners, d))
        continue;
      auto *const tile = static_cast<std::byte *>(dst[a * num_devices_ + static_cast<size_t>(d)]);
      // Dimension by dimension, what lies before the array and behind it, as runs of a dense tile.
      int64_t outer = 1, inner = arrays_[a].tile_bytes(target, d);
      for (size_t dim = 0; dim < shape.size(); ++dim) {
        const int64_t extent = target.extent(d)[dim], begin = target.offset(d)[dim];
        inner /= extent;
        if (!problem.dst().halo(dim).wraps() || shape[dim] == 0) {
          const int64_t before = std::clamp<int64_t>(-begin, 0, extent);
          const int64_t inside = std::clamp<int64_t>(shape[dim] - begin, before, extent);
          for (int64_t row = 0; row < outer; ++row) {
            std::byte *const first = tile + row * extent * inner;
            clear(d, first, static_cast<size_t>(before * inner));
            clear(d, first + inside * inner, static_cast<size_t>((extent - inside) * inner));
          }
        }
        outer *= extent;
      }
    }
  }
}

void Redistributor::Free::operator()(std::byte *memory) const { allocator.release(memory, bytes, kPage); }

Redistributor::~Redistributor() {
  if (apart_ != nullptr && apart_->is_in_flight())
    static_cast<void>(scratch_.release()); // messages may still reach it
}

Result<std::unique_ptr<Redistributor>> Redistributor::prepare(std::vector<std::shared_ptr<const Plan>> plans,
                                                              Options options) {
  if (options.donate && options.share)
    return fail(Code::invalid_argument, "TW-624",
                "source tiles that are overwritten cannot be shared: donate them or share them");
  if (options.communicator == nullptr)
    options.communicator = comm::make_local();
  std::unique_ptr<Redistributor> made(new Redistributor);
  made->options_ = std::move(options);
  made->num_devices_ = plans[0]->problem->num_devices();
  made->devices_ = made->options_.communicator->devices(static_cast<int64_t>(made->num_devices_));
  for (auto &plan : plans)
    made->arrays_.push_back({plan, {}});
  if (Status status = made->bind(); !status) {
    made->options_.communicator->abort(status.error());
    return fail(std::move(status.error()));
  }
  made->ranges_.reserve(2 * plans.size() * made->num_devices_);
  return made;
}

template <class Prepare> auto Redistributor::prepare_moves(Plans plans, Prepare &&prepare) const {
  std::deque<redistribute::Move> moves;
  std::vector<comm::Transfer> transfers;
  for (size_t a = 0; a < plans.size(); ++a)
    transfers.push_back(
        {moves.emplace_back(redistribute::Move::Planned{plans[a]}), arrays_[a].owners, false, true});
  return prepare(std::span<const comm::Transfer>(transfers));
}

Status Redistributor::bind() {
  TW_TRY(agree());
  const bool has_queues = options_.device->as_queues() != nullptr,
             is_shared = options_.communicator->is_shared();
  TW_ASSIGN(units_, place_on_units(*options_.device, *options_.communicator,
                                   static_cast<int64_t>(num_devices_), {options_.units, options_.delays}));
  // Who shares tiles has one memory.
  std::vector<int64_t> memory(units_.begin(), units_.end());
  if (is_shared)
    memory = options_.communicator->process_by_device(*arrays_[0].plan->problem);
  std::vector<std::shared_ptr<const Plan>> plans, saving;
  for (Array &array : arrays_) {
    if (!is_shared && !has_queues) // all tiles can be read by all, as fast as their own
      array.plan = redistribute::fuse_sums(std::move(array.plan));
    if (options_.share)
      array.owners = redistribute::find_owners(*array.plan, memory);
    plans.push_back(array.plan);
    saving.push_back(options_.donate ? redistribute::save_sources(array.plan, has_queues) : array.plan);
  }
  if (has_queues)
    return bind_queues(saving);
  const auto prepare = [&](std::span<const comm::Transfer> transfers) {
    return options_.communicator->prepare_alone(transfers);
  };
  TW_ASSIGN(apart_, prepare_moves(is_shared ? saving : plans, prepare));
  if (!is_shared && plans != saving) {
    TW_ASSIGN(aliased_, prepare_moves(saving, prepare));
  }
  return allocate();
}

Status Redistributor::bind_queues(Plans plans) {
  QueueMoves::How how{*options_.device->as_queues(), options_.communicator, units_};
  how.deadline = options_.deadline;
  how.delays = options_.delays;
  how.allocator = options_.allocator;
  if (options_.communicator->is_shared()) {
    TW_ASSIGN(auto way, how.kind.cross({options_.communicator->processes(), units_[0]}));
    if (way.communicator != nullptr) {
      options_.communicator = how.communicator = std::move(way.communicator);
      TW_TRY(agree()); // where they meet from now on
      how.crossing = std::move(way.queue);
    }
  }
  TW_ASSIGN(queues_, prepare_moves(plans, [&](std::span<const comm::Transfer> transfers) {
              return QueueMoves::prepare(transfers, how);
            }));
  scratch_bytes_ = queues_->staging_bytes();
  return check_limit();
}

// Processes that would move something else, or in another way, are told before anything moves.
Status Redistributor::agree() const {
  if (!options_.communicator->is_shared())
    return {};
  Hasher hash;
  for (const Array &array : arrays_)
    hash.add(redistribute::hash_value(*array.plan));
  const comm::Fact facts[] = {{"version", TW_VERSION},
                              {"redistribution", fmt::format("{:016x}", hash.value())},
                              {"kind of devices", options_.device->name()},
                              {"use of source tiles", options_.donate  ? "donated"
                                                      : options_.share ? "shared"
                                                                       : "read"}};
  return options_.communicator->agree(facts);
}

Status Redistributor::check_limit() const {
  if (options_.memory_limit <= 0 || scratch_bytes_ <= options_.memory_limit)
    return {};
  return fail(Code::resource_exhausted, "TW-622",
              fmt::format("the intermediate tiles need {} bytes in all, more than the limit of {}",
                          scratch_bytes_, options_.memory_limit));
}

Status Redistributor::allocate() {
  const auto bytes_of = [](const std::unique_ptr<comm::Collective> &moves) {
    int64_t bytes = 0;
    for (size_t g = 0; moves != nullptr && g < moves->num_groups(); ++g)
      if (!moves->members(g).empty())
        bytes += moves->staging_bytes(g);
    return bytes;
  };
  scratch_bytes_ = std::max(bytes_of(apart_), bytes_of(aliased_)); // one of them runs
  TW_TRY(check_limit());
  const auto total = static_cast<size_t>(scratch_bytes_);
  if (total > 0) {
    scratch_ = {static_cast<std::byte *>(options_.allocator.allocate(total, kPage)),
                Free{options_.allocator, total}};
    if (scratch_ == nullptr)
      return fail(Code::resource_exhausted, "TW-623",
                  fmt::format("no memory for {} bytes of scratch", total));
    std::memset(scratch_.get(), 0, total); // touched here, once: the first touch of a page is dear
  }
  for (comm::Collective *moves : {apart_.get(), aliased_.get()}) {
    std::byte *at = scratch_.get();
    for (size_t g = 0; moves != nullptr && g < moves->num_groups(); ++g)
      if (!moves->members(g).empty()) {
        TW_TRY(moves->give_staging(g, at));
        at += moves->staging_bytes(g);
      }
  }
  return {};
}

redistribute::TileOwner Redistributor::owner(size_t array, Device device) const {
  const auto &owners = arrays_[array].owners;
  return owners.empty() ? redistribute::TileOwner{false, device} : owners[static_cast<size_t>(device)];
}

// Looks at where the caller's tiles lie.
Status Redistributor::take(comm::SourceTiles src, comm::TargetTiles dst, bool &aliased) {
  const size_t tiles = arrays_.size() * num_devices_;
  if (src.size() != tiles || dst.size() != tiles)
    return fail(Code::invalid_argument, "TW-624",
                fmt::format("{} source and {} target tiles for {} arrays over {} devices", src.size(),
                            dst.size(), arrays_.size(), num_devices_));
  ranges_.clear();
  for (size_t a = 0; a < arrays_.size(); ++a) {
    const Array &array = arrays_[a];
    for (int64_t d = devices_.first; d < devices_.last; ++d) {
      const auto device = static_cast<Device>(d);
      const size_t tile = a * num_devices_ + static_cast<size_t>(d);
      const auto from = reinterpret_cast<uintptr_t>(src[tile]), to = reinterpret_cast<uintptr_t>(dst[tile]);
      const auto from_bytes = static_cast<uintptr_t>(array.tile_bytes(array.plan->buffers.front(), device)),
                 to_bytes = has_own(array.owners, device)
                                ? static_cast<uintptr_t>(array.tile_bytes(array.plan->buffers.back(), device))
                                : 0;
      if ((from == 0 && from_bytes > 0) || (to == 0 && to_bytes > 0))
        return fail(Code::invalid_argument, "TW-625",
                    fmt::format("array {}: device {} has no {} tile", a,
                                array.plan->problem->device_id(device),
                                from == 0 && from_bytes > 0 ? "source" : "target"));
      const auto at = static_cast<uint32_t>(a);
      if (options_.donate && from == to && from_bytes > 0 && to_bytes > 0) {
        aliased = true;
        ranges_.push_back({to, to + std::max(from_bytes, to_bytes), at, device, true});
        continue;
      }
      if (from_bytes > 0)
        ranges_.push_back({from, from + from_bytes, at, device, false});
      if (to_bytes > 0)
        ranges_.push_back({to, to + to_bytes, at, device, true});
    }
  }
  return check_apart();
}

// No target shares memory with anything else; sources may with each other.
Status Redistributor::check_apart() {
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

Status Redistributor::run(comm::SourceTiles src, comm::TargetTiles dst, WorkerPool &pool) {
  bool aliased = false;
  Status status = take(src, dst, aliased);
  if (status)
    status = move(src, dst, aliased, pool);
  if (status)
    status = options_.communicator->barrier(); // so that either all have results or none
  if (!status)
    options_.communicator->abort(status.error());
  return status;
}

Status Redistributor::move(comm::SourceTiles src, comm::TargetTiles dst, bool aliased, WorkerPool &pool) {
  if (queues_ != nullptr) {
    TW_TRY(queues_->run(src, dst));
    clear_borders(dst, [&](Device d, std::byte *at, size_t bytes) { queues_->clear(d, at, bytes); });
    return queues_->settle();
  }
  comm::Collective &moves = aliased && aliased_ != nullptr ? *aliased_ : *apart_;
  for (size_t g = 0; g < moves.num_groups(); ++g)
    if (!moves.members(g).empty())
      TW_TRY(comm::run_group(moves, g, src, dst, [&](int64_t parts, auto &&body) {
        pool.parallel_for(parts, [&](int64_t part, unsigned) { body(part); });
      }));
  clear_borders(dst, [](Device, std::byte *at, size_t bytes) { std::memset(at, 0, bytes); });
  return {};
}

} // namespace tw::runtime
