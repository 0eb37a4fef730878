// SPDX-License-Identifier: Apache-2.0
// What linalg's named ops and linalg.generic share: their operands, and sums that begin with what `outs`
// holds.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "import/implied.hpp"
#include "import/reader.hpp"
#include "ops/reduction.hpp"

namespace tw::import::linalg {

struct Operands {
  std::vector<graph::ValueId> ins, outs;
};

// ins(%a, %b : T, U), where it stands.
bool read_group(Reader &r, OpText &op, std::string_view word, int64_t &count);
// -> T, or the types of outs where it is left out.
bool read_results(Reader &r, OpText &op, int64_t outs);
bool split_operands(Reader &r, const OpText &op, Operands &parts);

// What outs holds, and what was folded; alone where that begins at zero.
graph::ValueId combine(Reader &r, Implied &implied, sharding::Reduction kind, graph::ValueId init,
                       graph::ValueId v);
// Folds dimensions of v; `region` does so where it is there already.
bool reduce(Reader &r, const OpText &op, Implied &implied, sharding::Reduction kind,
            std::vector<int64_t> dims, graph::ValueId &v, std::optional<graph::RegionId> region = {});

// generic.cpp
bool form_generic(Reader &r, OpText &op);
bool lower_generic(Reader &r, OpText &op);
bool form_index(Reader &r, OpText &op);
bool lower_index(Reader &r, OpText &op);
bool form_yield(Reader &r, OpText &op);
bool lower_yield(Reader &r, OpText &op);

} // namespace tw::import::linalg
