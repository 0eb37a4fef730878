// SPDX-License-Identifier: Apache-2.0
// The facts of a plan and its program: found once, when they are first asked for, and read by all that tells
// them: JSON, tables, walks, pages.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.hpp"
#include "base/watch.hpp"
#include "report/expectations.hpp"
#include "report/subject.hpp"
#include "report/tally.hpp"
#include "runtime/planned.hpp"

namespace tw::report {

struct ConflictReport; // report/conflicts.hpp

// Of every JSON document that the library gives: grows where a key that was there means something else.
inline constexpr int kSchema = 1;

// Local shapes of an argument or result as it is handed out, halos included: on device 0, and where devices
// differ each distinct one with its device count, the largest first.
struct LocalShapes {
  std::vector<int64_t> first;
  std::vector<std::pair<std::vector<int64_t>, int64_t>> distinct;
};

// An argument as the caller gives it, or a result as it is handed out.
struct ValueFacts {
  uint32_t index;
  spmd::ValueRef value;
  std::string name, type, sharding; // "x", "f32[64,16]", "[{data}, {}]"
  LocalShapes local;
  int64_t bytes;     // of the largest tile
  std::string cause; // the actions that decided it
};

// A collective, under its report id: what is moved, and why.
struct CollectiveFacts {
  uint32_t index; // into Program::collectives
  redistribute::Kind kind;
  std::optional<sharding::Reduction> reduction;
  std::vector<std::string> axes;
  std::string type, local_type; // of the first value; what a device gives at most of it
  int64_t bytes_received;       // by the device that receives most, each time
  int64_t times;
  std::string value;
  std::vector<std::string> values; // of which a copy moves: several where small ones were combined, or all
                                   // results of an op by a region
  std::string op, location, cause; // the op that made the value, else the one that wants it
  std::optional<CollectivePlan> plan;
  std::string_view unplanned; // why there is none where the mesh has levels
  int64_t scratch_bytes = 0;
};

struct Facts {
  std::string title; // the module's name, else the file's
  size_t ops;        // of the plan's graph, without arguments and results
  std::vector<ValueFacts> arguments, results;
  std::vector<CollectiveFacts> collectives; // by report id; local slices and copies are none
  std::vector<uint32_t> collective_of;      // by instruction its report id, or graph::kNone
  std::shared_ptr<const spmd::Statistics> statistics;
};

template <class T> class Once {
public:
  template <class Find> std::shared_ptr<const T> get(Find &&find) {
    const std::lock_guard lock(mutex_);
    if (!found_)
      found_ = std::make_shared<const T>(find());
    return found_;
  }
  // The same of what asks whether it is given up: then it is not kept.
  template <class Find> std::shared_ptr<const T> get_unless_given_up(Find &&find) {
    const std::lock_guard lock(mutex_);
    if (found_)
      return found_;
    auto made = std::make_shared<const T>(find());
    if (!gives_up())
      found_ = made;
    return made;
  }
  // The same of what may fail.
  template <class Find> Result<std::shared_ptr<const T>> get_or_fail(Find &&find) {
    const std::lock_guard lock(mutex_);
    if (!found_) {
      TW_ASSIGN(T made, find());
      found_ = std::make_shared<const T>(std::move(made));
    }
    return found_;
  }

private:
  std::mutex mutex_;
  std::shared_ptr<const T> found_;
};

struct Kept {
  Once<spmd::Statistics> statistics;
  Once<Facts> facts;
  Once<runtime::PlannedMemory> memory;
  Once<std::vector<ConflictReport>> conflicts, disagreements;
  Once<std::vector<Outcome>> expectations;
};

std::shared_ptr<const spmd::Statistics> statistics_of(const Subject &subject);
std::shared_ptr<const Facts> facts_of(const Subject &subject);
// What an executable of the default options will count on the device that needs most, to the byte.
Result<std::shared_ptr<const runtime::PlannedMemory>> memory_of(const Subject &subject);
Result<int64_t> peak_bytes(const Subject &subject);
// What conflict_reports, disagreement_reports and check_expectations find.
std::shared_ptr<const std::vector<ConflictReport>> conflicts_of(const Subject &subject);
std::shared_ptr<const std::vector<ConflictReport>> disagreements_of(const Subject &subject);
std::shared_ptr<const std::vector<Outcome>> expectations_of(const Subject &subject);

} // namespace tw::report
