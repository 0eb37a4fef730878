// SPDX-License-Identifier: Apache-2.0
// Read before generated source, it makes a shared object of it with the host's compiler: what CUDA C++ adds
// to the language as ordinary C++. Blocks run one after the other. The threads of a block that has barriers
// are fibers that run to the next barrier, forwards and backwards in turn, so that what depends on their
// order or on warps in step goes wrong. Functions of a device are the host's, whose pointers the loader sets,
// or with TW_DEVICE_MATH their own text over the C library.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <ucontext.h>
#include <vector>

#define TW_SHIM 1
#define TW_FN static inline
#define __global__
#define __device__
#define __shared__ static
#define __syncthreads() tw_shim::barrier()

struct TwIndex {
  unsigned x;
};
static TwIndex threadIdx, blockIdx, blockDim, gridDim;

template <class To, class From> static inline To tw_bits(From from) {
  To to;
  static_assert(sizeof to == sizeof from);
  std::memcpy(&to, &from, sizeof to);
  return to;
}
static inline unsigned __float_as_uint(float x) { return tw_bits<unsigned>(x); }
static inline float __uint_as_float(unsigned x) { return tw_bits<float>(x); }
static inline long long __double_as_longlong(double x) { return tw_bits<long long>(x); }
static inline double __longlong_as_double(long long x) { return tw_bits<double>(x); }
static inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static inline int __clzll(long long x) {
  return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}

namespace tw_shim {

struct Fiber {
  ucontext_t context;
  std::unique_ptr<char[]> stack;
  bool over = false;
};
constexpr size_t kStack = 64 * 1024;
static std::vector<Fiber> fibers;
static ucontext_t scheduler;
static size_t current;
static void (*body)();

static inline void barrier() { swapcontext(&fibers[current].context, &scheduler); }
static inline void run_fiber() {
  body();
  fibers[current].over = true;
}

// Lets every thread run to its next barrier; whether any waits there. Either all do or none.
static inline bool run_round(unsigned threads, bool backwards) {
  unsigned waiting = 0;
  for (unsigned i = 0; i < threads; ++i) {
    current = backwards ? threads - 1 - i : i;
    threadIdx.x = static_cast<unsigned>(current);
    swapcontext(&scheduler, &fibers[current].context);
    waiting += fibers[current].over ? 0 : 1;
  }
  if (waiting != 0 && waiting != threads) {
    std::fprintf(stderr, "%u of %u threads wait at a barrier that the others do not reach\n", waiting,
                 threads);
    std::abort();
  }
  return waiting != 0;
}

static inline void launch_fibers(unsigned blocks, unsigned threads, void (*kernel)()) {
  body = kernel;
  if (fibers.size() < threads)
    fibers.resize(threads);
  gridDim.x = blocks, blockDim.x = threads;
  for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x) {
    for (unsigned t = 0; t < threads; ++t) {
      Fiber &fiber = fibers[t];
      if (!fiber.stack)
        fiber.stack.reset(new char[kStack]);
      fiber.over = false;
      getcontext(&fiber.context);
      fiber.context.uc_stack.ss_sp = fiber.stack.get();
      fiber.context.uc_stack.ss_size = kStack;
      fiber.context.uc_link = &scheduler;
      makecontext(&fiber.context, run_fiber, 0);
    }
    for (unsigned round = blockIdx.x; run_round(threads, round % 2 != 0); ++round) {
    }
  }
}

static inline void launch_threads(unsigned blocks, unsigned threads, void (*kernel)()) {
  gridDim.x = blocks, blockDim.x = threads;
  for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x)
    for (threadIdx.x = 0; threadIdx.x < threads; ++threadIdx.x)
      kernel();
}

// A function of the host that the source calls: the block of an op, which the loader sets.
struct Function {
  const char *op, *result, *argument;
  int arguments;
  void (*block)(const void *const *in, void *out, long n) = nullptr;
  Function *next;
  Function(const char *op, const char *result, const char *argument, int arguments);
};
static Function *functions = nullptr;
inline Function::Function(const char *o, const char *r, const char *a, int n)
    : op(o), result(r), argument(a), arguments(n), next(functions) {
  functions = this;
}

} // namespace tw_shim

extern "C" tw_shim::Function *tw_shim_functions() { return tw_shim::functions; }

// `words` are the kernel's arguments, as many as `name##_count` says.
#define TW_LAUNCHED(name, count, how)                                                                        \
  static void name(const tw::Words<count> args);                                                             \
  static tw::Words<count> name##_words;                                                                      \
  extern "C" {                                                                                               \
  extern const unsigned long name##_count = count;                                                           \
  }                                                                                                          \
  extern "C" void name##_launch(const unsigned long long *words, unsigned blocks, unsigned threads) {        \
    std::memcpy(&name##_words, words, sizeof name##_words);                                                  \
    tw_shim::how(blocks, threads, [] { name(name##_words); });                                               \
  }                                                                                                          \
  static void name([[maybe_unused]] const tw::Words<count> args)
#define TW_KERNEL(name, count) TW_LAUNCHED(name, count, launch_threads)
#define TW_BLOCK_KERNEL(name, count) TW_LAUNCHED(name, count, launch_fibers)

#ifdef TW_DEVICE_MATH
#define TW_FUNCTION_1(name, op, R, A, text)                                                                  \
  namespace tw {                                                                                             \
  static V<R> name(V<A> a) { text }                                                                          \
  }
#define TW_FUNCTION_2(name, op, R, A, text)                                                                  \
  namespace tw {                                                                                             \
  static V<R> name(V<A> a, V<A> b) { text }                                                                  \
  }
#else
#define TW_FUNCTION_1(name, op, R, A, text)                                                                  \
  static tw_shim::Function name##_host(op, #R, #A, 1);                                                       \
  namespace tw {                                                                                             \
  static V<R> name(V<A> a) {                                                                                 \
    const void *in[] = {&a};                                                                                 \
    V<R> out;                                                                                                \
    name##_host.block(in, &out, 1);                                                                          \
    return out;                                                                                              \
  }                                                                                                          \
  }
#define TW_FUNCTION_2(name, op, R, A, text)                                                                  \
  static tw_shim::Function name##_host(op, #R, #A, 2);                                                       \
  namespace tw {                                                                                             \
  static V<R> name(V<A> a, V<A> b) {                                                                         \
    const void *in[] = {&a, &b};                                                                             \
    V<R> out;                                                                                                \
    name##_host.block(in, &out, 1);                                                                          \
    return out;                                                                                              \
  }                                                                                                          \
  }
#endif
