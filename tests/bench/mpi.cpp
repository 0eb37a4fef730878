// SPDX-License-Identifier: Apache-2.0
// Collectives of processes with a device each: ours over MPI, ours between as many devices of one process,
// and MPI's own, which take turns on the same arrays. mpi.py starts the jobs.
// Longer than other files: three ways of each collective share their arrays.
//   ./dev bench mpi [--processes 4,8] [--rounds N] [--filter TEXT] [--json FILE]
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#include "base/allocator.hpp"
#include "bench/need.hpp"
#include "bench/peak.hpp"
#include "comm/local/local.hpp"
#include "comm/mpi/mpi.hpp"
#include "comm/remote/remote.hpp"
#include "kernels/cpu/copy.hpp"
#include "ops/strided.hpp"
#include "runtime/worker_executor.hpp"

namespace {

using namespace tw;
using bench::need;
using bench::stop;
using graph::TensorType;
using sharding::Box;
using sharding::Mesh;
using sharding::Sharding;

constexpr int64_t kMiB = 1 << 20;
constexpr size_t kSkew = 33 * 64; // as between the arenas of an executable

int g_rank = 0, g_size = 1;

// Touched memory of a device for one array that is sent and one that is received.
class Arrays {
public:
  Arrays(int64_t from, int64_t to, int64_t device = 0)
      : skew_(static_cast<size_t>(device) * kSkew), to_at_(static_cast<size_t>(from + 63) / 64 * 64 + kSkew),
        size_(skew_ + to_at_ + static_cast<size_t>(to)),
        data_(static_cast<std::byte *>(Allocator().allocate(size_, kPage)), Free{size_}) {
    std::memset(data_.get(), 0, size_);
  }
  std::byte *from() const { return data_.get() + skew_; }
  std::byte *to() const { return from() + to_at_; }
  int64_t to_at() const { return static_cast<int64_t>(to_at_); }

private:
  static constexpr size_t kPage = 4096;
  struct Free {
    size_t size;
    void operator()(std::byte *p) const { Allocator().release(p, size, kPage); }
  };
  size_t skew_, to_at_, size_;
  std::unique_ptr<std::byte, Free> data_;
};

// What moves: an array between two layouts of N devices.
struct Work {
  std::string name;
  Mesh mesh;
  TensorType type;
  Sharding src, dst;

  Box from(int64_t d) const { return box_of(src, type.dims, mesh, sharding::Position(d)); }
  Box to(int64_t d) const { return box_of(dst, type.dims, mesh, sharding::Position(d)); }
  bool sums() const { return !src.partial.empty(); }
};

// One collective as the only step of a run, for the devices of this process.
class Ours {
public:
  Ours(const Work &work, std::shared_ptr<comm::Communicator> communicator, unsigned workers,
       std::vector<std::byte *> arenas, int64_t to_at)
      : communicator_(std::move(communicator)), arenas_(std::move(arenas)) {
    const comm::Transfer transfer{redistribute::Move(work.mesh, work.type, work.src, work.dst)};
    std::vector<runtime::BoundStep> steps(1);
    steps[0].collective = need(communicator_->prepare({&transfer, 1}));
    steps[0].num_operands = steps[0].num_results = 1;
    for (sharding::Position d; d < work.mesh.num_positions(); ++d)
      for (const int64_t at : {int64_t{0}, to_at})
        steps[0].places.push_back({0, static_cast<uint32_t>(d), at});
    for (size_t g = 0; g < steps[0].collective->num_groups(); ++g)
      if (const int64_t bytes = steps[0].collective->staging_bytes(g); bytes > 0) {
        staging_.push_back(std::make_unique<Arrays>(bytes, 0));
        need(steps[0].collective->give_staging(g, staging_.back()->from()));
      }
    runtime::ProcessGroup processes;
    if (communicator_->is_shared())
      processes = {communicator_.get(), communicator_->devices(work.mesh.num_devices()),
                   [this](runtime::Failure &failure) { communicator_->abort(failure.error); }};
    executor_ = std::make_unique<runtime::WorkerExecutor>(
        std::move(steps), work.mesh, std::make_shared<WorkerPool>(workers), runtime::ScratchLimits(), false,
        std::move(processes));
  }
  void run() {
    if (auto failure = executor_->run({arenas_, {}}))
      stop(failure->error.message());
  }

private:
  std::shared_ptr<comm::Communicator> communicator_;
  std::vector<std::byte *> arenas_; // by device
  std::vector<std::unique_ptr<Arrays>> staging_;
  std::unique_ptr<runtime::WorkerExecutor> executor_;
};

// --- MPI's own
// -------------------------------------------------------------------------------------------------------

void demand(int code) {
  if (code != MPI_SUCCESS)
    stop("MPI failed");
}

// A way to do the work.
struct Way {
  std::string name;
  std::function<void()> run;
};

// The boxes that a process exchanges with each other, as parts of its two tiles.
struct Exchanges {
  std::vector<Box> sent, received; // by peer, in coordinates of the tile
  Box from, to;

