// SPDX-License-Identifier: Apache-2.0
// Convolutions through cuDNN's graph API: a graph of one operation, and the first engine that its heuristics
// name that rounds as we promise.
#include <array>
#include <utility>
#include <vector>

#include <cudnn_graph.h>
#include <fmt/format.h>

#include "device/cuda/plugin/work.hpp"

namespace tw::cuda {
namespace {

#define TW_CUDNN_FUNCTIONS(X)                                                                                \
  X(cudnnBackendCreateDescriptor)                                                                            \
  X(cudnnBackendDestroyDescriptor)                                                                           \
  X(cudnnBackendExecute)                                                                                     \
  X(cudnnBackendFinalize)                                                                                    \
  X(cudnnBackendGetAttribute)                                                                                \
  X(cudnnBackendSetAttribute)                                                                                \
  X(cudnnCreate)                                                                                             \
  X(cudnnDestroy)                                                                                            \
  X(cudnnGetErrorString)                                                                                     \
  X(cudnnGetVersion)                                                                                         \
  X(cudnnSetStream)

struct Dnn {
#define TW_MEMBER(name) decltype(&::name) name = nullptr;
  TW_CUDNN_FUNCTIONS(TW_MEMBER)
#undef TW_MEMBER
  Status fill(const DynLib &library) {
#define TW_FIND(name) TW_TRY(find_function(library, #name, this->name));
    TW_CUDNN_FUNCTIONS(TW_FIND)
#undef TW_FIND
    return {};
  }
};

// As much as a step may want of its queue, so that one convolution does not take the GPU.
constexpr int64_t kMostWorkspace = int64_t{256} << 20;
constexpr uint32_t kAlignment = 16;

Result<const Dnn *> find_dnn() {
  return open_once<Dnn>("TW_CUDNN", fmt::format("libcudnn.so.{}", CUDNN_MAJOR));
}
const Dnn &dnn() { return **find_dnn(); }

tw_cuda_result explain_dnn(cudnnStatus_t code, const char *attempt, char *why) {
  if (code == CUDNN_STATUS_SUCCESS)
    return TW_CUDA_OK;
  return refuse(TW_CUDA_FAILED, fmt::format("{}: {}", attempt, dnn().cudnnGetErrorString(code)), why);
}

// A stream belongs to the handle while a plan is put into it.
struct DnnHandle {
  cudnnHandle_t handle = nullptr;
  std::mutex mutex;
  DnnHandle() = default;
  DnnHandle(const DnnHandle &) = delete;
  DnnHandle &operator=(const DnnHandle &) = delete;
  ~DnnHandle() {
    if (handle != nullptr)
      dnn().cudnnDestroy(handle);
  }
};

// A descriptor that remembers the first call that failed.
class Descriptor {
public:
  Descriptor() = default;
  explicit Descriptor(cudnnBackendDescriptorType_t type)
      : code_(dnn().cudnnBackendCreateDescriptor(type, &handle_)) {}
  Descriptor(Descriptor &&other) noexcept { *this = std::move(other); }
  Descriptor &operator=(Descriptor &&other) noexcept {
    std::swap(handle_, other.handle_);
    std::swap(code_, other.code_);
    return *this;
  }
  ~Descriptor() {
    if (handle_ != nullptr)
      dnn().cudnnBackendDestroyDescriptor(handle_);
  }

  void set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, int64_t count,
           const void *from) {
    if (code_ == CUDNN_STATUS_SUCCESS)
      code_ = dnn().cudnnBackendSetAttribute(handle_, name, type, count, from);
  }
  void set(cudnnBackendAttributeName_t name, const Descriptor &other) {
    if (code_ == CUDNN_STATUS_SUCCESS)
      code_ = other.code_;
    set(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &other.handle_);
  }
  void set(cudnnBackendAttributeName_t name, int64_t value) { set(name, CUDNN_TYPE_INT64, 1, &value); }
  void finalize() {
    if (code_ == CUDNN_STATUS_SUCCESS)
      code_ = dnn().cudnnBackendFinalize(handle_);
  }
  // How many there are; 0 where the question failed.
  int64_t get(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, int64_t most,
              void *to) const {
    int64_t count = 0;
    const cudnnStatus_t code = dnn().cudnnBackendGetAttribute(handle_, name, type, most, &count, to);
    return code == CUDNN_STATUS_SUCCESS ? count : 0;
  }

