// SPDX-License-Identifier: Apache-2.0
// Collectives between devices on one GPU and on several, whose memory they reach or not: kernels and copies
// on doubles leave the bits that the host's collectives leave, whatever the queues are delayed by.
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "comm/local/local.hpp"
#include "comm/run_group.hpp"
#include "cuda/double.hpp"
#include "device/cuda/gpus.hpp"
#include "device/kind.hpp"
#include "device/queue.hpp"
#include "runtime/fill.hpp"
#include "support/random_sharding.hpp"

namespace tw::test_cuda_moves {

using comm::Transfer;
using graph::DType;
using graph::TensorType;
using redistribute::Problem;
using sharding::Mesh;
using sharding::Position;
using sharding::Reduction;
using test::Random;
using Bytes = std::vector<std::byte>;

namespace {

const device::QueueKind &cuda() { return *device::cuda::kind().as_queues(); }
constexpr std::byte kUnwritten{0x5a};

Bytes filled(DType dtype, const std::vector<int64_t> &extent, uint64_t stream) {
  const TensorType type{dtype, extent};
  Bytes bytes(static_cast<size_t>(type.bytes()));
  REQUIRE(runtime::fill({dtype, extent, bytes.data(), {}}, "default", 3, stream));
  return bytes;
}

// One transfer, its devices and what lies on them.
class Case {
public:
  Case(const Mesh &mesh, const TensorType &type, const sharding::Sharding &src, const sharding::Sharding &dst,
       std::vector<int32_t> units)
      : move_(mesh, type, src, dst), units_(std::move(units)) {
    const Problem &problem = move_.problem();
    for (size_t d = 0; d < problem.num_devices(); ++d) {
      const Position at(static_cast<int64_t>(d));
      from_.push_back(filled(type.dtype, problem.src_box(problem.src_device(at)).extent, d));
      const TensorType after{type.dtype, problem.dst_box(problem.dst_device(at)).extent};
      want_.emplace_back(static_cast<size_t>(after.bytes()), kUnwritten);
    }
    run_on_host();
    auto made = cuda().make_mover({&transfer_, 1}, units_);
    REQUIRE(made);
    mover_ = std::move(*made);
  }

  const device::Mover &mover() const { return *mover_; }

  // As the executor puts it into queues. Empty, or which device has other bytes.
  std::string run() {
    struct Lane {
      std::unique_ptr<device::Queue> queue;
      std::unique_ptr<device::Event> here, arrived;
      device::Memory source, target, staging;
    };
    std::vector<Lane> lanes;
    std::vector<const void *> src;
    std::vector<void *> dst;
    for (size_t d = 0; d < units_.size(); ++d) {
      const auto allocate = [&](size_t bytes) {
        auto memory = device::allocate(cuda(), units_[d], std::max<size_t>(bytes, 1), {});
        REQUIRE(memory);
        return std::move(*memory);
      };
      const Position taker(static_cast<int64_t>(d));
      auto queue = cuda().make_queue(units_[d]);
      REQUIRE(queue);
      lanes.push_back({std::move(*queue), cuda().make_event(units_[d]), cuda().make_event(units_[d]),
                       allocate(from_[d].size()), allocate(want_[d].size()),
                       allocate(static_cast<size_t>(mover_->staging_bytes(taker)))});
      mover_->give_staging(taker, lanes[d].staging.get());
      lanes[d].queue->copy_in(lanes[d].source.get(), from_[d].data(), from_[d].size());
      lanes[d].queue->fill(lanes[d].target.get(), {&kUnwritten, 1}, want_[d].size());
      src.push_back(lanes[d].source.get());
      dst.push_back(lanes[d].target.get());
    }
    for (size_t round = 0; round < mover_->num_rounds(); ++round) {
      for (Lane &lane : lanes)
        lane.queue->record(*lane.here);
      for (size_t d = 0; d < lanes.size(); ++d) {
        const Position taker(static_cast<int64_t>(d));
        for (const Position source : mover_->sources(round, taker))
          lanes[d].queue->wait(*lanes[static_cast<size_t>(source)].here);
        mover_->move(*lanes[d].queue, round, taker, src, dst, {taker, 0});
        lanes[d].queue->record(*lanes[d].arrived);
      }
      for (size_t d = 0; d < lanes.size(); ++d)
        for (const Position source : mover_->sources(round, Position(static_cast<int64_t>(d))))
          lanes[static_cast<size_t>(source)].queue->wait(*lanes[d].arrived);
    }
    std::string problem;
    std::vector<Bytes> got(lanes.size());
    for (size_t d = 0; d < lanes.size(); ++d) {
      got[d].resize(want_[d].size());
      lanes[d].queue->copy_out(got[d].data(), lanes[d].target.get(), got[d].size());
      lanes[d].queue->record(*lanes[d].here);
    }
    for (size_t d = 0; d < lanes.size(); ++d) {
      while (!lanes[d].here->is_reached())
        std::this_thread::yield();
      if (auto failure = lanes[d].queue->recover())
        problem = fmt::format("device {}: {}", d, failure->error.message());
      else if (got[d] != want_[d])
        problem = fmt::format("device {} has other bytes", d);
    }
    return problem;
  }

private:
  void run_on_host() {
    auto made = comm::make_local()->prepare({&transfer_, 1});
    REQUIRE(made);
    std::vector<const void *> src;
    std::vector<void *> dst;
    for (size_t d = 0; d < from_.size(); ++d) {
      src.push_back(from_[d].data());
      dst.push_back(want_[d].data());
    }
    for (size_t g = 0; g < (*made)->num_groups(); ++g)
      REQUIRE(comm::run_group(**made, g, src, dst, [](int64_t parts, auto &&body) {
        for (int64_t part = 0; part < parts; ++part)
          body(part);
      }));
  }

