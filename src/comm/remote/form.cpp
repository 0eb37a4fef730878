// SPDX-License-Identifier: Apache-2.0
// Looks at what crosses from process to process, then at the clock.
#include "comm/remote/form.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "base/hash.hpp"
#include "comm/remote/remote_boxes.hpp"
#include "comm/remote/shares.hpp"
#include "comm/run_group.hpp"
#include "ops/strided.hpp"

namespace tw::comm {
namespace {

using redistribute::Device;
using redistribute::Placement;

constexpr int64_t kLeastTried = 32 << 10; // bytes of a box: below, the way to it costs more than the box
constexpr int64_t kMostDirect = 1 << 30;  // of a message: counts are ints there
constexpr int64_t kMostTried = 512 << 20; // bytes of tiles of a process, about: more are not held twice
constexpr int kTurns = 3;
// What is faster by less than that was luck; then the one that needs less memory is better.
constexpr double kClearly = 0.85;

struct Crossing {
  int64_t most_bytes = 0;  // of a box
  bool single_runs = true; // each from process to process is one, and one run in both tiles
};

Crossing crossing_of(const Rounds &rounds, std::span<const int64_t> process) {
  Crossing crossing;
  std::map<std::tuple<size_t, int64_t, int64_t>, int> count; // by round, sender and receiver
  for (const auto &of_array : rounds)
    for (size_t r = 0; r < of_array.size(); ++r) {
      const ArrayStep &move = of_array[r];
      const redistribute::Step &step = move.step;
      const size_t rank = move.buffers[0].rank();
      RemoteBox box;
      for (size_t d = 0; d + 1 < step.first_piece.size(); ++d)
        for (size_t p = step.first_piece[d]; p < step.first_piece[d + 1]; ++p)
          for (const redistribute::Source &source : step.sources_of(p)) {
            const int64_t from = process[static_cast<size_t>(source.device)];
            if (from == process[d])
              continue;
            const auto offset = step.offset(p, rank), extent = step.extent(p, rank);
            box.offset.assign(offset.begin(), offset.end());
            box.extent.assign(extent.begin(), extent.end());
            crossing.most_bytes = std::max(crossing.most_bytes, ops::product(box.extent) * move.element_size);
            const auto is_run = [&](const Placement &tiles, Device device) {
              return runs_of(box, tiles, device, move.element_size).loops.empty();
            };
            crossing.single_runs = crossing.single_runs && ++count[{r, from, process[d]}] == 1 &&
                                   is_run(move.buffers[source.buffer], source.device) &&
                                   is_run(move.buffers[step.target], static_cast<Device>(d));
          }
    }
  return crossing;
}

uint64_t hash_of(const Rounds &rounds, std::span<const int64_t> process) {
  Hasher hash;
  hash.add(process);
  for (const auto &of_array : rounds) {
    hash.add(of_array.size());
    for (const ArrayStep &move : of_array) {
      hash.add(move.element_size).add(static_cast<bool>(move.combine)).add(move.borrowed);
      hash.add(move.step.target).add(std::span(move.step.bounds)).add(std::span(move.step.first_piece));
      for (const redistribute::Source &source : move.step.sources)
        hash.add(source.device).add(source.buffer);
      for (const Placement &tiles : move.buffers)
        for (Device d = 0; d < static_cast<Device>(tiles.num_devices()); ++d)
          hash.add(tiles.offset(d)).add(tiles.extent(d));
    }
  }
  return hash.value();
}

// Touched memory, which is kept for good where messages may still reach it.
using Memory = std::vector<std::unique_ptr<std::byte[]>>;

int64_t tile_bytes(const ArrayStep &move, size_t buffer, size_t device) {
  return ops::product(move.buffers[buffer].extent(static_cast<Device>(device))) * move.element_size;
}

// A collective with arrays of its own.
struct Trial {
  std::unique_ptr<Collective> collective;
  Memory memory;
  std::vector<const void *> src;
  std::vector<void *> dst;

