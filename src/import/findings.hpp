// SPDX-License-Identifier: Apache-2.0
// What reading a text found out too late, so that it is read again: then it is known from the beginning.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "graph/types.hpp"

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
  // Where the axes of a mesh are cut into parts: how many devices stand behind the cut.
  std::set<int64_t> cuts(const std::string &mesh) const {
    const auto known = cuts_.find(mesh);
    return known == cuts_.end() ? std::set<int64_t>() : known->second;
  }
  void add_cut(const std::string &mesh, int64_t devices) {
    cut_ |= !refused_.contains(mesh) && cuts_[mesh].insert(devices).second;
  }
  // Other parts of the text name parts of this mesh's axes that do not go with these cuts.
  void refuse_cuts(const std::string &mesh) {
    cut_ |= cuts_.erase(mesh) != 0;
    refused_.insert(mesh);
  }

  // The entry function is the code of one of so many partitions: a collective stands in it, outside all other
  // device-local code. 0: it is not.
  int64_t partitions() const { return partitions_; }
  void enter_partition(int64_t partitions) { grown_ |= std::exchange(partitions_, partitions) != partitions; }

  // Types of arguments that the text leaves out, by where it does; which sizes are made up.
  const graph::TensorType *type(const char *at) const {
    const auto known = types_.find(at);
    return known == types_.end() ? nullptr : &known->second;
  }
  void add_type(const char *at, graph::TensorType type) {
    grown_ |= types_.emplace(at, std::move(type)).second;
  }
  const std::map<uint32_t, int64_t> &guesses(const char *at) { return guesses_[at]; }
  void guess(const char *at, uint32_t dim, int64_t size) { guesses_[at][dim] = size; }

  // Whether the text has to be read again. After some times nothing is taken for equal on all devices any
  // more but single whole numbers, and these must be.
  bool begin_again() {
    cautious_ |= ++readings_ == kReadings;
    if (cut_)
      carried_.clear(); // it counts axes, and these are others now
    const bool grown = std::exchange(grown_, false);
    return std::exchange(cut_, false) || grown;
  }
  bool cautious() const { return cautious_; }

private:
  static constexpr int kReadings = 8;
  std::map<std::pair<const char *, size_t>, uint64_t> carried_;
  std::map<std::string, std::set<int64_t>> cuts_; // by mesh
  std::set<std::string> refused_;
  int64_t partitions_ = 0;
  std::map<const char *, graph::TensorType> types_;
  std::map<const char *, std::map<uint32_t, int64_t>> guesses_;
  int readings_ = 0;
  bool grown_ = false, cut_ = false, cautious_ = false;
};

} // namespace tw::import
