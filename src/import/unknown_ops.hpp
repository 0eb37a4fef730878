// SPDX-License-Identifier: Apache-2.0
// Ops of dialects that nobody here knows, as opaque calls.
#pragma once

#include "import/reader.hpp"

namespace tw::import {

bool form_unknown(Reader &r, OpText &op); // reads both forms
bool lower_unknown(Reader &r, OpText &op);

} // namespace tw::import
