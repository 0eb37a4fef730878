// SPDX-License-Identifier: Apache-2.0
// What reading a text found out too late, so that it is read again: then it is known from the beginning.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace tw::import {

class Findings {
public:
  // Axes along which the index-th value that a loop carries, or that branches give, differs between devices;
  // `at`: where the text has the op.
  uint64_t carried_axes(const char *at, size_t index) const {
    const auto known = carried_.find({at, index});
    return known == carried_.end() ? 0 : known->second;
  }
  void add_carried(const char *at, size_t index, uint64_t axes) {
    uint64_t &known = carried_[{at, index}];
    grown_ |= (axes & ~known) != 0;
    known |= axes;
  }
  // Where the devices of GSPMD's shardings are cut into axes: how many devices stand behind the cut.
  const std::set<int64_t> &cuts() const { return cuts_; }
  void add_cut(int64_t devices) { grown_ |= cuts_.insert(devices).second; }

  // Whether the text has to be read again. After some times nothing is taken for equal on all devices any
  // more but single whole numbers, and these must be.
  bool begin_again() {
    cautious_ |= ++readings_ == kReadings;
    return std::exchange(grown_, false);
  }
  bool cautious() const { return cautious_; }

private:
  static constexpr int kReadings = 8;
  std::map<std::pair<const char *, size_t>, uint64_t> carried_;
  std::set<int64_t> cuts_;
  int readings_ = 0;
  bool grown_ = false, cautious_ = false;
};

} // namespace tw::import
