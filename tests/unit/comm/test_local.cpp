// SPDX-License-Identifier: Apache-2.0
// The in-process communicator moves and combines real arrays between random layouts; nothing outside the
// target tiles is written, and the parts may run in any order.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "comm/array_steps.hpp"
#include "comm/local/combine.hpp"
#include "comm/local/local.hpp"
#include "kernels/cpu/copy.hpp"
#include "kernels/ref/combiner.hpp"
#include "support/elements.hpp"
#include "support/random_sharding.hpp"

namespace tw::test_local {

using namespace tw::sharding;
using tw::graph::DType;
using tw::graph::TensorType;
using tw::test::draw;
using tw::test::each_element;
using tw::test::position_in;
using tw::test::Random;

namespace {

constexpr size_t kCanary = 64;

// The element of the partial array that some coordinates select; without partial axes, of the array.
template <class T>
T element(const Mesh &mesh, std::span<const Partial> partial, sharding::Position position,
          std::span<const int64_t> index) {
  uint64_t h = 17;
  for (const int64_t i : index)
    h = (h * 31 + static_cast<uint64_t>(i)) % 1009;
  for (const Partial &s : partial)
    h = (h * 37 + static_cast<uint64_t>(mesh.coordinate(position, s.axis)) + 7u * s.axis) % 1009;
  return static_cast<T>(static_cast<int64_t>(h) - 500);
}

template <class T> T combined(Reduction kind, T a, T b) {
  switch (kind) {
  case Reduction::max: return std::max(a, b);
  case Reduction::min: return std::min(a, b);
  default: return a + b;
  }
}

// What a device must hold afterwards: the partial values of the devices that differ from it only along
// reduced axes.
template <class T>
T wanted(const redistribute::Problem &problem, Reduction kind, sharding::Position position,
         std::span<const int64_t> index) {
  const Mesh &mesh = problem.src().mesh;
  const auto &before = problem.src().sharding.partial, &after = problem.dst().sharding.partial;
  bool first = true;
  T sum{};
  for (sharding::Position p; p < mesh.num_devices(); ++p) {
    bool takes_part = true;
    for (size_t a = 0; a < mesh.num_axes(); ++a) {
      const auto axis = static_cast<AxisId>(a);
      const bool reduced = std::ranges::count(before, axis, &Partial::axis) != 0 &&
                           std::ranges::count(after, axis, &Partial::axis) == 0;
      takes_part &= reduced || mesh.coordinate(p, axis) == mesh.coordinate(position, axis);
    }
    if (!takes_part)
      continue;
    const T value = element<T>(mesh, before, p, index);
    sum = first ? value : combined(kind, sum, value);
    first = false;
  }
  return sum;
}

// What runs of a transfer: as it is prepared, or as it would be if it were one of many that the caches do not
// hold together.
enum class Size : uint8_t { as_it_is, large };

template <class T>
void check(const comm::Transfer &t, Reduction kind, Random &random, Size size = Size::as_it_is) {
  auto communicator = comm::make_local();
  auto prepared = communicator->prepare({&t, 1});
  REQUIRE(prepared.has_value());
  const auto rounds = comm::rounds_of({&t, 1});
  REQUIRE(rounds.has_value());
  const comm::ArrayStep &move = (*rounds)[0][0];
  const comm::Groups groups = comm::find_groups({&move, 1});
  const comm::StepWork large = comm::work_of(move, groups, std::numeric_limits<int64_t>::max());
  const redistribute::Problem &problem = t.move.problem();
  const auto devices = problem.num_devices();
  std::vector<std::vector<T>> from(devices);
  std::vector<std::vector<std::byte>> to(devices);
  std::vector<const void *> src(devices);
  std::vector<void *> dst(devices);
  for (size_t d = 0; d < devices; ++d) {
    const sharding::Position position(static_cast<int64_t>(d));
    const Box before = problem.src_box(problem.src_device(position));
    from[d].resize(static_cast<size_t>(before.elements()));
    each_element(before, [&](std::span<const int64_t> at) {
      from[d][position_in(before, at)] =
          element<T>(problem.src().mesh, problem.src().sharding.partial, position, at);
    });
    const Box after = problem.dst_box(problem.dst_device(position));
    to[d].assign(static_cast<size_t>(after.elements()) * sizeof(T) + 2 * kCanary, std::byte{0x5a});
    src[d] = from[d].data();
    dst[d] = to[d].data() + kCanary;
  }
  std::vector<std::pair<size_t, int64_t>> parts;
  for (size_t g = 0; g < (*prepared)->num_groups(); ++g)
    for (int64_t p = 0; p < (size == Size::large ? large.parts(g) : (*prepared)->parts(g, 0)); ++p)
      parts.emplace_back(g, p);
  std::ranges::shuffle(parts, random);
  for (const auto &[group, part] : parts) {
    if (size == Size::large)
      large.run(group, part, src, dst);
    else
      (*prepared)->run(group, 0, part, src, dst);
  }

  for (size_t d = 0; d < devices; ++d) {
    const sharding::Position position(static_cast<int64_t>(d));
    const Box after = problem.dst_box(problem.dst_device(position));
    int64_t wrong = 0;
    each_element(after, [&](std::span<const int64_t> at) {
      T got;
      std::memcpy(&got, to[d].data() + kCanary + position_in(after, at) * sizeof(T), sizeof(T));
      wrong += got != wanted<T>(problem, kind, position, at);
    });
    CHECK(wrong == 0);
    const auto intact = [](auto first, auto last) {
      return std::all_of(first, last, [](std::byte b) { return b == std::byte{0x5a}; });
    };
    CHECK(intact(to[d].begin(), to[d].begin() + kCanary));
    CHECK(intact(to[d].end() - kCanary, to[d].end()));
  }
}

} // namespace

TEST_CASE("random transfers move and combine what the definition says") {
  Random random(7);
  for (int i = 0; i < 300; ++i) {
    const Mesh mesh = test::random_mesh(random, 16);
    const auto kind =
        std::vector<Reduction>{Reduction::sum, Reduction::max, Reduction::min}[static_cast<size_t>(i % 3)];
    TensorType type{i % 2 == 0 ? DType::f32 : DType::s64, test::random_shape(random, 4, 9)};
    const Sharding src = test::random_sharding(random, type.dims, mesh, true, kind);
    Sharding dst = test::random_sharding(random, type.dims, mesh);
    CAPTURE(i);
    for (const Size size : {Size::as_it_is, Size::large}) {
      if (type.dtype == DType::f32)
        check<float>({redistribute::Move(mesh, type, src, dst)}, kind, random, size);
      else
        check<int64_t>({redistribute::Move(mesh, type, src, dst)}, kind, random, size);
    }
  }
}

TEST_CASE("large arrays are cut into parts") {
  Random random(1);
  const Mesh mesh = *Mesh::parse("a=4");
  const TensorType type{DType::f32, {300, 1001}};
  const auto src = *parse_sharding("[{}, {}] +a", mesh), dst = Sharding::replicated(2);
  const comm::Transfer transfer{redistribute::Move(mesh, type, src, dst)};
  auto prepared = comm::make_local()->prepare({&transfer, 1});
  REQUIRE(prepared.has_value());
  CHECK((*prepared)->num_groups() == 1);
  CHECK((*prepared)->parts(0, 0) > 4);
  CHECK((*prepared)->may_run_in_place());
  check<float>({redistribute::Move(mesh, type, src, dst)}, Reduction::sum, random);
  const auto rows = *parse_sharding("[{a}, {}]", mesh), columns = *parse_sharding("[{}, {a}]", mesh);
  check<float>({redistribute::Move(mesh, type, rows, columns)}, Reduction::sum, random);
  check<float>({redistribute::Move(mesh, type, src, columns)}, Reduction::sum, random);
}

TEST_CASE("devices between which nothing moves are different groups") {
  const Mesh mesh = *Mesh::parse("a=2,b=4");
  const TensorType type{DType::f32, {8, 8}};
  const auto src = *parse_sharding("[{}, {b}]", mesh), dst = Sharding::replicated(2);
  const comm::Transfer transfer{redistribute::Move(mesh, type, src, dst)};
  auto prepared = comm::make_local()->prepare({&transfer, 1});
  REQUIRE(prepared.has_value());
  REQUIRE((*prepared)->num_groups() == 2);
  CHECK(std::ranges::equal((*prepared)->members(1), std::vector<int64_t>{4, 5, 6, 7}));
  CHECK((*prepared)->group_of(sharding::Position(5)) == 1);
}

TEST_CASE("sums run in rank order") {
  // 1e8 + 1 - 1e8 in f32 depends on the order: from left to right it is 0.
  const Mesh mesh = *Mesh::parse("a=3");
  const TensorType type{DType::f32, {1}};
  const auto src = *parse_sharding("[{}] +a", mesh), dst = Sharding::replicated(1);
  const comm::Transfer transfer{redistribute::Move(mesh, type, src, dst)};
  auto prepared = comm::make_local()->prepare({&transfer, 1});
  REQUIRE(prepared.has_value());
  float values[3] = {1e8f, 1.0f, -1e8f}, sums[3] = {9, 9, 9};
  const void *from[3] = {&values[0], &values[1], &values[2]};
  void *to[3] = {&sums[0], &sums[1], &sums[2]};
  (*prepared)->run(0, 0, 0, from, to);
  for (const float sum : sums)
    CHECK(sum == 0.0f);
}

namespace {

// The bits of what `devices` devices with these values each are left with.
template <class T>
std::vector<T> all_reduced(const std::vector<std::vector<T>> &values, DType dtype, Reduction kind,
                           bool from_zero) {
  const auto devices = static_cast<int64_t>(values.size());
  const Mesh mesh = *Mesh::parse(fmt::format("a={}", devices));
  const TensorType type{dtype,
                        {static_cast<int64_t>(values[0].size() * sizeof(T) / graph::byte_size(dtype))}};
  Sharding src = Sharding::replicated(1);
  src.partial = {{0, kind}};
  const Sharding dst = Sharding::replicated(1);
  const comm::Transfer transfer{redistribute::Move(mesh, type, src, dst), {}, from_zero};
  auto prepared = comm::make_local()->prepare({&transfer, 1});
  REQUIRE(prepared.has_value());
  std::vector<std::vector<T>> sums(values.size(), std::vector<T>(values[0].size()));
  std::vector<const void *> from;
  std::vector<void *> to;
  for (size_t d = 0; d < values.size(); ++d) {
    from.push_back(values[d].data());
    to.push_back(sums[d].data());
  }
  for (int64_t p = 0; p < (*prepared)->parts(0, 0); ++p)
    (*prepared)->run(0, 0, p, from, to);
  for (const auto &sum : sums)
    CHECK(std::memcmp(sum.data(), sums[0].data(), sum.size() * sizeof(T)) == 0);
  return sums[0];
}

} // namespace

TEST_CASE("many values combined in one pass have the bits of two at a time") {
  Random random(3);
  for (const DType dtype : {DType::f32, DType::bf16, DType::f16, DType::s32})
    for (const Reduction kind : {Reduction::sum, Reduction::prod, Reduction::max})
      for (const size_t devices : {2u, 3u, 4u, 5u, 8u, 9u, 11u, 16u, 23u}) {
        const size_t n = 5000, words = n * graph::byte_size(dtype) / 2;
        std::vector<std::vector<uint16_t>> values(devices, std::vector<uint16_t>(words));
        for (auto &of_device : values)
          for (uint16_t &word : of_device) // floats of about 1
            word = static_cast<uint16_t>(0x3c00 + draw(random, 0, 0x3ff) + (draw(random, 0, 1) << 15));
        std::vector<uint16_t> wanted = values[0];
        for (size_t d = 1; d < devices; ++d) {
          const void *const in[2] = {wanted.data(), values[d].data()};
          kernels::ref::combine_block(kind, dtype)(in, wanted.data(), static_cast<int64_t>(n));
        }
        CAPTURE(devices);
        CHECK(all_reduced(values, dtype, kind, false) == wanted);
      }
}

TEST_CASE("what is combined and larger than the caches goes past them") {
  const auto n = static_cast<size_t>(kernels::cpu::streaming_threshold() / 8 + 100);
  std::vector<std::vector<float>> values(3, std::vector<float>(n));
  for (size_t i = 0; i < n; ++i)
    for (size_t d = 0; d < 3; ++d)
      values[d][i] = static_cast<float>((i * (d + 3)) % 1021);
  const auto sums = all_reduced(values, DType::f32, Reduction::sum, true);
  int64_t wrong = 0;
  for (size_t i = 0; i < n; ++i)
    wrong += sums[i] != values[0][i] + values[1][i] + values[2][i];
  CHECK(wrong == 0);
}

TEST_CASE("a sum that begins with zero is never minus zero") {
  const auto is_negative = [](bool from_zero, size_t devices) {
    const std::vector<std::vector<float>> values(devices, {-0.0f, 1.5f});
    const auto sums = all_reduced(values, DType::f32, Reduction::sum, from_zero);
    CHECK(sums[0] == 0.0f);
    CHECK(sums[1] == 1.5f * static_cast<float>(devices));
    return std::signbit(sums[0]);
  };
  for (const size_t devices : {2u, 8u, 10u}) {
    CHECK(is_negative(false, devices));
    CHECK(!is_negative(true, devices));
  }
}

TEST_CASE("every kind has a combiner for the types it makes sense for") {
  for (const DType t : {DType::f64, DType::f32, DType::f16, DType::bf16, DType::s8, DType::s32, DType::u64})
    for (const Reduction kind :
         {Reduction::sum, Reduction::max, Reduction::min, Reduction::prod, Reduction::pick})
      CHECK(comm::combiner(kind, t).has_value());
  for (const DType t : {DType::i1, DType::s32, DType::u8})
    for (const Reduction kind : {Reduction::land, Reduction::lor, Reduction::lxor, Reduction::pick})
      CHECK(comm::combiner(kind, t).has_value());
  CHECK(comm::combiner(Reduction::sum, DType::c64).has_value());
  const auto none = comm::combiner(Reduction::land, DType::f32);
  REQUIRE(!none.has_value());
  CHECK(none.error().message() == "partial values of type f32 cannot be combined by and");
  // pick keeps every bit: minus zero, and what no arithmetic keeps of a NaN
  const uint32_t a[2] = {0x80000000u, 0}, b[2] = {0, 0x7fa00001u};
  const void *const in[2] = {a, b};
  uint32_t out[2];
  comm::combiner(Reduction::pick, DType::f32)->by.two(in, out, 2);
  CHECK(out[0] == 0x80000000u);
  CHECK(out[1] == 0x7fa00001u);
}

} // namespace tw::test_local
