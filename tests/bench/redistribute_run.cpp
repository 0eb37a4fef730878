// SPDX-License-Identifier: Apache-2.0
// Ours and the floor take turns on the same memory; medians of both and of their ratio.
#include "bench/redistribute_run.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/mman.h>

#include "base/worker_pool.hpp"
#include "bench/need.hpp"
#include "bench/peak.hpp"
#include "kernels/cpu/copy_tiles.hpp"
#include "redistribute/planner.hpp"
#include "redistribute/type_text.hpp"
#include "runtime/redistributor.hpp"
#include "support/elements.hpp"

namespace tw::bench {
namespace {

using namespace redistribute;
using sharding::Box;

// Touched memory in large pages, where the system has them.
class Memory {
public:
  explicit Memory(size_t bytes) : bytes_(bytes) {
    void *at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
      stop(fmt::format("no memory for {} bytes", bytes));
    data_ = static_cast<std::byte *>(at);
    madvise(at, bytes, MADV_HUGEPAGE);
    std::fill(data_, data_ + bytes, std::byte{1});
  }
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;
  ~Memory() { munmap(data_, bytes_); }
  std::byte *data() const { return data_; }
  size_t bytes() const { return bytes_; }

private:
  size_t bytes_;
  std::byte *data_;
};

// The tiles of all devices in one buffer, page after page, starts apart in the cache sets.
class Tiles {
public:
  Tiles(const Placement &placement, int64_t element_size)
      : Tiles(placement, element_size, std::make_shared<Memory>(room(placement, element_size))) {}
  Tiles(const Placement &placement, int64_t element_size, std::shared_ptr<const Memory> memory)
      : memory_(std::move(memory)) {
    size_t at = 0;
    for (size_t d = 0; d < placement.num_devices(); ++d) {
      at_.push_back(memory_->data() + at);
      bytes_.push_back(bytes(placement, d, element_size));
      at += padded(bytes_.back());
    }
  }
  std::span<const void *const> read() const {
    return {reinterpret_cast<const void *const *>(at_.data()), at_.size()};
  }
  std::span<void *const> write() const { return {reinterpret_cast<void *const *>(at_.data()), at_.size()}; }
  std::byte *tile(size_t d) const { return at_[d]; }
  size_t bytes(size_t d) const { return bytes_[d]; }
  size_t size() const { return at_.size(); }

