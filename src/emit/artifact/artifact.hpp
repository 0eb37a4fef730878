// SPDX-License-Identifier: Apache-2.0
// A module as a portable artifact of StableHLO: MLIR bytecode of the dialect VHLO, as frameworks exchange it.
#pragma once

#include <string>
#include <string_view>

#include "base/status.hpp"

namespace tw::emit::artifact {

// Of the text of a module that a printer made. Its version of StableHLO is the oldest one, from 1.0 on, that
// has all of it: whatever reads that or a newer one reads the artifact.
// `form` is what messages call the text.
Result<std::string> to_artifact(std::string_view text, std::string_view form);

} // namespace tw::emit::artifact