  explicit Exchanges(const Work &work) : from(work.from(g_rank)), to(work.to(g_rank)) {
    const auto common = [](const Box &tile, const Box &other) {
      Box box = tile;
      for (size_t d = 0; d < tile.rank(); ++d) {
        const int64_t begin = std::max(tile.offset[d], other.offset[d]);
        const int64_t end = std::min(tile.offset[d] + tile.extent[d], other.offset[d] + other.extent[d]);
        box.offset[d] = begin - tile.offset[d];
        box.extent[d] = end - begin;
      }
      return box;
    };
    for (int64_t p = 0; p < g_size; ++p) {
      sent.push_back(common(from, work.to(p)));
      received.push_back(common(to, work.from(p)));
    }
  }
};

std::vector<int> ints(std::span<const int64_t> values) { return {values.begin(), values.end()}; }

MPI_Datatype subarray(const Box &tile, const Box &part) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  demand(MPI_Type_create_subarray(static_cast<int>(tile.rank()), ints(tile.extent).data(),
                                  ints(part.extent).data(), ints(part.offset).data(), MPI_ORDER_C, MPI_FLOAT,
                                  &type));
  demand(MPI_Type_commit(&type));
  return type;
}

Way alltoallw(const Work &work, const Arrays &arrays) {
  const Exchanges e(work);
  std::vector<MPI_Datatype> send, receive;
  for (size_t p = 0; p < e.sent.size(); ++p) {
    send.push_back(subarray(e.from, e.sent[p]));
    receive.push_back(subarray(e.to, e.received[p]));
  }
  return {"MPI_Alltoallw", [send, receive, from = arrays.from(), to = arrays.to()] {
            const std::vector<int> one(send.size(), 1), zero(send.size(), 0);
            demand(MPI_Alltoallw(from, one.data(), zero.data(), send.data(), to, one.data(), zero.data(),
                                 receive.data(), MPI_COMM_WORLD));
          }};
}

Way packed_alltoallv(const Work &work, const Arrays &arrays) {
  using kernels::cpu::CopyPlan;
  struct Packed {
    std::vector<CopyPlan> packs, unpacks;
    std::vector<int64_t> from_at, to_at; // elements
    std::vector<int> counts_out, counts_in, places_out, places_in;
    std::unique_ptr<Arrays> staging;
  };
  const Exchanges e(work);
  auto packed = std::make_shared<Packed>();
  const auto add = [](const Box &tile, const Box &part, bool packs, std::vector<CopyPlan> &plans,
                      std::vector<int64_t> &at, std::vector<int> &counts, std::vector<int> &places) {
    const auto in_tile = ops::dense_strides(tile.extent), dense = ops::dense_strides(part.extent);
    plans.emplace_back(part.extent, packs ? in_tile : dense, packs ? dense : in_tile, 4,
                       CopyPlan::Stream::never);
    int64_t offset = 0;
    for (size_t d = 0; d < tile.rank(); ++d)
      offset += part.offset[d] * in_tile[d];
    at.push_back(offset);
    places.push_back(counts.empty() ? 0 : places.back() + counts.back());
    counts.push_back(static_cast<int>(part.elements()));
  };
  for (size_t p = 0; p < e.sent.size(); ++p) {
    add(e.from, e.sent[p], true, packed->packs, packed->from_at, packed->counts_out, packed->places_out);
    add(e.to, e.received[p], false, packed->unpacks, packed->to_at, packed->counts_in, packed->places_in);
  }
  packed->staging = std::make_unique<Arrays>(e.from.elements() * 4, e.to.elements() * 4);
  return {"packed MPI_Alltoallv", [packed, from = arrays.from(), to = arrays.to()] {
            const Packed &p = *packed;
            for (size_t i = 0; i < p.packs.size(); ++i)
              p.packs[i].run(from + 4 * p.from_at[i], p.staging->from() + 4 * p.places_out[i]);
            demand(MPI_Alltoallv(p.staging->from(), p.counts_out.data(), p.places_out.data(), MPI_FLOAT,
                                 p.staging->to(), p.counts_in.data(), p.places_in.data(), MPI_FLOAT,
                                 MPI_COMM_WORLD));
            for (size_t i = 0; i < p.unpacks.size(); ++i)
              p.unpacks[i].run(p.staging->to() + 4 * p.places_in[i], to + 4 * p.to_at[i]);
          }};
}

