// SPDX-License-Identifier: Apache-2.0
// A double of cuFFT over the double of the driver: transforms by their definition, unscaled. A transform to
// real numbers leaves nothing of what it read, as the manual warns, and takes the real parts alone of what
// has to be real.
#include <cmath>
#include <complex>
#include <memory>
#include <vector>

#include <cufft.h>

#include "cuda/driver_double.hpp"

namespace {

using Complex = std::complex<double>;

struct Plan {
  std::vector<long long> lengths;
  long long stride = 1, distance = 0, count = 0;
  cufftType type = CUFFT_C2C;
  bool is_embedded = false, allocates = true;
  CUstream stream = nullptr;
  void *area = nullptr;
};
constexpr size_t kArea = 768;

std::vector<std::unique_ptr<Plan>> &plans() {
  static std::vector<std::unique_ptr<Plan>> all;
  return all;
}
Plan &of(cufftHandle handle) { return *plans().at(static_cast<size_t>(handle)); }

struct Work {
  Plan plan;
  void *in, *out;
  int direction;
};

template <class Real> Complex load(const void *from, long long i, bool is_real) {
  const auto *reals = static_cast<const Real *>(from);
  return is_real ? Complex(static_cast<double>(reals[i]), 0)
                 : Complex(static_cast<double>(reals[2 * i]), static_cast<double>(reals[2 * i + 1]));
}
template <class Real> void store(void *to, long long i, bool is_real, Complex value) {
  auto *reals = static_cast<Real *>(to);
  if (is_real) {
    reals[i] = static_cast<Real>(value.real());
  } else {
    reals[2 * i] = static_cast<Real>(value.real());
    reals[2 * i + 1] = static_cast<Real>(value.imag());
  }
}

// One dimension after the other, in double precision.
void transform(std::vector<Complex> &block, const std::vector<long long> &lengths, int direction) {
  long long inner = 1;
  for (size_t d = lengths.size(); d-- > 0; inner *= lengths[d]) {
    const long long n = lengths[d];
    std::vector<Complex> line(static_cast<size_t>(n));
    for (long long first = 0; first < static_cast<long long>(block.size()); ++first) {
      if (first / inner % n != 0)
        continue;
      for (long long k = 0; k < n; ++k) {
        Complex sum = 0;
        for (long long j = 0; j < n; ++j)
          sum +=
              block[static_cast<size_t>(first + j * inner)] *
              std::polar(1.0, direction * 2 * M_PI * static_cast<double>(j * k % n) / static_cast<double>(n));
        line[static_cast<size_t>(k)] = sum;
      }
      for (long long k = 0; k < n; ++k)
        block[static_cast<size_t>(first + k * inner)] = line[static_cast<size_t>(k)];
    }
  }
}

template <class Real> void run_as(const Work &w) {
  const Plan &p = w.plan;
  const bool real_in = p.type == CUFFT_R2C || p.type == CUFFT_D2Z,
             real_out = p.type == CUFFT_C2R || p.type == CUFFT_Z2D;
  void *in = tw_double_alias(w.in), *out = tw_double_alias(w.out);
  const long long last = p.lengths.back(), half = last / 2 + 1;
  long long block = 1;
  for (const long long n : p.lengths)
    block *= n;
  // Where element i of a whole block is in an end that has `columns` of the last dimension.
  const auto place = [&](long long b, long long i, long long columns) {
    return p.is_embedded ? b * p.distance + i * p.stride
                         : b * (block / last * columns) + i / last * columns + i % last;
  };
  for (long long b = 0; b < p.count; ++b) {
    std::vector<Complex> values(static_cast<size_t>(block));
    for (long long i = 0; i < block; ++i) {
      const bool mirrored = real_out && i % last >= half;
      const long long from = mirrored ? i - i % last + (last - i % last) : i;
      Complex value = load<Real>(in, place(b, from, real_out ? half : last), real_in);
      if (real_out && (i % last == 0 || 2 * (i % last) == last))
        value = value.real();
      values[static_cast<size_t>(i)] = mirrored ? std::conj(value) : value;
    }
    transform(values, p.lengths, w.direction);
    for (long long i = 0; i < block; ++i)
      if (!real_in || i % last < half)
        store<Real>(out, place(b, i, real_in ? half : last), real_out, values[static_cast<size_t>(i)]);
  }
  if (real_out)
    for (long long i = 0; i < p.count * block / last * half; ++i)
      store<Real>(in, i, false, Complex(NAN, NAN));
}

cufftResult enqueue(cufftHandle handle, void *in, void *out, int direction, cufftType type) {
  const Plan &plan = of(handle);
  if (plan.type != type || plan.allocates || plan.area == nullptr)
    return CUFFT_INVALID_VALUE;
  tw_double_enqueue(
      plan.stream,
      [](void *user) {
        auto *const work = static_cast<Work *>(user);
        const cufftType kind = work->plan.type;
        kind == CUFFT_Z2Z || kind == CUFFT_D2Z || kind == CUFFT_Z2D ? run_as<double>(*work)
                                                                    : run_as<float>(*work);
      },
      [](void *user) { delete static_cast<Work *>(user); }, new Work{plan, in, out, direction});
  return CUFFT_SUCCESS;
}

} // namespace

