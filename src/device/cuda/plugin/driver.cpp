// SPDX-License-Identifier: Apache-2.0
// Opens the driver, and tells its errors apart: no memory, a context that is lost, anything else. What a lost
// context answers follows CUDA's documentation; it was provoked on the test double only.
#include "device/cuda/plugin/driver.hpp"

#include <cstdio>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>

#include "base/dynlib.hpp"

namespace tw::cuda {
namespace {

Driver g_driver;

// cuda.h gives most functions the name of their newest version by a macro.
#define TW_TEXT_(name) #name
#define TW_TEXT(name) TW_TEXT_(name)

Status fill_driver(const DynLib &library) {
#define TW_FIND(name) TW_TRY(find_function(library, TW_TEXT(name), g_driver.name));
  TW_CUDA_DRIVER_FUNCTIONS(TW_FIND)
#undef TW_FIND
  return {};
}

Status open_driver() {
  TW_ASSIGN(DynLib library, DynLib::open(library_name("TW_CUDA_DRIVER", "libcuda.so.1")));
  static std::optional<DynLib> kept; // closed with the plug-in, which never is
  kept.emplace(std::move(library));
  TW_TRY(fill_driver(*kept));
  char why[TW_CUDA_WHY] = "";
  if (explain(g_driver.cuInit(0), "cuInit", why) != TW_CUDA_OK)
    return fail(Code::unavailable, "TW-680", why);
  return {};
}

// After these the context answers nothing else any more.
bool is_lost(CUresult code) {
  switch (code) {
  case CUDA_ERROR_ASSERT:
  case CUDA_ERROR_CONTEXT_IS_DESTROYED:
  case CUDA_ERROR_DEVICE_UNAVAILABLE:
  case CUDA_ERROR_ECC_UNCORRECTABLE:
  case CUDA_ERROR_HARDWARE_STACK_ERROR:
  case CUDA_ERROR_ILLEGAL_ADDRESS:
  case CUDA_ERROR_ILLEGAL_INSTRUCTION:
  case CUDA_ERROR_INVALID_ADDRESS_SPACE:
  case CUDA_ERROR_INVALID_PC:
  case CUDA_ERROR_LAUNCH_FAILED:
  case CUDA_ERROR_LAUNCH_TIMEOUT:
  case CUDA_ERROR_MISALIGNED_ADDRESS:
  case CUDA_ERROR_NVLINK_UNCORRECTABLE: return true;
  default: return false;
  }
}

} // namespace

std::string library_name(const char *variable, const char *name) {
  const char *given = std::getenv(variable);
  return given != nullptr && *given != '\0' ? given : name;
}

Result<const Driver *> find_driver() {
  static const Status opened = open_driver();
  if (!opened)
    return fail(Code::unavailable, "TW-680", opened.error().message());
  return &g_driver;
}

const Driver &driver() { return g_driver; }

tw_cuda_result refuse(tw_cuda_result result, const std::string &text, char *why) {
  std::snprintf(why, TW_CUDA_WHY, "%s", text.c_str());
  return result;
}

tw_cuda_result explain(CUresult code, const char *attempt, char *why) {
  if (code == CUDA_SUCCESS)
    return TW_CUDA_OK;
  if (code == CUDA_ERROR_NOT_READY)
    return TW_CUDA_NOT_READY;
  const char *name = "an unknown error", *text = "";
  g_driver.cuGetErrorName(code, &name);
  g_driver.cuGetErrorString(code, &text);
  return refuse(code == CUDA_ERROR_OUT_OF_MEMORY ? TW_CUDA_NO_MEMORY
                : is_lost(code)                  ? TW_CUDA_LOST
                : code == CUDA_ERROR_NO_DEVICE   ? TW_CUDA_MISSING
                                                 : TW_CUDA_FAILED,
                fmt::format("{}: {} ({})", attempt, text, name), why);
}

} // namespace tw::cuda
