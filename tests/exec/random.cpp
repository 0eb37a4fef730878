// SPDX-License-Identifier: Apache-2.0
// The heart of the tests: random programs on random meshes of devices, steps and threads, under random
// actions, planned, lowered on both paths to the same program, verified and run on 1, 2 and 4 workers, must
// give the bits of the reference evaluator; with --processes also divided among 2, 3 and 4 processes, which
// with --direct must exchange as their kind of device does; with --detached on devices whose memory the host
// cannot touch, under drawn delays, and with --cuda on a GPU, in place of workers. With --schedules each
// program runs so often on such devices, under another draw each time, and must give one hash.
//   exec_random [--count N] [--seed S] [--threads T] [--processes] [--direct] [--detached | --cuda]
//               [--schedules N] [--print]
// A failure prints the seed, what was done, and the line that repeats it.
#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <exception>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "device/queue.hpp"
#include "support/run_random.hpp"
#include "support/run_schedules.hpp"

using namespace tw;
using namespace tw::test;

int main(int argc, char **argv) {
  uint64_t first = 1;
  int64_t count = 5000, threads = 2, schedules = 0;
  bool print = false, processes = false, direct = false;
  std::string_view device;
  const std::string self = argv[0];
  for (int i = 1; i < argc; ++i) {
    const std::string_view arg = argv[i];
    const auto number = [&](auto &to) {
      const std::string_view text = i + 1 < argc ? argv[++i] : "";
      const auto parsed = std::from_chars(text.data(), text.data() + text.size(), to);
      if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) {
        fmt::print(stderr, "{} takes a number\n", arg);
        std::exit(2);
      }
    };
    if (arg == "--count")
      number(count);
    else if (arg == "--seed")
      number(first);
    else if (arg == "--threads")
      number(threads);
    else if (arg == "--schedules")
      number(schedules);
    else if (arg == "--print")
      print = true;
    else if (arg == "--processes")
      processes = true;
    else if (arg == "--direct")
      direct = true;
    else if (arg == "--detached" || arg == "--cuda")
      device = arg.substr(2);
    else {
      fmt::print(
          stderr,
          "usage: {} [--count N] [--seed S] [--threads T] [--processes] [--direct] [--detached | --cuda] "
          "[--schedules N] [--print]\n",
          self);
      return 2;
    }
  }
  if (schedules > 0 && device.empty())
    device = "detached";
  if (device == "cuda")
    if (const auto queue = (*device::find_kind(device))->as_queues()->make_queue(0); !queue) {
      fmt::print("skipped: {}\n", queue.error().message());
      return 77;
    }
  RunCounts counts;
  std::mutex printing;
  std::atomic<int64_t> next{0};
  const auto begin = std::chrono::steady_clock::now();
  const auto work = [&] {
    Pools pools;
    if (processes)
      pools.processes = {2, 3, 4};
    if (direct)
      pools.exchange = runtime::Options::Exchange::direct;
    if (!device.empty()) {
      pools.of.resize(1); // for the copies of tiles
      pools.device = *device::find_kind(device);
    }
    for (int64_t i; (i = next.fetch_add(1)) < count;) {
      const uint64_t seed = first + static_cast<uint64_t>(i);
      std::string problem;
      try {
        uint64_t hash = 0;
        problem = schedules > 0 ? run_schedules(seed, schedules, *pools.device, hash)
                                : run_random_program(seed, pools, counts, print);
        if (schedules > 0 && problem.empty())
          fmt::print("seed {}: {} schedules, hash {:016x}\n", seed, schedules, hash);
      } catch (const std::exception &error) {
        problem = error.what();
      }
      if (problem.empty()) {
        ++counts.passed;
        continue;
      }
      const std::lock_guard lock(printing);
      if (++counts.failed <= 5)
        fmt::print("FAILED seed {}: {}\n  repeat with: {} --seed {} --count 1 --print{}{}{}{}\n", seed,
                   problem, self, seed, processes ? " --processes" : "", direct ? " --direct" : "",
                   device.empty() ? "" : " --", device);
      if (counts.failed >= 20)
        next = count;
    }
  };
  std::vector<std::thread> others;
  for (int64_t t = 1; t < threads; ++t)
    others.emplace_back(work);
  work();
  for (std::thread &t : others)
    t.join();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const int64_t passed = std::max<int64_t>(counts.passed, 1);
  fmt::print("{} passed, {} failed, {} mistrusted, in {:.1f} s; on average {} ops, {} devices, {} "
             "collectives, {} steps\n",
             counts.passed.load(), counts.failed.load(), counts.mistrusted.load(), seconds,
             counts.ops / passed, counts.devices / passed, counts.collectives / passed,
             counts.steps / 3 / passed);
  for (const auto &[how, executables] : counts.exchanges)
    fmt::print("{:6} exchange by {}\n", executables, how);
  if (counts.joined > 0)
    fmt::print("{:6} products joined by what follows\n", counts.joined.load());
  if (!counts.on_host.empty())
    fmt::print("of {} steps on the host:\n", counts.steps.load());
  for (const auto &[what, steps] : counts.on_host)
    fmt::print("{:6} {}\n", steps, what);
  // A generator that makes mostly constants would prove nothing.
  return counts.failed == 0 && counts.mistrusted * 10 <= count * 3 ? 0 : 1;
}
