// SPDX-License-Identifier: Apache-2.0
// How an annotated program is tried to be said: the same plan can be told in several ways, and some readers'
// programs move otherwise for one of them.
#pragma once

namespace tw::emit::shard {

struct Way {
  bool halos;           // what keeps halos says the layout of its operand too, where that is made so
  bool pins;            // what is said of the maker of a pinned value is the layout of the pin
  bool reads;           // of users, what they read in the plan's own program: perhaps more than they need
  bool inside;          // of users in a region, at its head: what moves for them moves there
  bool program = false; // all that the plan's own program makes and reads, in its layouts
  bool all = false;     // every value is annotated, and the program may move more
};
constexpr Way kWays[] = {{true, false, false, false},      {true, true, false, false},
                         {false, false, false, false},     {false, true, false, false},
                         {true, false, true, false},       {true, true, true, false},
                         {true, false, false, true},       {true, false, true, true},
                         {true, false, true, false, true}, {true, false, true, true, true}};

} // namespace tw::emit::shard
