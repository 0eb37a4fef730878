// SPDX-License-Identifier: Apache-2.0
// How an annotated program is tried to be said: the same plan can be told in several ways, and some readers'
// programs move otherwise for one of them.
#pragma once

#include <string>

#include "graph/graph.hpp"

namespace tw::emit::shard {

struct Way {
  bool halos;       // what keeps halos says the layout of its operand too, where that is made so
  bool pins;        // what is said of the maker of a pinned value is the layout of the pin
  bool reads;       // of users, what they read in the plan's own program: perhaps more than they need
  bool inside;      // of users in a region, at its head: what moves for them moves there
  bool all = false; // every value is annotated, and the program may move more
};
constexpr Way kWays[] = {{true, false, false, false},  {true, true, false, false},
                         {false, false, false, false}, {false, true, false, false},
                         {true, false, true, false},   {true, true, true, false},
                         {true, false, false, true},   {true, false, true, true}};

// What is said of users.
struct Used {
  std::string text;
  graph::RegionId region; // at whose head it stands; kNone: behind what makes the value
  bool operator==(const Used &) const = default;
};

// What keeps halos.
struct Kept {
  std::string text;
  bool around;           // some device keeps cells around its tile
  bool of_maker = false; // about the operand's maker, not about users
};

} // namespace tw::emit::shard
