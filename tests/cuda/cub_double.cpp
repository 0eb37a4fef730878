// SPDX-License-Identifier: Apache-2.0
// A double of libtilewright_cub.so over the double of the driver: the steps of its sorts and scans on the
// host, in the streams that are given.
#include <functional>
#include <memory>

#include "cuda/cub_steps.hpp"
#include "cuda/driver_double.hpp"
#include "device/cuda/cub/around.hpp"
#include "device/cuda/cub/cub.hpp"

namespace {

using tw::test::CubOnHost;

template <class Form> struct Work {
  Form form;
  const void *operands[TW_CUDA_MOST_ARRAYS];
  void *results[TW_CUDA_MOST_ARRAYS];
  void *workspace;
  size_t bytes;
};

int32_t run_form(CubOnHost &host, const tw_cuda_sort_form &form, const void *const *operands,
                 void *const *results, void *workspace, size_t bytes) {
  return form.key.bytes == 8 ? tw::cub::run_sort<uint64_t>(host, form, operands, results, workspace, bytes)
                             : tw::cub::run_sort<uint32_t>(host, form, operands, results, workspace, bytes);
}
int32_t run_form(CubOnHost &host, const tw_cuda_scan_form &form, const void *const *operands,
                 void *const *results, void *workspace, size_t bytes) {
  return tw::cub::run_scan(host, form, operands, results, workspace, bytes);
}

size_t arrays_of(const tw_cuda_sort_form &form, bool results) {
  return static_cast<size_t>(form.arrays) + (results && form.gives_places ? 1 : 0);
}
size_t arrays_of(const tw_cuda_scan_form &, bool results) { return results ? 1 : 2; }

template <class Form> void run(void *user) {
  auto *const work = static_cast<Work<Form> *>(user);
  const void *operands[TW_CUDA_MOST_ARRAYS];
  void *results[TW_CUDA_MOST_ARRAYS];
  for (size_t i = 0; i < arrays_of(work->form, false); ++i)
    operands[i] = tw_double_alias(work->operands[i]);
  for (size_t i = 0; i < arrays_of(work->form, true); ++i)
    results[i] = tw_double_alias(work->results[i]);
  CubOnHost host;
  if (run_form(host, work->form, operands, results, tw_double_alias(work->workspace), work->bytes) != 0)
    std::abort();
}

template <class Form>
int32_t enqueue(const Form *form, const void *const *operands, void *const *results, void *workspace,
                size_t bytes, void *stream) {
  if (reinterpret_cast<uintptr_t>(workspace) % 256 != 0)
    return 1;
  auto *work = new Work<Form>{*form, {}, {}, workspace, bytes};
  std::copy_n(operands, arrays_of(*form, false), work->operands);
  std::copy_n(results, arrays_of(*form, true), work->results);
  tw_double_enqueue(
      static_cast<CUstream>(stream), run<Form>, [](void *user) { delete static_cast<Work<Form> *>(user); },
      work);
  return 0;
}

int32_t size_of_sort(const tw_cuda_sort_form *form, size_t *out) {
  CubOnHost host;
  return form->key.bytes == 8 ? tw::cub::sort_bytes<uint64_t>(host, *form, out)
                              : tw::cub::sort_bytes<uint32_t>(host, *form, out);
}
int32_t size_of_scan(const tw_cuda_scan_form *form, size_t *out) {
  CubOnHost host;
  return tw::cub::scan_bytes(host, *form, out);
}

// Any work, later.
int32_t later(void *stream, std::function<void(CubOnHost &)> work) {
  using Later = std::function<void(CubOnHost &)>;
  tw_double_enqueue(
      static_cast<CUstream>(stream),
      [](void *user) {
        CubOnHost host;
        (*static_cast<Later *>(user))(host);
      },
      [](void *user) { delete static_cast<Later *>(user); }, new Later(std::move(work)));
  return 0;
}

int32_t scale(void *reals, int32_t bytes, int64_t n, double factor, void *stream) {
  return later(stream,
               [=](CubOnHost &host) { tw::cub::run_scale(host, tw_double_alias(reals), bytes, n, factor); });
}
int32_t point(const void *first, int64_t step_bytes, int64_t n, void **out, void *stream) {
  return later(stream, [=](CubOnHost &host) {
    host.each(n, tw::cub::Point{static_cast<const char *>(first), step_bytes,
                                static_cast<void **>(tw_double_alias(out))});
  });
}
int32_t finish_cholesky(const tw_cuda_cholesky_form *form, void *factors, int32_t *info, void *stream) {
  return later(stream, [=, own = *form](CubOnHost &host) {
    tw::cub::run_finish(host, own, tw_double_alias(factors), static_cast<int32_t *>(tw_double_alias(info)));
  });
}

const char *error_text(int32_t) { return "an invalid argument"; }

} // namespace

extern "C" const tw_cub_functions *tw_cub_table() {
  static const tw_cub_functions table = {TW_CUB_VERSION, 200800,  error_text, size_of_sort, enqueue,
                                         size_of_scan,   enqueue, scale,      point,        finish_cholesky};
  return &table;
}
