// SPDX-License-Identifier: Apache-2.0
// The rules of comparison one after the other, and the run in double precision that the last of them needs.
#include "runtime/second_opinion.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "kernels/ref/convert.hpp"
#include "ops/in_double.hpp"
#include "ops/least_precise.hpp"
#include "runtime/executable.hpp"
#include "spmd/exactness.hpp"

namespace tw::runtime {
namespace {

constexpr double kFartherAtMost = 4; // times as far as what is expected

// A dense array as elements of another type.
Result<Tensor> converted(const TensorView &from, graph::DType to) {
  TW_ASSIGN(Tensor made, Tensor::create({to, {from.dims.begin(), from.dims.end()}}, {}));
  const void *in = from.data;
  if (from.elements() > 0)
    kernels::ref::convert_block(from.dtype, to)(&in, made.data(), from.elements());
  return made;
}

// Runs behind our back, so that we can look at the clock; one worker more, since we only wait.
Status run_until(Executable &executable, std::span<const TensorView> inputs,
                 std::span<const TensorView> outputs, const Judging &how) {
  const auto begin = std::chrono::steady_clock::now();
  TW_ASSIGN(const uint64_t run, executable.start(inputs, outputs));
  constexpr auto kLook = std::chrono::milliseconds(2);
  bool cancelled = false;
  while (!executable.test()) {
    std::this_thread::sleep_for(kLook);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (!cancelled && (seconds > how.seconds || (how.go_on && !how.go_on(seconds)))) {
      executable.cancel(run);
      cancelled = true;
    }
  }
  Status status = executable.wait();
  if (cancelled && !status)
    return fail(Code::cancelled, "TW-252", fmt::format("given up after {} s", how.seconds));
  return status;
}

// Some results of the program in double precision.
Result<std::vector<Tensor>> run_in_double(const graph::Graph &graph, std::span<const size_t> results,
                                          std::span<const TensorView> inputs, const Judging &how) {
  TW_ASSIGN(const auto wide, ops::in_double(graph, results));
  TW_ASSIGN(const auto program, spmd::lower_unpartitioned(wide));
  Options options;
  options.workers = std::max(1u, std::thread::hardware_concurrency()) + 1;
  options.custom_calls = how.custom_calls;
  TW_ASSIGN(const auto executable, Executable::create(program, std::move(options)));
  std::vector<Tensor> arguments, made;
  std::vector<TensorView> in, out;
  for (const TensorView &input : inputs) {
    TW_ASSIGN(Tensor argument, converted(input, ops::in_double(input.dtype)));
    in.push_back(arguments.emplace_back(std::move(argument)).view());
  }
  for (const graph::OpId id : wide->results()) {
    TW_ASSIGN(Tensor result, Tensor::create(wide->type(wide->operands(id)[0]), {}));
    out.push_back(made.emplace_back(std::move(result)).view());
  }
  TW_TRY(run_until(*executable, in, out, how));
  return made;
}

// The numbers of an array, two for a complex element.
Result<std::vector<double>> numbers(const TensorView &view) {
  const bool complex = graph::is_complex(view.dtype);
  TW_ASSIGN(const Tensor wide, converted(view, ops::in_double(view.dtype)));
  const auto *at = reinterpret_cast<const double *>(wide.data());
  return std::vector<double>(at, at + view.elements() * (complex ? 2 : 1));
}

double distance(double x, double truth) {
  if (x == truth || (std::isnan(x) && std::isnan(truth)))
    return 0;
  const double d = std::abs(x - truth);
  return std::isnan(d) ? std::numeric_limits<double>::infinity() : d;
}

// Where both runs have the same NaN or infinity neither is better than the other.
void weigh(Comparison &c, std::span<const double> a, std::span<const double> b,
           std::span<const double> truth) {
  c.from_double = c.expected_from_double = 0;
  for (size_t i = 0; i < truth.size(); ++i) {
    const bool alike = !std::isfinite(a[i]) && distance(a[i], b[i]) == 0;
    c.from_double = std::max(c.from_double, alike ? 0 : distance(a[i], truth[i]));
    c.expected_from_double = std::max(c.expected_from_double, alike ? 0 : distance(b[i], truth[i]));
  }
  c.judged_by = JudgedBy::in_double;
  c.pass = std::isfinite(c.from_double) && c.from_double <= kFartherAtMost * c.expected_from_double;
}

Status give_second_opinion(const graph::Graph &graph, std::span<const size_t> due,
                           std::span<const TensorView> inputs, std::span<const TensorView> outputs,
                           std::span<const TensorView> expected, const Judging &how,
                           std::vector<Comparison> &comparisons) {
  TW_ASSIGN(const auto truth, run_in_double(graph, due, inputs, how));
  for (size_t i = 0; i < due.size(); ++i) {
    TW_ASSIGN(const auto a, numbers(outputs[due[i]]));
    TW_ASSIGN(const auto b, numbers(expected[due[i]]));
    TW_ASSIGN(const auto t, numbers(truth[i].view()));
    weigh(comparisons[due[i]], a, b, t);
  }
  return {};
}

} // namespace

Judgement judge(const spmd::Program &program, std::span<const TensorView> inputs,
                std::span<const TensorView> outputs, std::span<const TensorView> expected,
                const Judging &how) {
  const std::vector<bool> exact = spmd::exact_results(program);
  const std::vector<graph::DType> least = ops::least_precise(program.graph());
  Judgement judgement;
  std::vector<size_t> due;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const double bound = std::max(tolerance(outputs[i].dtype), tolerance(least[i]));
    const bool promised = how.promised && exact[i];
    Comparison c = compare(outputs[i], expected[i], promised ? 0 : bound);
    c.equal_argument = find_equal(inputs, expected[i], bound);
    c.mistrusted = c.mistrusted || c.equal_argument >= 0;
    if (!c.pass && c.judged_by == JudgedBy::tolerance)
      due.push_back(i);
    judgement.outputs.push_back(c);
  }
  if (due.empty())
    return judgement;
  if (inputs.size() != program.graph().arguments().size()) {
    judgement.why_no_second_opinion = "the inputs are not given";
    return judgement;
  }
  if (const Status status =
          give_second_opinion(program.graph(), due, inputs, outputs, expected, how, judgement.outputs);
      !status)
    judgement.why_no_second_opinion = status.error().message();
  return judgement;
}

} // namespace tw::runtime
