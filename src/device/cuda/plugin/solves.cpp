// SPDX-License-Identifier: Apache-2.0
// Triangular solves through cuBLAS. Its matrices lie by columns: by rows each is its own transpose, so a x =
// b becomes x' a' = b', with the sides and the triangles swapped.
#include <cublas_v2.h>
#include <fmt/format.h>

#include "device/cuda/plugin/work.hpp"

namespace tw::cuda {
namespace {

#define TW_CUBLAS_FUNCTIONS(X)                                                                               \
  X(cublasCreate)                                                                                            \
  X(cublasDestroy)                                                                                           \
  X(cublasGetStatusString)                                                                                   \
  X(cublasGetVersion)                                                                                        \
  X(cublasSetStream)                                                                                         \
  X(cublasSetWorkspace)                                                                                      \
  X(cublasStrsm)                                                                                             \
  X(cublasDtrsm)                                                                                             \
  X(cublasCtrsm)                                                                                             \
  X(cublasZtrsm)                                                                                             \
  X(cublasStrsmBatched)                                                                                      \
  X(cublasDtrsmBatched)                                                                                      \
  X(cublasCtrsmBatched)                                                                                      \
  X(cublasZtrsmBatched)

// Their header gives functions the names of their newest versions by macros.
#define TW_NAME_OF_(name) #name
#define TW_NAME_OF(name) TW_NAME_OF_(name)

struct Blas {
#define TW_MEMBER(name) decltype(&::name) name = nullptr;
  TW_CUBLAS_FUNCTIONS(TW_MEMBER)
#undef TW_MEMBER
  Status fill(const DynLib &library) {
#define TW_FIND(name) TW_TRY(find_function(library, TW_NAME_OF(name), this->name));
    TW_CUBLAS_FUNCTIONS(TW_FIND)
#undef TW_FIND
    return {};
  }
};

constexpr size_t kBlasWorkspace = size_t{4} << 20;
constexpr int64_t kFewSolves = 4; // are calls of their own

Result<const Blas *> find_blas() {
  return open_once<Blas>("TW_CUBLAS", fmt::format("libcublas.so.{}", CUBLAS_VER_MAJOR));
}
const Blas &blas() { return **find_blas(); }

tw_cuda_result explain_blas(cublasStatus_t code, const char *attempt, char *why) {
  if (code == CUBLAS_STATUS_SUCCESS)
    return TW_CUDA_OK;
  return refuse(code == CUBLAS_STATUS_ALLOC_FAILED ? TW_CUDA_NO_MEMORY : TW_CUDA_FAILED,
                fmt::format("{}: {}", attempt, blas().cublasGetStatusString(code)), why);
}

struct BlasHandle {
  cublasHandle_t handle = nullptr;
  std::mutex mutex; // a handle has one stream and one workspace at a time
  BlasHandle() = default;
  BlasHandle(const BlasHandle &) = delete;
  BlasHandle &operator=(const BlasHandle &) = delete;
  ~BlasHandle() {
    if (handle != nullptr)
      blas().cublasDestroy(handle);
  }
};

template <class T, class One, class Many> struct TypedSolve {
  using Element = T;
  One one;
  Many many;
};
template <class T, class One, class Many> TypedSolve<T, One, Many> typed_solve(One one, Many many) {
  return {one, many};
}

template <class Use> cublasStatus_t solve_by_type(tw_cuda_type type, Use &&use) {
  const Blas &b = blas();
  switch (type) {
  case TW_CUDA_F64: return use(typed_solve<double>(b.cublasDtrsm, b.cublasDtrsmBatched), double{1});
  case TW_CUDA_C64: return use(typed_solve<cuComplex>(b.cublasCtrsm, b.cublasCtrsmBatched), cuComplex{1, 0});
  case TW_CUDA_C128:
    return use(typed_solve<cuDoubleComplex>(b.cublasZtrsm, b.cublasZtrsmBatched), cuDoubleComplex{1, 0});
  default: return use(typed_solve<float>(b.cublasStrsm, b.cublasStrsmBatched), float{1});
  }
}

class Solve final : public tw_cuda_work {
public:
  Solve(tw_cuda_gpu *gpu, const tw_cuda_solve_form &form, std::shared_ptr<BlasHandle> handle)
      : tw_cuda_work(gpu), form_(form), handle_(std::move(handle)), batched_(form.count > kFewSolves) {
    name = batched_ ? "cublas:trsm batched" : "cublas:trsm";
    workspace = places(nullptr).used;
  }
  bool needs_pointers() const { return batched_; }

