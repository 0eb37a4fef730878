// SPDX-License-Identifier: Apache-2.0
// Sorts and scans by libtilewright_cub.so, which lies beside this plug-in where nvcc was there to compile it;
// TW_CUB names another file.
#include <cstdlib>

#include <fmt/format.h>

#include "device/cuda/cub/cub.hpp"
#include "device/cuda/plugin/work.hpp"

namespace tw::cuda {
namespace {

constexpr const char *kCubFile = "libtilewright_cub.so";

Result<const tw_cub_functions *> open_cub() {
  const char *given = std::getenv("TW_CUB");
  TW_ASSIGN(DynLib library, given != nullptr && *given != '\0' ? DynLib::open(given)
                                                               : DynLib::open_beside(kCubFile, "TW_PLUGINS"));
  static DynLib *kept = nullptr; // closed with the plug-in, which never is
  kept = new DynLib(std::move(library));
  TW_ASSIGN(auto *get, kept->get<const tw_cub_functions *(void)>(TW_CUB_SYMBOL));
  const tw_cub_functions *functions = get();
  if (functions->version != TW_CUB_VERSION)
    return fail(Code::unavailable, "TW-680",
                fmt::format("{} is of version {}, and this plug-in wants version {}", kept->name(),
                            functions->version, TW_CUB_VERSION));
  return functions;
}

class Sort final : public tw_cuda_work {
public:
  Sort(tw_cuda_gpu *gpu, const tw_cuda_sort_form &form) : tw_cuda_work(gpu), form_(form) {
    name = "cub:sort";
  }
  tw_cuda_result run(const Call &c, char *why) const override {
    return explain_cub(
        (*find_cub())->sort(&form_, c.operands, c.results, c.workspace, workspace, c.queue->stream),
        "a sort by CUB", why);
  }

private:
  tw_cuda_sort_form form_;
};

class Scan final : public tw_cuda_work {
public:
  Scan(tw_cuda_gpu *gpu, const tw_cuda_scan_form &form) : tw_cuda_work(gpu), form_(form) {
    name = form.in_order ? "cub:scan in order" : "cub:scan";
  }
  tw_cuda_result run(const Call &c, char *why) const override {
    return explain_cub(
        (*find_cub())->scan(&form_, c.operands, c.results, c.workspace, workspace, c.queue->stream),
        "a scan by CUB", why);
  }

private:
  tw_cuda_scan_form form_;
};

template <class Planned, class Form, class Size>
tw_cuda_result plan_by_cub(tw_cuda_gpu *gpu, const Form *form, Size size, tw_cuda_work **out, char *why) {
  if (!find_cub())
    return refuse(TW_CUDA_MISSING, find_cub().error().message(), why);
  return make_work(gpu, out, why, [&](std::unique_ptr<tw_cuda_work> &made) {
    made = std::make_unique<Planned>(gpu, *form);
    return explain_cub(((*find_cub())->*size)(form, &made->workspace), "asking CUB for its memory", why);
  });
}

tw_cuda_result plan_sort(tw_cuda_gpu *gpu, const tw_cuda_sort_form *form, tw_cuda_work **out, char *why) {
  return plan_by_cub<Sort>(gpu, form, &tw_cub_functions::sort_bytes, out, why);
}
tw_cuda_result plan_scan(tw_cuda_gpu *gpu, const tw_cuda_scan_form *form, tw_cuda_work **out, char *why) {
  return plan_by_cub<Scan>(gpu, form, &tw_cub_functions::scan_bytes, out, why);
}

} // namespace

const Result<const tw_cub_functions *> &find_cub() {
  static const Result<const tw_cub_functions *> found = open_cub();
  return found;
}

tw_cuda_result explain_cub(int32_t code, const char *attempt, char *why) {
  if (code == 0)
    return TW_CUDA_OK;
  return refuse(TW_CUDA_FAILED, fmt::format("{}: {}", attempt, (*find_cub())->error_text(code)), why);
}

void describe_sorts(tw_cuda_library &out) {
  const auto &found = find_cub();
  describe_library(
      out, "cub", found ? Status() : Status(fail(Code::unavailable, "TW-680", found.error().message())),
      found ? fmt::format("{}.{}.{}", (*found)->cub / 100000, (*found)->cub / 100 % 1000, (*found)->cub % 100)
            : "");
}

void add_sorts(tw_cuda_plugin &table) {
  table.plan_sort = plan_sort;
  table.plan_scan = plan_scan;
}

} // namespace tw::cuda
