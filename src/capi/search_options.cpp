// SPDX-License-Identifier: Apache-2.0
// Names of axes between commas.
#include "capi/search_options.hpp"

#include <sstream>

#include "base/trim.hpp"
#include "partition/target.hpp"

namespace tw::capi {

Result<std::vector<sharding::AxisId>> axes_of(const sharding::Mesh &mesh, const char *names) {
  std::vector<sharding::AxisId> all;
  std::stringstream text(names);
  for (std::string name; std::getline(text, name, ',');) {
    TW_ASSIGN(const auto axes, partition::find_axes(mesh, std::string(trim(name))));
    all.insert(all.end(), axes.begin(), axes.end());
  }
  return all;
}

} // namespace tw::capi
