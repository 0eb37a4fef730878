// SPDX-License-Identifier: Apache-2.0
// What a search finds, beside the schedules that experts write, and how long it takes. Costs are prices
// (seconds one thing after the other) of the whole program by the plan that the actions make.
// How many steps a second an engine takes: `--only engine`. An environment: `--only environment`. What a hit
// in a cache takes beside making its plan: `--only cache`. How much longer a search takes on 4096 devices
// than on 4: `--only devices`.
//   ./dev bench search [--only NAME] [--seeds N] [--json FILE]
// Programs of jax_zoo.py are searched where TW_JAX_PYTHON names a Python that has JAX.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <unistd.h>

#include "bench/need.hpp"
#include "bench/training_step.hpp"
#include "cost/price.hpp"
#include "import/import.hpp"
#include "partition/spec.hpp"
#include "report/expectations.hpp"
#include "search/cache.hpp"
#include "search/environment.hpp"
#include "search/search.hpp"
#include "spmd/moved_bytes.hpp"

namespace {

using namespace tw;
using bench::need;
using Clock = std::chrono::steady_clock;

struct Case {
  const char *name, *program, *mesh, *system;
  double cap_bytes; // 0: what the system has
  int64_t episodes;
  double seconds;              // at most, of one thread
  const char *expert;          // a spec of examples/specs, or for programs of JAX of the folder `experts`
  double cost = 1.01, gap = 1; // at most; the cost is of the expert's
  partition::Policy policy = partition::Policy::conservative; // of the expert's plan

