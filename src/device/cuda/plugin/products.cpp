// SPDX-License-Identifier: Apache-2.0
// Matrix products through cuBLASLt.
#include "device/cuda/plugin/products.hpp"

#include <cstdio>
#include <mutex>
#include <optional>

#include <fmt/format.h>

#include "base/dynlib.hpp"

struct tw_cuda_product {
  tw_cuda_gpu *gpu = nullptr;
  std::shared_ptr<tw::cuda::Products> products;
  cublasLtMatmulDesc_t operation = nullptr;
  cublasLtMatrixLayout_t a = nullptr, b = nullptr, c = nullptr;
  cublasLtMatmulAlgo_t algorithm = {};
  tw_cuda_compute compute = TW_CUDA_IN_F32;
  tw_cuda_after after = TW_CUDA_AS_IT_IS;
  mutable std::mutex mutex; // of the operation, while it has the address of a bias
  ~tw_cuda_product() {
    for (cublasLtMatrixLayout_t layout : {a, b, c})
      if (layout != nullptr)
        products->library.cublasLtMatrixLayoutDestroy(layout);
    if (operation != nullptr)
      products->library.cublasLtMatmulDescDestroy(operation);
  }
};

namespace tw::cuda {
namespace {

ProductLibrary g_library;

Status open_library() {
  const std::string name = fmt::format("libcublasLt.so.{}", CUBLAS_VER_MAJOR);
  TW_ASSIGN(DynLib library, DynLib::open(library_name("TW_CUBLASLT", name.c_str())));
  static std::optional<DynLib> kept; // closed with the plug-in, which never is
  kept.emplace(std::move(library));
#define TW_FIND(name) TW_TRY(find_function(*kept, #name, g_library.name));
  TW_CUDA_PRODUCT_FUNCTIONS(TW_FIND)
#undef TW_FIND
  return {};
}

tw_cuda_result explain_product(cublasStatus_t code, const char *attempt, char *why) {
  if (code == CUBLAS_STATUS_SUCCESS)
    return TW_CUDA_OK;
  return refuse(code == CUBLAS_STATUS_ALLOC_FAILED ? TW_CUDA_NO_MEMORY : TW_CUDA_FAILED,
                fmt::format("{}: {}", attempt, g_library.cublasLtGetStatusString(code)), why);
}

cudaDataType_t data_type(tw_cuda_type type) {
  switch (type) {
  case TW_CUDA_F64: return CUDA_R_64F;
  case TW_CUDA_F32: return CUDA_R_32F;
  case TW_CUDA_F16: return CUDA_R_16F;
  case TW_CUDA_BF16: return CUDA_R_16BF;
  case TW_CUDA_F8E4M3FN: return CUDA_R_8F_E4M3;
  case TW_CUDA_F8E5M2: return CUDA_R_8F_E5M2;
  case TW_CUDA_S8: return CUDA_R_8I;
  case TW_CUDA_S32: return CUDA_R_32I;
  case TW_CUDA_C64: return CUDA_C_32F;
  case TW_CUDA_C128: return CUDA_C_64F;
  }
  return CUDA_R_32F;
}

cublasComputeType_t compute_type(tw_cuda_compute compute) {
  switch (compute) {
  case TW_CUDA_IN_F64: return CUBLAS_COMPUTE_64F;
  case TW_CUDA_IN_F32: return CUBLAS_COMPUTE_32F;
  case TW_CUDA_IN_TF32: return CUBLAS_COMPUTE_32F_FAST_TF32;
  case TW_CUDA_IN_S32: return CUBLAS_COMPUTE_32I;
  }
  return CUBLAS_COMPUTE_32F;
}

cudaDataType_t scale_type(const tw_cuda_product_form &form) {
  if (form.c.type == TW_CUDA_C64 || form.c.type == TW_CUDA_C128)
    return data_type(form.c.type);
  return form.compute == TW_CUDA_IN_F64   ? CUDA_R_64F
         : form.compute == TW_CUDA_IN_S32 ? CUDA_R_32I
                                          : CUDA_R_32F;
}

// The library's matrices lie by columns. What lies by rows is its own transpose there.
cublasStatus_t make_layout(const tw_cuda_matrix &m, int64_t batch, cublasLtMatrixLayout_t *out) {
  const auto inner = static_cast<uint64_t>(m.by_rows ? m.columns : m.rows),
             outer = static_cast<uint64_t>(m.by_rows ? m.rows : m.columns);
  const auto count = static_cast<int32_t>(batch);
  cublasStatus_t code = g_library.cublasLtMatrixLayoutCreate(out, data_type(m.type), inner, outer, m.leading);
  if (code == CUBLAS_STATUS_SUCCESS)
    code = g_library.cublasLtMatrixLayoutSetAttribute(*out, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count,
                                                      sizeof count);
  if (code == CUBLAS_STATUS_SUCCESS)
    code = g_library.cublasLtMatrixLayoutSetAttribute(*out, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET,
                                                      &m.batch_stride, sizeof m.batch_stride);
  return code;
}

// c by rows is its transpose by columns, which is that of b times that of a.
cublasStatus_t describe(const tw_cuda_product_form &form, tw_cuda_product &out) {
  const cublasOperation_t first = form.b.by_rows ? CUBLAS_OP_N : CUBLAS_OP_T,
                          second = form.a.by_rows ? CUBLAS_OP_N : CUBLAS_OP_T;
  cublasStatus_t code =
      g_library.cublasLtMatmulDescCreate(&out.operation, compute_type(form.compute), scale_type(form));
  const auto set = [&](cublasLtMatmulDescAttributes_t which, const auto &value) {
    if (code == CUBLAS_STATUS_SUCCESS)
      code = g_library.cublasLtMatmulDescSetAttribute(out.operation, which, &value, sizeof value);
  };
  set(CUBLASLT_MATMUL_DESC_TRANSA, first);
  set(CUBLASLT_MATMUL_DESC_TRANSB, second);
  if (form.after == TW_CUDA_PLUS_BIAS)
    set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS); // along the columns of c by rows
  for (const auto &[matrix, layout] : {std::pair{&form.a, &out.a}, {&form.b, &out.b}, {&form.c, &out.c}})
    if (code == CUBLAS_STATUS_SUCCESS)
      code = make_layout(*matrix, form.batch, layout);
  return code;
}

// Sums that are split add their parts in the type in which they are computed, never in the result's.
cublasStatus_t choose(tw_cuda_product &product, uint32_t alignment, size_t workspace, int *out_found) {
  cublasLtMatmulPreference_t wish = nullptr;
  cublasStatus_t code = g_library.cublasLtMatmulPreferenceCreate(&wish);
  const auto set = [&](cublasLtMatmulPreferenceAttributes_t which, const auto &value) {
    if (code == CUBLAS_STATUS_SUCCESS)
      code = g_library.cublasLtMatmulPreferenceSetAttribute(wish, which, &value, sizeof value);
  };
  const auto bytes = static_cast<uint64_t>(workspace);
  const uint32_t schemes = CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
  set(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, bytes);
  set(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, schemes);
  for (const auto which :
       {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
        CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES})
    set(which, alignment);
  cublasLtMatmulHeuristicResult_t best = {};
  if (code == CUBLAS_STATUS_SUCCESS)
    code =
        g_library.cublasLtMatmulAlgoGetHeuristic(product.products->handle, product.operation, product.b,
                                                 product.a, product.c, product.c, wish, 1, &best, out_found);
  if (wish != nullptr)
    g_library.cublasLtMatmulPreferenceDestroy(wish);
  if (code == CUBLAS_STATUS_SUCCESS && *out_found > 0)
    code = best.state;
  product.algorithm = best.algo;
  return code;
}

cublasStatus_t point_to_bias(const tw_cuda_product &product, const void *bias) {
  return g_library.cublasLtMatmulDescSetAttribute(product.operation, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias,
                                                  sizeof bias);
}

// The algorithm of another product for results of this type: the same parts, in the same order.
cublasStatus_t convert_algorithm(const tw_cuda_product_form &form, const tw_cuda_product &from,
                                 tw_cuda_product &to) {
  const auto get = [&](cublasLtMatmulAlgoConfigAttributes_t which, auto &value) {
    size_t written = 0;
    return g_library.cublasLtMatmulAlgoConfigGetAttribute(&from.algorithm, which, &value, sizeof value,
                                                          &written);
  };
  int32_t id = 0;
  cublasStatus_t code = get(CUBLASLT_ALGO_CONFIG_ID, id);
  if (code == CUBLAS_STATUS_SUCCESS)
    code = g_library.cublasLtMatmulAlgoInit(
        to.products->handle, compute_type(form.compute), scale_type(form), data_type(form.b.type),
        data_type(form.a.type), data_type(form.c.type), data_type(form.c.type), id, &to.algorithm);
  const auto copy = [&](cublasLtMatmulAlgoConfigAttributes_t which, auto value) {
    if (code == CUBLAS_STATUS_SUCCESS)
      code = get(which, value);
    if (code == CUBLAS_STATUS_SUCCESS)
      code = g_library.cublasLtMatmulAlgoConfigSetAttribute(&to.algorithm, which, &value, sizeof value);
  };
  for (const auto which : {CUBLASLT_ALGO_CONFIG_TILE_ID, CUBLASLT_ALGO_CONFIG_SPLITK_NUM,
                           CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME, CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING,
                           CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION, CUBLASLT_ALGO_CONFIG_STAGES_ID})
    copy(which, uint32_t{0});
  for (const auto which : {CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID, CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID})
    copy(which, uint16_t{0});
  return code;
}

// What becomes of a product changes nothing of how it is summed: the algorithm is that of the plain product,
// where the library has it for this one too. Another might add in another order.
cublasStatus_t adopt(const tw_cuda_product_form &form, const tw_cuda_product &plain, uint32_t alignment,
                     size_t workspace, tw_cuda_product &out) {
  cublasStatus_t code = CUBLAS_STATUS_SUCCESS;
  if (form.after == TW_CUDA_CONVERTED)
    code = convert_algorithm(form, plain, out);
  else
    out.algorithm = plain.algorithm;
  if (code == CUBLAS_STATUS_SUCCESS &&
      form.after == TW_CUDA_PLUS_BIAS) // its address stands for its alignment
    code = point_to_bias(out, reinterpret_cast<const void *>(static_cast<uintptr_t>(alignment)));
  cublasLtMatmulHeuristicResult_t result = {};
  if (code == CUBLAS_STATUS_SUCCESS)
    code = g_library.cublasLtMatmulAlgoCheck(out.products->handle, out.operation, out.b, out.a, out.c, out.c,
                                             &out.algorithm, &result);
  return code == CUBLAS_STATUS_SUCCESS && result.workspaceSize > workspace ? CUBLAS_STATUS_NOT_SUPPORTED
                                                                           : code;
}

void name_algorithm(const tw_cuda_product &product, char *out) {
  const auto number = [&](cublasLtMatmulAlgoConfigAttributes_t which) {
    int32_t value = 0;
    size_t written = 0;
    g_library.cublasLtMatmulAlgoConfigGetAttribute(&product.algorithm, which, &value, sizeof value, &written);
    return value;
  };
  std::snprintf(out, TW_CUDA_NAME, "cublaslt:%d tile %d, stages %d, split %d",
                number(CUBLASLT_ALGO_CONFIG_ID), number(CUBLASLT_ALGO_CONFIG_TILE_ID),
                number(CUBLASLT_ALGO_CONFIG_STAGES_ID), number(CUBLASLT_ALGO_CONFIG_SPLITK_NUM));
}

tw_cuda_result open_products(tw_cuda_gpu *gpu, std::shared_ptr<Products> *out, char *why) {
  const auto library = find_products();
  if (!library)
    return refuse(TW_CUDA_MISSING, library.error().message(), why);
  const std::lock_guard lock(gpu->mutex);
  if (gpu->products == nullptr) {
    cublasLtHandle_t handle = nullptr;
    if (const auto result = explain_product((*library)->cublasLtCreate(&handle), "cublasLtCreate", why);
        result != TW_CUDA_OK)
      return result;
    gpu->products = std::make_shared<Products>(**library, handle);
  }
  *out = gpu->products;
  return TW_CUDA_OK;
}

// Without its algorithm. The context of the GPU is current.
tw_cuda_result make_product(tw_cuda_gpu *gpu, const tw_cuda_product_form &form,
                            std::unique_ptr<tw_cuda_product> &out, char *why) {
  out = std::make_unique<tw_cuda_product>();
  out->gpu = gpu;
  out->compute = form.compute;
  out->after = form.after;
  if (const auto result = open_products(gpu, &out->products, why); result != TW_CUDA_OK)
    return result;
  return explain_product(describe(form, *out), "describing a product", why);
}

tw_cuda_result plan_product(tw_cuda_gpu *gpu, const tw_cuda_product_form *form, uint32_t alignment,
                            size_t workspace, tw_cuda_product **out, char *algorithm, char *why) {
  const Current current(gpu);
  if (current.code() != CUDA_SUCCESS)
    return explain(current.code(), "cuCtxPushCurrent", why);
  tw_cuda_product_form plain = *form;
  plain.after = TW_CUDA_AS_IT_IS;
  if (form->after == TW_CUDA_CONVERTED)
    plain.c.type = TW_CUDA_F32;
  std::unique_ptr<tw_cuda_product> product, joined;
  if (const auto result = make_product(gpu, plain, product, why); result != TW_CUDA_OK)
    return result;
  int found = 0;
  cublasStatus_t code = choose(*product, alignment, workspace, &found);
  if (code == CUBLAS_STATUS_NOT_SUPPORTED || (code == CUBLAS_STATUS_SUCCESS && found == 0))
    return refuse(TW_CUDA_FAILED, "cuBLASLt has no algorithm for this product", why);
  if (const auto result = explain_product(code, "cublasLtMatmulAlgoGetHeuristic", why); result != TW_CUDA_OK)
    return result;
  if (form->after != TW_CUDA_AS_IT_IS) {
    if (const auto result = make_product(gpu, *form, joined, why); result != TW_CUDA_OK)
      return result;
    code = adopt(*form, *product, alignment, workspace, *joined);
    if (const auto result = explain_product(code, "the algorithm of a plain product", why);
        result != TW_CUDA_OK)
      return result;
    product = std::move(joined);
  }
  name_algorithm(*product, algorithm);
  *out = product.release();
  return TW_CUDA_OK;
}

void release_product(tw_cuda_product *product) {
  const Current current(product->gpu);
  delete product;
}

// One and zero in the type of the scale.
struct Scales {
  double f64[2][2] = {{1, 0}, {0, 0}};
  float f32[2][2] = {{1, 0}, {0, 0}};
  int32_t s32[2] = {1, 0};
  const void *of(const tw_cuda_product &product, size_t which) const {
    return product.compute == TW_CUDA_IN_F64   ? static_cast<const void *>(f64[which])
           : product.compute == TW_CUDA_IN_S32 ? static_cast<const void *>(&s32[which])
                                               : static_cast<const void *>(f32[which]);
  }
};

tw_cuda_result multiply(tw_cuda_queue *queue, const tw_cuda_product *product, const void *a, const void *b,
                        const void *added, void *c, void *workspace, size_t workspace_bytes, char *why) {
  const Current current(queue->gpu);
  const Scales scales;
  if (current.code() != CUDA_SUCCESS)
    return explain(current.code(), "cuCtxPushCurrent", why);
  std::unique_lock<std::mutex> lock;
  if (product->after == TW_CUDA_PLUS_BIAS) {
    lock = std::unique_lock(product->mutex);
    if (const auto result = explain_product(point_to_bias(*product, added), "pointing to a bias", why);
        result != TW_CUDA_OK)
      return result;
  }
  const bool adds = product->after == TW_CUDA_PLUS_MATRIX;
  return explain_product(
      g_library.cublasLtMatmul(product->products->handle, product->operation, scales.of(*product, 0), b,
                               product->b, a, product->a, scales.of(*product, adds ? 0 : 1), adds ? added : c,
                               product->c, c, product->c, &product->algorithm, workspace, workspace_bytes,
                               reinterpret_cast<cudaStream_t>(queue->stream)),
      "cublasLtMatmul", why);
}

} // namespace

Result<const ProductLibrary *> find_products() {
  static const Status opened = open_library();
  if (!opened)
    return fail(Code::unavailable, "TW-680", opened.error().message());
  return &g_library;
}

void find_products_version(tw_cuda_versions &out) {
  const auto library = find_products();
  if (library)
    out.products = static_cast<int32_t>((*library)->cublasLtGetVersion());
  else
    refuse(TW_CUDA_MISSING, library.error().message(), out.products_why);
}

void add_products(tw_cuda_plugin &table) {
  table.plan_product = plan_product;
  table.release_product = release_product;
  table.multiply = multiply;
}

} // namespace tw::cuda