  cudnnStatus_t code() const { return code_; }
  cudnnBackendDescriptor_t handle() const { return handle_; }

private:
  cudnnBackendDescriptor_t handle_ = nullptr;
  cudnnStatus_t code_ = CUDNN_STATUS_SUCCESS;
};

cudnnDataType_t dnn_type(tw_cuda_type type) {
  switch (type) {
  case TW_CUDA_F64: return CUDNN_DATA_DOUBLE;
  case TW_CUDA_F16: return CUDNN_DATA_HALF;
  case TW_CUDA_BF16: return CUDNN_DATA_BFLOAT16;
  default: return CUDNN_DATA_FLOAT;
  }
}

enum Tensor : int64_t { kImage = 1, kTaps, kResult };

Descriptor tensor(const tw_cuda_convolution_form &form, const tw_cuda_tensor &t, int64_t id,
                  int64_t alignment) {
  Descriptor made(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  const cudnnDataType_t type = dnn_type(form.type);
  made.set(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &type);
  made.set(CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, 2 + form.spatial, t.extents);
  made.set(CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, 2 + form.spatial, t.strides);
  made.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, id);
  made.set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, alignment);
  made.finalize();
  return made;
}

Descriptor windows(const tw_cuda_convolution_form &form) {
  Descriptor made(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
  const cudnnDataType_t sums = form.type == TW_CUDA_F64 ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT;
  const cudnnConvolutionMode_t mode = form.flipped ? CUDNN_CONVOLUTION : CUDNN_CROSS_CORRELATION;
  made.set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &sums);
  made.set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, 1, &mode);
  made.set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, static_cast<int64_t>(form.spatial));
  made.set(CUDNN_ATTR_CONVOLUTION_DILATIONS, CUDNN_TYPE_INT64, form.spatial, form.dilation);
  made.set(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, CUDNN_TYPE_INT64, form.spatial, form.stride);
  made.set(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, CUDNN_TYPE_INT64, form.spatial, form.low);
  made.set(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, CUDNN_TYPE_INT64, form.spatial, form.high);
  made.finalize();
  return made;
}

// Everything that a graph was made of. Plans keep what they need of it, so it ends after planning.
struct Graph {
  Descriptor image, taps, result, windows, operation, graph;
};

Graph make_graph(const tw_cuda_convolution_form &form, cudnnHandle_t handle, int64_t alignment) {
  Graph g;
  g.image = tensor(form, form.image, kImage, alignment);
  g.taps = tensor(form, form.taps, kTaps, alignment);
  g.result = tensor(form, form.result, kResult, alignment);
  g.windows = windows(form);
  const float one[] = {1, 0};
  const double one_double[] = {1, 0};
  const auto scale = [&](cudnnBackendAttributeName_t name, int which) {
    form.type == TW_CUDA_F64 ? g.operation.set(name, CUDNN_TYPE_DOUBLE, 1, &one_double[which])
                             : g.operation.set(name, CUDNN_TYPE_FLOAT, 1, &one[which]);
  };
  if (form.backward) {
    g.operation = Descriptor(CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR);
    g.operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY, g.image);
    g.operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W, g.taps);
    g.operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX, g.result);
    g.operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC, g.windows);
    scale(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA, 0);
    scale(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA, 1);
  } else {
    g.operation = Descriptor(CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR);
    g.operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, g.image);
    g.operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, g.taps);
    g.operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, g.result);
    g.operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, g.windows);
    scale(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, 0);
    scale(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA, 1);
  }
  g.operation.finalize();
  g.graph = Descriptor(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
  g.graph.set(CUDNN_ATTR_OPERATIONGRAPH_OPS, g.operation);
  g.graph.set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, 1, &handle);
  g.graph.finalize();
  return g;
}

