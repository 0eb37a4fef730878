// SPDX-License-Identifier: Apache-2.0
// Code in which no device speaks of another would be read as a program over whole arrays: it looks up which
// device it is.
#include "emit/shard/device_local.hpp"

#include <fmt/format.h>

#include "emit/shard/collectives.hpp"
#include "emit/shard/words.hpp"
#include "emit/stablehlo/per_device.hpp"
#include "loops/spelling.hpp"

namespace tw::emit::shard {

Result<std::string> to_device_local_text(const spmd::Program &program) {
  const sharding::Mesh &mesh = program.mesh();
  TW_TRY(check_mesh(mesh));
  std::string text = stablehlo::to_device_text(program, GridCollectives(mesh));
  if (text.find("= shard.") == std::string::npos) {
    constexpr std::string_view kBody = " {\n";
    const size_t body = text.find(kBody, text.find("func.func")) + kBody.size();
    text.insert(body, fmt::format("    %device = shard.process_linear_index on @{} : index\n",
                                  loops::name_or_quoted(grid_name(mesh))));
  }
  return axes_comment(mesh) + text;
}

} // namespace tw::emit::shard
