// SPDX-License-Identifier: Apache-2.0
// What the processes of an MPI job do in tests; mpi.py starts the jobs.
//   exec_mpi same DEVICES COUNT SEED   random programs: the bits of one process, on DEVICES devices each
//   exec_mpi differ                    processes with different programs hear so, before data moves
//   exec_mpi differ_in_kernels         and so do those whose oneDNN sums in different orders
//   exec_mpi faults KINDS STRIDE       failures of these kinds at every STRIDE-th exchange of each process
//   exec_mpi dies KIND RANK EXCHANGE   a process goes away; the others say when they noticed
#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "comm/remote/remote.hpp"
#include "kernels/info.hpp"
#include "runtime/executable.hpp"
#include "spmd/program.hpp"
#include "support/machine_pace.hpp"
#include "support/mpi_processes.hpp"
#include "support/run_random.hpp"

using namespace tw;
using namespace tw::test;

namespace {

using Kind = ProcessFault::Kind;
using Milliseconds = std::chrono::duration<double, std::milli>;

// How long waits take on this machine: the deadline, what is promised, and what four processes that share two
// cores may add.
struct Waits {
  int pace = 1; // the largest of all processes
  std::chrono::milliseconds deadline = std::chrono::milliseconds(150) * pace;
  double heard = 5.0 * pace, late = 100.0 * pace, busy = 400.0 * pace;
};

Waits waits_here(comm::Processes &control) { return {std::ranges::max(all_say(control, machine_pace()))}; }

[[noreturn]] void give_up(const std::string &why) {
  fmt::print(stderr, "FAILED: {}\n", why);
  std::fflush(stderr);
  _exit(1);
}

// A program on a mesh, and arrays for it.
struct Case {
  RandomProgram made;
  std::shared_ptr<const spmd::Program> program;
  std::vector<std::vector<std::byte>> outputs;

  std::vector<runtime::TensorView> inputs() const {
    std::vector<runtime::TensorView> views;
    for (const kernels::ref::Array &a : made.inputs)
      views.push_back({a.type.dtype, a.type.dims, const_cast<std::byte *>(a.bytes.data()), {}});
    return views;
  }
  std::vector<runtime::TensorView> fresh_outputs() {
    const graph::Graph &g = *made.graph;
    std::vector<runtime::TensorView> views;
    outputs.clear();
    for (const graph::OpId result : g.results()) {
      const graph::TensorType &type = g.type(g.operands(result)[0]);
      outputs.emplace_back(static_cast<size_t>(type.bytes()), std::byte{0xa5});
    }
    for (size_t i = 0; i < outputs.size(); ++i) {
      const graph::TensorType &type = g.type(g.operands(g.results()[i])[0]);
      views.push_back({type.dtype, type.dims, outputs[i].data(), {}});
    }
    return views;
  }
  bool untouched() const {
    return std::ranges::all_of(outputs, [](const auto &bytes) {
      return std::ranges::count(bytes, std::byte{0xa5}) == std::ssize(bytes);
    });
  }
};

Case make_case(uint64_t seed, const std::string &devices) {
  RandomCase given(seed, *sharding::Mesh::parse(devices));
  auto program = spmd::lower(given.plan, given.lowering);
  if (!program)
    give_up("lowering failed");
  return {std::move(given.made), *program, {}};
}

std::shared_ptr<runtime::Executable> make_executable(const Case &c,
                                                     std::shared_ptr<comm::Processes> processes,
                                                     unsigned workers, bool whole,
                                                     std::optional<comm::Form> form = std::nullopt) {
  runtime::Options options;
  options.workers = workers;
  options.whole_outputs = whole;
  if (processes != nullptr)
    options.communicator = comm::make_remote(std::move(processes), form);
  auto made = runtime::Executable::create(c.program, std::move(options));
  if (!made)
    give_up("no executable: " + made.error().message());
  return *made;
}

int same(int64_t devices, int64_t count, uint64_t seed) {
  const auto processes = mpi_processes(std::chrono::seconds(30));
  const int64_t size = processes->size();
  const std::string mesh = fmt::format("a={},b={}", size, devices);
  size_t collectives = 0;
  for (int64_t i = 0; i < count; ++i) {
    Case c = make_case(seed + static_cast<uint64_t>(i), mesh);
    collectives += c.program->collectives().size();
    const auto remote = make_executable(c, processes, 1 + static_cast<unsigned>(i % 2), true,
                                        i % 2 == 0 ? comm::Form::direct : comm::Form::packed);
    for (int repeat = 0; repeat < 2; ++repeat) {
      const auto views = c.fresh_outputs();
      if (const Status status = remote->run(c.inputs(), views); !status)
        give_up("the run failed: " + status.error().message());
    }
    if (processes->rank() != 0)
      continue;
    const auto got = c.outputs;
    const auto alone = make_executable(c, nullptr, 1, false);
    if (!alone->run(c.inputs(), c.fresh_outputs()))
      give_up("the run in one process failed");
    if (got != c.outputs)
      give_up(fmt::format("seed {} on {}: other bits in {} processes", seed + static_cast<uint64_t>(i), mesh,
                          size));
  }
  if (collectives == 0)
    give_up("nothing moved");
  if (processes->rank() == 0)
    fmt::print("ok: {} programs, {} collectives, on {} processes of {} devices\n", count, collectives, size,
               devices);
  return 0;
}

int differ() {
  auto processes = mpi_processes(std::chrono::seconds(30));
  std::optional<Case> c; // two on one mesh
  for (uint64_t seed = 1, left = processes->rank() == 1 ? 2 : 1; left > 0; ++seed) {
    c.emplace(make_case(seed, "a=4"));
    left -= c->program->mesh().text() == "a=4";
  }
  runtime::Options options;
  options.communicator = comm::make_remote(processes);
  const auto made = runtime::Executable::create(c->program, std::move(options));
  if (made)
    give_up("processes with different programs did not notice");
  const std::string said = made.error().message();
  if (said.find("process 1") == std::string::npos || said.find("program") == std::string::npos)
    give_up("it does not say what differs, and where: " + said);
  if (processes->rank() == 0)
    fmt::print("ok: {}\n", said);
  return 0;
}

int differ_in_kernels() {
  auto processes = mpi_processes(std::chrono::seconds(30));
  if (processes->rank() == 1)
    setenv("ONEDNN_MAX_CPU_ISA", "AVX2", 1); // as on an older processor
  const auto info = kernels::backend_info();
  const bool known =
      std::ranges::any_of(info, [](const auto &i) { return i.second.find("brg:") != std::string::npos; });
  const Case c = make_case(1, "a=4");
  runtime::Options options;
  options.communicator = comm::make_remote(processes);
  const auto made = runtime::Executable::create(c.program, std::move(options));
  if (made && known)
    give_up("processes with different kernels did not notice");
  const std::string said = made ? "no kernel here is another one there" : made.error().message();
  if (!made && (said.find("process 1") == std::string::npos || said.find("kernels") == std::string::npos))
    give_up("it does not say what differs, and where: " + said);
  if (processes->rank() == 0)
    fmt::print("ok: {}\n", said);
  return 0;
}

// The same on all: a program in which much moves, and each process's exchanges in one run.
Case busy_case(int64_t size) {
  for (uint64_t seed = 1;; ++seed)
    if (Case c = make_case(seed, fmt::format("a={}", size)); c.program->collectives().size() >= 5)
      return c;
}

struct Said {
  bool failed = false, untouched = false, reached = false;
  int64_t fault_ns = 0, returned_ns = 0, exchanges = 0;
  int64_t threads = 0, files = 0;
};

int64_t nanoseconds(Clock::time_point at) { return at.time_since_epoch().count(); }

int64_t entries(const char *folder) {
  return std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator());
}

