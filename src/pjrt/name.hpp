// SPDX-License-Identifier: Apache-2.0
// A name as an argument of a template: what is not there answers by its own.
#pragma once

#include <cstddef>

namespace tw::pjrt {

struct Name {
  char text[72];
};

template <size_t size> consteval Name named(const char (&text)[size]) {
  static_assert(size <= sizeof(Name::text));
  Name name{};
  for (size_t i = 0; i < size; ++i)
    name.text[i] = text[i];
  return name;
}

} // namespace tw::pjrt