  static size_t room(const Placement &p, int64_t element_size) {
    size_t sum = 0;
    for (size_t d = 0; d < p.num_devices(); ++d)
      sum += padded(bytes(p, d, element_size));
    return sum;
  }

private:
  static size_t bytes(const Placement &p, size_t d, int64_t element_size) {
    int64_t n = element_size;
    for (const int64_t extent : p.extent(static_cast<Device>(d)))
      n *= extent;
    return static_cast<size_t>(n);
  }
  static size_t padded(size_t bytes) { return (bytes + 4095) / 4096 * 4096 + 4096 + 256; }
  std::shared_ptr<const Memory> memory_;
  std::vector<std::byte *> at_;
  std::vector<size_t> bytes_;
};

class Floor {
public:
  virtual ~Floor() = default;
  virtual void run(WorkerPool &pool) = 0;
};

// Every target tile filled from the sources one after another, each piece contiguous; or as much of that as
// `most` bytes.
class CopyFloor final : public Floor {
public:
  CopyFloor(const Tiles &src, const Tiles &dst, int64_t most = std::numeric_limits<int64_t>::max()) {
    size_t from = 0, from_at = 0;
    for (size_t to = 0; to < dst.size(); ++to)
      for (size_t at = 0; at < dst.bytes(to);) {
        const size_t n = std::min({kPiece, dst.bytes(to) - at, src.bytes(from) - from_at});
        const auto bytes = std::min(static_cast<int64_t>(n), most);
        if (bytes > 0)
          pieces_.push_back({src.tile(from) + from_at, dst.tile(to) + at, bytes});
        most -= bytes;
        at += n;
        from_at += n;
        if (from_at == src.bytes(from)) {
          from_at = 0;
          from = (from + 1) % src.size();
        }
      }
  }
  void run(WorkerPool &pool) override {
    pool.parallel_for(static_cast<int64_t>(pieces_.size()), [&](int64_t i, unsigned) {
      const Piece &p = pieces_[static_cast<size_t>(i)];
      kernels::cpu::copy_runs({1, p.bytes, 0, 0, true}, p.from, p.to);
    });
  }

private:
  static constexpr size_t kPiece = 256 << 10;
  struct Piece {
    const std::byte *from;
    std::byte *to;
    int64_t bytes;
  };
  std::vector<Piece> pieces_;
};

// Every source tile read, every target tile written: what sums cannot do without.
class SumFloor final : public Floor {
public:
  SumFloor(const Tiles &src, const Tiles &dst) : zeros_(kPiece) {
    for (const Tiles *tiles : {&src, &dst})
      for (size_t d = 0; d < tiles->size(); ++d)
        for (size_t at = 0; at < tiles->bytes(d); at += kPiece)
          pieces_.push_back({tiles->tile(d) + at, std::min(kPiece, tiles->bytes(d) - at), tiles == &dst});
  }
  void run(WorkerPool &pool) override {
    pool.parallel_for(static_cast<int64_t>(pieces_.size()), [&](int64_t i, unsigned) {
      const Piece &p = pieces_[static_cast<size_t>(i)];
      if (p.write) {
        kernels::cpu::copy_runs({1, static_cast<int64_t>(p.bytes), 0, 0, true}, zeros_.data(), p.at);
      } else {
        uint64_t together = 0;
        const auto *words = reinterpret_cast<const uint64_t *>(p.at);
        for (size_t w = 0; w < p.bytes / sizeof *words; ++w)
          together |= words[w];
        read_.fetch_or(together, std::memory_order_relaxed);
      }
    });
  }

private:
  static constexpr size_t kPiece = 256 << 10;
  struct Piece {
    std::byte *at;
    size_t bytes;
    bool write;
  };
  std::vector<std::byte> zeros_;
  std::vector<Piece> pieces_;
  std::atomic<uint64_t> read_{0};
};

double processor_time() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

int64_t value_at(std::span<const int64_t> index, std::span<const int64_t> shape) {
  int64_t at = 0;
  for (size_t d = 0; d < index.size(); ++d)
    at = at * shape[d] + index[d];
  return at;
}

// Every element is its own place in the whole array; of what is summed, a whole number that stays exact.
float element(std::span<const int64_t> at, std::span<const int64_t> shape) {
  return static_cast<float>(value_at(at, shape) % (1 << 20));
}
void fill(const Tiles &tiles, const Placement &p, std::span<const int64_t> shape) {
  for (size_t d = 0; d < tiles.size(); ++d) {
    auto *to = reinterpret_cast<float *>(tiles.tile(d));
    test::each_element(p.box(static_cast<Device>(d)),
                       [&](std::span<const int64_t> at) { *to++ = element(at, shape); });
  }
}
void check(const Tiles &tiles, const Placement &p, std::span<const int64_t> shape, int summed = 1) {
  for (size_t d = 0; d < tiles.size(); ++d) {
    const auto *got = reinterpret_cast<const float *>(tiles.tile(d));
    test::each_element(p.box(static_cast<Device>(d)), [&](std::span<const int64_t> at) {
      if (*got++ != static_cast<float>(summed) * element(at, shape))
        stop(fmt::format("device {} holds a wrong element", d));
    });
  }
}

struct Case {
  std::string name, mesh, src, dst;
  int64_t run_bytes; // the shortest contiguous run of source and target that a copy meets
  double limit;      // of the floor
  int summed = 1;    // values that make one
};

std::vector<Case> axis_pairs(const std::vector<int64_t> &shape) {
  std::vector<Case> cases;
  for (const int n : {4, 8}) {
    const auto tiled = [](int dim, const char *axes) {
      std::string text = "[";
      for (int d = 0; d < 3; ++d)
        text += fmt::format("{}{{{}}}", d == 0 ? "" : ", ", d == dim ? axes : "");
      return text + "]";
    };
    const std::string mesh = fmt::format("a=2,b={}", n / 2);
    const int64_t whole = shape[2] * 4;
    const auto add = [&](const std::string &name, const std::string &src, const std::string &dst,
                         int64_t run_bytes) {
      cases.push_back(
          {fmt::format("{} devices, {}", n, name), mesh, src, dst, run_bytes, run_bytes < 128 ? 1.6 : 1.25});
    };
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j)
        if (i != j)
          add(fmt::format("tiled on {} to tiled on {}", i, j), tiled(i, "a,b"), tiled(j, "a,b"),
              i == 2 || j == 2 ? whole / n : whole);
      add(fmt::format("tiled on {} to replicated", i), tiled(i, "a,b"), tiled(-1, ""),
          i == 2 ? whole / n : whole);
      add(fmt::format("tiled on {} to other devices", i), tiled(i, "a,b"), tiled(i, "b,a"), whole);
    }
    const auto add_sum = [&](const std::string &name, const std::string &dst, double limit) {
      cases.push_back(
          {fmt::format("{} devices, {}", n, name), mesh, tiled(-1, "") + " +a +b", dst, whole, limit, n});
    };
    add_sum("sums to tiled on 0", tiled(0, "a,b"), 1.4);
    add_sum("sums to replicated", tiled(-1, ""), 1.3);
  }
  return cases;
}

