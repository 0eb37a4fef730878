// SPDX-License-Identifier: Apache-2.0
// Deals the groups of a collective out to passes, finds who exchanges with whom in each, and prepares what
// this process does there.
#include "comm/nccl/collective.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <numeric>
#include <utility>

#include "comm/nccl/pass.hpp"
#include "comm/remote/shares.hpp"
#include "ops/strided.hpp"

namespace tw::comm::nccl {
namespace {

// How long NCCL is asked again and again before others get the core.
constexpr auto kPatience = std::chrono::milliseconds(2);

class NcclCollective final : public Collective {
public:
  explicit NcclCollective(Groups groups) {
    groups_ = std::move(groups.members);
    group_of_ = std::move(groups.of);
    pass_of_.resize(groups_.size(), nullptr);
    staging_bytes_.resize(groups_.size(), 0);
    runs_.resize(groups_.size(), 0);
    awaited_ = std::vector<std::atomic<Clock::time_point>>(groups_.size());
  }
  const std::vector<size_t> &groups_of() const { return group_of_; }
  // From now on members are those of this process alone.
  void keep_members(std::span<const int64_t> process, int64_t self) {
    for (auto &members : groups_)
      std::erase_if(members, [&](Position m) { return process[static_cast<size_t>(m)] != self; });
  }
  const std::vector<std::vector<Position>> &all_members() const { return groups_; }
  void add_pass(std::unique_ptr<Pass> pass) {
    for (const Pass::Group &group : pass->groups())
      pass_of_[group.number] = pass.get();
    passes_.push_back(std::move(pass));
  }
  std::vector<int64_t> &staging() { return staging_bytes_; }
  void add_scratch(size_t array, std::span<const ArrayStep> rounds) {
    scratch_.add(array, rounds, groups_, staging_bytes_);
  }
  void set_in_place(bool in_place) { in_place_ = in_place; }

  bool may_run_in_place() const override { return in_place_; }
  int64_t staging_bytes(size_t group) const override { return staging_bytes_[group]; }
  Status give_staging(size_t group, std::byte *staging) override {
    if (pass_of_[group] != nullptr)
      pass_of_[group]->give_staging(group, staging, scratch_);
    return {};
  }
  bool is_in_flight() const override {
    bool any = false;
    for (const auto &pass : passes_)
      any = pass->is_in_flight() || any;
    return any;
  }

