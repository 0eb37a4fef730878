// SPDX-License-Identifier: Apache-2.0
// Random problems as in the paper's Section 8 (every axis replicates or cuts one dimension), for few and for
// many devices.
#include "bench/redistribute_synthesis.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>

#include <fmt/format.h>

#include "redistribute/direct.hpp"
#include "redistribute/planner.hpp"
#include "redistribute/type_text.hpp"

namespace tw::bench {

namespace {

using namespace tw::redistribute;

class Problems {
public:
  Problems(std::vector<int64_t> mesh, std::vector<size_t> ranks, uint64_t seed)
      : ranks_(std::move(ranks)), random_(seed) {
    std::vector<sharding::Axis> axes;
    for (size_t i = 0; i < mesh.size(); ++i) {
      const std::string name(1, static_cast<char>('a' + i));
      axes.push_back({name, mesh[i], name, 1});
    }
    mesh_ = *sharding::Mesh::create(std::move(axes));
  }

  // Near-cubic arrays of 64 to 800 MiB in f32 at few devices, every dimension a multiple of them (of 512 at
  // more).
  std::shared_ptr<const Problem> next() {
    const size_t rank = ranks_[random_() % ranks_.size()];
    const double bytes = std::uniform_real_distribution(64.0, 800.0)(random_) * (1 << 20);
    const double base = std::pow(bytes / 4, 1.0 / static_cast<double>(rank));
    const int64_t unit = std::min<int64_t>(mesh_.num_devices(), 512);
    graph::TensorType type{graph::DType::f32, {}};
    for (size_t d = 0; d < rank; ++d) {
      const double size = base * std::uniform_real_distribution(0.8, 1.25)(random_);
      type.dims.push_back(std::max<int64_t>(1, std::llround(size / static_cast<double>(unit))) * unit);
    }
    Layout src{mesh_, side(rank)}, dst{mesh_, side(rank)};
    return std::make_shared<const Problem>(*Problem::create(type, std::move(src), std::move(dst)));
  }

  std::shared_ptr<const Problem> stated(std::string_view src, std::string_view dst) const {
    DistributedType before = *parse_distributed_type(src, mesh_);
    DistributedType after = *parse_distributed_type(dst, mesh_, &before.type);
    return *make_problem(mesh_, std::move(before), mesh_, std::move(after), graph::DType::f32);
  }

private:
  sharding::Sharding side(size_t rank) {
    sharding::Sharding s = sharding::Sharding::replicated(rank);
    std::vector<sharding::AxisId> order;
    for (size_t a = 0; a < mesh_.num_axes(); ++a)
      order.push_back(static_cast<sharding::AxisId>(a));
    std::ranges::shuffle(order, random_);
    for (const sharding::AxisId axis : order)
      if (const size_t d = random_() % (rank + 1); d < rank)
        s.dims[d].axes.insert(s.dims[d].axes.begin(), axis);
    return s;
  }

