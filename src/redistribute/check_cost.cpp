// SPDX-License-Identifier: Apache-2.0
// Counts the bytes of a plan from its boxes, and compares with what is claimed and what is allowed.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "redistribute/check_parts.hpp"

namespace tw::redistribute {

namespace {

template <class T> T largest(const std::vector<T> &values) {
  return values.empty() ? T{} : *std::ranges::max_element(values);
}

double mean(const std::vector<int64_t> &values) {
  return std::accumulate(values.begin(), values.end(), 0.0) /
         static_cast<double>(std::max<size_t>(values.size(), 1));
}

// What partial sums of many terms receive may exceed any number: it is held at the largest.
int64_t bytes_of(const Problem &problem, BoxView box) { return elements(box) * problem.item_size(); }

StepTally tally_step(const Problem &problem, const Step &step) {
  const size_t devices = problem.num_devices();
  StepTally t;
  t.received.assign(devices, 0);
  t.sent.assign(devices, 0);
  std::vector<size_t> told(devices, 0); // the last receiver that a device served, counted from 1
  for (size_t d = 0; d < devices; ++d) {
    int64_t kept = 0, peers = 0;
    told[d] = d + 1;
    for (uint32_t piece = step.first_piece[d]; piece < step.first_piece[d + 1]; ++piece) {
      const int64_t bytes = bytes_of(problem, piece_of(step, problem.rank(), piece));
      for (const Source &source : step.sources_of(piece)) {
        const auto from = static_cast<size_t>(source.device);
        if (from == d) {
          kept = add_saturating(kept, bytes);
          continue;
        }
        t.moves = true;
        t.received[d] = add_saturating(t.received[d], bytes);
        t.sent[from] = add_saturating(t.sent[from], bytes);
        peers += std::exchange(told[from], d + 1) != d + 1;
      }
    }
    t.kept_max = std::max(t.kept_max, kept);
    t.peers_max = std::max(t.peers_max, peers);
  }
  t.received_max = largest(t.received);
  t.received_mean = mean(t.received);
  return t;
}

// From a buffer's first piece to its last reader, device by device.
int64_t find_scratch(const Plan &plan) {
  const size_t inner = plan.buffers.size() - 1, never = plan.steps.size();
  std::vector<size_t> first(inner, never), last(inner, 0);
  for (size_t s = never; s-- > 0;) {
    const Step &step = plan.steps[s];
    if (step.target < inner)
      first[step.target] = s;
    for (const Source &source : step.sources)
      if (source.buffer < inner && last[source.buffer] == 0)
        last[source.buffer] = s;
  }
  int64_t most = 0;
  std::vector<int64_t> change(never + 1);
  for (Device d = 0; static_cast<size_t>(d) < plan.problem->num_devices(); ++d) {
    std::ranges::fill(change, 0);
    for (size_t b = 1; b < inner; ++b)
      if (first[b] <= last[b] && first[b] != never) {
        const int64_t bytes = bytes_of(*plan.problem, tile_of(plan, b, d));
        change[first[b]] = add_saturating(change[first[b]], bytes);
        change[last[b] + 1] = -add_saturating(-change[last[b] + 1], bytes);
      }
    int64_t live = 0;
    for (const int64_t bytes : change) {
      live = add_saturating(live, bytes);
      most = std::max(most, live);
    }
  }
  return most;
}

class Claims {
public:
  explicit Claims(Findings &findings) : findings_(findings) {}
  void compare(const std::string &what, int64_t claimed, int64_t found) {
    if (claimed != found)
      findings_.add("{}: {} is claimed, and it is {}", what, claimed, found);
  }
  void compare_mean(const std::string &what, double claimed, double found) {
    if (!(std::abs(claimed - found) <= 1e-9 * std::max(1.0, found)))
      findings_.add("{}: {} is claimed, and it is {}", what, claimed, found);
  }
  void compare_each(const Problem &problem, const std::string &what, const std::vector<int64_t> &claimed,
                    const std::vector<int64_t> &found) {
    if (claimed.size() != found.size()) {
      findings_.add("{}: claimed for {} devices of {}", what, claimed.size(), found.size());
      return;
    }
    for (size_t d = 0; d < found.size(); ++d)
      if (claimed[d] != found[d])
        findings_.add("{}, device {}: {} is claimed, and it is {}", what,
                      problem.device_id(static_cast<Device>(d)), claimed[d], found[d]);
  }

private:
  Findings &findings_;
};

void check_claims(const Problem &problem, const Tally &tally, const PlanCost &cost, Findings &findings) {
  Claims claims(findings);
  claims.compare_each(problem, "bytes received", cost.received, tally.received);
  claims.compare("most bytes received", cost.received_max, tally.received_max);
  claims.compare_mean("mean of bytes received", cost.received_mean, tally.received_mean);
  claims.compare("bytes of the largest tile", cost.height_bytes, tally.height_bytes);
  claims.compare("bytes of scratch", cost.scratch_bytes, tally.scratch_bytes);
  claims.compare("number of steps", static_cast<int64_t>(cost.steps.size()),
                 static_cast<int64_t>(tally.steps.size()));
  for (size_t s = 0; s < std::min(cost.steps.size(), tally.steps.size()); ++s) {
    const StepCost &claimed = cost.steps[s];
    const StepTally &found = tally.steps[s];
    const std::string step = fmt::format("step {}, ", s);
    claims.compare_each(problem, step + "bytes received", claimed.received, found.received);
    claims.compare(step + "most bytes received", claimed.received_max, found.received_max);
    claims.compare(step + "most bytes kept", claimed.kept_max, found.kept_max);
    claims.compare(step + "most peers", claimed.peers_max, found.peers_max);
    claims.compare_mean(step + "mean of bytes received", claimed.received_mean, found.received_mean);
  }
}

} // namespace

Tally tally(const Plan &plan) {
  const Problem &problem = *plan.problem;
  Tally t;
  t.received.assign(problem.num_devices(), 0);
  std::vector<int64_t> sent(problem.num_devices(), 0);
  for (const Step &step : plan.steps) {
    const StepTally &of_step = t.steps.emplace_back(tally_step(problem, step));
    for (size_t d = 0; d < sent.size(); ++d) {
      t.received[d] = add_saturating(t.received[d], of_step.received[d]);
      sent[d] = add_saturating(sent[d], of_step.sent[d]);
    }
  }
  t.received_max = largest(t.received);
  t.received_mean = mean(t.received);
  if (std::erase(sent, 0); !sent.empty())
    t.send_balance = static_cast<double>(largest(sent)) / mean(sent);
  for (size_t b = 0; b < plan.buffers.size(); ++b)
    for (Device d = 0; static_cast<size_t>(d) < problem.num_devices(); ++d)
      t.height_bytes = std::max(t.height_bytes, bytes_of(problem, tile_of(plan, b, d)));
  t.scratch_bytes = find_scratch(plan);
  return t;
}

void check_cost(const Plan &plan, const Tally &tally, const CheckOptions &options, Findings &findings) {
  if (options.height_bytes && tally.height_bytes > *options.height_bytes)
    findings.add("a tile has {} bytes, and {} are allowed", tally.height_bytes, *options.height_bytes);
  if (options.scratch_bytes && tally.scratch_bytes > *options.scratch_bytes)
    findings.add("intermediate tiles take {} bytes at once, and {} are allowed", tally.scratch_bytes,
                 *options.scratch_bytes);
  if (plan.method != Method::scalar && plan.method != Method::vector) {
    // Each step that moves anything counts as one collective that makes the target tile; of stated steps, the
    // tile that it makes.
    const auto largest = [&](uint32_t buffer) {
      int64_t most = 0;
      for (Device d = 0; static_cast<size_t>(d) < plan.problem->num_devices(); ++d)
        most = std::max(most, elements(tile_of(plan, buffer, d)));
      return most;
    };
    const int64_t target = largest(plan.target());
    int64_t cost = 0;
    for (const Step &step : plan.steps)
      if (const int64_t tile = plan.method == Method::stated ? largest(step.target) : target;
          step.kind != Kind::copy && __builtin_add_overflow(cost, tile, &cost))
        cost = INT64_MAX;
    if (cost != plan.fig11_cost)
      findings.add("a paper cost (figure 11) of {} elements is claimed, and it is {}", plan.fig11_cost, cost);
  }
  if (options.cost)
    check_claims(*plan.problem, tally, *options.cost, findings);
}

} // namespace tw::redistribute
