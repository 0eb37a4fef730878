// SPDX-License-Identifier: Apache-2.0
// Plans of every method move and combine real elements between random layouts: what arrives is what the types
// say, nothing beside the target tiles is written, and neither workers, batches nor running in place change a
// bit. Longer than other files: all methods share one check of what arrives.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>
#include <vector>

#include "redistribute/planner.hpp"
#include "runtime/redistributor.hpp"
#include "support/elements.hpp"
#include "support/number_of.hpp"
#include "support/random_sharding.hpp"

namespace tw::test_redistributor {

using namespace tw::redistribute;
using namespace tw::sharding;
using graph::DType;
using graph::TensorType;
using runtime::Redistributor;
using tw::test::draw;
using tw::test::each_element;
using tw::test::position_in;
using tw::test::Random;

namespace {

constexpr size_t kCanary = 96;
constexpr std::byte kUntouched{0x5a};

// A value as bytes of a type; small enough that sums are exact.
void encode(DType type, int64_t value, std::byte *to) {
  const auto put = [&](auto v) { std::memcpy(to, &v, sizeof v); };
  switch (type) {
  case DType::u8: return put(static_cast<uint8_t>(value));
  case DType::s16: return put(static_cast<int16_t>(value));
  case DType::s32: return put(static_cast<int32_t>(value));
  case DType::s64: return put(value);
  case DType::f32: return put(static_cast<float>(value));
  default: // c128
    put(static_cast<double>(value));
    to += 8;
    return put(static_cast<double>(-value));
  }
}

// What the source device at these coordinates along partial axes holds of an element.
int64_t held(std::span<const int64_t> index, std::span<const int64_t> coordinates) {
  uint64_t h = 17;
  for (const int64_t i : index)
    h = (h * 31 + static_cast<uint64_t>(i)) % 100003;
  for (const int64_t c : coordinates)
    h = (h * 37 + static_cast<uint64_t>(c) + 5) % 100003;
  return static_cast<int64_t>(h % 11);
}

// What a target device must hold, from the definition.
int64_t wanted(const Problem &p, Device d, std::span<const int64_t> index) {
  const Mesh &mesh = p.src().mesh;
  const auto &partial = p.src().sharding.partial;
  std::vector<int64_t> at(partial.size(), 0);
  for (size_t k = 0; k < at.size(); ++k) // axes that stay partial: the target device's own
    if (std::ranges::count(p.combined(), partial[k].axis) == 0)
      at[k] = mesh.coordinate(p.dst_position(d), partial[k].axis);
  int64_t result = 0;
  bool first = true;
  for (;;) {
    const int64_t value = held(index, at);
    if (first || p.reduction() == Reduction::sum)
      result += value;
    else
      result = p.reduction() == Reduction::max ? std::max(result, value) : std::min(result, value);
    first = false;
    size_t i = 0;
    for (; i < at.size(); ++i) {
      if (std::ranges::count(p.combined(), partial[i].axis) == 0)
        continue;
      if (++at[i] < mesh.size(partial[i].axis))
        break;
      at[i] = 0;
    }
    if (i == at.size())
      return result;
  }
}

// One tile for each device, between canaries.
class Arrays {
public:
  Arrays(const Placement &tiles, int64_t item_size) {
    for (Device d = 0; d < static_cast<Device>(tiles.num_devices()); ++d)
      bytes_.push_back(static_cast<size_t>(tiles.elements(d) * item_size));
    allocate();
  }
  // Room for either of two.
  Arrays(const Arrays &a, const Arrays &b) {
    for (size_t d = 0; d < a.bytes_.size(); ++d)
      bytes_.push_back(std::max(a.bytes_[d], b.bytes_[d]));
    allocate();
  }
  std::span<void *const> tiles() const { return tiles_; }
  std::span<const void *const> read() const { return std::span<void *const>(tiles_); }
  std::byte *tile(size_t d) { return memory_[d].data() + kCanary; }
  size_t bytes(size_t d) const { return bytes_[d]; }
  size_t size() const { return bytes_.size(); }
  bool intact() const {
    return std::ranges::all_of(memory_, [](const std::vector<std::byte> &m) {
      const auto untouched = [](std::byte b) { return b == kUntouched; };
      return std::all_of(m.begin(), m.begin() + kCanary, untouched) &&
             std::all_of(m.end() - kCanary, m.end(), untouched);
    });
  }
  bool operator==(const Arrays &o) const { return memory_ == o.memory_; }

private:
  void allocate() {
    for (const size_t bytes : bytes_)
      memory_.emplace_back(bytes + 2 * kCanary, kUntouched);
    for (auto &m : memory_)
      tiles_.push_back(m.data() + kCanary);
  }
  std::vector<std::vector<std::byte>> memory_;
  std::vector<size_t> bytes_;
  std::vector<void *> tiles_;
};

void fill(const Problem &p, Arrays &src) {
  const auto size = static_cast<size_t>(p.item_size());
  for (Device d = 0; d < static_cast<Device>(p.num_devices()); ++d) {
    if (p.src_position(d) < 0)
      continue;
    std::vector<int64_t> coordinates;
    for (const Partial &s : p.src().sharding.partial)
      coordinates.push_back(p.src().mesh.coordinate(p.src_position(d), s.axis));
    const Box box = p.src_box(d);
    each_element(box, [&](std::span<const int64_t> at) {
      encode(p.type().dtype, held(at, coordinates),
             src.tile(static_cast<size_t>(d)) + position_in(box, at) * size);
    });
  }
}

int64_t count_wrong(const Problem &p, Arrays &dst) {
  const auto size = static_cast<size_t>(p.item_size());
  int64_t wrong = 0;
  std::byte expected[16];
  for (Device d = 0; d < static_cast<Device>(p.num_devices()); ++d) {
    if (p.dst_position(d) < 0)
      continue;
    const Box box = p.dst_box(d);
    each_element(box, [&](std::span<const int64_t> at) {
      encode(p.type().dtype, wanted(p, d, at), expected);
      wrong +=
          std::memcmp(expected, dst.tile(static_cast<size_t>(d)) + position_in(box, at) * size, size) != 0;
    });
  }
  return wrong;
}

struct Pools {
  WorkerPool one{1}, four{4};
};

// Runs a plan apart, in place, by one worker and by four.
void check(const std::shared_ptr<const Plan> &plan, Pools &pools) {
  const Problem &p = *plan->problem;
  CAPTURE(name(plan->method));
  CAPTURE(p.src().mesh.text());
  CAPTURE(to_text(p.src().sharding, p.src().mesh));
  CAPTURE(to_text(p.dst().sharding, p.dst().mesh));
  CAPTURE(graph::to_short_text(p.type()));
  Arrays src(plan->buffers.front(), p.item_size());
  fill(p, src);
  const Arrays before = src;
  auto apart = Redistributor::prepare({plan});
  REQUIRE(apart.has_value());
  Arrays dst(plan->buffers.back(), p.item_size());
  REQUIRE((*apart)->run(src.read(), dst.tiles(), pools.one).has_value());
  CHECK(count_wrong(p, dst) == 0);
  CHECK(dst.intact());
  CHECK(src == before);

  Arrays again(plan->buffers.back(), p.item_size());
  REQUIRE((*apart)->run(src.read(), again.tiles(), pools.four).has_value());
  CHECK(again == dst);

  auto shared = Redistributor::prepare({plan}, {.share = true});
  REQUIRE(shared.has_value());
  Arrays own(plan->buffers.back(), p.item_size());
  std::vector<void *> needed(own.size(), nullptr);
  for (Device d = 0; static_cast<size_t>(d) < own.size(); ++d)
    if ((*shared)->owner(0, d) == redistribute::TileOwner{false, d})
      needed[static_cast<size_t>(d)] = own.tile(static_cast<size_t>(d));
  REQUIRE((*shared)->run(src.read(), needed, pools.four).has_value());
  CHECK(own.intact());
  for (Device d = 0; static_cast<size_t>(d) < own.size(); ++d) {
    const auto [in_source, where] = (*shared)->owner(0, d);
    Arrays &owner = in_source ? src : own;
    const auto at = static_cast<size_t>(d);
    CHECK(std::memcmp(owner.tile(static_cast<size_t>(where)), dst.tile(at), dst.bytes(at)) == 0);
  }

  auto donated = Redistributor::prepare({plan}, {.donate = true});
  REQUIRE(donated.has_value());
  for (WorkerPool *pool : {&pools.one, &pools.four}) {
    Arrays both(src, dst);
    for (size_t d = 0; d < src.size(); ++d)
      std::memcpy(both.tile(d), src.tile(d), src.bytes(d));
    REQUIRE((*donated)->run(both.read(), both.tiles(), *pool).has_value());
    CHECK(both.intact());
    bool equal = true;
    for (size_t d = 0; d < dst.size(); ++d)
      equal &= std::memcmp(both.tile(d), dst.tile(d), dst.bytes(d)) == 0;
    CHECK(equal);
  }
}

DType random_type(Random &random, bool combines) {
  const std::vector<DType> types{DType::u8, DType::s16, DType::s32, DType::s64, DType::f32, DType::c128};
  return types[static_cast<size_t>(draw(random, 0, combines ? 4 : 5))];
}

std::vector<int64_t> random_shape(Random &random) {
  std::vector<int64_t> shape(static_cast<size_t>(draw(random, 0, 3)));
  const int64_t most = shape.size() == 3 ? 17 : shape.size() == 2 ? 60 : 97;
  for (int64_t &n : shape)
    n = draw(random, draw(random, 0, 9) == 0 ? 0 : 1, most);
  return shape;
}

std::shared_ptr<const Problem> random_problem(Random &random, const Mesh &mesh) {
  const bool partial = draw(random, 0, 2) == 0;
  const auto kind = std::vector<Reduction>{Reduction::sum, Reduction::max,
                                           Reduction::min}[static_cast<size_t>(draw(random, 0, 2))];
  const TensorType type{random_type(random, partial), random_shape(random)};
  const Sharding src = test::random_sharding(random, type.dims, mesh, partial, kind);
  Sharding dst = test::random_sharding(random, type.dims, mesh);
  for (const Partial &s : src.partial)
    if (!dst.uses(s.axis) && draw(random, 0, 1) == 0)
      dst.partial.push_back(s);
  auto problem = Problem::create(type, {mesh, src}, {mesh, dst});
  REQUIRE(problem.has_value());
  return std::make_shared<const Problem>(std::move(*problem));
}

std::shared_ptr<const Problem> parsed(const char *mesh_text, TensorType type, const char *src,
                                      const char *dst) {
  const Mesh mesh = *Mesh::parse(mesh_text);
  auto problem = Problem::create(std::move(type), {mesh, *parse_sharding(src, mesh)},
                                 {mesh, *parse_sharding(dst, mesh)});
  REQUIRE(problem.has_value());
  return std::make_shared<const Problem>(std::move(*problem));
}

std::shared_ptr<const Plan> direct_plan(std::shared_ptr<const Problem> problem) {
  PlanOptions options;
  options.method = Method::direct;
  auto made = make_plan(std::move(problem), options);
  REQUIRE(made.has_value());
  return made->plan;
}

// Every way to lay an array of this rank over the axes: each replicates, is partial, or cuts a dimension, in
// either order.
std::vector<Sharding> all_shardings(size_t rank, const Mesh &mesh, bool partial) {
  std::vector<Sharding> result{Sharding::replicated(rank)};
  for (size_t a = 0; a < mesh.num_axes(); ++a) {
    const auto axis = static_cast<AxisId>(a);
    std::vector<Sharding> next;
    for (const Sharding &s : result) {
      next.push_back(s);
      for (size_t d = 0; d < rank; ++d)
        for (size_t at = 0; at <= s.dims[d].axes.size(); ++at) {
          next.push_back(s);
          auto &axes = next.back().dims[d].axes;
          axes.insert(axes.begin() + static_cast<std::ptrdiff_t>(at), axis);
        }
      if (partial) {
        next.push_back(s);
        next.back().partial.push_back({axis, Reduction::sum});
      }
    }
    result = std::move(next);
  }
  return result;
}

} // namespace

TEST_CASE("all pairs of distributed types, for three mesh shapes and up to three dimensions") {
  Pools pools;
  size_t pairs = 0;
  const size_t every = tw::test::slice_of(1, 5);
  for (const char *text : {"x=4", "x=3,y=2", "x=2,y=2,z=2"}) {
    const Mesh mesh = *Mesh::parse(text);
    for (size_t rank = 0; rank <= 3; ++rank) {
      const TensorType type{DType::s16, graph::Shape{5, 4, 3}};
      const TensorType of_rank{type.dtype,
                               {type.dims.begin(), type.dims.begin() + static_cast<std::ptrdiff_t>(rank)}};
      const auto sources = all_shardings(rank, mesh, true);
      for (const Sharding &src : sources)
        for (const Sharding &dst : sources) {
          if (!std::ranges::includes(src.partial, dst.partial, {}, &Partial::axis, &Partial::axis))
            continue; // nothing can be taken apart
          if (pairs++ % every != 0)
            continue;
          auto problem = Problem::create(of_rank, {mesh, src}, {mesh, dst});
          REQUIRE(problem.has_value());
          check(direct_plan(std::make_shared<const Problem>(std::move(*problem))), pools);
        }
    }
  }
  CHECK(pairs > 10000);
}

TEST_CASE("every plan of random problems moves what the types say, wherever the tiles lie") {
  Random random(41);
  Pools pools;
  std::map<std::string, int> methods;
  for (int i = 0; i < static_cast<int>(tw::test::slice_of(400, 80)); ++i) {
    CAPTURE(i);
    const auto problem = random_problem(random, test::random_mesh(random, 24));
    PlanOptions options;
    if (problem->num_devices() % 2 == 0)
      options.topology = *Topology::parse("node=2", problem->device_ids());
    auto plans = make_plans(problem, options);
    REQUIRE(plans.has_value());
    for (const Costed &made : *plans) {
      ++methods[std::string(name(made.plan->method))];
      check(made.plan, pools);
    }
  }
  CHECK(methods["direct"] >= 50);
  CHECK(methods["level"] >= 5);
  CHECK(methods["vector"] >= 5);
}

TEST_CASE("between meshes of other devices, overlapping or apart") {
  Random random(42);
  Pools pools;
  for (int i = 0; i < static_cast<int>(tw::test::slice_of(200, 50)); ++i) {
    CAPTURE(i);
    const auto some_mesh = [&] {
      const Mesh shape = test::random_mesh(random, 12);
      std::vector<int64_t> ids(16);
      std::iota(ids.begin(), ids.end(), 0);
      std::ranges::shuffle(ids, random);
      ids.resize(static_cast<size_t>(shape.num_devices()));
      return *Mesh::create({shape.axes().begin(), shape.axes().end()}, ids);
    };
    const Mesh before = some_mesh(), after = some_mesh();
    const TensorType type{random_type(random, true), random_shape(random)};
    auto problem =
        Problem::create(type, {before, test::random_sharding(random, type.dims, before, i % 3 == 0)},
                        {after, test::random_sharding(random, type.dims, after)});
    REQUIRE(problem.has_value());
    check(direct_plan(std::make_shared<const Problem>(std::move(*problem))), pools);
  }
}

TEST_CASE("several arrays at once are what they are one by one") {
  Random random(43);
  Pools pools;
  for (int i = 0; i < 40; ++i) {
    std::vector<std::shared_ptr<const Plan>> plans;
    std::vector<Arrays> sources, singles, batched;
    const Mesh mesh = test::random_mesh(random, 24);
    for (int64_t n = draw(random, 2, 6); n > 0; --n) {
      const auto problem = random_problem(random, mesh);
      auto made = make_plans(problem, {});
      REQUIRE(made.has_value());
      plans.push_back((*made)[static_cast<size_t>(draw(random, 0, std::ssize(*made) - 1))].plan);
      sources.emplace_back(plans.back()->buffers.front(), problem->item_size());
      fill(*problem, sources.back());
      singles.emplace_back(plans.back()->buffers.back(), problem->item_size());
      batched.emplace_back(plans.back()->buffers.back(), problem->item_size());
      auto alone = Redistributor::prepare({plans.back()});
      REQUIRE(alone.has_value());
      REQUIRE((*alone)->run(sources.back().read(), singles.back().tiles(), pools.one).has_value());
    }
    std::vector<const void *> from;
    std::vector<void *> to;
    for (size_t a = 0; a < plans.size(); ++a) {
      from.insert(from.end(), sources[a].read().begin(), sources[a].read().end());
      to.insert(to.end(), batched[a].tiles().begin(), batched[a].tiles().end());
    }
    auto together = Redistributor::prepare(plans);
    REQUIRE(together.has_value());
    REQUIRE((*together)->run(from, to, pools.four).has_value());
    for (size_t a = 0; a < plans.size(); ++a)
      CHECK(batched[a] == singles[a]);
  }
}

TEST_CASE("arrays larger than the caches, tiles at odd addresses") {
  Pools pools;
  for (const char *target : {"[{}, {a,b}]", "[{b}, {a}:ceil]", "[{}, {}]", "[{b,a}, {}]"})
    for (const char *source : {"[{a,b}, {}]", "[{}, {b,a}]"}) {
      CAPTURE(source);
      CAPTURE(target);
      const auto plan = direct_plan(parsed("a=2,b=3", {DType::s16, {3001, 4099}}, source, target));
      const Problem &p = *plan->problem;
      std::vector<std::vector<int16_t>> from, to;
      std::vector<const void *> src;
      std::vector<void *> dst;
      for (Device d = 0; d < 6; ++d) {
        const Box box = p.src_box(d);
        auto &tile = from.emplace_back(static_cast<size_t>(box.elements()) + 1);
        size_t i = static_cast<size_t>(d % 2); // odd addresses
        src.push_back(tile.data() + i);
        each_element(
            box, [&](std::span<const int64_t> at) { tile[i++] = static_cast<int16_t>(at[0] * 31 + at[1]); });
        to.emplace_back(static_cast<size_t>(plan->buffers[1].elements(d)) + 9, int16_t{-1});
        dst.push_back(to.back().data() + 3);
      }
      auto runner = Redistributor::prepare({plan});
      REQUIRE(runner.has_value());
      REQUIRE((*runner)->run(src, dst, pools.four).has_value());
      for (Device d = 0; d < 6; ++d) {
        const auto &tile = to[static_cast<size_t>(d)];
        size_t i = 3;
        int64_t wrong = 0;
        each_element(p.dst_box(d), [&](std::span<const int64_t> at) {
          wrong += tile[i++] != static_cast<int16_t>(at[0] * 31 + at[1]);
        });
        CHECK(wrong == 0);
        CHECK(std::ranges::count(tile.begin(), tile.begin() + 3, int16_t{-1}) == 3);
        CHECK(std::ranges::count(tile.end() - 6, tile.end(), int16_t{-1}) == 6);
      }
    }
}

TEST_CASE("the order of sums is the plan's") {
  // 1e8 + 1 - 1e8 in f32 depends on the order: from left to right it is 0.
  Pools pools;
  const auto plan = direct_plan(parsed("a=3", {DType::f32, {1}}, "[{}] +a", "[{}]"));
  float values[3] = {1e8f, 1.0f, -1e8f}, sums[3] = {9, 9, 9};
  const void *from[3] = {&values[0], &values[1], &values[2]};
  void *to[3] = {&sums[0], &sums[1], &sums[2]};
  auto runner = Redistributor::prepare({plan});
  REQUIRE(runner.has_value());
  REQUIRE((*runner)->run(from, to, pools.four).has_value());
  CHECK(std::ranges::count(sums, 0.0f) == 3);
}

TEST_CASE("sums that are larger than the caches come to all, on whole cache lines and off them") {
  Pools pools;
  constexpr int64_t kElements = (4 << 20) + 5;
  const auto plan = direct_plan(parsed("a=3", {DType::f32, {kElements}}, "[{}] +a", "[{}]"));
  CHECK(plan->steps.size() == 2); // shares of the sum, and their exchange
  for (const size_t skew : {0, 1}) {
    CAPTURE(skew);
    std::vector<std::vector<float>> from, to;
    std::vector<const void *> src;
    std::vector<void *> dst;
    for (int d = 0; d < 3; ++d) {
      auto &tile = from.emplace_back(static_cast<size_t>(kElements));
      for (size_t i = 0; i < tile.size(); ++i)
        tile[i] = static_cast<float>(i % 1000 * static_cast<size_t>(d + 1));
      src.push_back(tile.data());
      auto &room = to.emplace_back(tile.size() + 32, -1.0f);
      const auto at = reinterpret_cast<uintptr_t>(room.data());
      dst.push_back(room.data() + (64 - at % 64) % 64 / sizeof(float) + skew);
    }
    auto runner = Redistributor::prepare({plan});
    REQUIRE(runner.has_value());
    CHECK((*runner)->scratch_bytes() == 0);
    REQUIRE((*runner)->run(src, dst, pools.four).has_value());
    for (size_t d = 0; d < 3; ++d) {
      const auto *sum = static_cast<const float *>(dst[d]);
      int64_t wrong = 0;
      for (int64_t i = 0; i < kElements; ++i)
        wrong += sum[i] != static_cast<float>(i % 1000 * 6);
      CHECK(wrong == 0);
      CHECK(std::ranges::count(to[d], -1.0f) == 32);
    }
  }
}

TEST_CASE("nothing is saved for what stays in place") {
  const auto scratch = [](const char *src, const char *dst) {
    auto runner = Redistributor::prepare({direct_plan(parsed("a=2,b=2", {DType::f32, {64, 64}}, src, dst))},
                                         {.donate = true});
    REQUIRE(runner.has_value());
    return (*runner)->scratch_bytes();
  };
  CHECK(scratch("[{a}, {b}]", "[{a}, {b}]") == 0);
  CHECK(scratch("[{a}, {b}] ", "[{b}, {a}]") == 2 * 32 * 32 * 4); // two devices swap
  CHECK(scratch("[{a}, {}]", "[{a,b}, {}]") == 2 * 16 * 64 * 4);  // b=1 moves its half to the front
}

TEST_CASE("tiles that share memory or are missing are refused") {
  Pools pools;
  const auto plan = direct_plan(parsed("a=2", {DType::s32, {8}}, "[{a}]", "[{}]"));
  int32_t memory[64] = {};
  const void *from[2] = {memory, memory + 4};
  void *to[2] = {memory + 8, memory + 16};
  const auto message = [&](bool donate) -> std::string {
    auto runner = Redistributor::prepare({plan}, {.donate = donate});
    REQUIRE(runner.has_value());
    const Status status = (*runner)->run(from, to, pools.one);
    return status ? "" : status.error().message();
  };
  CHECK(message(false) == "");
  to[1] = memory + 15;
  CHECK(message(false) ==
        "the target tile of array 0 on device 0 and the target tile of array 0 on device 1 share memory");
  to[1] = memory + 7;
  CHECK(message(true).ends_with("share memory"));
  to[1] = memory + 4; // on its own source
  to[0] = memory + 16;
  CHECK(message(false) ==
        "the source tile of array 0 on device 1 and the target tile of array 0 on device 1 share memory");
  CHECK(message(true) == "");
  to[1] = memory; // on another's source
  CHECK(message(true).ends_with("share memory"));
  to[1] = nullptr;
  CHECK(message(false) == "array 0: device 1 has no target tile");
  auto runner = Redistributor::prepare({plan});
  CHECK((*runner)->run({}, {}, pools.one).error().message() ==
        "0 source and 0 target tiles for 1 arrays over 2 devices");
}

TEST_CASE("scratch has a limit") {
  auto runner = Redistributor::prepare(
      {direct_plan(parsed("a=2,b=2", {DType::f32, {64, 64}}, "[{a}, {b}]", "[{b}, {a}]"))},
      {.donate = true, .memory_limit = 4096});
  REQUIRE(!runner.has_value());
  CHECK(runner.error().message() ==
        "the intermediate tiles need 8192 bytes in all, more than the limit of 4096");
}

TEST_CASE("arrays of more than 2^32 elements are prepared") {
  auto runner = Redistributor::prepare({direct_plan(
      parsed("a=2,b=4", {DType::c128, {1 << 18, 3, 1 << 18}}, "[{a,b}, {}, {}]", "[{}, {}, {a,b}]"))});
  REQUIRE(runner.has_value());
  CHECK((*runner)->scratch_bytes() == 0);
}

} // namespace tw::test_redistributor
