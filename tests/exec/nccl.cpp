// SPDX-License-Identifier: Apache-2.0
// Programs over the double of NCCL; processes are threads here, each with a device of its own: one of a
// test, whose collectives workers send, or with `cuda` a GPU on the double of the driver, whose collectives
// are in queues.
//   exec_nccl same RANKS COUNT SEED [fast] [cuda]  random programs: the bits of one process
//   exec_nccl faults RANKS COUNT [cuda]            every process is told in time, nothing stays behind
// TW_TIMES=N in the environment makes COUNT N times as large.
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/dynlib.hpp"
#include "comm/nccl/nccl.hpp"
#include "comm/remote/remote.hpp"
#include "runtime/executable.hpp"
#include "spmd/program.hpp"
#include "support/machine_pace.hpp"
#include "support/nccl_device.hpp"
#include "support/nccl_double/control.hpp"
#include "support/run_random.hpp"
#include "support/thread_transport.hpp"

using namespace tw;
using namespace tw::test;
using comm::Clock;
using nccl_double::control;
using nccl_double::Fault;
using Milliseconds = std::chrono::duration<double, std::milli>;

namespace {

const int g_pace = machine_pace();
auto g_deadline = std::chrono::milliseconds(150) * g_pace;
bool g_cuda = false;
// What a busy machine may add: eight processes and their streams share few cores.
const double g_busy = 800.0 * g_pace;

[[noreturn]] void give_up(const std::string &why) {
  fmt::print(stderr, "FAILED: {}\n", why);
  std::fflush(stderr);
  _exit(1);
}

using Outputs = std::vector<std::vector<std::byte>>;
constexpr std::byte kUnwritten{0xa5};

// A program and arrays for it.
struct Case {
  RandomProgram made;
  std::shared_ptr<const spmd::Program> program;
  std::string context;

