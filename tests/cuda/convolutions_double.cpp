// SPDX-License-Identifier: Apache-2.0
// A double of cuDNN's graph API over the double of the driver: descriptors that remember their attributes and
// are checked when they are made final, heuristics that first name engines which nobody may take, and
// convolutions by loops. As the library does, it takes the taps as packed, whatever their strides.
#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <vector>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cudnn_graph.h>

#include "cuda/driver_double.hpp"

namespace {

struct Descriptor;
struct Value {
  cudnnBackendAttributeType_t type;
  int64_t count;
  std::vector<char> bytes;
};

struct Descriptor {
  cudnnBackendDescriptorType_t type;
  bool is_final = false;
  std::map<int, Value> values;
  std::vector<std::shared_ptr<Descriptor>> kept; // what descriptors among the values stand for
  int64_t engine = -1;
};

// Handles of descriptors are owners, so that a plan outlives its graph.
std::shared_ptr<Descriptor> &of(cudnnBackendDescriptor_t handle) {
  return *static_cast<std::shared_ptr<Descriptor> *>(handle);
}

size_t size_of(cudnnBackendAttributeType_t type) {
  switch (type) {
  case CUDNN_TYPE_INT64:
  case CUDNN_TYPE_DOUBLE:
  case CUDNN_TYPE_VOID_PTR:
  case CUDNN_TYPE_HANDLE:
  case CUDNN_TYPE_BACKEND_DESCRIPTOR: return 8;
  default: return 4;
  }
}

template <class T> std::vector<T> all(const Descriptor &d, int name) {
  const auto found = d.values.find(name);
  if (found == d.values.end())
    return {};
  std::vector<T> values(static_cast<size_t>(found->second.count));
  std::memcpy(values.data(), found->second.bytes.data(), values.size() * sizeof(T));
  return values;
}
template <class T> T one(const Descriptor &d, int name, T otherwise = {}) {
  const auto values = all<T>(d, name);
  return values.empty() ? otherwise : values[0];
}
// The descriptor that is the value of an attribute.
const Descriptor *child(const Descriptor &d, int name) { return one<Descriptor *>(d, name, nullptr); }

struct Tensor {
  std::vector<int64_t> extents, strides;
  int64_t id, alignment;
  cudnnDataType_t type;
};

Tensor tensor(const Descriptor *d) {
  return {all<int64_t>(*d, CUDNN_ATTR_TENSOR_DIMENSIONS), all<int64_t>(*d, CUDNN_ATTR_TENSOR_STRIDES),
          one<int64_t>(*d, CUDNN_ATTR_TENSOR_UNIQUE_ID), one<int64_t>(*d, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT),
          one<cudnnDataType_t>(*d, CUDNN_ATTR_TENSOR_DATA_TYPE)};
}

// x, w, y of a forward convolution; of a backward one x is what it makes.
struct Convolution {
  Tensor x, w, y;
  std::vector<int64_t> dilation, stride, low, high;
  bool flipped, backward;
};

// Inner channels are last where their stride says so, and second otherwise.
Tensor packed(Tensor w) {
  const size_t rank = w.extents.size();
  const bool channels_last = w.extents[1] > 1 && w.strides[1] == 1;
  int64_t stride = 1;
  const auto put = [&](size_t d) {
    w.strides[d] = stride;
    stride *= w.extents[d];
  };
  if (channels_last)
    put(1);
  for (size_t d = rank; d-- > 2;)
    put(d);
  if (!channels_last)
    put(1);
  put(0);
  return w;
}

Convolution convolution(const Descriptor &op) {
  const bool backward = op.type == CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR;
  const Descriptor *windows = child(op, backward ? CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC
                                                 : CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC);
  return {tensor(child(op, backward ? CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX
                                    : CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X)),
          packed(tensor(child(op, backward ? CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W
                                           : CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W))),
          tensor(child(op, backward ? CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY
                                    : CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y)),
          all<int64_t>(*windows, CUDNN_ATTR_CONVOLUTION_DILATIONS),
          all<int64_t>(*windows, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES),
          all<int64_t>(*windows, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS),
          all<int64_t>(*windows, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS),
          one<cudnnConvolutionMode_t>(*windows, CUDNN_ATTR_CONVOLUTION_CONV_MODE) == CUDNN_CONVOLUTION,
          backward};
}

// As the manual has it: the extents of y follow from those of x and w, channels fit, windows have sense.
bool is_valid(const Convolution &c) {
  const size_t rank = c.x.extents.size();
  if (rank < 4 || rank > 5 || c.w.extents.size() != rank || c.y.extents.size() != rank ||
      c.stride.size() != rank - 2 || c.dilation.size() != rank - 2 || c.low.size() != rank - 2 ||
      c.high.size() != rank - 2 || c.x.type != c.w.type || c.x.type != c.y.type)
    return false;
  if (c.x.extents[0] != c.y.extents[0] || c.w.extents[0] != c.y.extents[1] || c.w.extents[1] < 1 ||
      c.x.extents[1] % c.w.extents[1] != 0 || c.w.extents[0] % (c.x.extents[1] / c.w.extents[1]) != 0)
    return false;
  for (size_t d = 2; d < rank; ++d) {
    const int64_t span = (c.w.extents[d] - 1) * c.dilation[d - 2] + 1,
                  padded = c.x.extents[d] + c.low[d - 2] + c.high[d - 2];
    if (c.stride[d - 2] < 1 || c.dilation[d - 2] < 1 || c.low[d - 2] < 0 || c.high[d - 2] < 0 ||
        padded < span || c.y.extents[d] != (padded - span) / c.stride[d - 2] + 1)
      return false;
  }
  return true;
}

bool is_complete(const Descriptor &d) {
  for (const auto &[name, value] : d.values)
    if (value.type == CUDNN_TYPE_BACKEND_DESCRIPTOR)
      for (const Descriptor *other : all<Descriptor *>(d, name))
        if (!other->is_final)
          return false;
  const auto has = [&](std::initializer_list<int> names) {
    for (const int name : names)
      if (!d.values.contains(name))
        return false;
    return true;
  };
  switch (d.type) {
  case CUDNN_BACKEND_TENSOR_DESCRIPTOR: {
    if (!has({CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_ATTR_TENSOR_STRIDES,
              CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT}))
      return false;
    const Tensor t = tensor(&d);
    for (const auto &list : {t.extents, t.strides})
      for (const int64_t n : list)
        if (n < 1)
          return false;
    return t.extents.size() == t.strides.size();
  }
  case CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR:
    return has({CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_ATTR_CONVOLUTION_CONV_MODE,
                CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, CUDNN_ATTR_CONVOLUTION_DILATIONS,
                CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS,
                CUDNN_ATTR_CONVOLUTION_POST_PADDINGS});
  case CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR:
    return has({CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
                CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y,
                CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
                CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA,
                CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA}) &&
           is_valid(convolution(d));
  case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR:
    return has({CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA}) &&
           is_valid(convolution(d));
  case CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR:
    return has({CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_ATTR_OPERATIONGRAPH_HANDLE});
  case CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR:
    return has({CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, CUDNN_ATTR_ENGINEHEUR_MODE});
  case CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR:
    return has({CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, CUDNN_ATTR_EXECUTION_PLAN_HANDLE});
  case CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR:
    return has({CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS,
                CUDNN_ATTR_VARIANT_PACK_WORKSPACE});
  default: return false;
  }
}

// What the engines are: by tensor cores; in any order; with more memory than there is; good ones.
constexpr int64_t kEngines = 4, kWorkspace = 512;
std::vector<cudnnBackendNumericalNote_t> notes(int64_t engine) {
  switch (engine) {
  case 0: return {CUDNN_NUMERICAL_NOTE_TENSOR_CORE};
  case 1: return {CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC};
  default: return {};
  }
}

template <class Sum> Sum load(cudnnDataType_t type, const void *at, int64_t i) {
  switch (type) {
  case CUDNN_DATA_DOUBLE: return static_cast<Sum>(static_cast<const double *>(at)[i]);
  case CUDNN_DATA_HALF: return static_cast<Sum>(static_cast<float>(static_cast<const __half *>(at)[i]));
  case CUDNN_DATA_BFLOAT16:
    return static_cast<Sum>(static_cast<float>(static_cast<const __nv_bfloat16 *>(at)[i]));
  default: return static_cast<Sum>(static_cast<const float *>(at)[i]);
  }
}

template <class Sum> void store(cudnnDataType_t type, void *at, int64_t i, Sum sum) {
  switch (type) {
  case CUDNN_DATA_DOUBLE: static_cast<double *>(at)[i] = static_cast<double>(sum); break;
  case CUDNN_DATA_HALF: static_cast<__half *>(at)[i] = __float2half(static_cast<float>(sum)); break;
  case CUDNN_DATA_BFLOAT16:
    static_cast<__nv_bfloat16 *>(at)[i] = __float2bfloat16(static_cast<float>(sum));
    break;
  default: static_cast<float *>(at)[i] = static_cast<float>(sum);
  }
}

struct Work {
  Convolution c;
  void *pointers[3]; // of x, w, y
};

// All indices below `extents`, the last fastest.
template <class Body> void walk(const std::vector<int64_t> &extents, Body &&body) {
  std::vector<int64_t> at(extents.size());
  for (;;) {
    body(at);
    size_t d = extents.size();
    while (d > 0 && ++at[d - 1] == extents[d - 1])
      at[--d] = 0;
    if (d == 0)
      return;
  }
}

// Every element of the result sums over taps, then channels.
template <class Sum> void convolve(const Work &work) {
  const Convolution &c = work.c;
  const void *w = tw_double_alias(work.pointers[1]);
  const void *from = tw_double_alias(work.pointers[c.backward ? 2 : 0]);
  void *to = tw_double_alias(work.pointers[c.backward ? 0 : 2]);
  const Tensor &in = c.backward ? c.y : c.x, &out = c.backward ? c.x : c.y;
  const size_t rank = out.extents.size();
  const int64_t groups = c.x.extents[1] / c.w.extents[1], in_each = in.extents[1] / groups,
                out_each = out.extents[1] / groups;
  const std::vector<int64_t> taps(c.w.extents.begin() + 2, c.w.extents.end());
  walk(out.extents, [&](const std::vector<int64_t> &p) {
    Sum sum{};
    int64_t place = 0;
    for (size_t d = 0; d < rank; ++d)
      place += p[d] * out.strides[d];
    const int64_t group = p[1] / out_each;
    walk(taps, [&](const std::vector<int64_t> &t) {
      int64_t image = p[0] * in.strides[0], tap = 0;
      for (size_t d = 2; d < rank; ++d) {
        const int64_t step = t[d - 2] * c.dilation[d - 2] - c.low[d - 2];
        int64_t at = c.backward ? p[d] - step : p[d] * c.stride[d - 2] + step;
        if (c.backward && at % c.stride[d - 2] != 0)
          return;
        at = c.backward ? at / c.stride[d - 2] : at;
        if (at < 0 || at >= in.extents[d])
          return;
        image += at * in.strides[d];
        tap += (c.flipped ? taps[d - 2] - 1 - t[d - 2] : t[d - 2]) * c.w.strides[d];
      }
      for (int64_t i = 0; i < in_each; ++i) {
        const int64_t channel = group * in_each + i;
        const int64_t outer = c.backward ? channel : p[1], inner = c.backward ? p[1] % out_each : i;
        sum += load<Sum>(in.type, from, image + channel * in.strides[1]) *
               load<Sum>(in.type, w, tap + outer * c.w.strides[0] + inner * c.w.strides[1]);
      }
    });
    store(out.type, to, place, sum);
  });
}

void run(void *user) {
  auto *const work = static_cast<Work *>(user);
  work->c.x.type == CUDNN_DATA_DOUBLE ? convolve<double>(*work) : convolve<float>(*work);
}

struct Handle {
  cudaStream_t stream = nullptr;
};

} // namespace