  // The first puts it into the stream, the second waits for the stream.
  size_t stages(size_t group) const override { return pass_of_[group] != nullptr ? 2 : 0; }
  void begin(size_t group, SourceTiles src, TargetTiles dst) override {
    awaited_[group] = Clock::time_point();
    if (pass_of_[group] != nullptr)
      pass_of_[group]->set_tiles(group, src, dst);
  }
  void set_awaited(size_t group, bool awaited) override {
    awaited_[group] = awaited ? Clock::now() : Clock::time_point::max();
    if (pass_of_[group] != nullptr)
      pass_of_[group]->set_awaited(awaited_[group]);
  }
  std::chrono::nanoseconds poll_interval(size_t) const override { return kPatience; }
  Result<bool> ready(size_t group, size_t stage) override {
    return stage == 0 ? Result<bool>(true) : pass_of_[group]->is_over(runs_[group], awaited_[group]);
  }
  Result<bool> is_issued(size_t group) override {
    return pass_of_[group] == nullptr ? Result<bool>(true) : pass_of_[group]->is_issued();
  }
  int64_t parts(size_t, size_t) const override { return 0; }
  void run(size_t, size_t, int64_t, SourceTiles, TargetTiles) const override {}
  Status send(size_t group, size_t stage) override {
    if (stage != 0)
      return {};
    ++runs_[group];
    return pass_of_[group]->arrive();
  }

private:
  std::vector<std::unique_ptr<Pass>> passes_;
  std::vector<Pass *> pass_of_;               // by group; null where nothing is to be done here
  std::vector<int64_t> staging_bytes_, runs_; // by group
  ScratchTiles scratch_;
  std::vector<std::atomic<Clock::time_point>> awaited_; // by group: since when somebody waits
  bool in_place_ = false;
};

// Who runs together, and which processes exchange there.
struct Plan {
  std::vector<Position> positions;
  std::vector<int64_t> clique;     // by process: the smallest process with which it exchanges
  std::vector<Pass::Group> groups; // those with members here
};

// By the step of each loop at which devices come one after the other.
std::vector<Plan> plan_passes(std::span<const ArrayStep *const> moves, const NcclCollective &made,
                              const Asked &asked) {
  const sharding::AxisSet in_turn =
      asked.in_queue ? asked.mesh.loop_axes() : asked.mesh.loop_axes(sharding::AxisKind::serial);
  std::map<std::vector<int64_t>, Plan> plans;
  std::vector<bool> crosses(made.num_groups(), false);
  const auto key_of = [&](Position p) {
    std::vector<int64_t> key;
    for (size_t a = 0; a < asked.mesh.num_axes(); ++a)
      if (const auto axis = static_cast<sharding::AxisId>(a); in_turn.contains(axis))
        key.push_back(asked.mesh.coordinate(p, axis));
    return key;
  };
  for (size_t d = 0; d < asked.process.size(); ++d) {
    const Position p(static_cast<int64_t>(d));
    Plan &plan = plans[key_of(p)];
    if (plan.clique.empty()) {
      plan.clique.resize(static_cast<size_t>(asked.processes));
      std::iota(plan.clique.begin(), plan.clique.end(), 0);
    }
    plan.positions.push_back(p);
    for (const ArrayStep *move : moves) {
      const redistribute::Step &step = move->step;
      for (size_t s = step.first_source[step.first_piece[d]]; s < step.first_source[step.first_piece[d + 1]];
           ++s) {
        const int64_t
            from =
                plan.clique[static_cast<size_t>(asked.process[static_cast<size_t>(step.sources[s].device)])],
            to = plan.clique[static_cast<size_t>(asked.process[d])];
        if (asked.process[static_cast<size_t>(step.sources[s].device)] != asked.process[d])
          crosses[made.group_of(p)] = true;
        std::ranges::replace(plan.clique, std::max(from, to), std::min(from, to));
      }
    }
  }
  std::vector<Plan> all;
  for (auto &[key, plan] : plans) {
    std::vector<bool> taken(made.num_groups(), false);
    for (const Position p : plan.positions)
      if (const size_t g = made.group_of(p); !taken[g] && !made.members(g).empty()) {
        taken[g] = true;
        if (asked.every_group || crosses[g])
          plan.groups.push_back({g, {made.members(g).begin(), made.members(g).end()}});
      }
    std::ranges::sort(plan.groups, {}, &Pass::Group::number);
    all.push_back(std::move(plan));
  }
  return all;
}

std::vector<std::vector<Position>> members_of(const Plan &plan, size_t groups) {
  std::vector<std::vector<Position>> members(groups);
  for (const Pass::Group &group : plan.groups)
    members[group.number] = group.members;
  return members;
}

// The one device of each process of this clique, by rank; empty where one has several in the pass.
std::vector<redistribute::Device> one_each(const Plan &plan, const Asked &asked) {
  std::map<int64_t, redistribute::Device> found;
  const int64_t own = plan.clique[static_cast<size_t>(asked.self)];
  for (const Position p : plan.positions) {
    const int64_t process = asked.process[static_cast<size_t>(p)];
    if (plan.clique[static_cast<size_t>(process)] == own &&
        !found.emplace(process, static_cast<redistribute::Device>(p)).second)
      return {};
  }
  std::vector<redistribute::Device> devices;
  for (const auto &[process, device] : found)
    devices.push_back(device);
  return devices;
}

// Array by array, its rounds; and what NCCL does instead.
struct Arrays {
  Rounds rounds;
  std::vector<std::optional<Native>> native;
};

Arrays arrays_of(const Rounds &given, const Plan &plan, const Asked &asked) {
  const std::vector<redistribute::Device> members = one_each(plan, asked);
  Arrays arrays;
  for (size_t a = 0; a < given.size(); ++a) {
    const auto sum = asked.sums.empty() ? std::nullopt : asked.sums[a];
    arrays.native.push_back(given[a].size() == 1 ? native_of(given[a][0], members, sum) : std::nullopt);
    arrays.rounds.push_back(given[a]);
    if (arrays.native.back())
      arrays.rounds.back()[0] = nothing_like(given[a][0]);
  }
  arrays.rounds = between_processes(arrays.rounds, asked.process);
  return arrays;
}

Status add_rounds(Pass &pass, const Plan &plan, const Arrays &arrays, const Asked &asked,
                  NcclCollective &made) {
  const std::vector<redistribute::Device> members = one_each(plan, asked);
  const size_t devices = asked.process.size();
  size_t most = 0;
  for (const auto &of_array : arrays.rounds)
    most = std::max(most, of_array.size());
  for (size_t r = 0; r < most; ++r) {
    std::vector<Part> parts;
    size_t slots = 0;
    for (const auto &of_array : arrays.rounds) {
      parts.push_back(
          part_of(r < of_array.size() ? of_array[r] : nothing_like(of_array[0]), asked.process, asked.self));
      slots = std::max(slots, parts.back().move.buffers.size() * devices);
    }
    std::vector<Pass::Array> given;
    LocalMoves local{{}, members_of(plan, made.num_groups()), slots};
    for (size_t a = 0; a < parts.size(); ++a) {
      Part &part = parts[a];
      const auto elsewhere = [&](const RemoteBox &box) {
        return std::ranges::find(plan.positions, Position(box.tile.device)) == plan.positions.end();
      };
      std::erase_if(part.sends, elsewhere);
      std::erase_if(part.receives, elsewhere);
      while (part.move.buffers.size() * devices < slots)
        part.move.buffers.emplace_back(part.move.buffers[0].rank(), devices);
      local.moves.push_back(part.move);
      Pass::Array array{&part, part.move.element_size};
      if (r == 0 && arrays.native[a]) {
        array.native = arrays.native[a];
        array.sum = asked.sums.empty() ? std::nullopt : asked.sums[a];
        array.device = *std::ranges::find_if(members, [&](redistribute::Device d) {
          return asked.process[static_cast<size_t>(d)] == asked.self;
        });
      }
      given.push_back(array);
    }
    TW_ASSIGN(auto work, pass.device().make_moves(std::move(local)));
    TW_TRY(pass.add_round(given, made.groups_of(), std::move(work), made.staging()));
  }
  return {};
}

} // namespace

Result<std::unique_ptr<Collective>> make_collective(const Rounds &given, std::shared_ptr<Lane> lane,
                                                    const Asked &asked) {
  const std::vector<ArrayStep> all = flat(given);
  auto made = std::make_unique<NcclCollective>(find_groups(all));
  made->keep_members(asked.process, asked.self);
  bool in_place = true;
  for (size_t a = 0; a < given.size(); ++a) {
    in_place = in_place && given[a].size() == 1 && may_run_in_place(given[a][0]) &&
               lane->device().runs_in_place(part_of(given[a][0], asked.process, asked.self).move);
    made->add_scratch(a, given[a]);
  }
  made->set_in_place(in_place);
  std::vector<const ArrayStep *> moves;
  for (const ArrayStep &move : all)
    moves.push_back(&move);
  for (const Plan &plan : plan_passes(moves, *made, asked)) {
    TW_ASSIGN(Clique *const clique, lane->find_clique(plan.clique));
    if (plan.groups.empty())
      continue;
    auto pass = std::make_unique<Pass>(lane, plan.groups, clique);
    TW_TRY(add_rounds(*pass, plan, arrays_of(given, plan, asked), asked, *made));
    made->add_pass(std::move(pass));
  }
  return made;
}

Result<std::unique_ptr<Collective>> make_collective(const RegionReduce &reduce, std::shared_ptr<Lane> lane,
                                                    const Asked &asked) {
  const ArrayStep move = step_of(reduce);
  auto made = std::make_unique<NcclCollective>(find_groups({&move, 1}));
  made->keep_members(asked.process, asked.self);
  const Part whole = part_of(move, asked.process, asked.self);
  const size_t slots = whole.move.buffers.size() * asked.process.size();
  const std::vector<const ArrayStep *> moves{&move};
  for (const Plan &plan : plan_passes(moves, *made, asked)) {
    TW_ASSIGN(Clique *const clique, lane->find_clique(plan.clique));
    if (plan.groups.empty())
      continue;
    auto pass = std::make_unique<Pass>(lane, plan.groups, clique);
    Part part = whole;
    const auto elsewhere = [&](const RemoteBox &box) {
      return std::ranges::find(plan.positions, Position(box.tile.device)) == plan.positions.end();
    };
    std::erase_if(part.sends, elsewhere);
    std::erase_if(part.receives, elsewhere);
    std::vector<Pass::Array> arrays;
    for (const graph::TensorType &type : reduce.types)
      arrays.push_back({&part, static_cast<int64_t>(graph::byte_size(type.dtype))});
    TW_ASSIGN(auto work,
              pass->device().make_reduce({reduce, part.move, members_of(plan, made->num_groups()), slots}));
    TW_TRY(pass->add_round(arrays, made->groups_of(), std::move(work), made->staging()));
    made->add_pass(std::move(pass));
  }
  return made;
}

} // namespace tw::comm::nccl
