// SPDX-License-Identifier: Apache-2.0
// Other names for the arrays of a set: what frameworks call alike is called differently.
#pragma once

#include <string>
#include <string_view>

#include "base/status.hpp"
#include "store/set.hpp"

namespace tw::store {

// A line of `text` is `FROM TO`; '#' begins a comment. FROM is a name, or a pattern in which each `*` stands
// for any characters; each `*` of TO takes what those of FROM stand for, in order. TO `-` leaves the arrays
// out. The first line that fits an array counts; others keep their names. A line that fits none is an error,
// and so are two arrays of one name. `file` is named in errors.
Status rename_arrays(Set &set, std::string_view text, const std::string &file);

} // namespace tw::store
