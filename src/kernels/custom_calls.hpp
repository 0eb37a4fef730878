// SPDX-License-Identifier: Apache-2.0
// What the host says of custom_calls, by target: how they may be split, what they take, what computes them.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.hpp"
#include "kernels/kernel.hpp"
#include "kernels/kernel_args.hpp"
#include "ops/opaque_rule.hpp"

namespace tw::kernels {

// Each of the functions may be empty.
struct CustomCall {
  std::string target;
  std::function<Status(const ops::OpView &)> check;
  std::function<Result<std::string>(const ops::OpView &)> rule; // for parse_opaque_rule; "": all whole
  std::function<Result<std::unique_ptr<Kernel>>(const Request &)> bind;
};

// Immutable, so that graphs, plans and executables share it.
class CustomCalls {
public:
  CustomCalls() = default;
  Result<CustomCalls>
  with(std::shared_ptr<const CustomCall> call) const; // an error where its target is known

  const CustomCall *find(const ops::OpDef &def,
                         const ops::OpView &op) const; // null: not known, or no custom_call
  // The rule of each call of a graph that has one. An error, with its position, where a call is not as it
  // should be.
  Result<std::vector<ops::OpaqueRule>> check(const graph::Graph &graph) const;

private:
  std::map<std::string, std::shared_ptr<const CustomCall>, std::less<>> by_target_;
};

// What computes a call: the host's function (`calls` may be null), or one that is built in (kernels/lapack).
// Null: nothing does.
const CustomCall *find_kernel(const CustomCalls *calls, const ops::OpDef &def, const ops::OpView &op);

// Binds and runs one call at once; `calls` may be null.
Status run_whole(const ops::OpDef &def, const KernelArgs &args, const CustomCalls *calls);

// Whether an op is a call of code that no registry holds, and its name: "stablehlo.custom_call @my.norm".
bool is_custom_call(const ops::OpDef &def);
std::string called(const ops::OpDef &def, const ops::OpView &op);

} // namespace tw::kernels
