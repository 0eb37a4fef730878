// SPDX-License-Identifier: Apache-2.0
// Text without a function around it, as pages of the PartIR slides and listings of the paper on
// redistribution have it: `x : tensor<64x32xf32>`, then statements and expressions; or `mesh {..}` and `fn
// main(..)`.
#pragma once

#include "import/reader.hpp"

namespace tw::import {

// Whether a page stands at the cursor, whose first word is `name`.
bool begins_page(Scanner &scanner, std::string_view name);
// The page as the program: what it declares are arguments. Its results are the expressions that stand alone;
// where there are none, what it defines and does not use.
bool read_page(Reader &r, const Function &f);
bool read_listing(Reader &r); // listing.cpp

} // namespace tw::import