  sharding::Mesh mesh_;
  std::vector<size_t> ranks_;
  std::mt19937_64 random_;
};

template <class Body> double fastest_us(int rounds, Body body) {
  double best = 0;
  for (int i = 0; i < rounds; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    body();
    const double us =
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
    best = i == 0 ? us : std::min(best, us);
  }
  return best;
}

struct SynthesisCase {
  const char *name;
  std::vector<int64_t> mesh;
  std::vector<size_t> ranks;
  size_t problems;
  Method method;
  enum What {
    plan,   // chosen, costed and proven; its pieces are written down when they are first read
    pieces, // with those of all devices
    part,   // of one device
    named,  // what is said of each step, without pieces
  } what;
  double median_limit_us, p99_limit_us;
  const char *src = nullptr, *dst = nullptr; // the one problem, where problems are not drawn
};

} // namespace

nlohmann::ordered_json run_synthesis(int rounds) {
  const std::vector<size_t> few = {2, 3, 4, 5, 6};
  const SynthesisCase cases[] = {
      {"8 devices, auto", {2, 2, 2}, few, 1000, Method::automatic, SynthesisCase::plan, 20, 1000},
      {"8 devices, direct", {2, 2, 2}, few, 1000, Method::direct, SynthesisCase::plan, 20, 1000},
      {"8 devices, scalar, exact", {2, 2, 2}, few, 1000, Method::scalar, SynthesisCase::plan, 20, 1000},
      {"8 devices, vector, exact", {2, 2, 2}, few, 1000, Method::vector, SynthesisCase::plan, 20, 1000},
      {"64 devices x 3-D, vector, exact", {4, 4, 4}, {3}, 200, Method::vector, SynthesisCase::plan, 0, 0},
      {"512 devices x 6-D, scalar, exact",
       {8, 8, 8},
       {6},
       100,
       Method::scalar,
       SynthesisCase::plan,
       0,
       10000},
      {"512 devices x 6-D, vector, exact",
       {8, 8, 8},
       {6},
       100,
       Method::vector,
       SynthesisCase::plan,
       0,
       10000},
      {"512 devices x 6-D, scalar, with all pieces",
       {8, 8, 8},
       {6},
       100,
       Method::scalar,
       SynthesisCase::pieces,
       0,
       0},
      {"512 devices x 6-D, vector, with all pieces",
       {8, 8, 8},
       {6},
       100,
       Method::vector,
       SynthesisCase::pieces,
       0,
       0},
      {"4,096 devices, direct, one device's part",
       {16, 16, 16},
       {3, 4},
       50,
       Method::direct,
       SynthesisCase::part,
       0,
       5000},
      {"4,096 devices, direct", {16, 16, 16}, {3, 4}, 50, Method::direct, SynthesisCase::plan, 5000, 5000},
      {"4,096 devices, direct, with all pieces",
       {16, 16, 16},
       {3, 4},
       50,
       Method::direct,
       SynthesisCase::pieces,
       0,
       0},
      {"65,536 devices x 4-D, one device's part",
       {16, 16, 16, 16},
       {4},
       200,
       Method::direct,
       SynthesisCase::part,
       0,
       1000},
      {"65,536 devices, all_gather",
       {65536},
       {},
       1,
       Method::automatic,
       SynthesisCase::named,
       1e6,
       0,
       "f32[65536] [{a}]",
       "[{}]"},
      {"65,536 devices, all_to_all",
       {65536},
       {},
       1,
       Method::automatic,
       SynthesisCase::named,
       1e6,
       0,
       "f32[65536,65536] [{a},{}]",
       "[{},{a}]"},
      {"65,536 devices, all_reduce",
       {65536},
       {},
       1,
       Method::automatic,
       SynthesisCase::named,
       1e6,
       0,
       "f32[65536] [{}]+a",
       "[{}]"},
      {"65,536 devices, reduce_scatter",
       {65536},
       {},
       1,
       Method::automatic,
       SynthesisCase::named,
       1e6,
       0,
       "f32[65536] [{}]+a",
       "[{a}]"},
  };
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  fmt::print("{:<42} {:>10} {:>10} {:>10} {:>10} {:>10} {:>6}\n", "synthesis, us", "median", "limit", "p99",
             "limit", "max", "exact");
  for (const SynthesisCase &c : cases) {
    Problems problems(c.mesh, c.ranks, 20211231);
    std::vector<double> times;
    size_t exact = 0;
    PlanOptions options;
    options.method = c.method;
    for (size_t i = 0; i < c.problems; ++i) {
      const auto problem = c.src == nullptr ? problems.next() : problems.stated(c.src, c.dst);
      if (c.what == SynthesisCase::part) {
        const auto device = static_cast<Device>(i * 7919 % problem->num_devices());
        times.push_back(fastest_us(rounds, [&] { direct_part(*problem, device); }));
        continue;
      }
      bool proven = false;
      times.push_back(fastest_us(rounds, [&] {
        const Costed made = *make_plan(problem, options);
        proven = made.plan->exact;
        if (c.what == SynthesisCase::pieces)
          made.plan->steps.read();
        else if (c.what == SynthesisCase::named)
          made.plan->steps.heads();
      }));
      exact += proven;
    }
    std::ranges::sort(times);
    const double median = times[times.size() / 2], p99 = times[times.size() * 99 / 100];
    const auto limit = [](double us) { return us == 0 ? std::string("-") : fmt::format("{:.0f}", us); };
    fmt::print("{:<42} {:>10.1f} {:>10} {:>10.1f} {:>10} {:>10.1f} {:>6}\n", c.name, median,
               limit(c.median_limit_us), p99, limit(c.p99_limit_us), times.back(),
               c.what == SynthesisCase::part ? std::string("-") : fmt::format("{}/{}", exact, c.problems));
    rows.push_back({{"case", c.name},
                    {"median_us", median},
                    {"median_limit_us", c.median_limit_us},
                    {"p99_us", p99},
                    {"p99_limit_us", c.p99_limit_us},
                    {"max_us", times.back()},
                    {"exact", exact},
                    {"problems", c.problems}});
  }
  return rows;
}

} // namespace tw::bench