  tw_cuda_result run(const Call &c, char *why) const override {
    const Places at = places(c.workspace);
    const size_t element = bytes_of(form_.type), a_bytes = static_cast<size_t>(order() * order()) * element,
                 b_bytes = static_cast<size_t>(form_.rows * form_.columns) * element;
    const CUresult copied = driver().cuMemcpyAsync(
        reinterpret_cast<CUdeviceptr>(c.results[0]), reinterpret_cast<CUdeviceptr>(c.operands[1]),
        b_bytes * static_cast<size_t>(form_.count), c.queue->stream);
    if (copied != CUDA_SUCCESS)
      return explain(copied, "cuMemcpyAsync", why);
    if (batched_) {
      const tw_cub_functions &cub = **find_cub();
      auto code = cub.point(c.operands[0], static_cast<int64_t>(a_bytes), form_.count, at.a, c.queue->stream);
      if (code == 0)
        code = cub.point(c.results[0], static_cast<int64_t>(b_bytes), form_.count, at.b, c.queue->stream);
      if (const auto result = explain_cub(code, "pointing at matrices", why); result != TW_CUDA_OK)
        return result;
    }
    return explain_blas(solve(c, at), "a triangular solve by cuBLAS", why);
  }

private:
  struct Places {
    void **a, **b;
    void *own; // the library's
    size_t used;
  };
  Places places(void *memory) const {
    Bytes bytes(memory);
    const size_t pointers = batched_ ? static_cast<size_t>(form_.count) * sizeof(void *) : 0;
    auto *const a = reinterpret_cast<void **>(bytes.take(pointers));
    auto *const b = reinterpret_cast<void **>(bytes.take(pointers));
    void *const own = bytes.take(kBlasWorkspace);
    return {a, b, own, bytes.used()};
  }
  int64_t order() const { return form_.left ? form_.rows : form_.columns; }

  cublasStatus_t solve(const Call &c, const Places &at) const {
    const std::lock_guard lock(handle_->mutex);
    cublasStatus_t code =
        blas().cublasSetStream(handle_->handle, reinterpret_cast<cudaStream_t>(c.queue->stream));
    if (code == CUBLAS_STATUS_SUCCESS) // a new stream forgets the workspace
      code = blas().cublasSetWorkspace(handle_->handle, at.own, kBlasWorkspace);
    if (code != CUBLAS_STATUS_SUCCESS)
      return code;
    const cublasSideMode_t side = form_.left ? CUBLAS_SIDE_RIGHT : CUBLAS_SIDE_LEFT;
    const cublasFillMode_t triangle = form_.lower ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
    const cublasOperation_t op = form_.conjugated   ? CUBLAS_OP_C
                                 : form_.transposed ? CUBLAS_OP_T
                                                    : CUBLAS_OP_N;
    const cublasDiagType_t diagonal = form_.unit_diagonal ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
    const int m = static_cast<int>(form_.columns), n = static_cast<int>(form_.rows),
              lead = static_cast<int>(order());
    return solve_by_type(form_.type, [&](const auto &t, const auto one) {
      using T = typename std::decay_t<decltype(t)>::Element;
      if (batched_)
        return t.many(handle_->handle, side, triangle, op, diagonal, m, n, &one,
                      reinterpret_cast<const T *const *>(at.a), lead, reinterpret_cast<T *const *>(at.b), m,
                      static_cast<int>(form_.count));
      for (int64_t i = 0; i < form_.count && code == CUBLAS_STATUS_SUCCESS; ++i)
        code = t.one(handle_->handle, side, triangle, op, diagonal, m, n, &one,
                     static_cast<const T *>(c.operands[0]) + i * order() * order(), lead,
                     static_cast<T *>(c.results[0]) + i * form_.rows * form_.columns, m);
      return code;
    });
  }

  tw_cuda_solve_form form_;
  std::shared_ptr<BlasHandle> handle_;
  bool batched_;
};

tw_cuda_result plan_solve(tw_cuda_gpu *gpu, const tw_cuda_solve_form *form, tw_cuda_work **out, char *why) {
  if (const auto found = find_blas(); !found)
    return refuse(TW_CUDA_MISSING, found.error().message(), why);
  return make_work(gpu, out, why, [&](std::unique_ptr<tw_cuda_work> &made) {
    std::shared_ptr<BlasHandle> handle;
    const auto result = handle_of(gpu, kPartBlas, &handle, [&](BlasHandle &h) {
      return explain_blas(blas().cublasCreate(&h.handle), "cublasCreate", why);
    });
    if (result != TW_CUDA_OK)
      return result;
    auto solve = std::make_unique<Solve>(gpu, *form, std::move(handle));
    if (solve->needs_pointers() && !find_cub())
      return refuse(TW_CUDA_MISSING, find_cub().error().message(), why);
    made = std::move(solve);
    return TW_CUDA_OK;
  });
}

} // namespace

void describe_solves(tw_cuda_library &out) {
  const auto found = find_blas();
  int version = 0;
  if (found) // asks no GPU
    (*found)->cublasGetVersion(nullptr, &version);
  describe_library(out, "cublas",
                   found ? Status() : Status(fail(Code::unavailable, "TW-680", found.error().message())),
                   fmt::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100));
}

void add_solves(tw_cuda_plugin &table) { table.plan_solve = plan_solve; }

} // namespace tw::cuda