// One run on a fresh communicator with a fault in one process, told by all.
std::vector<Said> provoke(comm::Processes &control, const Waits &waits, Case &c, int64_t rank,
                          const ProcessFault &fault) {
  const auto plan = std::make_shared<FaultPlan>();
  Said said;
  {
    const auto processes = mpi_processes(waits.deadline, plan);
    const auto executable = make_executable(c, processes, 1, false);
    all_say(control, 0); // everybody is here
    plan->fault = fault;
    if (control.rank() != rank)
      plan->fault.exchange = -1; // counts, does nothing
    const auto views = c.fresh_outputs();
    const Status status = executable->run(c.inputs(), views);
    said.returned_ns = nanoseconds(Clock::now());
    said.failed = !status;
    said.untouched = c.untouched();
    said.exchanges = plan->exchanges;
    said.reached = plan->happened != Clock::time_point{};
    said.fault_ns = nanoseconds(plan->happened);
  }
  said.threads = entries("/proc/self/task");
  said.files = entries("/proc/self/fd");
  return all_say(control, said);
}

int faults(std::string_view kinds, int64_t stride) {
  const auto control = mpi_processes(std::chrono::seconds(60));
  const Waits waits = waits_here(*control);
  const int64_t size = control->size();
  Case c = busy_case(size);
  const auto clean = [&] {
    const auto all = provoke(*control, waits, c, 0, {Kind::error, 1 << 20, {}});
    for (const Said &s : all)
      if (s.failed)
        give_up("a run on a fresh communicator failed");
    return all;
  };
  auto before = clean();
  before = clean();
  int64_t cases = 0, place = 0;
  std::vector<double> heard, late;
  for (const auto &[name, kind] : kProcessFaults) {
    if (kinds.find(name) == std::string_view::npos)
      continue;
    for (int64_t rank = 0; rank < size; ++rank)
      // Not the last: there the processes meet, and some may have heard of all the others already, which
      // nothing can take back.
      for (int64_t exchange = 0; exchange + 1 < before[static_cast<size_t>(rank)].exchanges; ++exchange) {
        if (place++ % stride != 0)
          continue;
        const auto all = provoke(*control, waits, c, rank, {kind, exchange, waits.deadline * 2});
        const Said &origin = all[static_cast<size_t>(rank)];
        if (!origin.reached)
          give_up(fmt::format("{} at exchange {} of process {}: never reached", name, exchange, rank));
        for (int64_t p = 0; p < size; ++p) {
          const Said &s = all[static_cast<size_t>(p)];
          const double after = static_cast<double>(s.returned_ns - origin.fault_ns) / 1e6;
          const double bound = kind == Kind::error ? waits.heard
                               : kind == Kind::desert
                                   ? static_cast<double>(waits.deadline.count()) + waits.late
                                   : static_cast<double>(waits.deadline.count()) * 2 + waits.late;
          (kind == Kind::error ? heard : late).push_back(after);
          // A late process may find that nobody waited for it any more; then nothing failed.
          if (!s.failed && !(kind == Kind::delay))
            give_up(fmt::format("{} at exchange {} of process {}: process {} saw no error", name, exchange,
                                rank, p));
          if (s.failed && !s.untouched)
            give_up(fmt::format("{} at exchange {} of process {}: process {} wrote outputs", name, exchange,
                                rank, p));
          if (after > bound + waits.busy)
            give_up(fmt::format("{} at exchange {} of process {}: process {} needed {:.1f} ms", name,
                                exchange, rank, p, after));
        }
        ++cases;
      }
  }
  const auto after = clean();
  for (size_t p = 0; p < after.size(); ++p)
    if (after[p].threads > before[p].threads || after[p].files > before[p].files)
      give_up(fmt::format("process {} has {} threads and {} files, and had {} and {}", p, after[p].threads,
                          after[p].files, before[p].threads, before[p].files));
  if (control->rank() == 0) {
    const auto summary = [](std::vector<double> &ms) {
      if (ms.empty())
        return std::string("-");
      std::ranges::sort(ms);
      return fmt::format("median {:.2f}, largest {:.2f} ms", ms[ms.size() / 2], ms.back());
    };
    fmt::print("ok: {} cases; told of an error: {}; missed a deadline of {} ms: {}\n", cases, summary(heard),
               waits.deadline.count(), summary(late));
  }
  return 0;
}