  const redistribute::Move move_;
  const Transfer transfer_{move_};
  std::vector<int32_t> units_; // by device
  std::vector<Bytes> from_, want_;
  std::unique_ptr<device::Mover> mover_;
};

std::vector<int32_t> spread(int64_t devices, const std::vector<int32_t> &gpus) {
  std::vector<int32_t> units;
  for (int64_t d = 0; d < devices; ++d)
    units.push_back(gpus[device::unit_of(d, devices, gpus.size())]);
  return units;
}

constexpr DType kTypes[] = {DType::f32,    DType::f64, DType::f16, DType::bf16, DType::f8e4m3fn,
                            DType::f8e5m2, DType::s8,  DType::u16, DType::s32,  DType::u64,
                            DType::s64,    DType::i1,  DType::c64};

bool can_combine(DType dtype, Reduction kind) {
  const bool ordered = dtype != DType::c64 && dtype != DType::c128;
  return kind == Reduction::pick || (dtype == DType::i1       ? kind == Reduction::lor
                                     : kind == Reduction::sum ? true
                                                              : ordered && kind != Reduction::lor);
}

void check_random(const std::vector<int32_t> &gpus, uint64_t seed) {
  Random random(seed);
  const test::Double driver;
  std::vector<std::unique_ptr<Case>> cases;
  size_t kinds = 0;
  for (int i = 0; i < 26; ++i) {
    const Mesh mesh = test::random_mesh(random, 6);
    const DType dtype = kTypes[static_cast<size_t>(i) % std::size(kTypes)];
    constexpr Reduction kKinds[] = {Reduction::sum, Reduction::max, Reduction::pick, Reduction::lor};
    Reduction kind = kKinds[static_cast<size_t>(i) % 4];
    if (!can_combine(dtype, kind))
      kind = dtype == DType::i1 ? Reduction::lor : Reduction::sum;
    const TensorType type{dtype, test::random_shape(random, 3, 9)};
    const auto src = test::random_sharding(random, type.dims, mesh, true, kind);
    const auto dst = test::random_sharding(random, type.dims, mesh);
    CAPTURE(i);
    cases.push_back(std::make_unique<Case>(mesh, type, src, dst, spread(mesh.num_devices(), gpus)));
    kinds += src.partial.empty() ? 0 : 1;
  }
  CHECK(kinds > 5); // some combine
  REQUIRE(*cuda().make_ready({}, gpus));
  for (const uint64_t delays : {uint64_t{0}, seed}) {
    driver.delays(delays);
    for (size_t i = 0; i < cases.size(); ++i) {
      CAPTURE(i);
      CHECK(cases[i]->run() == "");
      CHECK(cases[i]->mover().on_host().rounds == 0); // no text was refused
    }
  }
  driver.delays(0);
}

} // namespace

TEST_CASE("devices on one GPU") { check_random({0}, 11); }

TEST_CASE("devices on GPUs that reach each other") { check_random({1, 0}, 12); }

// What reaches what is found out once, so these are others.
TEST_CASE("devices on GPUs that do not reach each other") {
  setenv("TW_DOUBLE_GPUS", "7", 1);
  setenv("TW_DOUBLE_NO_PEERS", "1", 1);
  check_random({4, 5, 6}, 13);
  unsetenv("TW_DOUBLE_NO_PEERS");
  unsetenv("TW_DOUBLE_GPUS");
}

} // namespace tw::test_cuda_moves
