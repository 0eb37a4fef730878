// SPDX-License-Identifier: Apache-2.0
// What no plan of a program can cost less than. Each op takes one of all its nests, whatever its neighbours
// take; a value that several ops read in other layouts moves for the dearest of them alone. So each plan is
// among the choices, and costs no less there.
#pragma once

#include <array>
#include <chrono>
#include <compare>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "cost/price.hpp"
#include "partition/plan.hpp"
#include "search/op_choices.hpp"
#include "solve/model.hpp"
#include "spmd/program.hpp"
#include "system/system.hpp"

namespace tw::search {

// Between which variables an edge is: a maker and a reader of a value, or where that has a variable of its
// own, this and the maker, or this and a reader.
struct EdgeName {
  graph::ValueId value;
  graph::OpId reader; // kNone: it is between the maker and the value
  uint32_t operand;   // of the reader, the first of it; kNone: it overwrites the value
  bool is_shared;     // the value has a variable
  bool is_further;    // of layers that the maker's stands for: it is read by the next of these
  auto operator<=>(const EdgeName &) const = default;
};

struct Relaxation {
  solve::Model model;                   // picoseconds
  cost::Picoseconds rest = 0;           // of ops that are not in it
  std::vector<partition::NodeId> ops;   // by variable; kNone for those that stand for a value
  std::vector<uint32_t> kinds;          // by variable; kNone for these
  std::vector<EdgeName> edges;          // by edge
  std::vector<std::vector<Nest>> nests; // by kind, of each choice
  const Nest &nest(uint32_t variable, uint32_t choice) const { return nests[kinds[variable]][choice]; }
};

// Of what a plan leaves undecided, for cost::PlanPrice with these options and repeats. An error where the
// plan cannot be lowered, or who watches gives up.
Result<Relaxation> relax(const partition::Plan &plan, const system::System &system,
                         const spmd::Options &options, const cost::Repeats *repeats = nullptr);
// Of one axis alone, with all ops in an order in which makers come before readers: choices that cost the same
// are taken in it.
Result<Relaxation> relax(const partition::Plan &plan, const system::System &system, sharding::AxisId axis,
                         std::span<const graph::OpId> order);

// What the edges of a model told their two variables.
using Told = std::map<EdgeName, std::array<std::vector<solve::Cost>, 2>>;

struct Relaxed {
  cost::Picoseconds bound = 0;
  // The choices that came nearest to it, by op; nothing of ops that are not in the model.
  std::vector<std::optional<Nest>> nests;
  Told told; // where the effort says so
};

using Instant = std::chrono::steady_clock::time_point;

struct Effort {
  double bounding = 0; // entries of tables that are read for the bound, or a few rounds
  double choosing = 0; // and for choices that cost less than those the bound comes with; 0: these do
  bool tells = false;  // what was told in the end is wanted too
  std::optional<Instant> until = {}; // then with what is there
};
// Begins with what was told before. Where who watches gives up, with what is there then.
Relaxed solve(const Relaxation &relaxation, const Effort &effort, std::vector<solve::Cost> told = {});

// A bound that takes longer: the least that any choices cost, where that can be found in so many seconds and
// in a number of rounds that depends on the relaxation alone; else what is known then. `stop` is told the
// bound so far.
cost::Picoseconds prove(const Relaxation &relaxation, std::optional<double> seconds,
                        const std::function<bool(cost::Picoseconds)> &stop);

} // namespace tw::search
