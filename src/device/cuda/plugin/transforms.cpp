// SPDX-License-Identifier: Apache-2.0
// Fourier transforms through cuFFT. Inverse ones are scaled afterwards, and transforms to real numbers work
// on a copy, since the library writes over what it reads then.
#include <vector>

#include <cufft.h>
#include <fmt/format.h>

#include "device/cuda/plugin/work.hpp"

namespace tw::cuda {
namespace {

#define TW_CUFFT_FUNCTIONS(X)                                                                                \
  X(cufftCreate)                                                                                             \
  X(cufftDestroy)                                                                                            \
  X(cufftExecC2C)                                                                                            \
  X(cufftExecC2R)                                                                                            \
  X(cufftExecD2Z)                                                                                            \
  X(cufftExecR2C)                                                                                            \
  X(cufftExecZ2D)                                                                                            \
  X(cufftExecZ2Z)                                                                                            \
  X(cufftGetVersion)                                                                                         \
  X(cufftMakePlanMany64)                                                                                     \
  X(cufftSetAutoAllocation)                                                                                  \
  X(cufftSetStream)                                                                                          \
  X(cufftSetWorkArea)

struct Transforms {
#define TW_MEMBER(name) decltype(&::name) name = nullptr;
  TW_CUFFT_FUNCTIONS(TW_MEMBER)
#undef TW_MEMBER
  Status fill(const DynLib &library) {
#define TW_FIND(name) TW_TRY(find_function(library, #name, this->name));
    TW_CUFFT_FUNCTIONS(TW_FIND)
#undef TW_FIND
    return {};
  }
};

Result<const Transforms *> find_fft() {
  return open_once<Transforms>("TW_CUFFT", fmt::format("libcufft.so.{}", CUFFT_VER_MAJOR));
}
const Transforms &fft() { return **find_fft(); }

// More blocks than this are left to others, where each is a call.
constexpr int64_t kMostCalls = 256;

tw_cuda_result explain_fft(cufftResult code, const char *attempt, char *why) {
  if (code == CUFFT_SUCCESS)
    return TW_CUDA_OK;
  return refuse(code == CUFFT_ALLOC_FAILED ? TW_CUDA_NO_MEMORY : TW_CUDA_FAILED,
                fmt::format("{}: cuFFT's error {}", attempt, static_cast<int>(code)), why);
}

// Many transforms, whose elements lie `stride` apart and which begin `distance` apart.
struct Many {
  std::vector<long long> lengths;
  long long stride, distance, count;
};

class FftPlan {
public:
  FftPlan() = default;
  FftPlan(const FftPlan &) = delete;
  FftPlan &operator=(const FftPlan &) = delete;
  ~FftPlan() {
    if (made_)
      fft().cufftDestroy(plan_);
  }

  // Dense where stride is 1: then a complex end of real transforms has its own distance.
  cufftResult make(cufftType type, Many many) {
    cufftResult code = fft().cufftCreate(&plan_);
    made_ = code == CUFFT_SUCCESS;
    if (code == CUFFT_SUCCESS)
      code = fft().cufftSetAutoAllocation(plan_, 0);
    long long *const embedded = many.stride == 1 ? nullptr : many.lengths.data();
    if (code == CUFFT_SUCCESS)
      code = fft().cufftMakePlanMany64(plan_, static_cast<int>(many.lengths.size()), many.lengths.data(),
                                       embedded, many.stride, many.distance, embedded, many.stride,
                                       many.distance, type, many.count, &bytes_);
    return code;
  }
  size_t bytes() const { return bytes_; }
  cufftResult prepare(CUstream stream, void *workspace) const {
    const cufftResult code = fft().cufftSetStream(plan_, reinterpret_cast<cudaStream_t>(stream));
    return code == CUFFT_SUCCESS && bytes_ > 0 ? fft().cufftSetWorkArea(plan_, workspace) : code;
  }
  cufftHandle plan() const { return plan_; }

private:
  cufftHandle plan_ = 0;
  size_t bytes_ = 0;
  bool made_ = false;
};

class Transform final : public tw_cuda_work {
public:
  Transform(tw_cuda_gpu *gpu, const tw_cuda_fft_form &form) : tw_cuda_work(gpu), form_(form) {
    real_ = form.wide ? 8 : 4;
    for (int32_t d = 0; d < form.rank; ++d) {
      block_ *= form.lengths[d];
      half_ *= d + 1 == form.rank ? form.lengths[d] / 2 + 1 : form.lengths[d];
    }
    static constexpr const char *names[] = {"forward", "inverse", "real forward", "real inverse"};
    name = fmt::format("cufft:{}", names[form.kind]);
  }

  tw_cuda_result plan(char *why) {
    const std::vector<long long> lengths(form_.lengths, form_.lengths + form_.rank);
    const long long block = block_, count = form_.count;
    cufftResult code = CUFFT_SUCCESS;
    switch (form_.kind) {
    case TW_CUDA_FFT:
    case TW_CUDA_IFFT:
      code = last_.make(form_.wide ? CUFFT_Z2Z : CUFFT_C2C, {lengths, 1, block, count});
      break;
    case TW_CUDA_RFFT:
      code = last_.make(form_.wide ? CUFFT_D2Z : CUFFT_R2C, {lengths, 1, block, count});
      break;
    case TW_CUDA_IRFFT: {
      // The last dimension alone: of what the others leave any values are taken.
      const long long last = lengths.back(), columns = last / 2 + 1;
      code = last_.make(form_.wide ? CUFFT_Z2D : CUFFT_C2R, {{last}, 1, last, count * block / last});
      if (form_.rank > 1 && count > kMostCalls)
        return refuse(TW_CUDA_FAILED, "too many blocks", why);
      if (form_.rank > 1 && code == CUFFT_SUCCESS)
        code = first_.make(form_.wide ? CUFFT_Z2Z : CUFFT_C2C,
                           {{lengths.begin(), lengths.end() - 1}, columns, 1, columns});
    }
    }
    if (is_inverse() && !find_cub())
      return refuse(TW_CUDA_MISSING, find_cub().error().message(), why);
    Bytes bytes(nullptr);
    bytes.take(std::max(first_.bytes(), last_.bytes()));
    if (form_.kind == TW_CUDA_IRFFT)
      bytes.take(copied());
    workspace = bytes.used();
    return explain_fft(code, "planning a transform", why);
  }

