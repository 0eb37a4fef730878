// SPDX-License-Identifier: Apache-2.0
// What annotations say, as loops: everything stands in the nests from the start, so that what is stated
// stays, and is heard in its turn.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "annotation/annotations.hpp"
#include "partition/stated.hpp"
#include "partition/target.hpp"

namespace tw::partition {

// An annotation with its axes found.
struct BoundAnnotation {
  const annotation::Annotation *annotation;
  Target target;
  struct Dim {
    std::vector<sharding::AxisId> axes;
    int32_t priority;
    bool open;
    std::vector<int64_t> cuts = {}; // where tiles begin, and the end; empty: balanced
  };
  std::vector<Dim> dims;
  std::vector<sharding::AxisId> whole;
  std::vector<sharding::AxisId> unreduced;

  bool is_closed() const { // no dimension takes further axes
    return std::ranges::none_of(dims, &Dim::open);
  }
  bool names(sharding::AxisId axis) const {
    return std::ranges::any_of(
        dims, [&](const Dim &dim) { return std::ranges::find(dim.axes, axis) != dim.axes.end(); });
  }
};

void note_left_out(std::vector<std::string> &notes, const annotation::Annotation &a, std::string_view what,
                   std::string_view why);

class AnnotatedNests {
public:
  AnnotatedNests(Plan &plan, const std::vector<BoundAnnotation> &all, std::vector<std::string> &notes)
      : plan_(plan), all_(all), notes_(notes), sums_(plan) {}

  void write();
  // By inference: lower priorities first, and of one priority what is said of results last, so that a sum is
  // scattered into the layout of a result rather than made in it.
  void propagate();

private:
  size_t run_turns();                    // how often waves ran
  using Turn = std::pair<int32_t, bool>; // priority, whether of a result

  // Where a layout stands: of an argument, a result or a pin; where the value is left partial, of what makes
  // it, since a pin would combine it.
  struct Place {
    NodeId node;
    std::vector<ops::DimFactors> dims;
    bool is_partial;
  };

  Place place_of(const BoundAnnotation &bound, bool is_partial);
  bool leave_partial(const BoundAnnotation &bound);
  Status make_partial(graph::ValueId v, sharding::AxisId axis);
  void write_tiles(const BoundAnnotation &bound, const Place &at);
  void write_limits(const BoundAnnotation &bound, const Place &at);
  Status tile(const BoundAnnotation &bound, const Place &at, size_t dim, sharding::AxisId axis);
  Status cut(const BoundAnnotation &bound, const Place &at, size_t dim);
  void follow_halo(const Target &target);
  bool follow_statement(const BoundAnnotation &bound, const ActionSet &silent);
  void follow_operand(const Target &target, const ActionSet &silent);
  ActionId begin_action(const BoundAnnotation &bound);
  void note(const BoundAnnotation &bound, const Error &why) {
    note_left_out(notes_, *bound.annotation, {}, why.message());
  }

  Plan &plan_;
  const std::vector<BoundAnnotation> &all_;
  std::vector<std::string> &notes_;
  OpenSums sums_;
  std::map<Turn, std::vector<ActionId>> turns_ = {{{0, false}, {}}};
};

} // namespace tw::partition
