// SPDX-License-Identifier: Apache-2.0
// What most unit tests include, compiled once. See src/precompiled/library.hpp.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#define DOCTEST_CONFIG_SUPER_FAST_ASSERTS // a tenth of the time of compiling tests
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "ops/builder.hpp"
#include "ops/registry.hpp"
#include "partition/spec.hpp"
#include "spmd/program.hpp"
