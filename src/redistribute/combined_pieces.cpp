// SPDX-License-Identifier: Apache-2.0
// Finds equal pieces by their bounds and sources.
#include "redistribute/combined_pieces.hpp"

#include <map>
#include <numeric>
#include <utility>

namespace tw::redistribute {

std::vector<Combined> combined_pieces(const Step &step, size_t rank, std::span<const Device> receivers) {
  using Key = std::pair<std::vector<int64_t>, std::vector<std::pair<Device, uint32_t>>>; // bounds, sources
  std::map<Key, Combined> found;
  for (const Device d : receivers)
    for (size_t p = step.first_piece[static_cast<size_t>(d)];
         p < step.first_piece[static_cast<size_t>(d) + 1]; ++p) {
      const auto sources = step.sources_of(p);
      if (sources.size() == 1)
        continue;
      Key key;
      const auto bounds = step.bounds_of(p, rank);
      key.first.assign(bounds.begin(), bounds.end());
      for (const Source &s : sources)
        key.second.emplace_back(s.device, s.buffer);
      Combined &combined = found[std::move(key)];
      combined.piece = p;
      combined.takers.push_back(d);
      combined.pieces.push_back(p);
    }
  std::vector<Combined> all;
  for (auto &[key, combined] : found)
    all.push_back(std::move(combined));
  return all;
}

std::vector<Combined> combined_pieces(const Step &step, size_t rank) {
  std::vector<Device> devices(step.first_piece.size() - 1);
  std::iota(devices.begin(), devices.end(), 0);
  return combined_pieces(step, rank, devices);
}

} // namespace tw::redistribute