Way allgather(const Work &work, const Arrays &a) {
  return {"MPI_Allgather",
          [n = static_cast<int>(work.from(g_rank).elements()), from = a.from(), to = a.to()] {
            demand(MPI_Allgather(from, n, MPI_FLOAT, to, n, MPI_FLOAT, MPI_COMM_WORLD));
          }};
}
Way reduce_scatter(const Work &work, const Arrays &a) {
  return {"MPI_Reduce_scatter_block",
          [n = static_cast<int>(work.to(g_rank).elements()), from = a.from(), to = a.to()] {
            demand(MPI_Reduce_scatter_block(from, to, n, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD));
          }};
}
Way allreduce(const Work &work, const Arrays &a) {
  return {"MPI_Allreduce", [n = static_cast<int>(work.to(g_rank).elements()), from = a.from(), to = a.to()] {
            demand(MPI_Allreduce(from, to, n, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD));
          }};
}

// --- Measuring
// -------------------------------------------------------------------------------------------------------

// Nobody takes a core from the first process while it works alone.
void sleep_until_all_are_here() {
  MPI_Request request = MPI_REQUEST_NULL;
  demand(MPI_Ibarrier(MPI_COMM_WORLD, &request));
  for (int done = 0; demand(MPI_Test(&request, &done, MPI_STATUS_IGNORE)), !done;)
    usleep(5000); // what waits is to leave the cores to what is measured
}

// Milliseconds until the last process is through, the median of some rounds, in which the ways take turns.
std::vector<double> time_in_turns(std::span<const Way> ways, int rounds, int repeat) {
  std::vector<std::vector<double>> times(ways.size());
  for (int r = -1; r < rounds; ++r) // one to warm up
    for (size_t i = 0; i < ways.size(); ++i) {
      const Way &way = ways[r % 2 == 0 ? i : ways.size() - 1 - i];
      sleep_until_all_are_here();
      demand(MPI_Barrier(MPI_COMM_WORLD));
      const double begin = bench::now();
      for (int k = 0; k < repeat; ++k)
        way.run();
      double ms = (bench::now() - begin) * 1e3 / repeat;
      demand(MPI_Allreduce(MPI_IN_PLACE, &ms, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD));
      if (r >= 0)
        times[static_cast<size_t>(&way - ways.data())].push_back(ms);
    }
  std::vector<double> medians;
  for (auto &of_way : times)
    medians.push_back(bench::median(std::move(of_way)));
  return medians;
}

// Milliseconds of work that this process does alone.
double time_alone(const Way &way, int rounds, int repeat) {
  std::vector<double> times;
  for (int r = -1; r < rounds; ++r) {
    const double begin = bench::now();
    for (int k = 0; k < repeat; ++k)
      way.run();
    if (r >= 0)
      times.push_back((bench::now() - begin) * 1e3 / repeat);
  }
  return bench::median(std::move(times));
}

// Small integers, so that sums are exact in any order.
float element(const Work &work, int64_t place, int64_t device) {
  return static_cast<float>(work.sums() ? (place + 7 * device) % 1009 : place % 65521);
}
int64_t place_of(const Work &work, const Box &tile, int64_t at) {
  int64_t place = 0, stride = 1;
  for (size_t d = tile.rank(); d-- > 0; at /= tile.extent[d], stride *= work.type.dims[d])
    place += (tile.offset[d] + at % tile.extent[d]) * stride;
  return place;
}
void fill(const Work &work, int64_t device, std::byte *tile) {
  const Box box = work.from(device);
  for (int64_t i = 0; i < box.elements(); ++i)
    reinterpret_cast<float *>(tile)[i] = element(work, place_of(work, box, i), device);
}
void check(const Work &work, int64_t device, const std::byte *tile, const std::string &who) {
  const Box box = work.to(device);
  for (int64_t i = 0; i < box.elements(); i += std::max<int64_t>(box.elements() / 4099, 1)) {
    const int64_t place = place_of(work, box, i);
    float wanted = work.sums() ? 0 : element(work, place, 0);
    for (int64_t d = 0; work.sums() && d < g_size; ++d)
      wanted += element(work, place, d);
    if (reinterpret_cast<const float *>(tile)[i] != wanted)
      stop(fmt::format("{}: {} gave device {} a wrong element", work.name, who, device));
  }
}

struct Options {
  int rounds = 7;
  std::string filter, json;
};

