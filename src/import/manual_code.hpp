// SPDX-License-Identifier: Apache-2.0
// Code that Shardy's notation makes local to the devices of some axes, while it is being read.
#pragma once

#include <string>
#include <vector>

#include "annotation/annotations.hpp"
#include "graph/graph.hpp"
#include "import/device_local.hpp"

namespace tw::import {

struct ManualHead {
  std::vector<annotation::ShardingAnnotation> in, out; // of its operands and results
  std::vector<std::string> manual;                     // axes
};

struct ManualCode {
  std::vector<graph::ValueId> values; // what it was entered or left with
  MeshAxes manual, outer_manual;
  bool outer_free = false; // Reader::free_axes around it
};

// Of a call between two that change shapes, as exporters write such code.
struct CarriedManual {
  ManualHead head;
  ManualCode code;
  std::vector<graph::ValueId> operands; // whole, until the call says what is made of them
  std::vector<const char *> operand_at;
  bool entered = false, called = false;
};

} // namespace tw::import
