// SPDX-License-Identifier: Apache-2.0
// What most files of the library include, compiled once. Each file still includes what it uses: a build
// without this header (meson's -Db_pch=false) must pass.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tl/expected.hpp>

#include "ops/attributes.hpp"
#include "ops/registry.hpp"
