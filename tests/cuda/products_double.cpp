// SPDX-License-Identifier: Apache-2.0
// A double of cuBLASLt over the double of the driver: products by loops, from the same descriptions, in the
// streams that are given. It refuses what the library's documentation refuses: dimensions that do not fit,
// factors of 8 bits that are not as the tensor cores want them, another stream or workspace than was planned,
// a result over a factor, a bias for results of other types than f32. The algorithm that it would choose for
// a product with a bias, or of type bf16, sums backwards, so it shows where that of the plain product was not
// kept.
#include <complex>
#include <cstdio>
#include <cstring>
#include <memory>

#include <cublasLt.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include "cuda/driver_double.hpp"

namespace {

struct Layout {
  cudaDataType type;
  uint64_t rows, columns;
  int64_t leading;
  int32_t batch = 1;
  int64_t stride = 0;
};
struct Operation {
  cublasComputeType_t compute;
  cudaDataType scale;
  cublasOperation_t a = CUBLAS_OP_N, b = CUBLAS_OP_N;
  cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  const void *bias = nullptr;
};
struct Wish {
  uint64_t workspace = 0;
  uint32_t alignment = 256;
};

// An algorithm of the double: what it was chosen for, by the attributes that the library gives of it. Those
// that the double makes nothing of have a value that says which they are.
constexpr size_t kAttributes = 9;
struct Chosen {
  uint32_t magic;
  cudaDataType from, to;
  uint32_t attributes[kAttributes];
  uint64_t workspace() const { return attributes[CUBLASLT_ALGO_CONFIG_TILE_ID]; }
  uint32_t alignment() const { return attributes[CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION]; }
  bool is_backwards() const { return attributes[CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING] == 1; }
};
constexpr uint32_t kMagic = 0x74776475, kId = 7;
static_assert(sizeof(Chosen) <= sizeof(cublasLtMatmulAlgo_t));

size_t attribute_bytes(cublasLtMatmulAlgoConfigAttributes_t which) {
  return which == CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID || which == CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID ? 2
                                                                                                        : 4;
}

template <class Handle> Handle make(auto *made) { return reinterpret_cast<Handle>(made); }
const Layout &layout(cublasLtMatrixLayout_t handle) { return *reinterpret_cast<const Layout *>(handle); }

template <class Value> cublasStatus_t take(Value &to, const void *from, size_t bytes) {
  if (bytes != sizeof(Value))
    return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(&to, from, bytes);
  return CUBLAS_STATUS_SUCCESS;
}

bool is_aligned(const void *memory, uint32_t alignment) {
  return reinterpret_cast<uintptr_t>(memory) % alignment == 0;
}

bool is_small(cudaDataType type) {
  return type == CUDA_R_8I || type == CUDA_R_8F_E4M3 || type == CUDA_R_8F_E5M2;
}

// As the table of supported combinations in the manual has them.
bool is_supported(const Operation &op, const Layout &a, const Layout &b, const Layout &c) {
  const uint64_t m = op.a == CUBLAS_OP_N ? a.rows : a.columns, k = op.a == CUBLAS_OP_N ? a.columns : a.rows,
                 n = op.b == CUBLAS_OP_N ? b.columns : b.rows, kb = op.b == CUBLAS_OP_N ? b.rows : b.columns;
  if (m != c.rows || n != c.columns || k != kb || a.batch != c.batch || b.batch != c.batch)
    return false;
  for (const Layout *l : {&a, &b, &c})
    if (l->leading < static_cast<int64_t>(l->rows) || l->batch < 1)
      return false;
  if (op.epilogue != CUBLASLT_EPILOGUE_DEFAULT &&
      (op.epilogue != CUBLASLT_EPILOGUE_BIAS || c.type != CUDA_R_32F || is_small(a.type)))
    return false;
  if (!is_small(a.type))
    return a.type == b.type && (c.type == a.type || c.type == CUDA_R_32F);
  if (op.a != CUBLAS_OP_T || op.b != CUBLAS_OP_N)
    return false;
  const int64_t unit = a.type == CUDA_R_8I ? 4 : 16;
  return static_cast<int64_t>(m) % unit == 0 && static_cast<int64_t>(k) % unit == 0 &&
         a.leading % unit == 0 && b.leading % unit == 0 &&
         !(a.type == CUDA_R_8F_E5M2 && b.type == CUDA_R_8F_E5M2);
}

template <class Sum> Sum load(cudaDataType type, const void *at, int64_t i) {
  const auto of = [&]<class T>(T) { return static_cast<const T *>(at)[i]; };
  if constexpr (std::is_same_v<Sum, std::complex<float>> || std::is_same_v<Sum, std::complex<double>>) {
    return of(Sum{});
  } else {
    switch (type) {
    case CUDA_R_64F: return static_cast<Sum>(of(double{}));
    case CUDA_R_32F: return static_cast<Sum>(of(float{}));
    case CUDA_R_16F: return static_cast<Sum>(static_cast<float>(of(__half{})));
    case CUDA_R_16BF: return static_cast<Sum>(static_cast<float>(of(__nv_bfloat16{})));
    case CUDA_R_8F_E4M3: return static_cast<Sum>(static_cast<float>(of(__nv_fp8_e4m3{})));
    case CUDA_R_8F_E5M2: return static_cast<Sum>(static_cast<float>(of(__nv_fp8_e5m2{})));
    case CUDA_R_8I: return static_cast<Sum>(of(int8_t{}));
    default: std::abort();
    }
  }
}

template <class Sum> void store(cudaDataType type, void *at, int64_t i, Sum sum) {
  if constexpr (std::is_same_v<Sum, float>) {
    switch (type) {
    case CUDA_R_32F: static_cast<float *>(at)[i] = sum; return;
    case CUDA_R_16F: static_cast<__half *>(at)[i] = __float2half(sum); return;
    case CUDA_R_16BF: static_cast<__nv_bfloat16 *>(at)[i] = __float2bfloat16(sum); return;
    default: std::abort();
    }
  } else {
    static_cast<Sum *>(at)[i] = sum;
  }
}

// A factor as tensor cores take it: of type f32 with 10 bits behind the point, where that is asked for.
template <class Sum> Sum factor(const Operation &op, cudaDataType type, const void *at, int64_t i) {
  Sum value = load<Sum>(type, at, i);
  if constexpr (std::is_same_v<Sum, float>)
    if (op.compute == CUBLAS_COMPUTE_32F_FAST_TF32) {
      uint32_t bits;
      std::memcpy(&bits, &value, sizeof bits);
      bits = (bits + 0xfff + (bits >> 13 & 1)) & ~uint32_t{0x1fff};
      std::memcpy(&value, &bits, sizeof bits);
    }
  return value;
}

struct Work {
  Operation op;
  Layout a, b, c;
  const void *from_a, *from_b, *added;
  void *to;
  bool is_backwards;
};

template <class Sum> void multiply(const Work &w) {
  const void *from_a = tw_double_alias(w.from_a), *from_b = tw_double_alias(w.from_b);
  const void *added = w.added == nullptr ? nullptr : tw_double_alias(w.added);
  void *to = tw_double_alias(w.to);
  const auto at = [](const Layout &l, bool turned, int64_t batch, uint64_t row, uint64_t column) {
    return batch * l.stride + static_cast<int64_t>(turned ? column : row) +
           static_cast<int64_t>(turned ? row : column) * l.leading;
  };
  const bool turn_a = w.op.a != CUBLAS_OP_N, turn_b = w.op.b != CUBLAS_OP_N;
  const uint64_t inner = turn_a ? w.a.rows : w.a.columns;
  for (int32_t batch = 0; batch < w.c.batch; ++batch)
    for (uint64_t j = 0; j < w.c.columns; ++j)
      for (uint64_t i = 0; i < w.c.rows; ++i) {
        Sum sum{};
        for (uint64_t step = 0; step < inner; ++step) {
          const uint64_t k = w.is_backwards ? inner - 1 - step : step;
          sum += factor<Sum>(w.op, w.a.type, from_a, at(w.a, turn_a, batch, i, k)) *
                 factor<Sum>(w.op, w.b.type, from_b, at(w.b, turn_b, batch, k, j));
        }
        const int64_t place = at(w.c, false, batch, i, j);
        if (added != nullptr)
          sum += load<Sum>(w.c.type, added,
                           w.op.epilogue == CUBLASLT_EPILOGUE_BIAS ? static_cast<int64_t>(i) : place);
        store(w.c.type, to, place, sum);
      }
}

void run(void *user) {
  const Work *const work = static_cast<const Work *>(user); // it may run again
  switch (work->op.scale) {
  case CUDA_R_64F: return multiply<double>(*work);
  case CUDA_R_32I: return multiply<int32_t>(*work);
  case CUDA_C_32F: return multiply<std::complex<float>>(*work);
  case CUDA_C_64F: return multiply<std::complex<double>>(*work);
  default: return multiply<float>(*work);
  }
}

// Bytes from the first element of all matrices to behind the last.
uint64_t span_of(const Layout &l) {
  const bool is_wide = l.type == CUDA_C_64F;
  const uint64_t size = is_wide                                         ? 16
                        : l.type == CUDA_R_64F || l.type == CUDA_C_32F  ? 8
                        : l.type == CUDA_R_32F || l.type == CUDA_R_32I  ? 4
                        : l.type == CUDA_R_16F || l.type == CUDA_R_16BF ? 2
                                                                        : 1;
  return size * (static_cast<uint64_t>((l.batch - 1) * l.stride) +
                 static_cast<uint64_t>(l.leading) * (l.columns - 1) + l.rows);
}

bool overlap(const void *a, uint64_t a_bytes, const void *b, uint64_t b_bytes) {
  const auto from_a = reinterpret_cast<uintptr_t>(a), from_b = reinterpret_cast<uintptr_t>(b);
  return from_a < from_b + b_bytes && from_b < from_a + a_bytes;
}

bool is_one(cudaDataType scale, const void *value) {
  switch (scale) {
  case CUDA_R_64F: return *static_cast<const double *>(value) == 1;
  case CUDA_R_32F: return *static_cast<const float *>(value) == 1;
  default: return false; // what was added would be multiplied by one
  }
}

} // namespace

cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle) {
  *handle = make<cublasLtHandle_t>(new int(0));
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  delete reinterpret_cast<int *>(handle);
  return CUBLAS_STATUS_SUCCESS;
}
const char *cublasLtGetStatusString(cublasStatus_t status) {
  return status == CUBLAS_STATUS_NOT_SUPPORTED ? "CUBLAS_STATUS_NOT_SUPPORTED"
                                               : "CUBLAS_STATUS_INVALID_VALUE";
}
size_t cublasLtGetVersion() { return CUBLAS_VERSION; }

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *out, cudaDataType type, uint64_t rows,
                                          uint64_t columns, int64_t leading) {
  *out = make<cublasLtMatrixLayout_t>(new Layout{type, rows, columns, leading});
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t handle) {
  delete reinterpret_cast<Layout *>(handle);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t handle,
                                                cublasLtMatrixLayoutAttribute_t which, const void *value,
                                                size_t bytes) {
  auto &l = *reinterpret_cast<Layout *>(handle);
  switch (which) {
  case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT: return take(l.batch, value, bytes);
  case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET: return take(l.stride, value, bytes);
  default: return CUBLAS_STATUS_INVALID_VALUE;
  }
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *out, cublasComputeType_t compute,
                                        cudaDataType_t scale) {
  *out = make<cublasLtMatmulDesc_t>(new Operation{compute, scale});
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t handle) {
  delete reinterpret_cast<Operation *>(handle);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t handle,
                                              cublasLtMatmulDescAttributes_t which, const void *value,
                                              size_t bytes) {
  auto &op = *reinterpret_cast<Operation *>(handle);
  switch (which) {
  case CUBLASLT_MATMUL_DESC_TRANSA: return take(op.a, value, bytes);
  case CUBLASLT_MATMUL_DESC_TRANSB: return take(op.b, value, bytes);
  case CUBLASLT_MATMUL_DESC_EPILOGUE: return take(op.epilogue, value, bytes);
  case CUBLASLT_MATMUL_DESC_BIAS_POINTER: return take(op.bias, value, bytes);
  default: return CUBLAS_STATUS_INVALID_VALUE;
  }
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *out) {
  *out = make<cublasLtMatmulPreference_t>(new Wish);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t handle) {
  delete reinterpret_cast<Wish *>(handle);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t handle,
                                                    cublasLtMatmulPreferenceAttributes_t which,
                                                    const void *value, size_t bytes) {
  auto &wish = *reinterpret_cast<Wish *>(handle);
  uint32_t schemes = 0;
  switch (which) {
  case CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES: return take(wish.workspace, value, bytes);
  case CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK: return take(schemes, value, bytes);
  case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES:
  case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES:
  case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES:
  case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES: return take(wish.alignment, value, bytes);
  default: return CUBLAS_STATUS_INVALID_VALUE;
  }
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t operation,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t,
                                              cublasLtMatmulPreference_t preference, int wanted,
                                              cublasLtMatmulHeuristicResult_t *results, int *out_found) {
  *out_found = 0;
  const auto &op = *reinterpret_cast<const Operation *>(operation);
  const auto &wish = *reinterpret_cast<const Wish *>(preference);
  if (wanted < 1 || !is_supported(op, layout(a), layout(b), layout(c)))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  Chosen chosen{kMagic, layout(a).type, layout(c).type, {}};
  for (uint32_t i = 0; i < kAttributes; ++i)
    chosen.attributes[i] = i + 1;
  chosen.attributes[CUBLASLT_ALGO_CONFIG_ID] = kId;
  chosen.attributes[CUBLASLT_ALGO_CONFIG_TILE_ID] = static_cast<uint32_t>(wish.workspace);
  chosen.attributes[CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION] = wish.alignment;
  chosen.attributes[CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING] =
      op.epilogue != CUBLASLT_EPILOGUE_DEFAULT || layout(c).type == CUDA_R_16BF ? 1 : 0;
  std::memcpy(&results[0].algo, &chosen, sizeof chosen);
  results[0].workspaceSize = wish.workspace;
  results[0].state = CUBLAS_STATUS_SUCCESS;
  *out_found = 1;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulAlgoInit(cublasLtHandle_t, cublasComputeType_t, cudaDataType_t, cudaDataType_t a,
                                      cudaDataType_t b, cudaDataType_t c, cudaDataType_t d, int id,
                                      cublasLtMatmulAlgo_t *out) {
  if (id != static_cast<int>(kId) || a != b || c != d)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  Chosen chosen{kMagic, a, d, {}};
  chosen.attributes[CUBLASLT_ALGO_CONFIG_ID] = kId;
  std::memcpy(out, &chosen, sizeof chosen);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t, cublasLtMatmulDesc_t operation,
                                       cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                       cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t,
                                       const cublasLtMatmulAlgo_t *algorithm,
                                       cublasLtMatmulHeuristicResult_t *result) {
  const auto &op = *reinterpret_cast<const Operation *>(operation);
  Chosen chosen{};
  std::memcpy(&chosen, algorithm, sizeof chosen);
  if (chosen.magic != kMagic || chosen.from != layout(a).type || chosen.to != layout(c).type)
    return CUBLAS_STATUS_INVALID_VALUE;
  for (uint32_t i = 0; i < kAttributes; ++i)
    if (chosen.attributes[i] != i + 1 && i != CUBLASLT_ALGO_CONFIG_ID && i != CUBLASLT_ALGO_CONFIG_TILE_ID &&
        i != CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION && i != CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING)
      return CUBLAS_STATUS_INVALID_VALUE;
  if (!is_supported(op, layout(a), layout(b), layout(c)) ||
      (op.epilogue == CUBLASLT_EPILOGUE_BIAS && !is_aligned(op.bias, chosen.alignment())))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  result->workspaceSize = chosen.workspace();
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulAlgoConfigGetAttribute(const cublasLtMatmulAlgo_t *algorithm,
                                                    cublasLtMatmulAlgoConfigAttributes_t which, void *out,
                                                    size_t bytes, size_t *out_written) {
  Chosen chosen{};
  std::memcpy(&chosen, algorithm, sizeof chosen);
  if (bytes != attribute_bytes(which))
    return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(out, &chosen.attributes[which], bytes);
  *out_written = bytes;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulAlgoConfigSetAttribute(cublasLtMatmulAlgo_t *algorithm,
                                                    cublasLtMatmulAlgoConfigAttributes_t which,
                                                    const void *value, size_t bytes) {
  Chosen chosen{};
  std::memcpy(&chosen, algorithm, sizeof chosen);
  if (bytes != attribute_bytes(which))
    return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(&chosen.attributes[which], value, bytes);
  std::memcpy(algorithm, &chosen, sizeof chosen);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t, cublasLtMatmulDesc_t operation, const void *, const void *a,
                              cublasLtMatrixLayout_t a_layout, const void *b, cublasLtMatrixLayout_t b_layout,
                              const void *beta, const void *c, cublasLtMatrixLayout_t, void *d,
                              cublasLtMatrixLayout_t d_layout, const cublasLtMatmulAlgo_t *algorithm,
                              void *workspace, size_t workspace_bytes, cudaStream_t stream) {
  const auto &op = *reinterpret_cast<const Operation *>(operation);
  const Layout &from_a = layout(a_layout), &from_b = layout(b_layout), &to = layout(d_layout);
  const bool has_bias = op.epilogue == CUBLASLT_EPILOGUE_BIAS, adds = is_one(op.scale, beta);
  Chosen chosen{};
  std::memcpy(&chosen, algorithm, sizeof chosen);
  if (chosen.magic != kMagic || chosen.from != from_a.type || chosen.to != to.type ||
      workspace_bytes < chosen.workspace() || !is_aligned(workspace, 16))
    return CUBLAS_STATUS_INVALID_VALUE;
  for (const void *memory : {a, b, c, static_cast<const void *>(d), has_bias ? op.bias : nullptr})
    if (!is_aligned(memory, chosen.alignment()))
      return CUBLAS_STATUS_INVALID_VALUE;
  const uint64_t d_bytes = span_of(to);
  if (overlap(a, span_of(from_a), d, d_bytes) || overlap(b, span_of(from_b), d, d_bytes) ||
      (c != d && overlap(c, d_bytes, d, d_bytes)) || (!adds && c != d) || (has_bias && adds) ||
      (has_bias && overlap(op.bias, to.rows * sizeof(float), d, d_bytes)))
    return CUBLAS_STATUS_INVALID_VALUE;
  auto *work = new Work{
      op, from_a, from_b, to, a, b, has_bias ? op.bias : adds ? c : nullptr, d, chosen.is_backwards()};
  tw_double_enqueue_again(
      reinterpret_cast<CUstream>(stream), run, [](void *user) { delete static_cast<Work *>(user); }, work);
  return CUBLAS_STATUS_SUCCESS;
}