  bool of_jax() const { return *program != '-'; } // else arguments of transformer.py
};

constexpr const char *kGpt24 =
    "--layers 24 --d 2048 --heads 16 --ffn 8192 --vocab 50304 --seq 512 --batch 2 --type f32";
constexpr const char *kGpt24C =
    "--layers 24 --d 2048 --heads 16 --ffn 8192 --vocab 50304 --seq 512 --batch 16 --type f32";
constexpr const char *kT32 =
    "--layers 32 --d 3584 --heads 28 --ffn 14336 --vocab 32768 --seq 2048 --batch 48 --type f32";
constexpr double kGiB = 1073741824;

const Case kCases[] = {
    {"gpt24 model=4", kGpt24, "data=1,model=4", "tpuv3-core", 16 * kGiB, 250, 0.5, "gpt_megatron"},
    {"gpt24 model=8", kGpt24, "data=1,model=8", "tpuv3-core", 16 * kGiB, 250, 0.5, "gpt_megatron"},
    {"gpt24c", kGpt24C, "data=4,model=4", "tpuv3-core", 16 * kGiB, 1500, 3, "gpt_megatron_zero3"},
    {"gpt24c in 4 GiB", kGpt24C, "data=4,model=4", "tpuv3-core", 4 * kGiB, 1500, 3, "gpt_megatron_zero3"},
    {"t32, any memory", kT32, "data=16,model=2", "tpuv3-core", 1e15, 1500, 3, "gpt_megatron"},
    {"t32 infer", "t32_infer", "model=8", "a100-40g", 0, 500, 60, "t32_infer", 1},
    {"rn50", "rn50", "data=8", "a100-40g", 0, 500, 60, "rn50", 1},
    {"unet", "unet", "data=8", "a100-40g", 0, 500, 60, "unet", 1},
    {"unet in 7 GiB", "unet", "data=8", "a100-40g", 7 * kGiB, 500, 60, "unet_zero2", 1},
    {"unet in 5.5 GiB", "unet", "data=8", "a100-40g", 5.5 * kGiB, 500, 60, "unet_zero3", 1},
    {"unet on a grid", "unet", "data=4,model=2", "a100-40g", 0, 500, 60, "unet_grid", 1},
    {"gns", "gns", "e=8", "a100-40g", 0, 500, 60, "gns", 1, 0.02},
    {"moe in 30 GiB", "moe", "x=8", "a100-40g", 30 * kGiB, 500, 60, "moe", 1, 0.02,
     partition::Policy::cheapest},
};

// Of the thread, since others use the machine too.
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

double peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

cost::Price expert_price(const Case &c, const import::Imported &imported, partition::Plan plan,
                         const system::System &system) {
  plan.set_policy(c.policy, spmd::count_moves);
  const std::string path =
      fmt::format("{}/{}.txt", c.of_jax() ? "tests/bench/experts" : "examples/specs", c.expert);
  need(partition::apply_spec(plan, bench::read_file(TW_SOURCE_ROOT "/" + path), path));
  if (c.of_jax()) { // another JAX may give values other names
    report::Subject subject;
    subject.imported = std::make_shared<const import::Imported>(imported);
    subject.plan = std::make_shared<const partition::Plan>(plan);
    subject.program = need(spmd::lower(plan));
    for (const report::Outcome &outcome : report::check_expectations(subject))
      if (!outcome.holds)
        bench::stop(
            fmt::format("{}: does not hold: {} (found {})", outcome.line, outcome.text, outcome.found_text));
  }
  return need(cost::PlanPrice::create(plan, system))->price();
}

using Episodes = std::vector<search::Sequence>;

// Of legal actions that are drawn, each time from the beginning.
Episodes draw_episodes(search::Environment &environment, size_t count) {
  constexpr size_t kLongest = 8;
  std::mt19937_64 random(46);
  std::vector<uint8_t> mask(environment.num_actions());
  Episodes episodes;
  while (episodes.size() < count) {
    need(environment.restore({}));
    while (environment.actions().size() < kLongest) {
      need(environment.mask(mask));
      std::vector<uint32_t> legal;
      for (uint32_t action = 0; action < environment.stop(); ++action)
        if (mask[action] != 0)
          legal.push_back(action);
      if (legal.empty())
        break;
      (void)environment.step(legal[random() % legal.size()]); // what cannot be lowered is drawn no more
    }
    episodes.push_back(environment.actions());
  }
  return episodes;
}

// One step of an engine: a decision is applied, its waves run, the plan is priced, its peak is found; what
// was decided otherwise before is undone. The sequences are random, each is gone to once, and the engine has
// seen none of them: what it knows is what the sequences before have taught it.
void time_engine(nlohmann::ordered_json &json) {
  constexpr size_t kEpisodes = 300;
  fmt::print("\nengine, random sequences of 8 decisions, time of the thread: of a step, with what it undoes\n"
             "{:>18} {:>7} {:>7} {:>9} {:>18} {:>9} {:>17}\n",
             "program", "ops", "steps", "differ", "steps/s", "p50 us", "p99 us");
  for (const char *mesh : {"data=2,model=4", "data=1,model=8"}) {
    const auto imported = need(import::import_text(bench::training_step(std::string(kGpt24))));
    const system::System system = need(system::load("tpuv3-core"));
    const partition::Plan plan(imported.graph, need(sharding::Mesh::parse(mesh)));
    const auto space = need(search::Space::create(plan, system, {}));
    const Episodes episodes = draw_episodes(*need(search::Environment::create(space, 0)), kEpisodes);
    const auto engine = need(search::Engine::create(space));
    std::vector<double> times;
    double all = 0;
    std::set<search::Sequence> differ;
    for (const search::Sequence &episode : episodes) {
      std::vector<search::Decision> decisions;
      for (size_t i = 0; i < episode.size(); ++i) {
        decisions.push_back(space->decisions[episode[i]]);
        differ.emplace(episode.begin(), episode.begin() + static_cast<ptrdiff_t>(i) + 1);
        const double begin = cpu_seconds();
        engine->go_to(decisions);
        times.push_back(cpu_seconds() - begin);
        all += times.back();
      }
    }
    std::ranges::sort(times);
    constexpr double kLeast = 20e3, kMost = 200;
    const double rate = static_cast<double>(times.size()) / all, p50 = times[times.size() / 2] * 1e6,
                 p99 = times[times.size() * 99 / 100] * 1e6;
    fmt::print("{:>18} {:>7} {:>7} {:>9} {:>9.0f} >= {:.0f} {:>9.0f} {:>10.0f} <= {:.0f} {}\n", mesh,
               imported.graph->ops().size(), times.size(), differ.size(), rate, kLeast, p50, p99, kMost,
               rate >= kLeast && p99 <= kMost ? "" : "MISSED");
    json.push_back({{"name", fmt::format("engine of gpt24, {}", mesh)},
                    {"steps_per_s", rate},
                    {"p50_us", p50},
                    {"p99_us", p99},
                    {"kept", rate >= kLeast && p99 <= kMost}});
  }
}

// Steps a second; with what who learns asks for after each, or without.
double steps_per_second(search::Environment &environment, const Episodes &episodes, bool looks) {
  std::vector<uint8_t> mask(environment.num_actions());
  std::vector<float> floats(environment.observation().num_floats());
  size_t steps = 0;
  const auto begin = Clock::now();
  for (const search::Sequence &episode : episodes) {
    need(environment.restore({}));
    for (const uint32_t action : episode) {
      need(environment.step(action));
      if (looks) {
        need(environment.mask(mask));
        environment.observe(floats);
      }
    }
    steps += episode.size();
  }
  return static_cast<double>(steps) / seconds_since(begin);
}

void time_environments(nlohmann::ordered_json &json) {
  constexpr size_t kEpisodes = 300;
  fmt::print(
      "\nenvironment, random episodes of 8 steps, steps/s of one thread: where it never was, there again, "
      "and so with mask and observation\n{:>18} {:>7} {:>7} {:>7} {:>9} {:>9} {:>11} {:>9}\n",
      "program", "ops", "actions", "floats", "new", "again", "and looks", "limit");
  struct Timed {
    const char *name;
    std::string program;
    double limit;
  };
  for (const Timed &timed : {Timed{"1,000 ops", bench::training_step(1000), 50e3},
                             Timed{"gpt24", bench::training_step(std::string(kGpt24)), 20e3}}) {
    const auto imported = need(import::import_text(timed.program));
    const system::System system = need(system::load("tpuv3-core"));
    const partition::Plan plan(imported.graph, need(sharding::Mesh::parse("data=2,model=4")));
    const auto space = need(search::Space::create(plan, system, {}));
    const int64_t cap = search::cap_of_price(system, search::cap_of(system, 0));
    const Episodes episodes = draw_episodes(*need(search::Environment::create(space, cap)), kEpisodes);
    const auto environment = need(search::Environment::create(space, cap));
    const double fresh = steps_per_second(*environment, episodes, false);
    (void)steps_per_second(*environment, episodes, true);
    const double again = steps_per_second(*environment, episodes, false);
    const double looks = steps_per_second(*environment, episodes, true);
    fmt::print("{:>18} {:>7} {:>7} {:>7} {:>9.0f} {:>9.0f} {:>11.0f} {:>9.0f}\n", timed.name,
               imported.graph->ops().size(), environment->num_actions(),
               environment->observation().num_floats(), fresh, again, looks, timed.limit);
    json.push_back({{"name", fmt::format("environment of {}", timed.name)},
                    {"new_steps_per_s", fresh},
                    {"steps_per_s", again},
                    {"steps_per_s_looking", looks},
                    {"limit", timed.limit}});
  }
}

// The key of a question, and the look into its file; a hit beside them makes the plan and prices it.
void time_cache(nlohmann::ordered_json &json) {
  constexpr double kLimit = 5; // ms
  constexpr int kTimes = 20;
  const std::string folder =
      (std::filesystem::temp_directory_path() / fmt::format("tw_bench_cache_{}", getpid())).string();
  const search::Cache cache = need(search::Cache::open(folder));
  fmt::print(
      "\ncache, batch=8,model=8 of h100-sxm, ms: key and look-up are those of a hit but for making its plan, "
      "the least of {}\n{:>8} {:>9} {:>9} {:>14} {:>9} {:>9}\n",
      kTimes, "ops", "key", "look-up", "both <= limit", "hit", "search");
  for (const size_t ops : {1000, 50000}) {
    const auto imported = need(import::import_text(bench::training_step(ops)));
    const system::System system = need(system::load("h100-sxm"));
    const partition::Plan plan(imported.graph, need(sharding::Mesh::parse("batch=8,model=8")));
    search::Limits limits;
    limits.threads = 1;
    limits.episodes = 100;
    const search::Question question{plan, system, {}, limits, {}, {}};
    auto begin = Clock::now();
    need(cache.search(question));
    const double searched = seconds_since(begin) * 1e3;
    begin = Clock::now();
    if (!need(cache.search(question)).cached)
      bench::stop("the cache has no answer");
    const double hit = seconds_since(begin) * 1e3;
    double key_ms = hit, look_ms = hit; // the least, since others use the machine
    for (int i = 0; i < kTimes; ++i) {
      begin = Clock::now();
      const search::Cache::Key key = search::Cache::key_of(question);
      key_ms = std::min(key_ms, seconds_since(begin) * 1e3);
      begin = Clock::now();
      std::vector<std::string> notes;
      if (!cache.look_up(key, plan, notes))
        bench::stop("the cache has no answer");
      look_ms = std::min(look_ms, seconds_since(begin) * 1e3);
    }
    const double takes = key_ms + look_ms;
    fmt::print("{:>8} {:>9.2f} {:>9.2f} {:>9.2f} <= {:.0f} {:>9.0f} {:>9.0f} {}\n",
               imported.graph->ops().size(), key_ms, look_ms, takes, kLimit, hit, searched,
               takes <= kLimit ? "" : "MISSED");
    json.push_back({{"name", fmt::format("cache, {} ops", ops)},
                    {"key_ms", key_ms},
                    {"look_up_ms", look_ms},
                    {"hit_ms", hit},
                    {"search_ms", searched},
                    {"kept", takes <= kLimit}});
  }
  std::filesystem::remove_all(folder);
}

// The same program on few and on many devices, whose sizes divide: a search decides about axes, not devices.
void time_devices(nlohmann::ordered_json &json) {
  constexpr double kMost = 1.2;
  const auto imported = need(import::import_text(bench::training_step(
      "--layers 24 --d 4096 --heads 64 --ffn 16384 --vocab 65536 --seq 512 --batch 64 --type bf16")));
  const system::System system = need(system::load("h100-sxm"));
  search::Limits limits;
  limits.threads = 1;
  limits.episodes = 300;
  limits.cap_bytes = int64_t{1} << 50;
  std::vector<double> ms;
  for (const char *mesh : {"a=2,b=2", "a=64,b=64"}) {
    const partition::Plan plan(imported.graph, need(sharding::Mesh::parse(mesh)));
    ms.push_back(bench::best_ms(2, [&] { need(search::search(plan, system, {}, limits)); }));
  }
  fmt::print("\n300 plans on 4 devices {:.0f} ms, on 4096 {:.0f} ms: {:.2f} <= {:.1f} times as long\n", ms[0],
             ms[1], ms[1] / ms[0], kMost);
  json.push_back({{"name", "4 and 4096 devices"}, {"few_ms", ms[0]}, {"many_ms", ms[1]}, {"limit", kMost}});
}

} // namespace

