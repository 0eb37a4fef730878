// SPDX-License-Identifier: Apache-2.0
// A run allocates nothing, of a program or of a plan: every call of malloc and its kin in this program is
// counted, except inside oneDNN, which makes some small objects each time it executes a primitive.
#include <atomic>
#include <cstdlib>

#include <dlfcn.h>

#include "redistribute/planner.hpp"
#include "runtime/redistributor.hpp"
#include "unit/runtime/step_program.hpp"

namespace tw::test_allocation {

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define TW_COUNTS_MALLOC 1
#endif
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#undef TW_COUNTS_MALLOC
#endif
#endif

#ifdef TW_COUNTS_MALLOC
namespace {
std::atomic<int64_t> allocations{0};
thread_local bool inside_onednn = false;
void count() { allocations += inside_onednn ? 0 : 1; }
} // namespace

extern "C" {
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

void *malloc(size_t n) {
  count();
  return __libc_malloc(n);
}
void *calloc(size_t n, size_t size) {
  count();
  return __libc_calloc(n, size);
}
void *realloc(void *p, size_t n) {
  count();
  return __libc_realloc(p, n);
}
void *aligned_alloc(size_t alignment, size_t n) {
  count();
  return __libc_memalign(alignment, n);
}
void *memalign(size_t alignment, size_t n) {
  count();
  return __libc_memalign(alignment, n);
}
int posix_memalign(void **p, size_t alignment, size_t n) {
  count();
  *p = __libc_memalign(alignment, n);
  return *p != nullptr ? 0 : 12;
}

#if TW_WITH_ONEDNN
// Stands before oneDNN's own.
int dnnl_primitive_execute(const void *primitive, void *stream, int n, const void *args) {
  using Execute = int (*)(const void *, void *, int, const void *);
  static const auto execute = reinterpret_cast<Execute>(dlsym(RTLD_NEXT, "dnnl_primitive_execute"));
  inside_onednn = true;
  const int status = execute(primitive, stream, n, args);
  inside_onednn = false;
  return status;
}
#endif
}
#endif

TEST_CASE("a run allocates nothing") {
#ifdef TW_COUNTS_MALLOC
  using namespace tw::test;
  for (const unsigned workers : {1u, 2u}) {
    tw::runtime::Options options;
    options.workers = workers;
    Runner runner(step_program(), "data=2,model=4", kStepSpec, std::move(options));
    for (int i = 0; i < 20; ++i) // threads start, libraries set themselves up
      REQUIRE(runner.run().has_value());
    const int64_t before = allocations;
    bool good = true;
    for (int i = 0; i < 1000; ++i)
      good &= runner.run().has_value();
    CHECK(allocations - before == 0);
    CHECK(good);
  }
#else
  MESSAGE("not counted: a sanitizer has its own malloc");
#endif
}

TEST_CASE("a run of a loop with collectives allocates nothing") {
#ifdef TW_COUNTS_MALLOC
  using namespace tw::test;
  tw::runtime::Options options;
  options.workers = 2;
  Runner runner(looping_program(5), "d=2,m=2", "tile(arg=w, dim=0, axis=\"m\"); infer-propagate",
                std::move(options));
  CHECK(!runner.program->collectives().empty());
  for (int i = 0; i < 20; ++i)
    REQUIRE(runner.run().has_value());
  const int64_t before = allocations;
  for (int i = 0; i < 1000; ++i)
    REQUIRE(runner.run().has_value());
  CHECK(allocations - before == 0);
#endif
}

TEST_CASE("a run of a redistribution plan allocates nothing") {
#ifdef TW_COUNTS_MALLOC
  using namespace tw;
  const auto mesh = *sharding::Mesh::parse("a=2,b=2");
  const auto problem = std::make_shared<const redistribute::Problem>(*redistribute::Problem::create(
      {graph::DType::f32, {300, 500}}, {mesh, *sharding::parse_sharding("[{a}, {}] +b", mesh)},
      {mesh, *sharding::parse_sharding("[{}, {b,a}]", mesh)}));
  redistribute::PlanOptions options;
  options.topology = *redistribute::Topology::parse("node=2", problem->device_ids());
  const auto plans = *redistribute::make_plans(problem, options);
  runtime::Redistributor::Options donate;
  donate.donate = true;
  std::vector<float> memory(8 * 300 * 500);
  std::vector<const void *> src;
  std::vector<void *> apart;
  for (size_t d = 0; d < 4; ++d) {
    src.push_back(memory.data() + d * 300 * 500);
    apart.push_back(memory.data() + (d + 4) * 300 * 500);
  }
  for (const unsigned workers : {1u, 2u})
    for (const redistribute::Costed &made : plans) {
      WorkerPool pool(workers);
      auto runner = runtime::Redistributor::prepare({made.plan, made.plan}, donate);
      REQUIRE(runner.has_value());
      std::vector<float> more(memory);
      std::vector<const void *> from = src; // of one array apart, of the other where its targets are
      std::vector<void *> to = apart;
      for (size_t d = 0; d < 4; ++d) {
        from.push_back(more.data() + d * 300 * 500);
        to.push_back(more.data() + d * 300 * 500);
      }
      REQUIRE((*runner)->run(from, to, pool).has_value());
      const int64_t before = allocations;
      bool good = true;
      for (int i = 0; i < 20; ++i)
        good &= (*runner)->run(from, to, pool).has_value();
      CHECK(allocations - before == 0);
      CHECK(good);
    }
#else
  MESSAGE("not counted: a sanitizer has its own malloc");
#endif
}

} // namespace tw::test_allocation
