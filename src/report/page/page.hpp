// SPDX-License-Identifier: Apache-2.0
// A plan, its program and what it takes as one HTML file that opens without a network: the facts as arrays,
// and the scripts of src/report/page that show them.
#pragma once

#include <string>
#include <string_view>

#include "base/status.hpp"
#include "partition/explain.hpp"
#include "report/estimate.hpp"
#include "report/facts.hpp"

namespace tw::report {

struct PageOf {
  const Subject &subject;
  const Estimated *estimated = nullptr;      // null: no machine was named
  std::string_view trace = {};               // of a measured run, as Chrome reads it; "" for none
  std::string_view command = {};             // that makes this page again; "" where it is not known
  partition::Explainer *explainer = nullptr; // of the subject's plan; null: page makes one
};

Result<std::string> page(const PageOf &of);
// The facts that the page holds: {"schema", "texts", "sections"}. Texts of columns are numbers of "texts".
Result<nlohmann::ordered_json> page_facts(const PageOf &of);

} // namespace tw::report
