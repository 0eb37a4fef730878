// SPDX-License-Identifier: Apache-2.0
// The scene of a redistribution: the array before, the array after, and between them who sends how much to
// whom.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "picture/scene.hpp"
#include "picture/tiles.hpp"
#include "redistribute/plan.hpp"
#include "redistribute/problem.hpp"

namespace tw::picture {

// An array that moves. `steps` null: straight from who has it.
struct Move {
  const redistribute::Problem &problem;
  const redistribute::Steps *steps = nullptr;
  std::string name = {}; // of the array
};

// Both sides of a problem as subjects.
class MoveSubjects {
public:
  MoveSubjects(const redistribute::Problem &problem, std::string_view name);
  MoveSubjects(const MoveSubjects &) = delete; // subjects point into it
  Subject before() const { return subject(problem_.src(), before_); }
  Subject after() const { return subject(problem_.dst(), after_); }

private:
  Subject subject(const redistribute::Layout &layout, const sharding::Distribution &distribution) const {
    return {layout.mesh, problem_.type().dims, distribution, name_, problem_.type().dtype};
  }
  const redistribute::Problem &problem_;
  std::string name_;
  sharding::Distribution before_, after_;
};

// What devices send each other over all steps. `bytes`: of a device to itself, what stays.
struct Flow {
  redistribute::Device from, to;
  int64_t bytes;
};
std::vector<Flow> flows_of(const Move &move);

// "all_gather over model: 1.5 kB a device", a line a step.
std::vector<std::string> step_words(const Move &move);

Scene move_scene(const Move &move, bool bare = false);

} // namespace tw::picture
