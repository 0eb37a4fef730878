// SPDX-License-Identifier: Apache-2.0
// Dice programs that are valid by construction, with inputs on which every order of summation gives the same
// bits: floats hold small integers, and the generator bounds what every value can become.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "graph/graph.hpp"
#include "kernels/ref/evaluate.hpp"
#include "partition/plan.hpp"
#include "sharding/mesh.hpp"

namespace tw::test {

// The same numbers on every machine (the standard's distributions are not).
class Dice {
public:
  explicit Dice(uint64_t seed) : engine_(seed) {}
  int64_t below(int64_t n) { return n <= 1 ? 0 : static_cast<int64_t>(engine_() % static_cast<uint64_t>(n)); }
  int64_t between(int64_t lo, int64_t hi) { return lo + below(hi - lo + 1); } // both included
  bool chance(int64_t one_in) { return below(one_in) == 0; }
  template <class T> const T &pick(const std::vector<T> &v) {
    return v[static_cast<size_t>(below(static_cast<int64_t>(v.size())))];
  }
  uint64_t bits() { return engine_(); }
  std::mt19937_64 &engine() { return engine_; }

private:
  std::mt19937_64 engine_;
};

struct RandomProgram {
  std::shared_ptr<const graph::Graph> graph;
  std::vector<kernels::ref::Array> inputs;
};

// 3 to 40 ops of ranks 0 to 5, extents 0, 1, primes and powers of two; loops and branches hold some more,
// nested up to twice.
RandomProgram random_program(Dice &random);

// One array in many dimensions: reshapes that split and merge dimensions whose sizes share a divisor with
// each other and with axes, and little else.
RandomProgram random_reshapes(Dice &random);

// Products, with sums, biases and conversions behind them.
RandomProgram random_products(Dice &random);

// 1 to 4 axes, 1 to 64 devices.
sharding::Mesh random_mesh(Dice &random);
// The same mesh, in which some axes are steps in time or threads of one device.
sharding::Mesh with_random_loops(const sharding::Mesh &mesh, Dice &random);

// Puts random loops on random ops, with random split rules, propagates, and asks for random layouts of some
// results; answers with what was done, for people.
std::string random_actions(partition::Plan &plan, Dice &random);

// Splits random axes, in all that was decided over them, and then acts again, so that their parts go
// different ways.
std::string random_parts(partition::Plan &plan, Dice &random);

// Small integers of any type, dense.
kernels::ref::Array random_array(const graph::TensorType &type, int64_t lo, int64_t hi, Dice &random);
// One for each argument.
inline std::vector<kernels::ref::Array> random_inputs(const graph::Graph &graph, int64_t lo, int64_t hi,
                                                      Dice &random) {
  std::vector<kernels::ref::Array> inputs;
  for (const graph::OpId argument : graph.arguments())
    inputs.push_back(random_array(graph.type(graph.result(argument)), lo, hi, random));
  return inputs;
}

// The share of an array's elements that have its most frequent value: a comparison of mostly equal elements
// proves little.
double sameness(const kernels::ref::Array &array);

} // namespace tw::test