cufftResult cufftGetVersion(int *version) {
  *version = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}
cufftResult cufftCreate(cufftHandle *handle) {
  plans().push_back(std::make_unique<Plan>());
  *handle = static_cast<cufftHandle>(plans().size() - 1);
  return CUFFT_SUCCESS;
}
cufftResult cufftDestroy(cufftHandle handle) {
  plans().at(static_cast<size_t>(handle)).reset();
  return CUFFT_SUCCESS;
}
cufftResult cufftSetAutoAllocation(cufftHandle handle, int allocates) {
  of(handle).allocates = allocates != 0;
  return CUFFT_SUCCESS;
}
cufftResult cufftMakePlanMany64(cufftHandle handle, int rank, long long *n, long long *in_embed,
                                long long in_stride, long long in_distance, long long *out_embed,
                                long long out_stride, long long out_distance, cufftType type, long long count,
                                size_t *out_bytes) {
  if (rank < 1 || rank > 3 || count < 1 || (in_embed == nullptr) != (out_embed == nullptr) ||
      in_stride != out_stride || in_distance != out_distance)
    return CUFFT_INVALID_VALUE;
  for (int d = 0; d < rank; ++d)
    if (n[d] < 1)
      return CUFFT_INVALID_SIZE;
  Plan &plan = of(handle);
  plan.lengths.assign(n, n + rank);
  plan.stride = in_stride;
  plan.distance = in_distance;
  plan.is_embedded = in_embed != nullptr;
  plan.type = type;
  plan.count = count;
  *out_bytes = kArea;
  return CUFFT_SUCCESS;
}
cufftResult cufftSetWorkArea(cufftHandle handle, void *area) {
  of(handle).area = area;
  return CUFFT_SUCCESS;
}
cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream) {
  of(handle).stream = reinterpret_cast<CUstream>(stream);
  return CUFFT_SUCCESS;
}
cufftResult cufftExecC2C(cufftHandle h, cufftComplex *in, cufftComplex *out, int direction) {
  return enqueue(h, in, out, direction, CUFFT_C2C);
}
cufftResult cufftExecZ2Z(cufftHandle h, cufftDoubleComplex *in, cufftDoubleComplex *out, int direction) {
  return enqueue(h, in, out, direction, CUFFT_Z2Z);
}
cufftResult cufftExecR2C(cufftHandle h, cufftReal *in, cufftComplex *out) {
  return enqueue(h, in, out, CUFFT_FORWARD, CUFFT_R2C);
}
cufftResult cufftExecD2Z(cufftHandle h, cufftDoubleReal *in, cufftDoubleComplex *out) {
  return enqueue(h, in, out, CUFFT_FORWARD, CUFFT_D2Z);
}
cufftResult cufftExecC2R(cufftHandle h, cufftComplex *in, cufftReal *out) {
  return enqueue(h, in, out, CUFFT_INVERSE, CUFFT_C2R);
}
cufftResult cufftExecZ2D(cufftHandle h, cufftDoubleComplex *in, cufftDoubleReal *out) {
  return enqueue(h, in, out, CUFFT_INVERSE, CUFFT_Z2D);
}