// Every process that lives says so and leaves without MPI_Finalize, which would wait for the dead.
int dies(std::string_view name, int64_t rank, int64_t exchange) {
  const auto *found = std::ranges::find(kProcessFaults, name, &std::pair<std::string_view, Kind>::first);
  auto control = mpi_processes(std::chrono::seconds(60));
  const Waits waits = waits_here(*control);
  Case c = busy_case(control->size());
  const auto plan = std::make_shared<FaultPlan>();
  const auto processes = mpi_processes(waits.deadline, plan);
  const auto executable = make_executable(c, processes, 1, false);
  const auto pids = all_say(*control, getpid());
  if (control->rank() == rank)
    plan->fault = {found->second, exchange, {}};
  const auto begin = Clock::now();
  const Status status = executable->run(c.inputs(), c.fresh_outputs());
  const double ms = Milliseconds(Clock::now() - begin).count();
  if (control->rank() == rank) // it was stopped and somebody let it go on
    _exit(0);
  const auto again = Clock::now();
  const bool at_once = !executable->run(c.inputs(), c.fresh_outputs()) &&
                       Milliseconds(Clock::now() - again).count() < waits.busy;
  const bool ok = !status && c.untouched() && at_once &&
                  ms < static_cast<double>(waits.deadline.count()) + waits.late + waits.busy;
  fmt::print("{}: process {} after {:.1f} ms: {}\n", ok ? "survived" : "FAILED", control->rank(), ms,
             status ? "no error" : status.error().message());
  std::fflush(stdout);
  if (found->second == Kind::stop) {
    std::this_thread::sleep_for(std::chrono::milliseconds(500)); // all have seen it stopped
    ::kill(pids[static_cast<size_t>(rank)], SIGKILL);
  }
  _exit(ok ? 0 : 1);
}

int64_t number(const char *text) {
  int64_t value = 0;
  std::from_chars(text, text + std::strlen(text), value);
  return value;
}

int run(std::span<char *const> args) {
  const std::string_view what = args.empty() ? "" : args[0];
  if (what == "same" && args.size() == 4)
    return same(number(args[1]), number(args[2]), static_cast<uint64_t>(number(args[3])));
  if (what == "differ")
    return differ();
  if (what == "differ_in_kernels")
    return differ_in_kernels();
  if (what == "faults" && args.size() == 3)
    return faults(args[1], number(args[2]));
  if (what == "dies" && args.size() == 4)
    return dies(args[1], number(args[2]), number(args[3]));
  fmt::print(stderr, "mpi.cpp says what it takes\n");
  return 2;
}

} // namespace

int main(int argc, char **argv) {
  if (const Status status = comm::start_mpi(""); !status) {
    fmt::print(stderr, "{}\n", status.error().message());
    return 1;
  }
  const int status = run({argv + 1, static_cast<size_t>(argc - 1)});
  if (status == 0 && !comm::finish_mpi(""))
    return 1;
  return status;
}
