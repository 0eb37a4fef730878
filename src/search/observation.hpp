// SPDX-License-Identifier: Apache-2.0
// What an environment shows of a plan: floats in an order that stays, some of the plan and as many of each
// subject of decisions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "partition/plan.hpp"
#include "search/space.hpp"

namespace tw::search {

// By subject and axis: the dimension that is over the axis, Line::kWhole, or kOpen where nothing is decided.
using Layouts = std::vector<uint8_t>;
constexpr uint8_t kOpen = Line::kWhole - 1;

class Observation {
public:
  // The groups of a space, then its values. One in a layer is shown for all of them.
  struct Subject {
    bool of_value;
    uint32_t index; // into Space::groups or Space::values
    partition::NodeId node;
    graph::TypeId type;
  };
  // Of the plan, the axes apart.
  struct Figures {
    float saved, computing, moving, peak, fits, over, received;
  };

  explicit Observation(const Space &space);

  const std::vector<Subject> &subjects() const { return subjects_; }
  // Of a decision about one.
  size_t subject_of(const Decision &decision) const {
    return decision.index + (decision.kind == Decision::Kind::value ? num_groups_ : 0);
  }
  size_t num_axes() const { return axes_.size(); }
  Layouts layouts(const partition::Plan &plan) const;

  size_t num_floats() const { return fixed_.size(); }
  void write(const Figures &figures, const Layouts &layouts, std::span<float> to) const;
  // What each float says.
  std::vector<std::string> names_of_plan() const;
  std::vector<std::string> names_of_subject() const;

private:
  struct Axis {
    std::string name;
    int64_t size;
  };
  void add_fixed(const Space &space, const Subject &subject);
  size_t num_of_plan() const { return kOfPlan + axes_.size(); }
  size_t num_of_subject() const { return kOfSubject + axes_.size() * (rank_ + 1); }

  static constexpr size_t kOfPlan = sizeof(Figures) / sizeof(float);
  static constexpr size_t kOfSubject = 8;

  std::vector<Subject> subjects_;
  size_t num_groups_, rank_ = 0; // the most dimensions that one has
  std::vector<Axis> axes_;       // of the mesh
  std::vector<float> fixed_;     // what is the same for all plans, and zeros
};

} // namespace tw::search