std::shared_ptr<const Problem> problem_of(const std::string &mesh_text, graph::TensorType type,
                                          const std::string &src, const std::string &dst) {
  const auto mesh = need(sharding::Mesh::parse(mesh_text));
  return std::make_shared<const Problem>(
      need(Problem::create(std::move(type), {mesh, need(sharding::parse_sharding(src, mesh))},
                           {mesh, need(sharding::parse_sharding(dst, mesh))})));
}

std::shared_ptr<const Plan> direct_plan(std::shared_ptr<const Problem> problem) {
  PlanOptions options;
  options.method = Method::direct;
  return need(make_plan(std::move(problem), options)).plan;
}

} // namespace

nlohmann::ordered_json run_axis_pairs(const std::vector<int64_t> &shape, unsigned workers, int rounds,
                                      const std::string &filter) {
  WorkerPool pool(workers);
  auto json = nlohmann::ordered_json::array();
  fmt::print("{:<46} {:>9} {:>9} {:>9} {:>7} {:>6}\n", fmt::format("f32[{}]", fmt::join(shape, ",")),
             "run bytes", "floor ms", "ours ms", "ratio", "limit");
  for (const Case &c : axis_pairs(shape)) {
    if (c.name.find(filter) == std::string::npos)
      continue;
    const graph::TensorType type{graph::DType::f32, shape};
    const auto plan = direct_plan(problem_of(c.mesh, type, c.src, c.dst));
    const Tiles src(plan->buffers.front(), 4), dst(plan->buffers.back(), 4);
    std::unique_ptr<Floor> floor;
    if (c.summed == 1)
      floor = std::make_unique<CopyFloor>(src, dst);
    else
      floor = std::make_unique<SumFloor>(src, dst);
    auto runner = need(runtime::Redistributor::prepare({plan}));
    fill(src, plan->buffers.front(), type.dims);
    floor->run(pool);
    need(runner->run(src.read(), dst.write(), pool));
    check(dst, plan->buffers.back(), type.dims, c.summed);
    const auto timed = [&](auto &&work) {
      const double start = workers == 1 ? processor_time() : now();
      work();
      return ((workers == 1 ? processor_time() : now()) - start) * 1e3;
    };
    const auto run_floor = [&] { floor->run(pool); };
    const auto run_ours = [&] { need(runner->run(src.read(), dst.write(), pool)); };
    std::vector<double> ours, floors;
    for (int r = 0; r < rounds; ++r) {
      if (r % 2 == 0)
        floors.push_back(timed(run_floor));
      ours.push_back(timed(run_ours));
      if (r % 2 != 0)
        floors.push_back(timed(run_floor));
    }
    const double ratio = median(ours) / median(floors);
    fmt::print("{:<46} {:>9} {:>9.2f} {:>9.2f} {:>7.2f} {:>6.2f}{}\n", c.name, c.run_bytes, median(floors),
               median(ours), ratio, c.limit, ratio > c.limit ? "  over" : "");
    std::fflush(stdout);
    json.push_back({{"name", c.name},
                    {"run_bytes", c.run_bytes},
                    {"floor_ms", median(floors)},
                    {"ms", median(ours)},
                    {"ratio", ratio},
                    {"limit", c.limit}});
  }
  return json;
}

