// SPDX-License-Identifier: Apache-2.0
// Versions and instruction sets of the kernel backends.
#include "kernels/info.hpp"

#include <fmt/format.h>
#include <hwy/targets.h>

#if TW_WITH_ONEDNN
#include <oneapi/dnnl/dnnl.h>

#include "kernels/onednn/proven.hpp"
#endif

namespace tw::kernels {

std::vector<std::pair<std::string, std::string>> backend_info() {
  std::vector<std::pair<std::string, std::string>> info;
#if TW_WITH_ONEDNN
  const dnnl_version_t *v = dnnl_version();
  info.emplace_back("onednn", fmt::format("{}.{}.{}", v->major, v->minor, v->patch));
  info.emplace_back("products", onednn::proven_text());
#else
  info.emplace_back("onednn", "not in this build");
#endif
  const int64_t targets = hwy::SupportedTargets();
  info.emplace_back("vector math", hwy::TargetName(targets & -targets)); // the lowest bit is the best target
  return info;
}

} // namespace tw::kernels