int main(int argc, char **argv) {
  const std::string only = bench::option(argc, argv, "--only");
  const std::string given = bench::option(argc, argv, "--seeds");
  const int seeds = given.empty() ? 3 : std::stoi(given);
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  const char *named = std::getenv("TW_JAX_PYTHON");
  const std::string python = named == nullptr ? "" : named;
  std::vector<std::string_view> left_out;
  fmt::print("{} seeds, one thread; cost: of the expert's; behind <= what is promised\n{:>18} {:>7} {:>10} "
             "{:>16} {:>7} {:>6} {:>18} {:>9} {:>9} {:>15}\n",
             seeds, "program", "ops", "expert", "cost", "at 60", "plans", "seconds", "plans/s", "steps/s",
             "gap");
  for (const Case &c : kCases) {
    if (!only.empty() && only != c.name)
      continue;
    if (c.of_jax() && python.empty()) {
      left_out.emplace_back(c.name);
      continue;
    }
    const std::string text =
        c.of_jax() ? bench::jax_program(python, c.program) : bench::training_step(std::string(c.program));
    const auto imported = need(import::import_text(text));
    const system::System system = need(system::load(c.system));
    const partition::Plan plan(imported.graph, need(sharding::Mesh::parse(c.mesh)));
    const cost::Price expert = expert_price(c, imported, plan, system);
    double worst = 0, worst_early = 0, longest = 0, gap = 0, rate = 0, plan_rate = 0;
    int64_t plans = 0;
    for (int seed = 1; seed <= seeds; ++seed) {
      search::Limits limits;
      limits.cap_bytes = static_cast<int64_t>(c.cap_bytes);
      limits.threads = 1;
      limits.seed = static_cast<uint64_t>(seed);
      const auto cost_of = [&](int64_t episodes) {
        limits.episodes = episodes;
        auto found = need(search::search(plan, system, {}, limits));
        if (found.ending == search::Ending::infeasible)
          bench::stop(fmt::format("{}: nothing fits", c.name));
        return found;
      };
      constexpr int64_t kEarly = 60;
      const auto ratio = [&](const search::Found &found) {
        return static_cast<double>(found.price.time()) / static_cast<double>(expert.time());
      };
      worst_early = std::max(worst_early, ratio(cost_of(kEarly)));
      const auto begin = Clock::now();
      const search::Found found = cost_of(c.episodes);
      longest = std::max(longest, seconds_since(begin));
      worst = std::max(worst, ratio(found));
      gap = std::max(gap, found.gap());
      plans = found.episodes;
      rate = static_cast<double>(found.steps) / found.seconds; // of all that a search does
      plan_rate = static_cast<double>(found.episodes) / found.seconds;
    }
    const bool kept = worst <= c.cost && longest <= c.seconds && gap <= c.gap;
    fmt::print("{:>18} {:>7} {:>7.1f} ms {:>8.3f} <= {:>4} {:>7.3f} {:>6} {:>9.2f} <= {:>5.1f} {:>9.0f} "
               "{:>9.0f} {:>5.1f} <= "
               "{:>3.0f} % {}\n",
               c.name, imported.graph->ops().size(), cost::in_seconds(expert.time()) * 1e3, worst, c.cost,
               worst_early, plans, longest, c.seconds, plan_rate, rate, gap * 100, c.gap * 100,
               kept ? "" : "MISSED");
    json.push_back({{"name", c.name},
                    {"cost", worst},
                    {"cost_at_60", worst_early},
                    {"seconds", longest},
                    {"steps_per_s", rate},
                    {"plans_per_s", plan_rate},
                    {"gap", gap},
                    {"kept", kept}});
  }

  if (!left_out.empty())
    fmt::print("without TW_JAX_PYTHON, a Python that has JAX: not {}\n", fmt::join(left_out, ", "));

  if (only.empty() || only == "sizes") {
    fmt::print(
        "\nend to end on batch=8,model=8 of h100-sxm, 300 plans, one thread\n{:>8} {:>9} {:>9} {:>9} {:>9}\n",
        "ops", "import s", "search s", "cost ms", "peak MB");
    for (const char *program :
         {"--layers 32 --d 4096 --heads 32 --ffn 14336 --vocab 32768 --seq 2048 --batch 64 --type bf16",
          "--layers 480 --d 2048 --heads 16 --ffn 8192 --vocab 32768 --seq 512 --batch 64 --type f32"}) {
      const std::string text = bench::training_step(std::string(program));
      auto begin = Clock::now();
      const auto imported = need(import::import_text(text));
      const double read = seconds_since(begin);
      begin = Clock::now();
      const system::System system = need(system::load("h100-sxm"));
      search::Limits limits;
      limits.threads = 1;
      limits.episodes = 300;
      const partition::Plan plan(imported.graph, need(sharding::Mesh::parse("batch=8,model=8")));
      const search::Found found = need(search::search(plan, system, {}, limits));
      fmt::print("{:>8} {:>9.2f} {:>9.2f} {:>9.1f} {:>9.0f}\n", imported.graph->ops().size(), read,
                 seconds_since(begin), cost::in_seconds(found.price.time()) * 1e3, peak_memory() / 1e6);
    }
  }
  if (only.empty() || only == "engine")
    time_engine(json);
  if (only.empty() || only == "devices")
    time_devices(json);
  if (only.empty() || only == "environment")
    time_environments(json);
  if (only.empty() || only == "cache")
    time_cache(json);
  if (const auto path = bench::option(argc, argv, "--json"); !path.empty())
    std::ofstream(path) << json.dump(2) << "\n";
}
