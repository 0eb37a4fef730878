// SPDX-License-Identifier: Apache-2.0
// What unit tests share: where the tree and the real programs are, and how to say that a test cannot run
// here.
#pragma once

#include <optional>
#include <string>

namespace tw::test {

// Marks this file's tests as skipped and prints why; the caller then returns from its test case.
void skip(const std::string &why);

// Path of a file of the source tree.
std::string source_path(const std::string &relative);

// Path of a program that we keep outside the tree, or nothing (and a skip) where it is absent.
std::optional<std::string> real_program(const std::string &name);

} // namespace tw::test
