// SPDX-License-Identifier: Apache-2.0
// A double of a profiler that NVTX injects: it writes each range that begins, and a line for each that ends,
// to the file that TW_DOUBLE_RANGES names.
#include <cstdio>
#include <cstdlib>
#include <mutex>

#include <nvtx3/nvToolsExt.h>

#define TW_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

std::mutex mutex;
thread_local int depth = 0;

int write(const char *sign, int at, const char *name) {
  const std::lock_guard lock(mutex);
  static std::FILE *const file = std::fopen(std::getenv("TW_DOUBLE_RANGES"), "w");
  if (file != nullptr) {
    std::fprintf(file, "%s %d %s\n", sign, at, name);
    std::fflush(file);
  }
  return at;
}

int push(const char *name) { return write("begin", depth++, name); }
int pop() { return write("end", --depth, ""); }

template <class Function> void put(NvtxFunctionTable table, NvtxCallbackIdCore id, Function function) {
  *table[id] = reinterpret_cast<NvtxFunctionPointer>(function);
}

} // namespace

TW_EXPORT int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_table) {
  const auto *callbacks = static_cast<const NvtxExportTableCallbacks *>(get_table(NVTX_ETID_CALLBACKS));
  NvtxFunctionTable table = nullptr;
  unsigned size = 0;
  if (callbacks == nullptr || callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &table, &size) == 0 ||
      size <= NVTX_CBID_CORE_RangePop)
    return 0;
  put(table, NVTX_CBID_CORE_RangePushA, push);
  put(table, NVTX_CBID_CORE_RangePop, pop);
  return 1;
}