// The same bits in every run. Tensor cores round factors of f32 to TF32, and neither transforms nor
// Winograd's algorithm keep small values beside large ones.
bool is_allowed(const tw_cuda_convolution_form &form, const Descriptor &engine) {
  std::array<cudnnBackendNumericalNote_t, CUDNN_NUMERICAL_NOTE_TYPE_COUNT> notes{};
  const int64_t count = engine.get(CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, CUDNN_TYPE_NUMERICAL_NOTE,
                                   static_cast<int64_t>(notes.size()), notes.data());
  for (size_t i = 0; i < static_cast<size_t>(count) && i < notes.size(); ++i)
    switch (notes[i]) {
    case CUDNN_NUMERICAL_NOTE_TENSOR_CORE:
      if (form.type == TW_CUDA_F32)
        return false;
      break;
    case CUDNN_NUMERICAL_NOTE_STRICT_NAN_PROP: break;
    default: return false;
    }
  return true;
}

struct Plan {
  Descriptor plan;
  int64_t workspace = 0, engine = -1;
};

// The first engine of a list that is allowed and fits.
bool choose(const tw_cuda_convolution_form &form, cudnnHandle_t handle, const Descriptor &graph,
            cudnnBackendHeurMode_t mode, Plan &out) {
  Descriptor heuristics(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
  heuristics.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph);
  heuristics.set(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, 1, &mode);
  heuristics.finalize();
  if (heuristics.code() != CUDNN_STATUS_SUCCESS)
    return false;
  const int64_t most =
      heuristics.get(CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR, 0, nullptr);
  std::vector<Descriptor> configurations;
  std::vector<cudnnBackendDescriptor_t> handles;
  for (int64_t i = 0; i < most; ++i) {
    configurations.emplace_back(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
    handles.push_back(configurations.back().handle());
  }
  const int64_t found =
      heuristics.get(CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR, most, handles.data());
  for (size_t i = 0; i < static_cast<size_t>(std::min(found, most)); ++i) {
    const Descriptor engine(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
    cudnnBackendDescriptor_t engine_handle = engine.handle();
    if (configurations[i].get(CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1,
                              &engine_handle) != 1 ||
        !is_allowed(form, engine))
      continue;
    Plan made{Descriptor(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR)};
    made.plan.set(CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, 1, &handle);
    made.plan.set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, configurations[i]);
    made.plan.finalize();
    if (made.plan.code() != CUDNN_STATUS_SUCCESS ||
        made.plan.get(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, 1, &made.workspace) != 1 ||
        made.workspace > kMostWorkspace)
      continue;
    engine.get(CUDNN_ATTR_ENGINE_GLOBAL_INDEX, CUDNN_TYPE_INT64, 1, &made.engine);
    out = std::move(made);
    return true;
  }
  return false;
}

class Convolution final : public tw_cuda_work {
public:
  Convolution(tw_cuda_gpu *gpu, const tw_cuda_convolution_form &form, std::shared_ptr<DnnHandle> handle)
      : tw_cuda_work(gpu), form_(form), handle_(std::move(handle)) {}

  // A plan for tiles that begin at multiples of 16 bytes, and one for any.
  tw_cuda_result plan(char *why) {
    const auto element = static_cast<int64_t>(bytes_of(form_.type));
    for (const int64_t step :
         {form_.image_begin, form_.count > 1 ? form_.image_step : 0, form_.count > 1 ? form_.taps_step : 0,
          form_.count > 1 ? form_.result_step : 0})
      is_aligned_ = is_aligned_ && step * element % kAlignment == 0;
    if (is_aligned_)
      if (const auto result = plan(kAlignment, aligned_, why); result != TW_CUDA_OK)
        return result;
    if (const auto result = plan(element, anywhere_, why); result != TW_CUDA_OK)
      return result;
    workspace = static_cast<size_t>(std::max(aligned_.workspace, anywhere_.workspace));
    name = fmt::format("cudnn:{} engine {}", form_.backward ? "backward" : "forward",
                       (is_aligned_ ? aligned_ : anywhere_).engine);
    return TW_CUDA_OK;
  }

  tw_cuda_result run(const Call &c, char *why) const override {
    const auto begin = [&](const void *memory, int64_t elements) {
      return const_cast<std::byte *>(static_cast<const std::byte *>(memory)) +
             elements * static_cast<int64_t>(bytes_of(form_.type));
    };
    const std::lock_guard lock(handle_->mutex);
    cudnnStatus_t code =
        dnn().cudnnSetStream(handle_->handle, reinterpret_cast<cudaStream_t>(c.queue->stream));
    for (int64_t i = 0; i < form_.count && code == CUDNN_STATUS_SUCCESS; ++i) {
      void *pointers[] = {begin(c.operands[0], form_.image_begin + i * form_.image_step),
                          begin(c.operands[1], i * form_.taps_step),
                          begin(c.results[0], i * form_.result_step)};
      bool aligned = is_aligned_;
      for (const void *pointer : pointers)
        aligned = aligned && reinterpret_cast<uintptr_t>(pointer) % kAlignment == 0;
      const int64_t ids[] = {kImage, kTaps, kResult};
      Descriptor pack(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
      pack.set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, 3, ids);
      pack.set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, 3, pointers);
      pack.set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, 1, &c.workspace);
      pack.finalize();
      code = pack.code();
      if (code == CUDNN_STATUS_SUCCESS)
        code = dnn().cudnnBackendExecute(handle_->handle, (aligned ? aligned_ : anywhere_).plan.handle(),
                                         pack.handle());
    }
    return explain_dnn(code, "cudnnBackendExecute", why);
  }

