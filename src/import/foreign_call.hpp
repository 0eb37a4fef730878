// SPDX-License-Identifier: Apache-2.0
// Calls of foreign code: what they say is for whoever runs them, and is kept as it is written.
#pragma once

#include "import/reader.hpp"

namespace tw::import {

// Adds a call whose attributes stand in the text: those that no schema knows become the text of one
// dictionary, and the functions that it names go with it.
bool emit_foreign_call(Reader &r, OpText &op);

} // namespace tw::import
