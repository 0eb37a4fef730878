// SPDX-License-Identifier: Apache-2.0
// Lays out messages between processes, by group and round, and walks the rounds as stages: pack and send,
// then work.
#include "comm/remote/collective.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "comm/local/region_reduce.hpp"
#include "comm/remote/remote_boxes.hpp"
#include "comm/remote/shares.hpp"
#include "comm/round_tiles.hpp"
#include "kernels/cpu/copy.hpp"
#include "ops/strided.hpp"

namespace tw::comm {
namespace {

using kernels::cpu::CopyPlan;
using redistribute::Device;

constexpr int64_t kRemotePartBytes = 256 << 10;
constexpr int64_t kAlign = 64;
// How long messages may take, when cores are few.
constexpr auto kPatience = std::chrono::milliseconds(2);
constexpr double kBytesInNanosecond = 0.5;

// The work of a round on the tiles of one process.
class Work {
public:
  virtual ~Work() = default;
  virtual int64_t parts(size_t group) const = 0;
  // `src`: by array, then by slot.
  virtual void run(size_t group, int64_t part, SourceTiles src, TargetTiles dst) const = 0;
};

class MoveWork final : public Work {
public:
  MoveWork(std::span<const Part> parts, const Groups &groups, size_t slots)
      : works_(slots, groups.of.size()) {
    int64_t bytes = 0;
    for (const Part &p : parts)
      bytes += bytes_written(p.move);
    for (const Part &p : parts)
      works_.add(work_of(p.move, groups, bytes));
  }
  int64_t parts(size_t group) const override { return works_.parts(group); }
  void run(size_t group, int64_t part, SourceTiles src, TargetTiles dst) const override {
    works_.run(group, part, src, dst);
  }

private:
  StepWorks works_;
};

class RegionReduceWork final : public Work {
public:
  explicit RegionReduceWork(std::unique_ptr<Collective> reduce) : reduce_(std::move(reduce)) {}
  int64_t parts(size_t group) const override { return reduce_->parts(group, 0); }
  void run(size_t group, int64_t part, SourceTiles src, TargetTiles dst) const override {
    reduce_->run(group, 0, part, src, dst);
  }

private:
  std::unique_ptr<Collective> reduce_;
};

// A box on its way from a tile to its place in a message.
struct Pack {
  size_t slot; // of all arrays
  int64_t tile_offset, staging_offset;
  CopyPlan plan;
  int64_t parts;
};

// What a group does in one round.
struct RoundMessages {
  std::vector<Pack> packs;
  std::vector<std::pair<uint32_t, int64_t>> pack_parts; // pack, part
  struct Received {
    size_t slot;
    int64_t staging_offset;
  };
  std::vector<Received> received;
  // Of a message: in staging, or in a tile of the round.
  struct Place {
    int64_t offset;
    std::optional<size_t> slot = std::nullopt;
  };
  std::vector<Message> messages;
  std::vector<Place> places; // of messages
  Exchange exchange;         // of messages as they lie now
};

struct Round {
  std::unique_ptr<Work> work;
  RoundTiles tiles;
  std::vector<RoundMessages> by_group; // by group
};

class RemoteCollective final : public Collective {
public:
  RemoteCollective(size_t arrays, Groups groups, std::span<const int64_t> process, Processes &processes)
      : arrays_(arrays), processes_(processes) {
    groups_ = groups.members;
    group_of_ = std::move(groups.of);
    for (auto &members : groups_)
      std::erase_if(members, [&](Position m) { return process[static_cast<size_t>(m)] != processes.rank(); });
    staging_bytes_.resize(groups_.size(), 0);
    crossing_bytes_.resize(groups_.size(), 0);
    stages_.resize(groups_.size());
    staging_.resize(groups_.size(), nullptr);
    awaited_ = std::vector<std::atomic<Clock::time_point>>(groups_.size());
  }