size_t cudnnGetVersion() { return CUDNN_VERSION; }
const char *cudnnGetErrorString(cudnnStatus_t status) {
  return status == CUDNN_STATUS_BAD_PARAM ? "CUDNN_STATUS_BAD_PARAM" : "CUDNN_STATUS_NOT_SUPPORTED";
}
cudnnStatus_t cudnnCreate(cudnnHandle_t *handle) {
  *handle = reinterpret_cast<cudnnHandle_t>(new Handle);
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnDestroy(cudnnHandle_t handle) {
  delete reinterpret_cast<Handle *>(handle);
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, cudaStream_t stream) {
  reinterpret_cast<Handle *>(handle)->stream = stream;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnBackendCreateDescriptor(cudnnBackendDescriptorType_t type, cudnnBackendDescriptor_t *out) {
  auto made = std::make_shared<Descriptor>();
  made->type = type;
  *out = new std::shared_ptr<Descriptor>(std::move(made));
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnBackendDestroyDescriptor(cudnnBackendDescriptor_t handle) {
  delete &of(handle);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnBackendSetAttribute(cudnnBackendDescriptor_t handle, cudnnBackendAttributeName_t name,
                                       cudnnBackendAttributeType_t type, int64_t count, const void *from) {
  Descriptor &d = *of(handle);
  if (d.is_final || count < 1)
    return CUDNN_STATUS_BAD_PARAM;
  Value value{type, count, std::vector<char>(static_cast<size_t>(count) * size_of(type))};
  std::memcpy(value.bytes.data(), from, value.bytes.size());
  if (type == CUDNN_TYPE_BACKEND_DESCRIPTOR)
    for (int64_t i = 0; i < count; ++i) {
      const auto other = of(static_cast<const cudnnBackendDescriptor_t *>(from)[i]);
      d.kept.push_back(other);
      d.engine = other->engine;
      const Descriptor *const at = other.get();
      std::memcpy(value.bytes.data() + static_cast<size_t>(i) * sizeof(at), &at, sizeof at);
    }
  d.values[name] = std::move(value);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnBackendFinalize(cudnnBackendDescriptor_t handle) {
  Descriptor &d = *of(handle);
  if (!is_complete(d))
    return CUDNN_STATUS_BAD_PARAM;
  d.is_final = true;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnBackendGetAttribute(cudnnBackendDescriptor_t const handle,
                                       cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t,
                                       int64_t wanted, int64_t *out_count, void *to) {
  const Descriptor &d = *of(handle);
  if (!d.is_final)
    return CUDNN_STATUS_BAD_PARAM;
  switch (name) {
  case CUDNN_ATTR_ENGINEHEUR_RESULTS: // fallbacks are asked for where there is nothing else
    *out_count = kEngines;
    for (int64_t i = 0; i < std::min(wanted, kEngines); ++i) {
      Descriptor &configuration = *of(static_cast<cudnnBackendDescriptor_t *>(to)[i]);
      configuration.engine = i;
      configuration.is_final = true;
      configuration.kept = d.kept;
    }
    return CUDNN_STATUS_SUCCESS;
  case CUDNN_ATTR_ENGINECFG_ENGINE: {
    Descriptor &engine = *of(*static_cast<cudnnBackendDescriptor_t *>(to));
    engine.engine = d.engine;
    engine.is_final = true;
    *out_count = 1;
    return CUDNN_STATUS_SUCCESS;
  }
  case CUDNN_ATTR_ENGINE_NUMERICAL_NOTE: {
    const auto list = notes(d.engine);
    *out_count = static_cast<int64_t>(list.size());
    if (!list.empty())
      std::memcpy(to, list.data(), list.size() * sizeof list[0]);
    return CUDNN_STATUS_SUCCESS;
  }
  case CUDNN_ATTR_ENGINE_GLOBAL_INDEX: *static_cast<int64_t *>(to) = d.engine; break;
  case CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE:
    *static_cast<int64_t *>(to) = d.engine == 2 ? int64_t{1} << 40 : kWorkspace;
    break;
  default: return CUDNN_STATUS_BAD_PARAM;
  }
  *out_count = 1;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnBackendExecute(cudnnHandle_t handle, cudnnBackendDescriptor_t plan_handle,
                                  cudnnBackendDescriptor_t pack_handle) {
  const Descriptor &plan = *of(plan_handle), &pack = *of(pack_handle);
  if (!plan.is_final || !pack.is_final)
    return CUDNN_STATUS_BAD_PARAM;
  const Descriptor *configuration = child(plan, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG);
  const Descriptor *op = child(*configuration->kept.at(0), CUDNN_ATTR_OPERATIONGRAPH_OPS);
  auto work = std::make_unique<Work>(Work{convolution(*op), {}});
  const auto ids = all<int64_t>(pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS);
  const auto pointers = all<void *>(pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS);
  const Tensor *tensors[] = {&work->c.x, &work->c.w, &work->c.y};
  for (size_t t = 0; t < 3; ++t)
    for (size_t i = 0; i < ids.size(); ++i)
      if (ids[i] == tensors[t]->id) {
        if (reinterpret_cast<uintptr_t>(pointers[i]) % static_cast<uintptr_t>(tensors[t]->alignment) != 0)
          return CUDNN_STATUS_BAD_PARAM;
        work->pointers[t] = pointers[i];
      }
  if (one<void *>(pack, CUDNN_ATTR_VARIANT_PACK_WORKSPACE) == nullptr)
    return CUDNN_STATUS_BAD_PARAM;
  tw_double_enqueue(
      reinterpret_cast<CUstream>(reinterpret_cast<Handle *>(handle)->stream), run,
      [](void *user) { delete static_cast<Work *>(user); }, work.release());
  return CUDNN_STATUS_SUCCESS;
}
