// SPDX-License-Identifier: Apache-2.0
// Patterns over names, and names of nested containers in dots.
#pragma once

#include <string>
#include <string_view>

namespace tw {

// `*` stands for any characters, `?` for one; everything else for itself.
bool is_glob(std::string_view pattern);
bool glob_match(std::string_view pattern, std::string_view text);

// "params.layer0.wq" of "params['layer0']['wq']", "opt.0.mu" of "opt[0].mu"; also what a shell leaves of the
// first, "params[layer0][wq]". Other names stay as they are.
std::string dotted(std::string_view name);

// Whether a pattern matches a name as it is written, or in dots.
bool names_match(std::string_view pattern, std::string_view name);

} // namespace tw
