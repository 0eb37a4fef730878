// SPDX-License-Identifier: Apache-2.0
// tw_dlpack.h: tensors to and from DLPack.
#include <algorithm>
#include <memory>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#define TW_DLPACK_STRUCTS 1
#include <tilewright/tw_dlpack.h>

#include "capi/call.hpp"
#include "capi/guard.hpp"
#include "capi/handles.hpp"

using namespace tw;
using namespace tw::capi;

namespace {

enum DlCode : uint8_t { dl_int = 0, dl_uint = 1, dl_float = 2, dl_bfloat = 4, dl_complex = 5, dl_bool = 6 };
constexpr uint64_t flag_read_only = 1, flag_padded = 4;
constexpr int32_t dl_cpu = 1, dl_cuda_host = 3, dl_rocm_host = 11;

// Devices that are not the host. DLPack has a number for devices of tests.
struct DlDevice {
  int32_t type;
  const char *kind;
};
constexpr DlDevice dl_devices[] = {{2, "cuda"}, {12, "detached"}};

struct DlType {
  tw_dtype_t dtype;
  uint8_t code, bits;
};
// DLPack's codes 7 to 17 are floats of 8 bits and fewer.
constexpr DlType dl_types[] = {
    {TW_F64, dl_float, 64},   {TW_F32, dl_float, 32},     {TW_F16, dl_float, 16},   {TW_BF16, dl_bfloat, 16},
    {TW_F8E3M4, 7, 8},        {TW_F8E4M3, 8, 8},          {TW_F8E4M3B11FNUZ, 9, 8}, {TW_F8E4M3FN, 10, 8},
    {TW_F8E4M3FNUZ, 11, 8},   {TW_F8E5M2, 12, 8},         {TW_F8E5M2FNUZ, 13, 8},   {TW_F8E8M0FNU, 14, 8},
    {TW_F6E2M3FN, 15, 6},     {TW_F6E3M2FN, 16, 6},       {TW_F4E2M1FN, 17, 4},     {TW_I1, dl_bool, 8},
    {TW_S2, dl_int, 2},       {TW_S4, dl_int, 4},         {TW_S8, dl_int, 8},       {TW_S16, dl_int, 16},
    {TW_S32, dl_int, 32},     {TW_S64, dl_int, 64},       {TW_U2, dl_uint, 2},      {TW_U4, dl_uint, 4},
    {TW_U8, dl_uint, 8},      {TW_U16, dl_uint, 16},      {TW_U32, dl_uint, 32},    {TW_U64, dl_uint, 64},
    {TW_C64, dl_complex, 64}, {TW_C128, dl_complex, 128},
};

tl::unexpected<Error> cannot(std::string what) {
  return fail(Code::unimplemented, "TW-720", fmt::format("DLPack tensor: {}", std::move(what)));
}

Result<tw_dtype_t> dtype_of(DLDataType type, bool padded) {
  const auto *found = std::ranges::find_if(dl_types, [&](const DlType &t) {
    return t.code == type.code && t.bits == type.bits && type.lanes == 1;
  });
  if (found == std::end(dl_types))
    return cannot(
        fmt::format("no element type has code {}, {} bits, {} lanes", type.code, type.bits, type.lanes));
  if (type.bits < 8 && !padded)
    return cannot(fmt::format("elements of {} bits are packed; here each takes a byte", type.bits));
  return found->dtype;
}

Result<device::Where> where_of(const DLDevice &device) {
  if (device.device_type == dl_cpu || device.device_type == dl_cuda_host ||
      device.device_type == dl_rocm_host)
    return device::Where{};
  const auto *found = std::ranges::find(dl_devices, device.device_type, &DlDevice::type);
  if (found == std::end(dl_devices))
    return cannot(fmt::format("its memory is on a device of type {}, not on the host or a GPU of CUDA",
                              device.device_type));
  return device::find_where(found->kind, device.device_id);
}

DLDevice device_of(const device::Where &where) {
  if (where.is_host())
    return {dl_cpu, 0};
  const auto *found = std::ranges::find_if(
      dl_devices, [&](const DlDevice &d) { return std::string_view(d.kind) == where.kind->name(); });
  TW_ASSERT(found != std::end(dl_devices));
  return {found->type, where.unit};
}

// Strides of dimensions of size 1 mean nothing, and none mean anything where there are no elements.
bool is_row_major(const DLTensor &t) {
  if (!t.strides || std::find(t.shape, t.shape + t.ndim, 0) != t.shape + t.ndim)
    return true;
  int64_t expected = 1;
  for (int32_t d = t.ndim; d-- > 0;) {
    if (t.shape[d] != 1 && t.strides[d] != expected)
      return false;
    expected *= t.shape[d];
  }
  return true;
}

// The deleter of either struct, as tw_destroy_fn.
template <class Managed> void delete_managed(void *user) {
  auto *managed = static_cast<Managed *>(user);
  if (managed->deleter)
    managed->deleter(managed);
}

template <class Managed> Status wrap(Managed *managed, uint64_t flags, tw_tensor_t **out_tensor) {
  const DLTensor &t = managed->dl_tensor;
  TW_ASSIGN(const device::Where where, where_of(t.device));
  if (t.ndim < 0)
    return fail(Code::invalid_argument, "TW-721", fmt::format("DLPack tensor: {} dimensions", t.ndim));
  if (t.ndim > 0)
    TW_TRY(require(t.shape, "shape"));
  TW_ASSIGN(const auto dtype, dtype_of(t.dtype, (flags & flag_padded) != 0));
  TW_ASSIGN(auto type, checked_type(dtype, t.shape, static_cast<size_t>(t.ndim)));
  if (where.is_host() && !is_row_major(t))
    return cannot("it is not dense and row-major; copy it first");
  const auto address = reinterpret_cast<uintptr_t>(t.data) + t.byte_offset;
  if (type.bytes() != 0) {
    TW_TRY(require(t.data, "data"));
    const size_t alignment = std::min<size_t>(8, tw_dtype_size(dtype)); // of the widest float in it
    if (address % alignment != 0)
      return cannot(fmt::format("its memory is not aligned to {} bytes", alignment));
  }
  TW_ASSIGN(auto strides, checked_strides(type, where, where.is_host() ? nullptr : t.strides));
  auto handle = make_ref<tw_tensor>(runtime::Tensor::wrap_at(std::move(type), std::move(strides), where,
                                                             reinterpret_cast<void *>(address),
                                                             delete_managed<Managed>, managed));
  handle->read_only = (flags & flag_read_only) != 0;
  *out_tensor = handle.leak();
  return {};
}

// What manager_ctx of a struct that we hand out points to: the struct itself is its first part.
template <class Managed> struct Export {
  Managed managed{};
  tw_tensor_t *tensor = nullptr;
  std::vector<int64_t> shape, strides;

  ~Export() { tw_tensor_release(tensor); }
};

template <class Managed> Result<std::unique_ptr<Export<Managed>>> describe(tw_tensor_t *tensor) {
  const auto &type = tensor->tensor.type();
  const auto *found = std::ranges::find(dl_types, static_cast<tw_dtype_t>(type.dtype), &DlType::dtype);
  if (found == std::end(dl_types))
    return cannot(fmt::format("it has no elements of type {}", tw_dtype_name(tw_tensor_dtype(tensor))));
  if (found->bits < 8 && std::is_same_v<Managed, DLManagedTensor>)
    return cannot(fmt::format("elements of {} bits need the versioned struct", found->bits));
  auto out = std::make_unique<Export<Managed>>();
  out->shape.assign(type.dims.begin(), type.dims.end());
  out->strides.assign(type.rank(), 1);
  for (size_t d = type.rank(); d-- > 1;)
    out->strides[d - 1] = out->strides[d] * out->shape[d];
  if (const auto strides = tensor->tensor.strides(); !strides.empty())
    out->strides.assign(strides.begin(), strides.end());
  DLTensor &t = out->managed.dl_tensor;
  t.data = type.bytes() != 0 ? tensor->tensor.data() : nullptr;
  t.device = device_of(tensor->tensor.where());
  t.ndim = static_cast<int32_t>(type.rank());
  t.dtype = {found->code, found->bits, 1};
  t.shape = out->shape.data();
  t.strides = out->strides.data();
  out->tensor = tw_tensor_retain(tensor);
  out->managed.manager_ctx = out.get();
  out->managed.deleter = [](Managed *self) {
    if (self)
      delete static_cast<Export<Managed> *>(self->manager_ctx);
  };
  return out;
}

} // namespace

