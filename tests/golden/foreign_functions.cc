// SPDX-License-Identifier: Apache-2.0
// Foreign functions as a user of jax.ffi writes them, over XLA's own headers: attributes of every type, a result
// that comes later, and failures.
#include <cmath>
#include <string_view>

#include "xla/ffi/api/ffi.h"

namespace ffi = xla::ffi;

static ffi::Error rms(float epsilon, int64_t n, bool flag, std::string_view text,
                      ffi::Span<const int32_t> list, ffi::Span<const float> reals,
                      ffi::Span<const double> same, ffi::Span<const int64_t> none, uint8_t byte,
                      uint64_t large, ffi::Buffer<ffi::F32> x, ffi::ResultBuffer<ffi::F32> y) {
  if (n != -3 || !flag || text != "a, \"b\" {c}" || list.size() != 3 || list[2] != -7 || reals.size() != 2 ||
      reals[1] != 2.25f || same.size() != 3 || same[2] != 0.1 || none.size() != 0 || byte != 200 ||
      large != ~uint64_t{0} >> 1)
    return ffi::Error::InvalidArgument("an attribute is another one");
  const int64_t columns = x.dimensions().back(), rows = columns == 0 ? 0 : x.element_count() / columns;
  for (int64_t i = 0; i < rows; ++i) {
    const float *in = x.typed_data() + i * columns;
    float squares = 0;
    for (int64_t j = 0; j < columns; ++j)
      squares += in[j] * in[j];
    for (int64_t j = 0; j < columns; ++j)
      y->typed_data()[i * columns + j] = in[j] / std::sqrt(squares / columns + epsilon);
  }
  return ffi::Error::Success();
}
XLA_FFI_DEFINE_HANDLER_SYMBOL(Rms, rms,
                              ffi::Ffi::Bind()
                                  .Attr<float>("epsilon")
                                  .Attr<int64_t>("n")
                                  .Attr<bool>("flag")
                                  .Attr<std::string_view>("text")
                                  .Attr<ffi::Span<const int32_t>>("list")
                                  .Attr<ffi::Span<const float>>("reals")
                                  .Attr<ffi::Span<const double>>("same")
                                  .Attr<ffi::Span<const int64_t>>("none")
                                  .Attr<uint8_t>("byte")
                                  .Attr<uint64_t>("large")
                                  .Arg<ffi::Buffer<ffi::F32>>()
                                  .Ret<ffi::Buffer<ffi::F32>>());

static ffi::Future later(bool fails, ffi::ThreadPool pool, ffi::Buffer<ffi::F32> x,
                         ffi::ResultBuffer<ffi::F32> y) {
  ffi::Promise promise;
  ffi::Future future(promise);
  pool.Schedule([promise, fails, x, y]() mutable {
    for (size_t i = 0; i < x.element_count(); ++i)
      y->typed_data()[i] = x.typed_data()[i] + 1;
    if (fails)
      promise.SetError(ffi::Error::Internal("it went wrong later"));
    else
      promise.SetAvailable();
  });
  return future;
}
XLA_FFI_DEFINE_HANDLER_SYMBOL(Later, later,
                              ffi::Ffi::Bind()
                                  .Attr<bool>("fails")
                                  .Ctx<ffi::ThreadPool>()
                                  .Arg<ffi::Buffer<ffi::F32>>()
                                  .Ret<ffi::Buffer<ffi::F32>>());
