// SPDX-License-Identifier: Apache-2.0
// Prepares what the plans move on a communicator, gives it memory, and looks at the caller's tiles before each
// run.
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

namespace tw::runtime {

using redistribute::Device;
using redistribute::Placement;
using redistribute::Plan;

namespace {

constexpr size_t kPage = 4096;

} // namespace

void Redistributor::Array::clear_border(Device d, std::byte *tile) const {
  const redistribute::Problem &problem = *plan->problem;
  const Placement &target = plan->buffers.back();
  const auto &shape = problem.type().dims;
  // Dimension by dimension, what lies before the array and behind it, as runs of a dense tile.
  int64_t outer = 1, inner = tile_bytes(target, d);
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    const int64_t extent = target.extent(d)[dim], begin = target.offset(d)[dim];
    inner /= extent;
    if (!problem.dst().halo(dim).wraps() || shape[dim] == 0) {
      const int64_t before = std::clamp<int64_t>(-begin, 0, extent);
      const int64_t inside = std::clamp<int64_t>(shape[dim] - begin, before, extent);
      for (int64_t row = 0; row < outer; ++row) {
        std::byte *const first = tile + row * extent * inner;
        std::memset(first, 0, static_cast<size_t>(before * inner));
        std::memset(first + inside * inner, 0, static_cast<size_t>((extent - inside) * inner));
      }
    }
    outer *= extent;
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
  comm::Communicator &communicator = *options.communicator;
  std::unique_ptr<Redistributor> made(new Redistributor);
  made->options_ = std::move(options);
  made->num_devices_ = plans[0]->problem->num_devices();
  made->devices_ = communicator.devices(static_cast<int64_t>(made->num_devices_));
  const auto process = communicator.process_by_device(*plans[0]->problem);
  std::vector<std::shared_ptr<const Plan>> saving;
  for (auto &plan : plans) {
    if (!communicator.is_shared()) // else not all tiles can be read by all
      plan = redistribute::fuse_sums(std::move(plan));
    made->arrays_.push_back({plan, {}});
    if (made->options_.share)
      made->arrays_.back().owners = redistribute::find_owners(*plan, process);
    if (made->options_.donate)
      saving.push_back(redistribute::save_sources(plan));
  }
  if (Status status = made->bind(plans, made->options_.donate ? saving : plans); !status) {
    communicator.abort(status.error());
    return fail(std::move(status.error()));
  }
  made->ranges_.reserve(2 * plans.size() * made->num_devices_);
  return made;
}

Status Redistributor::bind(Plans plans, Plans saving) {
  TW_TRY(agree());
  const bool is_shared = options_.communicator->is_shared();
  TW_ASSIGN(apart_, prepare_moves(is_shared ? saving : plans));
  if (!is_shared && !std::ranges::equal(plans, saving)) {
    TW_ASSIGN(aliased_, prepare_moves(saving));
  }
  return allocate();
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
                              {"use of source tiles", options_.donate  ? "donated"
                                                      : options_.share ? "shared"
                                                                       : "read"}};
  return options_.communicator->agree(facts);
}

Result<std::unique_ptr<comm::Collective>> Redistributor::prepare_moves(Plans plans) const {
  std::deque<redistribute::Move> moves;
  std::vector<comm::Transfer> transfers;
  for (size_t a = 0; a < plans.size(); ++a)
    transfers.push_back({moves.emplace_back(redistribute::Move::Planned{plans[a]}), arrays_[a].owners});
  return options_.communicator->prepare_alone(transfers);
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
  if (options_.memory_limit > 0 && scratch_bytes_ > options_.memory_limit)
    return fail(Code::resource_exhausted, "TW-622",
                fmt::format("the intermediate tiles need {} bytes in all, more than the limit of {}",
                            scratch_bytes_, options_.memory_limit));
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
  Status status = move(src, dst, pool);
  if (status)
    status = options_.communicator->barrier(); // so that either all have results or none
  if (!status)
    options_.communicator->abort(status.error());
  return status;
}

Status Redistributor::move(comm::SourceTiles src, comm::TargetTiles dst, WorkerPool &pool) {
  bool aliased = false;
  TW_TRY(take(src, dst, aliased));
  comm::Collective &moves = aliased && aliased_ != nullptr ? *aliased_ : *apart_;
  for (size_t g = 0; g < moves.num_groups(); ++g)
    if (!moves.members(g).empty())
      TW_TRY(comm::run_group(moves, g, src, dst, [&](int64_t parts, auto &&body) {
        pool.parallel_for(parts, [&](int64_t part, unsigned) { body(part); });
      }));
  for (size_t a = 0; a < arrays_.size(); ++a) {
    const Array &array = arrays_[a];
    for (int64_t d = devices_.first; d < devices_.last && !array.plan->problem->dst().halos.empty(); ++d) {
      const auto device = static_cast<Device>(d);
      if (array.plan->buffers.back().elements(device) != 0 && has_own(array.owners, device))
        array.clear_border(device, static_cast<std::byte *>(dst[a * num_devices_ + static_cast<size_t>(d)]));
    }
  }
  return {};
}

} // namespace tw::runtime