tw_status_t tw_tensor_from_dlpack(DLManagedTensor *managed, tw_tensor_t **out_tensor) {
  return guard([&]() -> Status {
    TW_TRY(require(managed, "managed"));
    TW_TRY(require(out_tensor, "out_tensor"));
    return wrap(managed, 0, out_tensor);
  });
}

tw_status_t tw_tensor_from_dlpack_versioned(DLManagedTensorVersioned *managed, tw_tensor_t **out_tensor) {
  return guard([&]() -> Status {
    TW_TRY(require(managed, "managed"));
    TW_TRY(require(out_tensor, "out_tensor"));
    if (managed->version.major != DLPACK_MAJOR_VERSION)
      return cannot(fmt::format("it is of DLPack version {}.{}; this library knows version {}",
                                managed->version.major, managed->version.minor, DLPACK_MAJOR_VERSION));
    return wrap(managed, managed->flags, out_tensor);
  });
}

tw_status_t tw_tensor_to_dlpack(tw_tensor_t *tensor, DLManagedTensor **out_managed) {
  return guard([&]() -> Status {
    TW_TRY(require(tensor, "tensor"));
    TW_TRY(require(out_managed, "out_managed"));
    if (tensor->read_only)
      return cannot("it may not be written, which only the versioned struct can say");
    TW_ASSIGN(auto out, describe<DLManagedTensor>(tensor));
    *out_managed = &out.release()->managed;
    return {};
  });
}

tw_status_t tw_tensor_to_dlpack_versioned(tw_tensor_t *tensor, DLManagedTensorVersioned **out_managed) {
  return guard([&]() -> Status {
    TW_TRY(require(tensor, "tensor"));
    TW_TRY(require(out_managed, "out_managed"));
    TW_ASSIGN(auto out, describe<DLManagedTensorVersioned>(tensor));
    out->managed.version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
    out->managed.flags =
        (tensor->read_only ? flag_read_only : 0) | (out->managed.dl_tensor.dtype.bits < 8 ? flag_padded : 0);
    *out_managed = &out.release()->managed;
    return {};
  });
}