  Groups local_groups() const { return {groups_, group_of_}; }
  void set_in_place(bool in_place) { in_place_ = in_place; }

  // The parts of a round are those of the arrays, all with as many buffers. `sizes`: bytes of an element of
  // each array; a part may stand for several of them.
  void add_round(std::span<const Part *const> parts, std::span<const int64_t> sizes, int32_t first_tag,
                 std::unique_ptr<Work> work, Form form = Form::packed) {
    Round round;
    round.work = std::move(work);
    for (const Part *part : parts)
      round.tiles.add(part->move);
    round.tiles.allocate();
    round.by_group.resize(groups_.size());

    // By group and peer: what is sent and what comes, in the order of the arrays.
    struct Item {
      size_t array;
      const Part *part;
      const RemoteBox *box;
    };
    std::map<std::tuple<size_t, int64_t, bool>, std::vector<Item>> by_peer;
    for (size_t a = 0; a < arrays_; ++a)
      for (const bool sends : {false, true})
        for (const RemoteBox &box : sends ? parts[a]->sends : parts[a]->receives)
          by_peer[{group_of(Position(box.tile.device)), box.peer, sends}].push_back({a, parts[a], &box});
    for (const auto &[key, items] : by_peer) {
      const auto [group, peer, sends] = key;
      const int32_t tag = first_tag + static_cast<int32_t>(group);
      RoundMessages &own = round.by_group[group];
      int64_t &end = staging_bytes_[group];
      const int64_t begin = end;
      for (const Item &item : items) {
        const RemoteBox &box = *item.box;
        const ArrayStep &move = item.part->move;
        const int64_t size = sizes[item.array], bytes = ops::product(box.extent) * size;
        crossing_bytes_[group] += bytes;
        const bool lent = move.borrowed && box.tile.buffer == 0;
        if (form == Form::direct && (sends ? !lent : box.taker >= 0)) {
          const uint32_t buffer = sends ? box.tile.buffer : move.step.target;
          const Device device = sends ? box.tile.device : box.taker;
          Runs runs = runs_of(box, move.buffers[buffer], device, size);
          own.messages.push_back({peer, tag, sends, nullptr, runs.bytes, std::move(runs.loops)});
          own.places.push_back({runs.offset, round.tiles.slot_of(item.array, buffer, device)});
          continue;
        }
        if (sends)
          add_pack(own, round, item.array, *item.part, box, size, end);
        else
          own.received.push_back({round.tiles.slot_of(item.array, box.buffer, box.tile.device), end});
        if (form == Form::direct) {
          own.messages.push_back({peer, tag, sends, nullptr, bytes});
          own.places.push_back({end});
        }
        end += (bytes + 15) / 16 * 16;
      }
      if (form == Form::packed) {
        own.messages.push_back({peer, tag, sends, nullptr, end - begin});
        own.places.push_back({begin});
      }
      end = (end + kAlign - 1) / kAlign * kAlign;
    }
    for (size_t g = 0; g < groups_.size(); ++g) {
      const auto r = static_cast<uint32_t>(rounds_.size());
      if (!round.by_group[g].messages.empty())
        stages_[g].push_back({r, false});
      if (!round.by_group[g].messages.empty() || round.work->parts(g) > 0)
        stages_[g].push_back({r, true});
    }
    rounds_.push_back(std::move(round));
  }

  // Memory for the tiles of an array that lie between its source and its target.
  void add_scratch(size_t array, std::span<const ArrayStep> rounds) {
    scratch_.add(array, rounds, groups_, staging_bytes_);
  }

