// SPDX-License-Identifier: Apache-2.0
// From what StableHLO's text says of an op to what VHLO does: every attribute stated, each for itself, in one
// of the forms that VHLO has of the op.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.hpp"
#include "emit/artifact/module_text.hpp"
#include "import/bytecode/vhlo_ops.hpp"

namespace tw::emit::artifact {

struct Said {
  std::string_view name;
  std::string value; // empty: only its name says it
};

struct VhloText {
  const import::bytecode::VhloOp *form;
  std::vector<Said> properties; // in the order of the form
  std::vector<Said> others;
};

// The name of an op without its dialect, where VHLO has it; else empty.
std::string_view vhlo_name(std::string_view op);

// `version` is of the artifact; `needed` is the first that has such an op with what is said of it, and where
// that is larger the result is that of `needed`.
Result<VhloText> to_vhlo(const TextOp &op, int version, int &needed);

} // namespace tw::emit::artifact