// Problems come one after another into the same touched memory.
nlohmann::ordered_json run_problems(const nlohmann::json &problems, unsigned workers, int rounds) {
  WorkerPool pool(workers);
  auto json = nlohmann::ordered_json::array();
  std::shared_ptr<Memory> before, after;
  const auto with_room = [](std::shared_ptr<Memory> &memory, size_t bytes) {
    if (memory == nullptr || memory->bytes() < bytes)
      memory = std::make_shared<Memory>(bytes);
    return memory;
  };
  for (const auto &given : problems) {
    const auto mesh = need(sharding::Mesh::parse(given.at("mesh").get<std::string>()));
    const auto problem = need(make_problem(
        mesh, need(parse_distributed_type(given.at("src").get<std::string>(), mesh)), mesh,
        need(parse_distributed_type(given.at("dst").get<std::string>(), mesh)), graph::DType::f32));
    const Costed made = need(make_plan(problem, {}));
    const auto &buffers = made.plan->buffers;
    const Tiles src(buffers.front(), 4, with_room(before, Tiles::room(buffers.front(), 4))),
        dst(buffers.back(), 4, with_room(after, Tiles::room(buffers.back(), 4)));
    auto runner = need(runtime::Redistributor::prepare({made.plan}));
    auto sharing = need(runtime::Redistributor::prepare({made.plan}, {.share = true}));
    fill(src, buffers.front(), problem->type().dims);
    need(runner->run(src.read(), dst.write(), pool));
    check(dst, buffers.back(), problem->type().dims);
    int64_t received = 0;
    for (const Step &step : made.plan->steps)
      for (Device d = 0; d < static_cast<Device>(problem->num_devices()); ++d)
        for (uint32_t p = step.first_piece[static_cast<size_t>(d)];
             p < step.first_piece[static_cast<size_t>(d) + 1]; ++p)
          if (step.sources_of(p)[0].device != d) {
            int64_t bytes = problem->item_size();
            for (size_t i = 0; i < problem->rank(); ++i)
              bytes *= step.bounds[(2 * p + 1) * problem->rank() + i];
            received += bytes;
          }
    CopyFloor floor(src, dst, received);
    std::vector<double> ours, shared, floors;
    for (int r = 0; r < rounds; ++r) {
      const double start = now();
      floor.run(pool);
      const double copying = now();
      need(runner->run(src.read(), dst.write(), pool));
      const double sharing_begins = now();
      need(sharing->run(src.read(), dst.write(), pool));
      floors.push_back((copying - start) * 1e3);
      ours.push_back((sharing_begins - copying) * 1e3);
      shared.push_back((now() - sharing_begins) * 1e3);
    }
    json.push_back({{"ms", median(ours)},
                    {"shared_ms", median(shared)},
                    {"floor_ms", median(floors)},
                    {"bytes", static_cast<double>(received) / static_cast<double>(problem->num_devices())},
                    {"method", name(made.plan->method)}});
  }
  return json;
}

} // namespace tw::bench
