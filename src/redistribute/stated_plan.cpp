// SPDX-License-Identifier: Apache-2.0
// Makes one plan of the steps that a caller stated, and holds each against its name.
#include <algorithm>

#include <fmt/format.h>

#include "base/watch.hpp"
#include "redistribute/stated_steps.hpp"

namespace tw::redistribute {

namespace {

constexpr int64_t kMostPieces = int64_t{1} << 26; // of all steps

// An error of a step, with its line.
tl::unexpected<Error> at_line(const StatedStep &step, const Error &error) {
  return fail(error.code(), error.info().id,
              fmt::format("steps, line {}: '{}': {}", step.line, step.text, error.message()));
}

template <class... Args>
tl::unexpected<Error> wrong(const StatedStep &step, fmt::format_string<Args...> form, Args &&...args) {
  return at_line(step,
                 Error(Code::invalid_argument, "TW-528", fmt::format(form, std::forward<Args>(args)...)));
}

// The paper's preconditions, on tiles as they are: a slice moves nothing, a permutation keeps the shape of
// tiles.
Status check_kind(const StatedStep &step, const Costed &made) {
  const Problem &problem = *made.plan->problem;
  const auto from = paper_text(problem.src().sharding, problem.type().dims, problem.src().mesh),
             to = paper_text(problem.dst().sharding, problem.type().dims, problem.dst().mesh);
  if (step.kind == StatedKind::dynslice && made.cost.received_max != 0)
    return wrong(
        step,
        "{} -> {} is no slice: a device receives up to {} B, since its tile after is not inside its tile "
        "before",
        from, to, made.cost.received_max);
  const auto same_shapes = [&] {
    for (size_t d = 0; d < problem.rank(); ++d)
      if (num_tiles(problem.src().sharding.dims[d], problem.src().mesh) !=
          num_tiles(problem.dst().sharding.dims[d], problem.dst().mesh))
        return false;
    return true;
  };
  if (step.kind == StatedKind::allpermute && !same_shapes())
    return wrong(step, "{} -> {} is no permutation: the tiles have different shapes", from, to);
  // Uneven tiles make an exchange of what would be one of these.
  const auto is_one_of = [&](Kind wanted) {
    return std::ranges::all_of(made.plan->steps, [&](const Step &s) {
      return s.kind == Kind::copy || s.kind == wanted || s.kind == Kind::exchange;
    });
  };
  if (step.kind != StatedKind::any && !problem.combined().empty())
    return wrong(step, "{} -> {} combines partial values: write the type alone", from, to);
  if ((step.kind == StatedKind::allgather && !is_one_of(Kind::all_gather)) ||
      (step.kind == StatedKind::alltoall && !is_one_of(Kind::all_to_all)) ||
      (step.kind == StatedKind::allpermute && !is_one_of(Kind::permute)))
    return wrong(step, "{} -> {} is {}", from, to, name(made.plan->steps[0].kind));
  return {};
}

// Appends a plan that begins where another ends.
void append(const Plan &part, Plan &whole) {
  const auto offset = static_cast<uint32_t>(whole.buffers.size() - 1);
  whole.buffers.insert(whole.buffers.end(), part.buffers.begin() + 1, part.buffers.end());
  auto &steps = whole.steps.edit();
  for (Step step : part.steps) {
    step.target += offset;
    for (Source &source : step.sources)
      source.buffer += offset;
    steps.push_back(std::move(step));
  }
}

} // namespace

Result<Costed> plan_stated(std::shared_ptr<const Problem> problem, const std::vector<StatedStep> &steps,
                           const DistributedType &src, const PlanOptions &options) {
  if (problem->has_halos() || !problem->same_mesh())
    return fail(Code::unimplemented, "TW-528",
                problem->has_halos() ? "steps: tiles with halos move in one exchange"
                                     : "steps: source and target are on one mesh, in one order of devices");
  auto whole = std::make_shared<Plan>();
  whole->problem = problem;
  whole->method = Method::stated;
  whole->buffers = {source_tiles(*problem)};
  PlanOptions direct = options;
  direct.method = Method::direct;
  direct.height_bytes = INT64_MAX; // held against the whole below
  direct.scratch_bytes.reset();
  DistributedType before = src;
  int64_t pieces = 0;
  for (const StatedStep &step : steps) {
    TW_TRY(check_watch());
    const auto part =
        make_problem(problem->src().mesh, before, problem->dst().mesh, step.after, problem->type().dtype);
    if (!part)
      return at_line(step, part.error());
    if ((*part)->type().dims != problem->type().dims)
      return wrong(step, "values that are partial (raw) move in one exchange");
    pieces += count_pieces(source_tiles(**part), target_tiles(**part));
    if (pieces > kMostPieces)
      return fail(Code::resource_exhausted, "TW-524",
                  fmt::format("steps, line {}: up to here the steps have {} pieces, and {} is the limit",
                              step.line, pieces, kMostPieces));
    const auto made = make_plan(*part, direct);
    if (!made)
      return at_line(step, made.error());
    TW_TRY(check_kind(step, *made));
    append(*made->plan, *whole);
    before = step.after;
  }
  if (whole->buffers.size() == 1) { // nothing to do: the target is the source
    TW_ASSIGN(const Costed made, make_plan(problem, direct));
    append(*made.plan, *whole);
  }
  for (const Step &step : whole->steps)
    if (step.kind != Kind::copy &&
        __builtin_add_overflow(whole->fig11_cost, whole->buffers[step.target].largest(), &whole->fig11_cost))
      whole->fig11_cost = INT64_MAX;
  PlanCost cost = find_cost(*whole, options.topology, options.model);
  if (options.height_bytes && cost.height_bytes > *options.height_bytes)
    return fail(Code::resource_exhausted, "TW-524",
                fmt::format("the stated steps make a tile of {} B, and {} are allowed", cost.height_bytes,
                            *options.height_bytes));
  if (options.scratch_bytes && cost.scratch_bytes > *options.scratch_bytes)
    return fail(Code::resource_exhausted, "TW-524",
                fmt::format("the stated steps keep {} B between them, and {} are allowed", cost.scratch_bytes,
                            *options.scratch_bytes));
  whole->exact = problem->combined().empty() && receives_what_it_lacks(*whole, cost);
  return Costed{std::move(whole), std::move(cost)};
}

} // namespace tw::redistribute
