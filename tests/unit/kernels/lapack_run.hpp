// SPDX-License-Identifier: Apache-2.0
// Runs calls of LAPACK on random matrices of each element type, alone, in batches and tiled.
#pragma once

#include <cmath>
#include <functional>

#include "kernels/lapack/library.hpp"
#include "support/lapack_calls.hpp"
#include "unit/runtime/step_program.hpp"

namespace tw::test::lapack {

using kernels::ref::Array;
using Matrices = std::vector<Matrix>; // of one member of the batch: operands or results

inline constexpr graph::DType kLapackTypes[] = {graph::DType::f32, graph::DType::f64, graph::DType::c64,
                                                graph::DType::c128};

// A machine without LAPACK has nothing to test.
inline bool has_lapack() {
  if (kernels::lapack::find_routine("dgetrf_"))
    return true;
  MESSAGE("skipped: no library of LAPACK");
  return false;
}

inline std::vector<Array> results_of(const graph::Graph &graph, const std::vector<Array> &arguments) {
  auto results = kernels::ref::evaluate(graph, arguments);
  if (!results)
    FAIL(results.error().message());
  return std::move(*results);
}

// The same on two devices, each with a part of the batch.
inline void check_tiled(const std::shared_ptr<const graph::Graph> &graph, const std::vector<Array> &arguments,
                        const std::vector<Array> &wanted) {
  std::string spec;
  for (size_t i = 0; i < arguments.size(); ++i)
    spec += fmt::format("tile(arg={}, dim=0, axis=\"b\"); ", i);
  Runner runner(graph, "b=2", spec + "infer-propagate");
  for (size_t i = 0; i < arguments.size(); ++i)
    if (!arguments[i].bytes.empty())
      std::memcpy(runner.inputs[i].data(), arguments[i].bytes.data(), arguments[i].bytes.size());
  const auto status = runner.run();
  REQUIRE_MESSAGE(status.has_value(), (status ? "" : status.error().message()));
  std::string all;
  for (const Array &a : wanted)
    all.append(reinterpret_cast<const char *>(a.bytes.data()), a.bytes.size());
  CHECK(runner.bytes() == all);
  CHECK(runner.program->collectives().empty());
}

using Make = std::function<Matrices(std::mt19937_64 &)>;
using Check = std::function<void(const Matrices &given, const Matrices &made, double tolerance)>;

// Runs a text on a batch of matrices that `make` draws, and lets `check` look at each.
inline void run_call(const LapackText &text, const std::string &program, const Make &make,
                     const Check &check) {
  CAPTURE(program);
  const auto graph = import_of(program);
  const size_t batch_rank = static_cast<size_t>(std::count(text.batch.begin(), text.batch.end(), 'x'));
  std::mt19937_64 random(7);
  std::vector<Array> arguments;
  for (const graph::OpId op : graph->arguments())
    arguments.push_back({graph->type(graph->result(op)), {}});
  int64_t count = 1;
  for (size_t d = 0; d < batch_rank; ++d)
    count *= arguments[0].type.dims[d];
  std::vector<Matrices> given;
  for (int64_t i = 0; i < count; ++i) {
    given.push_back(make(random));
    for (size_t a = 0; a < arguments.size(); ++a)
      append(arguments[a], given.back()[a]);
  }
  const auto results = results_of(*graph, arguments);
  for (int64_t i = 0; i < count; ++i) {
    CAPTURE(i);
    Matrices made;
    for (const Array &r : results)
      made.push_back(matrix_of(r, batch_rank, i));
    check(given[static_cast<size_t>(i)], made, text.is_single() ? 2e-5 : 1e-12);
  }
  if (batch_rank > 0)
    check_tiled(graph, arguments, results);
}

// For each element type, and one matrix, a batch, and a batch of batches.
inline void each_kind(const std::function<void(const LapackText &)> &test) {
  if (!has_lapack())
    return;
  for (const graph::DType dtype : kLapackTypes)
    for (const char *batch : {"", "4x", "2x3x"})
      test({dtype, batch});
}

inline Make draws(std::vector<std::pair<int64_t, int64_t>> sizes, bool complex) {
  return [=](std::mt19937_64 &random) {
    Matrices all;
    for (const auto &[m, n] : sizes)
      all.push_back(random_matrix(m, n, complex, random));
    return all;
  };
}

inline Make draws_hermitian(int64_t n, bool complex, double shift) {
  return [=](std::mt19937_64 &random) {
    const Matrix a = random_matrix(n, n, complex, random);
    return Matrices{map(a, n, n, [=](const Matrix &m, int64_t i, int64_t j) {
      return (m.at(i, j) + std::conj(m.at(j, i))) / 2. + (i == j ? shift : 0.);
    })};
  };
}

inline bool is_unitary(const Matrix &q, double tolerance) {
  return distance(adjoint(q) * q, identity(q.columns)) < tolerance;
}

} // namespace tw::test::lapack
