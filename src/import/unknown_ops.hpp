// SPDX-License-Identifier: Apache-2.0
// Ops of dialects that nobody here knows, as opaque calls.
#pragma once

#include "import/reader.hpp"

namespace tw::import {

bool form_unknown(Reader &r, OpText &op); // reads both forms
bool lower_unknown(Reader &r, OpText &op);

// What a call of foreign code says besides, for whoever runs it: one dictionary in place of attributes that
// no schema knows.
bool gather_call_attributes(Reader &r, OpText &op, std::string &text);

} // namespace tw::import
