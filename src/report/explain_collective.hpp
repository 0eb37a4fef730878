// SPDX-License-Identifier: Apache-2.0
// Why a collective is in the program: the two sides that disagreed about a value, and the chain from an
// action to each.
#pragma once

#include <string>

#include "base/status.hpp"
#include "partition/explain.hpp"
#include "report/subject.hpp"

namespace tw::report {

// `id` is the collective's number in the reports.
Result<std::string> explain_collective(const Subject &subject, size_t id);
// The same for many of one program; `explainer`: of its plan, null where there is none.
Result<std::string> explain_collective(const Subject &subject, size_t id, partition::Explainer *explainer);

} // namespace tw::report