  Trial() = default;
  Trial(const Trial &) = delete;
  ~Trial() {
    if (collective != nullptr && collective->is_in_flight())
      static_cast<void>(new Memory(std::move(memory)));
  }

  std::byte *touched(int64_t bytes) {
    return memory.emplace_back(std::make_unique<std::byte[]>(static_cast<size_t>(bytes))).get();
  }
  Status prepare(const Rounds &rounds, Processes &processes, std::span<const int64_t> process, Form form) {
    TW_ASSIGN(collective, make_collective(rounds, find_groups(flat(rounds)), processes, process, form));
    for (const auto &of_array : rounds)
      for (size_t d = 0; d < process.size(); ++d) {
        const bool here = process[d] == processes.rank();
        src.push_back(here ? touched(tile_bytes(of_array[0], 0, d)) : nullptr);
        dst.push_back(here ? touched(tile_bytes(of_array[0], 1, d)) : nullptr);
      }
    for (size_t g = 0; g < collective->num_groups(); ++g)
      if (!collective->members(g).empty())
        TW_TRY(collective->give_staging(g, touched(collective->staging_bytes(g))));
    return {};
  }
  Result<double> time() {
    const auto begin = Clock::now();
    for (size_t g = 0; g < collective->num_groups(); ++g)
      if (!collective->members(g).empty())
        TW_TRY(run_group(*collective, g, src, dst, [](int64_t parts, auto &&body) {
          for (int64_t part = 0; part < parts; ++part)
            body(part);
        }));
    return std::chrono::duration<double>(Clock::now() - begin).count();
  }
};

Result<Form> faster(const Rounds &rounds, Processes &processes, std::span<const int64_t> process) {
  constexpr std::array kForms{Form::packed, Form::direct};
  std::array<double, 2> least;
  least.fill(std::numeric_limits<double>::max());
  std::array<Trial, 2> trials;
  for (size_t f = 0; f < kForms.size(); ++f)
    TW_TRY(trials[f].prepare(rounds, processes, process, kForms[f]));
  const auto packed_is_faster = [&](int turns) -> Result<bool> {
    for (int turn = 0; turn < turns; ++turn)
      for (size_t f = 0; f < kForms.size(); ++f) {
        TW_ASSIGN(const double seconds, trials[f].time());
        least[f] = std::min(least[f], seconds);
      }
    std::array<double, 2> agreed = least;
    TW_TRY(processes.agree_on_largest(agreed));
    return agreed[0] < kClearly * agreed[1];
  };
  // The exception is looked at more closely: elsewhere something may have been in the way.
  for (const int turns : {kTurns, 3 * kTurns}) {
    TW_ASSIGN(const bool packed, packed_is_faster(turns));
    if (!packed)
      return Form::direct;
  }
  return Form::packed;
}

} // namespace

Result<Form> Forms::choose(const Rounds &rounds, Processes &processes, std::span<const int64_t> process) {
  const Crossing crossing = crossing_of(between_processes(rounds, process), process);
  if (crossing.most_bytes < kLeastTried || processes.size() == 1)
    return crossing.single_runs ? Form::direct : Form::packed;
  if (crossing.most_bytes > kMostDirect)
    return Form::packed;
  int64_t held = 0;
  for (const auto &of_array : rounds)
    for (size_t b = 0; b < of_array[0].buffers.size(); ++b)
      for (size_t d = 0; d < process.size(); ++d)
        held += tile_bytes(of_array[0], b, d);
  if (held / processes.size() > kMostTried)
    return Form::direct;
  const uint64_t key = hash_of(rounds, process);
  if (const auto known = known_.find(key); known != known_.end())
    return known->second;
  TW_ASSIGN(const Form form, faster(rounds, processes, process));
  known_.emplace(key, form);
  return form;
}

} // namespace tw::comm
