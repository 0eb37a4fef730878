// SPDX-License-Identifier: Apache-2.0
// The one symbol that the plug-in exports.
#include "device/cuda/plugin/work.hpp"

extern "C" __attribute__((visibility("default"))) const tw_cuda_plugin *tw_cuda_plugin_table() {
  static const tw_cuda_plugin table = [] {
    tw_cuda_plugin made = {};
    made.version = TW_CUDA_PLUGIN_VERSION;
    tw::cuda::add_gpus(made);
    tw::cuda::add_queues(made);
    tw::cuda::add_code(made);
    tw::cuda::add_products(made);
    tw::cuda::add_work(made);
    return made;
  }();
  return &table;
}