class Report {
public:
  // Milliseconds; `limit` of ours over theirs, 0: none is set.
  void add(const std::string &name, double ours, double theirs, double limit) {
    if (g_rank != 0)
      return;
    const double ratio = ours / theirs;
    const bool kept = limit == 0 || ratio <= limit;
    fmt::print("{:<66} {:>9.3f} {:>9.3f} {:>7.3f} {:>7}{}\n", name, ours, theirs, ratio,
               limit == 0 ? "" : fmt::format("{:.3f}", limit), kept ? "" : "  over");
    std::fflush(stdout);
    nlohmann::ordered_json row{{"name", name}, {"ours", ours}, {"theirs", theirs}, {"ratio", ratio}};
    row["limit"] = limit == 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(limit);
    row["kept"] = kept;
    rows_.push_back(std::move(row));
  }
  const nlohmann::ordered_json &json() const { return rows_; }

private:
  nlohmann::ordered_json rows_ = nlohmann::ordered_json::array();
};

struct Limits {
  double alone = 0;  // in one process, of the first of MPI's ways
  double remote = 0; // over MPI, of the better one of them
};

using MakeWay = Way (*)(const Work &, const Arrays &);

void compare(const Work &work, std::initializer_list<MakeWay> theirs, const Limits &limits,
             const std::shared_ptr<comm::Processes> &processes, const Options &options, Report &report) {
  if (work.name.find(options.filter) == std::string::npos)
    return;
  const int64_t from_bytes = work.from(g_rank).elements() * 4, to_bytes = work.to(g_rank).elements() * 4;
  const int repeat = to_bytes > kMiB ? 1 : to_bytes > 4096 ? 30 : 200;
  std::vector<Way> ways;
  double alone = 0;
  {
    const Arrays arrays(from_bytes, to_bytes);
    fill(work, g_rank, arrays.from());
    std::vector<std::byte *> arenas(static_cast<size_t>(g_size), nullptr);
    arenas[static_cast<size_t>(g_rank)] = arrays.from();
    Ours ours(work, comm::make_remote(processes), 1, arenas, arrays.to_at());
    ways.push_back({"ours over MPI", [&] { ours.run(); }});
    for (const MakeWay make : theirs)
      ways.push_back(make(work, arrays));
    for (const Way &way : ways) {
      std::memset(arrays.to(), 0xff, static_cast<size_t>(to_bytes));
      way.run();
      check(work, g_rank, arrays.to(), way.name);
    }
    const auto ms = time_in_turns(ways, options.rounds, repeat);
    if (g_rank == 0) {
      std::vector<std::unique_ptr<Arrays>> all;
      std::vector<std::byte *> tiles;
      for (int64_t d = 0; d < g_size; ++d) {
        all.push_back(std::make_unique<Arrays>(from_bytes, to_bytes, d));
        tiles.push_back(all.back()->from());
        fill(work, d, tiles.back());
      }
      Ours local(work, comm::make_local(), 0, tiles, all[0]->to_at());
      local.run();
      for (int64_t d = 0; d < g_size; ++d)
        check(work, d, all[static_cast<size_t>(d)]->to(), "one process");
      alone = time_alone({"ours", [&] { local.run(); }}, options.rounds, repeat);
    }
    sleep_until_all_are_here();
    const auto name = [&](const char *how, const std::string &than) {
      return fmt::format("N={} {}, {} / {}", g_size, work.name, how, than);
    };
    report.add(name("in process", ways[1].name), alone, ms[1], limits.alone);
    const auto best = std::ranges::min_element(ms.begin() + 1, ms.end());
    report.add(name("over MPI", ways[static_cast<size_t>(best - ms.begin())].name), ms[0], *best,
               limits.remote);
  }
}

// --- What it costs to hear of failures
// ---------------------------------------------------------------------------------