  bool may_run_in_place() const override { return in_place_; }
  int64_t staging_bytes(size_t group) const override { return staging_bytes_[group]; }
  Status give_staging(size_t group, std::byte *staging) override {
    staging_[group] = staging;
    for (Round &round : rounds_) {
      scratch_.give(round.tiles, group, staging);
      RoundMessages &own = round.by_group[group];
      for (const RoundMessages::Received &r : own.received)
        round.tiles.src[r.slot] = staging + r.staging_offset;
      if (std::ranges::all_of(own.places, [](const RoundMessages::Place &place) { return !place.slot; }))
        TW_TRY(address(round, group)); // else it is seen where tiles lie
    }
    return {};
  }
  bool is_in_flight() const override {
    bool any = false;
    for (const Round &round : rounds_)
      for (const RoundMessages &own : round.by_group)
        any = const_cast<Exchange &>(own.exchange).in_flight() || any;
    return any;
  }

  size_t stages(size_t group) const override { return stages_[group].size(); }
  void begin(size_t group, SourceTiles src, TargetTiles dst) override {
    awaited_[group] = Clock::time_point();
    for (Round &round : rounds_)
      round.tiles.set_arrays(groups_[group], src, dst);
  }
  void set_awaited(size_t group, bool awaited) override {
    awaited_[group] = awaited ? Clock::now() : Clock::time_point::max();
  }
  std::chrono::nanoseconds poll_interval(size_t group) const override {
    return kPatience + std::chrono::nanoseconds(static_cast<int64_t>(
                           static_cast<double>(crossing_bytes_[group]) / kBytesInNanosecond));
  }
  Result<bool> ready(size_t group, size_t stage) override {
    const Stage s = stages_[group][stage];
    RoundMessages &own = rounds_[s.round].by_group[group];
    return !s.works || !own.exchange ? Result<bool>(true) : own.exchange.done(awaited_[group]);
  }
  int64_t parts(size_t group, size_t stage) const override {
    const Stage s = stages_[group][stage];
    const Round &round = rounds_[s.round];
    return s.works ? round.work->parts(group) : static_cast<int64_t>(round.by_group[group].pack_parts.size());
  }
  void run(size_t group, size_t stage, int64_t part, SourceTiles, TargetTiles) const override {
    const Stage s = stages_[group][stage];
    const Round &round = rounds_[s.round];
    if (s.works)
      return round.work->run(group, part, round.tiles.src, round.tiles.dst);
    const RoundMessages &own = round.by_group[group];
    const auto [index, piece] = own.pack_parts[static_cast<size_t>(part)];
    const Pack &pack = own.packs[index];
    pack.plan.run_part(static_cast<const std::byte *>(round.tiles.src[pack.slot]) + pack.tile_offset,
                       staging_[group] + pack.staging_offset, piece, pack.parts);
  }
  Status send(size_t group, size_t stage) override {
    const Stage s = stages_[group][stage];
    if (s.works)
      return {};
    TW_TRY(address(rounds_[s.round], group));
    return rounds_[s.round].by_group[group].exchange.start();
  }

private:
  struct Stage {
    uint32_t round;
    bool works; // else it packs, and sends
  };

  // Prepares the messages of a group where they have not been, or where tiles lie elsewhere than in the run
  // before.
  Status address(Round &round, size_t group) {
    RoundMessages &own = round.by_group[group];
    bool moved = !own.exchange && !own.messages.empty();
    for (size_t i = 0; i < own.messages.size(); ++i) {
      const auto [offset, slot] = own.places[i];
      auto *from =
          slot ? static_cast<std::byte *>(const_cast<void *>(round.tiles.src[*slot])) : staging_[group];
      moved = moved || own.messages[i].data != from + offset;
      own.messages[i].data = from + offset;
    }
    if (moved) {
      TW_ASSIGN(own.exchange, processes_.prepare(own.messages));
    }
    return {};
  }

