// SPDX-License-Identifier: Apache-2.0
// The steps of sorts and scans on the GPU, by CUB. Nothing here waits for the GPU or allocates, so all of it
// can be captured. Tests run the steps on the host.
#include <algorithm>

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_radix_sort.cuh>
#include <cub/version.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "device/cuda/cub/around.hpp"
#include "device/cuda/cub/cub.hpp"
#include "device/cuda/cub/steps.hpp"

namespace tw::cub {
namespace {

constexpr int64_t kThreads = 256, kMostBlocks = 1 << 16;
// Lines that are sorted by the whole GPU, one after the other; many shorter ones are sorted by a block each.
constexpr int64_t kLongLine = 1 << 16, kFewLines = 256, kVeryFewLines = 4;

template <class Body> __global__ void run_each(int64_t n, Body body) {
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x; i < n;
       i += static_cast<int64_t>(gridDim.x) * kThreads)
    body(i);
}

struct LineBegin {
  int64_t length;
  __host__ __device__ int64_t operator()(int64_t line) const { return line * length; }
};
struct LineOf {
  int64_t length;
  __host__ __device__ int64_t operator()(int64_t i) const { return i / length; }
};
struct SameLine {
  __host__ __device__ bool operator()(int64_t a, int64_t b) const { return a == b; }
};

template <class Function> auto computed(int64_t from, Function function) {
  return thrust::make_transform_iterator(thrust::counting_iterator<int64_t>(from), function);
}

struct OnGpu {
  cudaStream_t stream;

  template <class Body> int32_t each(int64_t n, Body body) const {
    if (n == 0)
      return 0;
    const int64_t blocks = std::min((n + kThreads - 1) / kThreads, kMostBlocks);
    run_each<<<static_cast<unsigned>(blocks), static_cast<unsigned>(kThreads), 0, stream>>>(n, body);
    return cudaGetLastError();
  }

  template <class Key>
  int32_t sort(void *temporary, size_t &bytes, const SortPairs<Key> &pairs, const tw_cuda_lines &lines,
               int32_t bits) const {
    const auto n = static_cast<int>(lines.count * lines.length);
    if (lines.count > kVeryFewLines && (lines.length < kLongLine || lines.count > kFewLines))
      return ::cub::DeviceSegmentedRadixSort::SortPairs(
          temporary, bytes, pairs.keys_in, pairs.keys_out, pairs.places_in, pairs.places_out, n,
          static_cast<int>(lines.count), computed(0, LineBegin{lines.length}),
          computed(1, LineBegin{lines.length}), 0, bits, stream);
    for (int64_t line = 0; line < (temporary == nullptr ? 1 : lines.count); ++line) {
      const int64_t at = line * lines.length;
      const cudaError_t error = ::cub::DeviceRadixSort::SortPairs(
          temporary, bytes, pairs.keys_in + at, pairs.keys_out + at, pairs.places_in + at,
          pairs.places_out + at, static_cast<int>(lines.length), 0, bits, stream);
      if (error != cudaSuccess)
        return error;
    }
    return 0;
  }

  int32_t scan(void *temporary, size_t &bytes, const LoadScanned &load, uint64_t *out) const {
    const tw_cuda_lines &lines = load.form.lines;
    return ::cub::DeviceScan::InclusiveScanByKey(
        temporary, bytes, computed(0, LineOf{lines.length}), computed(0, load), out,
        CombineScanned{load.form.combine}, static_cast<int>(lines.count * lines.length), SameLine{}, stream);
  }
};

const char *error_text(int32_t error) { return cudaGetErrorString(static_cast<cudaError_t>(error)); }

int32_t size_of_sort(const tw_cuda_sort_form *form, size_t *out) {
  OnGpu gpu{nullptr};
  return form->key.bytes == 8 ? sort_bytes<uint64_t>(gpu, *form, out) : sort_bytes<uint32_t>(gpu, *form, out);
}
int32_t sort(const tw_cuda_sort_form *form, const void *const *operands, void *const *results,
             void *workspace, size_t bytes, void *stream) {
  OnGpu gpu{static_cast<cudaStream_t>(stream)};
  return form->key.bytes == 8 ? run_sort<uint64_t>(gpu, *form, operands, results, workspace, bytes)
                              : run_sort<uint32_t>(gpu, *form, operands, results, workspace, bytes);
}
int32_t size_of_scan(const tw_cuda_scan_form *form, size_t *out) {
  OnGpu gpu{nullptr};
  return scan_bytes(gpu, *form, out);
}
int32_t scan(const tw_cuda_scan_form *form, const void *const *operands, void *const *results,
             void *workspace, size_t bytes, void *stream) {
  OnGpu gpu{static_cast<cudaStream_t>(stream)};
  return run_scan(gpu, *form, operands, results, workspace, bytes);
}

int32_t scale(void *reals, int32_t bytes, int64_t n, double factor, void *stream) {
  OnGpu gpu{static_cast<cudaStream_t>(stream)};
  return run_scale(gpu, reals, bytes, n, factor);
}
int32_t point(const void *first, int64_t step_bytes, int64_t n, void **out, void *stream) {
  OnGpu gpu{static_cast<cudaStream_t>(stream)};
  return gpu.each(n, Point{static_cast<const char *>(first), step_bytes, out});
}
int32_t finish_cholesky(const tw_cuda_cholesky_form *form, void *factors, int32_t *info, void *stream) {
  OnGpu gpu{static_cast<cudaStream_t>(stream)};
  return run_finish(gpu, *form, factors, info);
}

} // namespace
} // namespace tw::cub

extern "C" __attribute__((visibility("default"))) const tw_cub_functions *tw_cub_table() {
  static const tw_cub_functions table = {TW_CUB_VERSION,          CUB_VERSION,    tw::cub::error_text,
                                         tw::cub::size_of_sort,   tw::cub::sort,  tw::cub::size_of_scan,
                                         tw::cub::scan,           tw::cub::scale, tw::cub::point,
                                         tw::cub::finish_cholesky};
  return &table;
}
