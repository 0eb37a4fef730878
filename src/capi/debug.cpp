// SPDX-License-Identifier: Apache-2.0
// tw_debug.h: the lowering step by step.
#include <tilewright/tw_debug.h>

#include <optional>

#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "emit/printer.hpp"

using namespace tw;
using namespace tw::capi;

tw_status_t tw_debug_emit_after(const tw_plan_t *plan, const char *form, const char *pass_name,
                                tw_blob_t **out_text) {
  return guard([&]() -> Status {
    TW_TRY(require(plan, "plan"));
    TW_TRY(require(form, "form"));
    TW_TRY(require(out_text, "out_text"));
    const auto after = pass_name != nullptr ? std::optional<std::string_view>(pass_name) : std::nullopt;
    TW_ASSIGN(auto text, emit::print_after(*plan->plan, form, after));
    return give(std::move(text), out_text);
  });
}

const char *tw_debug_pass(size_t i, size_t k) {
  if (i >= tw_form_count() || emit::all_forms()[i]->passes == nullptr)
    return nullptr;
  return guard_value(static_cast<const char *>(nullptr), [&] {
    const auto passes = emit::all_forms()[i]->passes();
    return k < passes.size() ? passes[k].data() : nullptr; // names of passes are literals
  });
}
