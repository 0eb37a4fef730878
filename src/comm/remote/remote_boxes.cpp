// SPDX-License-Identifier: Apache-2.0
// Walks all pieces in the order of their receivers, as every process does.
#include "comm/remote/remote_boxes.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace tw::comm {
namespace {

using redistribute::Device;
using redistribute::Placement;
using redistribute::Source;
using redistribute::Step;

using Key = std::tuple<int64_t, Device, uint32_t, std::vector<int64_t>>; // peer, tile, bounds

} // namespace

Part part_of(const ArrayStep &move, std::span<const int64_t> process, int64_t self, bool finds_takers) {
  const Step &step = move.step;
  const size_t rank = move.buffers[0].rank(), devices = process.size();
  Part part;
  part.move = nothing_like(move);
  part.move.owner.clear();
  Step &local = part.move.step;
  local.first_piece.clear();
  local.first_source.clear();
  local.target = step.target;
  const auto key_of = [&](size_t p, Source source, int64_t peer) {
    const auto bounds = step.bounds_of(p, rank);
    return Key{peer, source.device, source.buffer, {bounds.begin(), bounds.end()}};
  };

  // What comes here, by how many pieces it is for; more where it is combined with others.
  std::map<Key, int> uses;
  for (size_t d = 0; d < devices && finds_takers; ++d)
    for (size_t p = step.first_piece[d]; p < step.first_piece[d + 1] && process[d] == self; ++p)
      for (const Source &source : step.sources_of(p))
        uses[key_of(p, source, process[static_cast<size_t>(source.device)])] +=
            step.sources_of(p).size() == 1 ? 1 : 2;
  const auto is_taken_straight = [&](size_t p) {
    const Source source = step.sources_of(p)[0];
    const int64_t from = process[static_cast<size_t>(source.device)];
    return finds_takers && from != self && uses[key_of(p, source, from)] == 1;
  };

  std::map<Key, Source> known;
  std::vector<uint32_t> received(devices, static_cast<uint32_t>(move.buffers.size())); // next buffer
  // Where a source of a piece lies for the receiver; makes a box of it where it has to travel.
  const auto find = [&](size_t p, Source source, Device to) {
    const int64_t from = process[static_cast<size_t>(source.device)], by = process[static_cast<size_t>(to)];
    if (from == by || (from != self && by != self))
      return source;
    const int64_t peer = from == self ? by : from;
    const auto [at, is_new] = known.try_emplace(key_of(p, source, peer), source);
    if (!is_new)
      return at->second;
    auto [offset, extent] = step.box(p, rank);
    RemoteBox box{peer, source, std::move(offset), std::move(extent)};
    if (from == self) {
      part.sends.push_back(std::move(box));
      return source;
    }
    if (is_taken_straight(p)) {
      box.taker = to;
      part.receives.push_back(std::move(box));
      return source;
    }
    box.buffer = received[static_cast<size_t>(source.device)]++;
    while (part.move.buffers.size() <= box.buffer)
      part.move.buffers.emplace_back(rank, devices);
    part.move.buffers[box.buffer].set(source.device, {box.offset, box.extent});
    at->second = {source.device, box.buffer};
    part.receives.push_back(std::move(box));
    return at->second;
  };

  for (size_t d = 0; d < devices; ++d) {
    const bool here = process[d] == self;
    local.first_piece.push_back(static_cast<uint32_t>(local.first_source.size()));
    for (size_t p = step.first_piece[d]; p < step.first_piece[d + 1]; ++p) {
      const bool works = here && !is_taken_straight(p);
      if (works) {
        const auto bounds = step.bounds_of(p, rank);
        local.bounds.insert(local.bounds.end(), bounds.begin(), bounds.end());
        local.first_source.push_back(static_cast<uint32_t>(local.sources.size()));
      }
      for (const Source &source : step.sources_of(p)) {
        const Source found = find(p, source, static_cast<Device>(d));
        if (works)
          local.sources.push_back(found);
      }
    }
  }
  local.first_piece.push_back(static_cast<uint32_t>(local.first_source.size()));
  local.first_source.push_back(static_cast<uint32_t>(local.sources.size()));
  return part;
}

Runs runs_of(const RemoteBox &box, const Placement &tiles, Device device, int64_t element_size) {
  Runs runs{0, element_size, {}};
  int64_t stride = element_size;
  for (size_t d = box.extent.size(); d-- > 0; stride *= tiles.extent(device)[d]) {
    const int64_t n = box.extent[d];
    runs.offset += (box.offset[d] - tiles.offset(device)[d]) * stride;
    if (n == 1)
      continue;
    if (runs.loops.empty() && stride == runs.bytes)
      runs.bytes *= n;
    else if (!runs.loops.empty() && stride == runs.loops.back().n * runs.loops.back().stride)
      runs.loops.back().n *= n;
    else
      runs.loops.push_back({n, stride});
  }
  std::ranges::reverse(runs.loops);
  return runs;
}

} // namespace tw::comm