  void add_pack(RoundMessages &own, const Round &round, size_t array, const Part &part, const RemoteBox &box,
                int64_t size, int64_t staging_offset) {
    const auto &tiles = part.move.buffers[box.tile.buffer];
    const auto strides = ops::dense_strides(tiles.extent(box.tile.device));
    const int64_t offset = runs_of(box, tiles, box.tile.device, size).offset;
    CopyPlan plan(box.extent, strides, ops::dense_strides(box.extent), size, CopyPlan::Stream::never);
    const int64_t parts =
        std::clamp<int64_t>(plan.bytes() / kRemotePartBytes, 1, std::max<int64_t>(plan.max_parts(), 1));
    for (int64_t p = 0; p < parts; ++p)
      own.pack_parts.emplace_back(static_cast<uint32_t>(own.packs.size()), static_cast<int64_t>(p));
    own.packs.push_back({round.tiles.slot_of(array, box.tile.buffer, box.tile.device), offset, staging_offset,
                         std::move(plan), parts});
  }

  size_t arrays_;
  Processes &processes_;
  std::vector<Round> rounds_;
  std::vector<std::vector<Stage>> stages_;              // by group
  std::vector<int64_t> staging_bytes_, crossing_bytes_; // by group
  ScratchTiles scratch_;
  std::vector<std::byte *> staging_;
  std::vector<std::atomic<Clock::time_point>> awaited_; // by group: since when somebody waits
  bool in_place_ = false;
};

} // namespace

Result<std::unique_ptr<Collective>> make_collective(const Rounds &given, Groups groups, Processes &processes,
                                                    std::span<const int64_t> process, Form form) {
  auto made = std::make_unique<RemoteCollective>(given.size(), std::move(groups), process, processes);
  TW_ASSIGN(const int32_t tag, processes.take_tags(made->num_groups()));
  const Rounds rounds = between_processes(given, process);
  size_t most = 0;
  bool in_place = true;
  std::vector<int64_t> sizes;
  for (const auto &of_array : rounds)
    most = std::max(most, of_array.size());
  for (const auto &of_array : given) {
    const ArrayStep &first = of_array[0];
    in_place = in_place && of_array.size() == 1 && may_run_in_place(first);
    made->add_scratch(sizes.size(), of_array);
    sizes.push_back(first.element_size);
  }
  made->set_in_place(in_place);
  for (size_t r = 0; r < most; ++r) {
    std::vector<Part> parts;
    size_t slots = 0;
    for (const auto &of_array : rounds) {
      parts.push_back(part_of(r < of_array.size() ? of_array[r] : nothing_like(of_array[0]), process,
                              processes.rank(), form == Form::direct));
      slots = std::max(slots, parts.back().move.buffers.size() * process.size());
    }
    std::vector<const Part *> pointers;
    for (Part &part : parts) {
      while (part.move.buffers.size() * process.size() < slots)
        part.move.buffers.emplace_back(part.move.buffers[0].rank(), process.size());
      pointers.push_back(&part);
    }
    auto work = std::make_unique<MoveWork>(parts, made->local_groups(), slots);
    made->add_round(pointers, sizes, tag, std::move(work), form);
  }
  return made;
}

Result<std::unique_ptr<Collective>> make_collective(const RegionReduce &reduce, Processes &processes,
                                                    std::span<const int64_t> process) {
  const ArrayStep move = step_of(reduce);
  auto made =
      std::make_unique<RemoteCollective>(reduce.types.size(), find_groups({&move, 1}), process, processes);
  TW_ASSIGN(const int32_t tag, processes.take_tags(made->num_groups()));
  const Part part = part_of(move, process, processes.rank());
  const std::vector<const Part *> parts(reduce.types.size(), &part);
  std::vector<int64_t> sizes;
  for (const graph::TensorType &type : reduce.types)
    sizes.push_back(static_cast<int64_t>(graph::byte_size(type.dtype)));
  TW_ASSIGN(auto local, make_region_reduce(reduce, part.move, made->local_groups(),
                                           part.move.buffers.size() * process.size()));
  made->add_round(parts, sizes, tag, std::make_unique<RegionReduceWork>(std::move(local)));
  return made;
}

} // namespace tw::comm