  Case(uint64_t seed, const std::string &mesh) {
    RandomCase given(seed, *sharding::Mesh::parse(mesh));
    auto lowered = spmd::lower(given.plan, given.lowering);
    if (!lowered)
      give_up("lowering failed: " + lowered.error().message());
    made = std::move(given.made);
    context = std::move(given.context);
    program = *lowered;
  }
  std::vector<graph::TensorType> types() const {
    std::vector<graph::TensorType> types;
    for (const graph::OpId result : made.graph->results())
      types.push_back(made.graph->type(made.graph->operands(result)[0]));
    return types;
  }
  Outputs fresh() const {
    Outputs outputs;
    for (const graph::TensorType &type : types())
      outputs.emplace_back(static_cast<size_t>(type.bytes()), kUnwritten);
    return outputs;
  }
  Status run(runtime::Executable &executable, Outputs &outputs) const {
    std::vector<runtime::TensorView> in, out;
    for (const kernels::ref::Array &a : made.inputs)
      in.push_back({a.type.dtype, a.type.dims, const_cast<std::byte *>(a.bytes.data()), {}});
    const auto all = types();
    for (size_t i = 0; i < outputs.size(); ++i)
      out.push_back({all[i].dtype, all[i].dims, outputs[i].data(), {}});
    return executable.run(in, out);
  }
};

bool untouched(const Outputs &outputs) {
  return std::ranges::all_of(
      outputs, [](const auto &bytes) { return std::ranges::count(bytes, kUnwritten) == std::ssize(bytes); });
}

Result<std::shared_ptr<runtime::Executable>> make_executable(const Case &c,
                                                             std::shared_ptr<comm::Processes> processes,
                                                             uint64_t seed, std::chrono::nanoseconds deadline,
                                                             bool fast, bool whole) {
  comm::nccl::Options how;
  how.deadline = deadline;
  how.fast_sums = fast;
  runtime::Options options;
  options.workers = 1 + static_cast<unsigned>(seed % 2);
  options.whole_outputs = whole;
  if (g_cuda) {
    TW_ASSIGN(options.device, device::find_kind("cuda"));
    options.communicator = comm::make_remote(std::move(processes));
    options.exchange = runtime::Options::Exchange::direct;
    options.fast_sums = fast;
    return runtime::Executable::create(c.program, std::move(options));
  }
  const auto rank = static_cast<uint64_t>(processes->rank());
  TW_ASSIGN(options.communicator,
            comm::nccl::make_nccl(processes,
                                  make_thread_device(fmt::format("device {}", rank), seed * 31 + rank), how));
  return runtime::Executable::create(c.program, std::move(options));
}

// One thread a process: body(process, rank).
template <class Body> void together(int64_t ranks, std::chrono::nanoseconds deadline, Body &&body) {
  const auto processes = thread_processes(ranks, deadline);
  std::vector<std::thread> threads;
  for (int64_t r = 0; r < ranks; ++r)
    threads.emplace_back([&, r] { body(processes[static_cast<size_t>(r)], static_cast<size_t>(r)); });
  for (std::thread &t : threads)
    t.join();
}

void check_double(const std::string &context) {
  if (const std::string reports = control().reports(); !reports.empty())
    give_up(fmt::format("{}: the double reports\n{}", context, reports));
  if (const int64_t live = control().live(); live != 0)
    give_up(fmt::format("{}: {} communicators stay behind", context, live));
}

int same(int64_t ranks, int64_t count, uint64_t first, bool fast) {
  int64_t collectives = 0, of_nccl = 0, groups = 0;
  for (int64_t i = 0; i < count; ++i) {
    const uint64_t seed = first + static_cast<uint64_t>(i);
    // One device a process, or several.
    const std::string mesh = i % 3 == 0   ? fmt::format("a={},b=2", ranks)
                             : i % 3 == 1 ? fmt::format("a={}", ranks)
                                          : fmt::format("a=2,b={}", ranks / 2 * 2);
    const Case c(seed, mesh);
    const std::string context = fmt::format("seed {} on {}", seed, mesh);
    collectives += static_cast<int64_t>(c.program->collectives().size());
    Outputs want = c.fresh();
    runtime::Options alone;
    alone.workers = 1;
    const auto local = runtime::Executable::create(c.program, std::move(alone));
    if (!local || !c.run(**local, want))
      give_up(context + ": the run in one process failed");
    control().reset(seed);
    together(ranks, std::chrono::seconds(60), [&](const auto &processes, size_t rank) {
      const auto executable = make_executable(c, processes, seed, std::chrono::seconds(60), fast, true);
      if (!executable)
        give_up(fmt::format("{}: no executable: {}", context, executable.error().message()));
      for (int repeat = 0; repeat < 2; ++repeat) {
        Outputs got = c.fresh();
        if (const Status status = c.run(**executable, got); !status)
          give_up(fmt::format("{}: the run failed: {}", context, status.error().message()));
        const auto types = c.types();
        for (size_t o = 0; o < got.size() && rank == 0; ++o)
          if (fast ? !equal_but_for_zeros(types[o], want[o], got[o]) : want[o] != got[o])
            give_up(fmt::format("{}: result {} differs over NCCL\n{}", context, o, c.context));
      }
    });
    of_nccl += control().collectives();
    groups += control().launched(0);
    check_double(context);
  }
  if (groups == 0 || of_nccl == 0)
    give_up("nothing went over NCCL, or none of its own collectives");
  fmt::print("ok: {} programs, {} collectives, on {} processes; {} groups of process 0, {} collectives of "
             "NCCL's own\n",
             count, collectives, ranks, groups, of_nccl);
  return 0;
}

struct Told {
  std::string error; // "": none
  bool untouched = true;
  double ms = 0;
};

// What goes wrong: in NCCL, or else at a step of a device, which fails or is late there.
struct Provoked {
  Fault fault;
  std::optional<runtime::Fault::Kind> at_step = {};
  double late_ms() const {
    return at_step == runtime::Fault::Kind::delay ? static_cast<double>(g_deadline.count()) * 2 : 0;
  }
};

void provoke(runtime::Executable &executable, const Provoked &what) {
  if (!executable.local_positions().empty())
    executable.set_hooks(
        {{{*what.at_step, executable.local_positions()[0],
           static_cast<uint32_t>(what.fault.at) % static_cast<uint32_t>(executable.num_steps()),
           std::chrono::milliseconds(static_cast<int64_t>(what.late_ms()))}}});
}

std::vector<Told> run_with(const Case &c, int64_t ranks, const Provoked &what, uint64_t seed,
                           std::chrono::milliseconds deadline = g_deadline) {
  control().reset(seed);
  if (!what.at_step)
    control().arm(what.fault);
  std::vector<Told> told(static_cast<size_t>(ranks));
  together(ranks, deadline, [&](const auto &processes, size_t rank) {
    const auto begin = Clock::now();
    Told &mine = told[rank];
    auto executable = make_executable(c, processes, seed, deadline, false, false);
    Outputs outputs = c.fresh();
    Status status;
    if (executable && what.at_step && what.fault.rank == static_cast<int32_t>(rank))
      provoke(**executable, what);
    if (executable)
      status = c.run(**executable, outputs);
    else
      status = fail(std::move(executable.error()));
    mine.ms = Milliseconds(Clock::now() - begin).count();
    if (!status) {
      mine.error = fmt::format("{} {}", status.error().info().id, status.error().message());
      mine.untouched = untouched(outputs);
      processes->abort(status.error());
    }
  });
  return told;
}

int64_t threads_here() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"),
                       std::filesystem::directory_iterator());
}

Provoked fault_of(Dice &random, int64_t ranks, const std::vector<int64_t> &launched,
                  const std::vector<int64_t> &made) {
  using Kind = Fault::Kind;
  constexpr Kind kKinds[] = {Kind::error, Kind::async_error, Kind::never_comes,
                             Kind::hangs, Kind::init_error,  Kind::init_hangs};
  Fault fault{kKinds[random.below(6)], static_cast<int32_t>(random.below(ranks)), 0,
              static_cast<int32_t>(random.between(1, 6))};
  const auto rank = static_cast<size_t>(fault.rank);
  const bool at_init = fault.kind == Kind::init_error || fault.kind == Kind::init_hangs;
  fault.at = random.below(at_init ? made[rank] : launched[rank]);
  if (!g_cuda || random.below(4) > 0)
    return {fault};
  fault.at = random.below(1000); // of its steps, again and again
  return {fault, random.chance(3) ? runtime::Fault::Kind::delay : runtime::Fault::Kind::error};
}

