// SPDX-License-Identifier: Apache-2.0
// tw_page.h: a program as one page.
#include "report/page/page.hpp"
#include "base/watch.hpp"
#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include <tilewright/tw_page.h>

using namespace tw;
using namespace tw::capi;

tw_status_t tw_program_page(const tw_program_t *program, const tw_estimate_t *estimate,
                            const tw_page_options_t *options, tw_blob_t **out_html) {
  return guard([&]() -> Status {
    TW_TRY(require(program, "program"));
    TW_TRY(require(out_html, "out_html"));
    TW_TRY(check_options(options));
    if (estimate != nullptr && estimate->program.get() != program)
      return fail(Code::invalid_argument, "TW-794", "the estimate is of another program than the page");
    const tw_page_options_t how = completed(options);
    if (how.trace != nullptr)
      TW_TRY(require_text(how.trace, "trace"));
    if (how.command != nullptr)
      TW_TRY(require_text(how.command, "command"));
    const LongCall call;
    report::PageOf of{program->subject, nullptr, how.trace ? how.trace : "", how.command ? how.command : ""};
    std::optional<report::Estimated> estimated;
    if (estimate != nullptr)
      of.estimated = &estimated.emplace(estimate->estimated());
    TW_ASSIGN(std::string html, report::page(of));
    TW_TRY(check_watch());
    return give(std::move(html), out_html);
  });
}