  tw_cuda_result run(const Call &c, char *why) const override {
    const std::lock_guard lock(mutex_);
    Bytes bytes(c.workspace);
    void *const area = bytes.take(std::max(first_.bytes(), last_.bytes()));
    void *in = const_cast<void *>(c.operands[0]);
    cufftResult code = CUFFT_SUCCESS;
    if (form_.kind == TW_CUDA_IRFFT) {
      void *const copy = bytes.take(copied());
      if (const CUresult copied_code =
              driver().cuMemcpyAsync(reinterpret_cast<CUdeviceptr>(copy), reinterpret_cast<CUdeviceptr>(in),
                                     copied(), c.queue->stream);
          copied_code != CUDA_SUCCESS)
        return explain(copied_code, "cuMemcpyAsync", why);
      in = copy;
      if (form_.rank > 1)
        code = first_.prepare(c.queue->stream, area);
      for (int64_t block = 0; form_.rank > 1 && block < form_.count && code == CUFFT_SUCCESS; ++block) {
        void *const at = static_cast<std::byte *>(copy) + block * half_ * 2 * real_;
        code = complex(first_.plan(), at, at, CUFFT_INVERSE);
      }
    }
    if (code == CUFFT_SUCCESS)
      code = last_.prepare(c.queue->stream, area);
    if (code == CUFFT_SUCCESS)
      code = transform(in, c.results[0]);
    if (code != CUFFT_SUCCESS || !is_inverse())
      return explain_fft(code, "a transform by cuFFT", why);
    const int64_t reals = form_.count * block_ * (form_.kind == TW_CUDA_IFFT ? 2 : 1);
    return explain_cub(
        (*find_cub())->scale(c.results[0], real_, reals, 1.0 / static_cast<double>(block_), c.queue->stream),
        "scaling a transform", why);
  }

private:
  bool is_inverse() const { return form_.kind == TW_CUDA_IFFT || form_.kind == TW_CUDA_IRFFT; }
  size_t copied() const { return static_cast<size_t>(form_.count * half_ * 2 * real_); }

  cufftResult complex(cufftHandle plan, void *in, void *out, int direction) const {
    return form_.wide ? fft().cufftExecZ2Z(plan, static_cast<cufftDoubleComplex *>(in),
                                           static_cast<cufftDoubleComplex *>(out), direction)
                      : fft().cufftExecC2C(plan, static_cast<cufftComplex *>(in),
                                           static_cast<cufftComplex *>(out), direction);
  }
  cufftResult transform(void *in, void *out) const {
    switch (form_.kind) {
    case TW_CUDA_FFT: return complex(last_.plan(), in, out, CUFFT_FORWARD);
    case TW_CUDA_IFFT: return complex(last_.plan(), in, out, CUFFT_INVERSE);
    case TW_CUDA_RFFT:
      return form_.wide ? fft().cufftExecD2Z(last_.plan(), static_cast<cufftDoubleReal *>(in),
                                             static_cast<cufftDoubleComplex *>(out))
                        : fft().cufftExecR2C(last_.plan(), static_cast<cufftReal *>(in),
                                             static_cast<cufftComplex *>(out));
    default:
      return form_.wide ? fft().cufftExecZ2D(last_.plan(), static_cast<cufftDoubleComplex *>(in),
                                             static_cast<cufftDoubleReal *>(out))
                        : fft().cufftExecC2R(last_.plan(), static_cast<cufftComplex *>(in),
                                             static_cast<cufftReal *>(out));
    }
  }

  tw_cuda_fft_form form_;
  int32_t real_ = 4;             // bytes of a real number
  int64_t block_ = 1, half_ = 1; // elements of a block, and of its complex end
  FftPlan first_, last_;
  mutable std::mutex mutex_; // a plan has one stream and one work area at a time
};

tw_cuda_result plan_fft(tw_cuda_gpu *gpu, const tw_cuda_fft_form *form, tw_cuda_work **out, char *why) {
  if (const auto found = find_fft(); !found)
    return refuse(TW_CUDA_MISSING, found.error().message(), why);
  return make_work(gpu, out, why, [&](std::unique_ptr<tw_cuda_work> &made) {
    auto transform = std::make_unique<Transform>(gpu, *form);
    const auto result = transform->plan(why);
    made = std::move(transform);
    return result;
  });
}

} // namespace

void describe_transforms(tw_cuda_library &out) {
  const auto found = find_fft();
  int version = 0;
  if (found)
    (*found)->cufftGetVersion(&version);
  describe_library(out, "cufft",
                   found ? Status() : Status(fail(Code::unavailable, "TW-680", found.error().message())),
                   fmt::format("{}.{}.{}", version / 1000, version / 100 % 10, version % 100));
}

void add_transforms(tw_cuda_plugin &table) { table.plan_fft = plan_fft; }

} // namespace tw::cuda
