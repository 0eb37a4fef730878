// SPDX-License-Identifier: Apache-2.0
// Cholesky through cuSOLVER. Its matrices lie by columns, so the lower triangle by rows is its upper one: of
// the transposed matrix, whose factor is then the transpose of ours.
#include <cusolverDn.h>
#include <fmt/format.h>

#include "device/cuda/plugin/work.hpp"

namespace tw::cuda {
namespace {

#define TW_CUSOLVER_EACH(X, name)                                                                            \
  X(cusolverDnS##name) X(cusolverDnD##name) X(cusolverDnC##name) X(cusolverDnZ##name)
#define TW_CUSOLVER_FUNCTIONS(X)                                                                             \
  TW_CUSOLVER_EACH(X, potrf)                                                                                 \
  TW_CUSOLVER_EACH(X, potrf_bufferSize)                                                                      \
  TW_CUSOLVER_EACH(X, potrfBatched)                                                                          \
  X(cusolverDnCreate)                                                                                        \
  X(cusolverDnDestroy)                                                                                       \
  X(cusolverDnSetStream)                                                                                     \
  X(cusolverGetVersion)

struct Solver {
#define TW_MEMBER(name) decltype(&::name) name = nullptr;
  TW_CUSOLVER_FUNCTIONS(TW_MEMBER)
#undef TW_MEMBER
  Status fill(const DynLib &library) {
#define TW_FIND(name) TW_TRY(find_function(library, #name, this->name));
    TW_CUSOLVER_FUNCTIONS(TW_FIND)
#undef TW_FIND
    return {};
  }
};

// Small matrices are factored all at once, and more than a few anyway.
constexpr int64_t kSmall = 512, kFew = 64;

Result<const Solver *> find_solver() {
  return open_once<Solver>("TW_CUSOLVER", fmt::format("libcusolver.so.{}", CUSOLVER_VER_MAJOR));
}
const Solver &solver() { return **find_solver(); }

tw_cuda_result explain_solver(cusolverStatus_t code, const char *attempt, char *why) {
  if (code == CUSOLVER_STATUS_SUCCESS)
    return TW_CUDA_OK;
  return refuse(code == CUSOLVER_STATUS_ALLOC_FAILED ? TW_CUDA_NO_MEMORY : TW_CUDA_FAILED,
                fmt::format("{}: cuSOLVER's status {}", attempt, static_cast<int>(code)), why);
}

struct SolverHandle {
  cusolverDnHandle_t handle = nullptr;
  std::mutex mutex; // a handle has one stream at a time
  SolverHandle() = default;
  SolverHandle(const SolverHandle &) = delete;
  SolverHandle &operator=(const SolverHandle &) = delete;
  ~SolverHandle() {
    if (handle != nullptr)
      solver().cusolverDnDestroy(handle);
  }
};

// The functions of one element type.
template <class T, class Size, class Factor, class Batched> struct Typed {
  using Element = T;
  Size size;
  Factor factor;
  Batched batched;
};
template <class T, class Size, class Factor, class Batched>
Typed<T, Size, Factor, Batched> typed(Size size, Factor factor, Batched batched) {
  return {size, factor, batched};
}

template <class Use> cusolverStatus_t by_type(tw_cuda_type type, Use &&use) {
  const Solver &s = solver();
  switch (type) {
  case TW_CUDA_F64:
    return use(typed<double>(s.cusolverDnDpotrf_bufferSize, s.cusolverDnDpotrf, s.cusolverDnDpotrfBatched));
  case TW_CUDA_C64:
    return use(
        typed<cuComplex>(s.cusolverDnCpotrf_bufferSize, s.cusolverDnCpotrf, s.cusolverDnCpotrfBatched));
  case TW_CUDA_C128:
    return use(
        typed<cuDoubleComplex>(s.cusolverDnZpotrf_bufferSize, s.cusolverDnZpotrf, s.cusolverDnZpotrfBatched));
  default:
    return use(typed<float>(s.cusolverDnSpotrf_bufferSize, s.cusolverDnSpotrf, s.cusolverDnSpotrfBatched));
  }
}

class Cholesky final : public tw_cuda_work {
public:
  Cholesky(tw_cuda_gpu *gpu, const tw_cuda_cholesky_form &form, std::shared_ptr<SolverHandle> handle)
      : tw_cuda_work(gpu), form_(form), handle_(std::move(handle)) {
    batched_ = form.count > 1 && (form.n <= kSmall || form.count > kFew);
    name = batched_ ? "cusolver:potrf batched" : "cusolver:potrf";
  }

  tw_cuda_result plan(char *why) {
    cusolverStatus_t code = CUSOLVER_STATUS_SUCCESS;
    if (!batched_)
      code = by_type(form_.type, [&](const auto &t) {
        using T = typename std::decay_t<decltype(t)>::Element;
        return t.size(handle_->handle, triangle(), n(), static_cast<T *>(nullptr), n(), &elements_);
      });
    workspace = places(nullptr).used;
    return explain_solver(code, "cusolverDnpotrf_bufferSize", why);
  }

  tw_cuda_result run(const Call &c, char *why) const override {
    const Places at = places(c.workspace);
    const size_t each = bytes(), all = each * static_cast<size_t>(form_.count);
    void *const factors = c.results[0];
    CUresult copied =
        driver().cuMemcpyAsync(reinterpret_cast<CUdeviceptr>(factors),
                               reinterpret_cast<CUdeviceptr>(c.operands[0]), all, c.queue->stream);
    if (copied == CUDA_SUCCESS)
      copied = driver().cuMemsetD32Async(reinterpret_cast<CUdeviceptr>(at.info), 0,
                                         static_cast<size_t>(form_.count), c.queue->stream);
    if (copied != CUDA_SUCCESS)
      return explain(copied, "copying matrices", why);
    const tw_cub_functions &cub = **find_cub();
    if (batched_)
      if (const auto result = explain_cub(
              cub.point(factors, static_cast<int64_t>(each), form_.count, at.pointers, c.queue->stream),
              "pointing at matrices", why);
          result != TW_CUDA_OK)
        return result;
    if (const auto result = explain_solver(factor(c, at), "cusolverDnpotrf", why); result != TW_CUDA_OK)
      return result;
    return explain_cub(cub.finish_cholesky(&form_, factors, at.info, c.queue->stream), "finishing factors",
                       why);
  }

private:
  struct Places {
    int32_t *info;
    void **pointers;
    void *elements;
    size_t used;
  };
  Places places(void *memory) const {
    Bytes bytes_left(memory);
    const auto count = static_cast<size_t>(form_.count);
    auto *const info = reinterpret_cast<int32_t *>(bytes_left.take(count * sizeof(int32_t)));
    auto *const pointers = reinterpret_cast<void **>(bytes_left.take(batched_ ? count * sizeof(void *) : 0));
    void *const elements = bytes_left.take(static_cast<size_t>(elements_) * bytes_of(form_.type));
    return {info, pointers, elements, bytes_left.used()};
  }

  int n() const { return static_cast<int>(form_.n); }
  size_t bytes() const { return static_cast<size_t>(form_.n * form_.n) * bytes_of(form_.type); }
  cublasFillMode_t triangle() const { return form_.lower ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER; }

  cusolverStatus_t factor(const Call &c, const Places &at) const {
    const std::lock_guard lock(handle_->mutex);
    cusolverStatus_t code =
        solver().cusolverDnSetStream(handle_->handle, reinterpret_cast<cudaStream_t>(c.queue->stream));
    if (code != CUSOLVER_STATUS_SUCCESS)
      return code;
    return by_type(form_.type, [&](const auto &t) {
      using T = typename std::decay_t<decltype(t)>::Element;
      if (batched_)
        return t.batched(handle_->handle, triangle(), n(), reinterpret_cast<T **>(at.pointers), n(), at.info,
                         static_cast<int>(form_.count));
      for (int64_t i = 0; i < form_.count && code == CUSOLVER_STATUS_SUCCESS; ++i)
        code =
            t.factor(handle_->handle, triangle(), n(), static_cast<T *>(c.results[0]) + i * form_.n * form_.n,
                     n(), static_cast<T *>(at.elements), elements_, at.info + i);
      return code;
    });
  }

  tw_cuda_cholesky_form form_;
  std::shared_ptr<SolverHandle> handle_;
  bool batched_;
  int elements_ = 0; // of memory that the library wants
};

tw_cuda_result plan_cholesky(tw_cuda_gpu *gpu, const tw_cuda_cholesky_form *form, tw_cuda_work **out,
                             char *why) {
  if (const auto found = find_solver(); !found)
    return refuse(TW_CUDA_MISSING, found.error().message(), why);
  if (!find_cub())
    return refuse(TW_CUDA_MISSING, find_cub().error().message(), why);
  return make_work(gpu, out, why, [&](std::unique_ptr<tw_cuda_work> &made) {
    std::shared_ptr<SolverHandle> handle;
    auto result = handle_of(gpu, kPartSolver, &handle, [&](SolverHandle &h) {
      return explain_solver(solver().cusolverDnCreate(&h.handle), "cusolverDnCreate", why);
    });
    if (result != TW_CUDA_OK)
      return result;
    auto cholesky = std::make_unique<Cholesky>(gpu, *form, std::move(handle));
    result = cholesky->plan(why);
    made = std::move(cholesky);
    return result;
  });
}

} // namespace

void describe_factorizations(tw_cuda_library &out) {
  const auto found = find_solver();
  int version = 0;
  if (found)
    (*found)->cusolverGetVersion(&version);
  describe_library(out, "cusolver",
                   found ? Status() : Status(fail(Code::unavailable, "TW-680", found.error().message())),
                   fmt::format("{}.{}.{}", version / 1000, version / 100 % 10, version % 100));
}

void add_factorizations(tw_cuda_plugin &table) { table.plan_cholesky = plan_cholesky; }

} // namespace tw::cuda