private:
  tw_cuda_result plan(int64_t alignment, Plan &out, char *why) const {
    const Graph g = make_graph(form_, handle_->handle, alignment);
    if (g.graph.code() == CUDNN_STATUS_SUCCESS)
      for (const auto mode : {CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_FALLBACK})
        if (choose(form_, handle_->handle, g.graph, mode, out))
          return TW_CUDA_OK;
    return refuse(
        TW_CUDA_FAILED,
        g.graph.code() == CUDNN_STATUS_SUCCESS
            ? std::string("cuDNN has no engine for this convolution")
            : fmt::format("describing a convolution: {}", dnn().cudnnGetErrorString(g.graph.code())),
        why);
  }

  tw_cuda_convolution_form form_;
  std::shared_ptr<DnnHandle> handle_; // outlives the plans
  bool is_aligned_ = true;
  Plan aligned_, anywhere_;
};

tw_cuda_result plan_convolution(tw_cuda_gpu *gpu, const tw_cuda_convolution_form *form, tw_cuda_work **out,
                                char *why) {
  if (const auto found = find_dnn(); !found)
    return refuse(TW_CUDA_MISSING, found.error().message(), why);
  return make_work(gpu, out, why, [&](std::unique_ptr<tw_cuda_work> &made) {
    std::shared_ptr<DnnHandle> handle;
    auto result = handle_of(gpu, kPartDnn, &handle, [&](DnnHandle &h) {
      return explain_dnn(dnn().cudnnCreate(&h.handle), "cudnnCreate", why);
    });
    if (result != TW_CUDA_OK)
      return result;
    auto convolution = std::make_unique<Convolution>(gpu, *form, std::move(handle));
    result = convolution->plan(why);
    made = std::move(convolution);
    return result;
  });
}

} // namespace

void describe_convolutions(tw_cuda_library &out) {
  const auto found = find_dnn();
  const size_t version = found ? (*found)->cudnnGetVersion() : 0;
  describe_library(out, "cudnn",
                   found ? Status() : Status(fail(Code::unavailable, "TW-680", found.error().message())),
                   fmt::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100));
}

void add_convolutions(tw_cuda_plugin &table) { table.plan_convolution = plan_convolution; }

} // namespace tw::cuda