// What the double of the driver has made and not got back; 0 without it.
int64_t alive_on_gpus() {
  if (!g_cuda)
    return 0;
  static const auto library = DynLib::open(std::getenv("TW_CUDA_DRIVER"));
  if (!library)
    give_up("TW_CUDA_DRIVER does not name the double of the driver");
  const auto alive = library->get<int64_t()>("tw_double_alive");
  if (!alive)
    give_up("the driver is no double");
  return (*alive)();
}

int faults(int64_t ranks, int64_t count) {
  std::optional<Case> c;
  for (uint64_t seed = 1; !c || c->program->collectives().size() < 5; ++seed)
    c.emplace(seed, fmt::format("a={}", ranks));
  const auto clean = [&](uint64_t seed) {
    // The first time kernels may be compiled.
    for (const Told &told : run_with(*c, ranks, {}, seed, std::chrono::seconds(60)))
      if (!told.error.empty())
        give_up("a run without a fault failed: " + told.error);
  };
  clean(1);
  std::vector<int64_t> launched, made;
  for (int32_t r = 0; r < ranks; ++r) {
    launched.push_back(control().launched(r));
    made.push_back(control().made(r));
  }
  const int64_t before = threads_here(), alive = alive_on_gpus();
  Dice random(static_cast<uint64_t>(ranks));
  std::vector<double> times;
  constexpr int kUnreached = 3, kLate = 2;
  int unreached = 0;
  // A fault that is told late is provoked again: other work may keep processes from running, not each time.
  int late_before = 0;
  std::optional<Provoked> again;
  for (int64_t i = 0; i < count; ++i) {
    const Provoked what = again ? *again : fault_of(random, ranks, launched, made);
    const Fault &fault = what.fault;
    const auto told = run_with(*c, ranks, what, static_cast<uint64_t>(i));
    if (what.at_step && std::ranges::all_of(told, &std::string::empty, &Told::error)) {
      --i; // a step of a branch that was not taken
      continue;
    }
    const std::string context =
        fmt::format("fault {} of kind {} on process {} at {}{}", i, static_cast<int>(fault.kind), fault.rank,
                    fault.at, what.at_step ? ", of a step" : "");
    if (!what.at_step && !control().fault_happened()) {
      if (++unreached > kUnreached)
        give_up(context + ": never reached: " + told[static_cast<size_t>(fault.rank)].error);
      --i; // on a machine that is busy the deadline may pass before
      continue;
    }
    bool late = false;
    for (size_t r = 0; r < told.size(); ++r) {
      times.push_back(told[r].ms);
      late |= told[r].ms > static_cast<double>(g_deadline.count()) * 2 + g_busy +
                               (fault.rank == static_cast<int32_t>(r) ? what.late_ms() : 0);
      if (told[r].error.empty() || !told[r].untouched || (late && late_before == kLate))
        give_up(fmt::format("{}: process {} after {:.0f} ms: '{}'{}", context, r, told[r].ms, told[r].error,
                            told[r].untouched ? "" : ", and wrote outputs"));
    }
    check_double(context);
    late_before = late ? late_before + 1 : 0;
    again = late ? std::optional(what) : std::nullopt;
    i -= late ? 1 : 0;
  }
  clean(2);
  if (const int64_t after = threads_here(); after > before)
    give_up(fmt::format("{} threads, and there were {}", after, before));
  if (const int64_t after = alive_on_gpus(); after > alive)
    give_up(fmt::format("{} things live on GPUs, and there were {}", after, alive));
  std::ranges::sort(times);
  fmt::print(
      "ok: {} faults on {} processes; told within: median {:.1f}, largest {:.1f} ms of a deadline of {} ms\n",
      count, ranks, times[times.size() / 2], times.back(), g_deadline.count());
  return 0;
}

int64_t number(std::string_view text) {
  int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

} // namespace

int main(int argc, char **argv) {
  const std::vector<std::string_view> args(argv + 1, argv + argc);
  const auto has = [&](std::string_view word) { return std::ranges::find(args, word) != args.end(); };
  g_cuda = has("cuda");
  if (g_cuda)
    g_deadline *= 6; // of what compiles and loads kernels
  const char *const more = std::getenv("TW_TIMES");
  const int64_t times = more != nullptr ? number(more) : 1;
  if (args.size() >= 4 && args[0] == "same")
    return same(number(args[1]), number(args[2]) * times, static_cast<uint64_t>(number(args[3])),
                has("fast"));
  if (args.size() >= 3 && args[0] == "faults")
    return faults(number(args[1]), number(args[2]) * times);
  fmt::print(stderr, "nccl.cpp says what it takes\n");
  return 2;
}
