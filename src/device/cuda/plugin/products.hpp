// SPDX-License-Identifier: Apache-2.0
// cuBLASLt, opened when a product is planned: loading it takes a tenth of a second.
#pragma once

#include <cublasLt.h>

#include "base/status.hpp"
#include "device/cuda/plugin/gpu.hpp"

namespace tw::cuda {

#define TW_CUDA_PRODUCT_FUNCTIONS(X)                                                                         \
  X(cublasLtCreate)                                                                                          \
  X(cublasLtDestroy)                                                                                         \
  X(cublasLtGetStatusString)                                                                                 \
  X(cublasLtGetVersion)                                                                                      \
  X(cublasLtMatmul)                                                                                          \
  X(cublasLtMatmulAlgoCheck)                                                                                 \
  X(cublasLtMatmulAlgoConfigGetAttribute)                                                                    \
  X(cublasLtMatmulAlgoConfigSetAttribute)                                                                    \
  X(cublasLtMatmulAlgoGetHeuristic)                                                                          \
  X(cublasLtMatmulAlgoInit)                                                                                  \
  X(cublasLtMatmulDescCreate)                                                                                \
  X(cublasLtMatmulDescDestroy)                                                                               \
  X(cublasLtMatmulDescSetAttribute)                                                                          \
  X(cublasLtMatmulPreferenceCreate)                                                                          \
  X(cublasLtMatmulPreferenceDestroy)                                                                         \
  X(cublasLtMatmulPreferenceSetAttribute)                                                                    \
  X(cublasLtMatrixLayoutCreate)                                                                              \
  X(cublasLtMatrixLayoutDestroy)                                                                             \
  X(cublasLtMatrixLayoutSetAttribute)

struct ProductLibrary {
#define TW_MEMBER(name) decltype(&::name) name = nullptr;
  TW_CUDA_PRODUCT_FUNCTIONS(TW_MEMBER)
#undef TW_MEMBER
};

// Opened at the first call; TW_CUBLASLT names another file.
Result<const ProductLibrary *> find_products();

// The library's handle for one GPU. The context of that GPU is current where it is made and ends.
class Products {
public:
  Products(const ProductLibrary &library, cublasLtHandle_t handle) : library(library), handle(handle) {}
  Products(const Products &) = delete;
  Products &operator=(const Products &) = delete;
  ~Products() { library.cublasLtDestroy(handle); }

  const ProductLibrary &library;
  const cublasLtHandle_t handle;
};

} // namespace tw::cuda