// The same messages between all, asked for with a deadline and an ear for remote_errors, or waited for by
// MPI.
void compare_waiting(int64_t bytes, double limit, const std::shared_ptr<comm::Processes> &processes,
                     const Options &options, Report &report) {
  const std::string name = fmt::format(
      "N={} exchange of {} KiB a pair, with a deadline and remote_errors / MPI_Waitall", g_size, bytes >> 10);
  if (name.find(options.filter) == std::string::npos)
    return;
  const Arrays arrays(bytes * g_size, bytes * g_size);
  std::vector<comm::Message> messages;
  std::vector<MPI_Request> requests;
  const int32_t tag = need(processes->take_tags(1));
  for (const bool sends : {false, true})
    for (int p = 0; p < g_size; ++p) {
      if (p == g_rank)
        continue;
      std::byte *at = (sends ? arrays.from() : arrays.to()) + p * bytes;
      messages.push_back({p, tag, sends, at, bytes});
      MPI_Request &request = requests.emplace_back(MPI_REQUEST_NULL);
      const auto n = static_cast<int>(bytes);
      demand(sends ? MPI_Send_init(at, n, MPI_BYTE, p, 1, MPI_COMM_WORLD, &request)
                   : MPI_Recv_init(at, n, MPI_BYTE, p, 1, MPI_COMM_WORLD, &request));
    }
  comm::Exchange exchange = need(processes->prepare(messages));
  const auto n = static_cast<int>(requests.size());
  const Way ways[] = {{"ours",
                       [&] {
                         need(exchange.start());
                         while (!need(exchange.done()))
                           std::this_thread::yield();
                       }},
                      {"MPI_Waitall", [&] {
                         demand(MPI_Startall(n, requests.data()));
                         demand(MPI_Waitall(n, requests.data(), MPI_STATUSES_IGNORE));
                       }}};
  const int repeat = static_cast<int>(std::clamp<int64_t>(4 * kMiB / bytes, 2, 50));
  const auto ms = time_in_turns(ways, 2 * options.rounds + 1, repeat);
  report.add(name, ms[0], ms[1], limit);
  for (MPI_Request &request : requests)
    demand(MPI_Request_free(&request));
}

void run(const Options &options, Report &report) {
  const std::shared_ptr<comm::Processes> processes = std::make_shared<comm::Processes>(
      need(comm::open_mpi(nullptr, "", std::chrono::seconds(30))), std::chrono::seconds(30));
  const Mesh mesh = need(Mesh::parse(fmt::format("a={}", g_size)));
  const auto on = [](size_t rank, size_t dim) {
    Sharding s = Sharding::replicated(rank);
    s.dims[dim].axes = {0};
    return s;
  };
  const auto sums = [](size_t rank) {
    Sharding s = Sharding::replicated(rank);
    s.partial = {{0, sharding::Reduction::sum}};
    return s;
  };
  const TensorType cube{graph::DType::f32, {256, 256, 256}};
  // Goals: x times as fast as MPI in one process; over MPI not slower than the better of its ways, but for
  // what noise adds.
  constexpr double kNoise = 1.1;
  const std::pair<size_t, size_t> pairs[] = {{0, 1}, {2, 0}, {1, 2}};
  for (const auto &[i, j] : pairs)
    compare({fmt::format("reshard 64 MiB {}->{}", i, j), mesh, cube, on(3, i), on(3, j)},
            {alltoallw, packed_alltoallv}, {j == 2 ? 1 / 1.4 : 1 / 2.0, kNoise}, processes, options, report);
  const auto flat = [](int64_t bytes) { return TensorType{graph::DType::f32, {bytes / 4}}; };
  compare({"all-gather 64 MiB", mesh, flat(64 * kMiB), on(1, 0), Sharding::replicated(1)}, {allgather},
          {1 / 2.0, kNoise}, processes, options, report);
  compare({"reduce-scatter 64 MiB", mesh, flat(64 * kMiB), sums(1), on(1, 0)}, {reduce_scatter},
          {1 / 10.0, 1}, processes, options, report);
  compare({"all-reduce 64 MiB", mesh, flat(64 * kMiB), sums(1), Sharding::replicated(1)}, {allreduce},
          {1 / 6.0, 1}, processes, options, report);
  for (const auto &[text, bytes] : {std::pair{"8 B", int64_t{8}}, {"1 KiB", 1024}, {"64 KiB", 64 << 10}})
    compare({fmt::format("all-reduce {}", text), mesh, flat(bytes), sums(1), Sharding::replicated(1)},
            {allreduce}, {}, processes, options, report);
  for (const int64_t bytes : {64 << 10, 1 << 20, 8 << 20})
    compare_waiting(bytes, 1.05, processes, options, report);
}

} // namespace

int main(int argc, char **argv) {
  int provided = 0;
  demand(MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided));
  MPI_Comm_rank(MPI_COMM_WORLD, &g_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &g_size);
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view key = argv[i];
    if (key == "--rounds")
      options.rounds = std::max(std::atoi(argv[i + 1]), 1);
    else if (key == "--filter")
      options.filter = argv[i + 1];
    else if (key == "--json")
      options.json = argv[i + 1];
    else
      stop(fmt::format("unknown option {}", key));
  }
  Report report;
  run(options, report);
  if (g_rank == 0 && !options.json.empty())
    std::ofstream(options.json) << report.json().dump(2) << '\n';
  demand(MPI_Finalize());
  return 0;
}
