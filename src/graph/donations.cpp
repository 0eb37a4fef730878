// SPDX-License-Identifier: Apache-2.0
// Looks at what each argument is donated to.
#include "graph/donations.hpp"

#include <vector>

#include <fmt/format.h>

#include "graph/graph.hpp"

namespace tw::graph {

std::optional<DonationFault> find_donation_fault(const Graph &graph) {
  using Kind = DonationFault::Kind;
  const auto name = [&](uint32_t argument) {
    return fmt::format("argument {} ({})", argument, graph.argument_name(argument));
  };
  std::vector<uint32_t> taken(graph.results().size(), kNone); // by which argument
  for (uint32_t a = 0; a < graph.arguments().size(); ++a) {
    const int64_t result = graph.alias_of_argument(a);
    if (result < 0)
      continue;
    if (result >= static_cast<int64_t>(taken.size()))
      return DonationFault{
          Kind::range, a,
          fmt::format("{} is donated to result {}, and there are {} results", name(a), result, taken.size())};
    uint32_t &first = taken[static_cast<size_t>(result)];
    if (first != kNone)
      return DonationFault{
          Kind::twice, a,
          fmt::format("{} and {} are both donated to result {}, which can take the memory of "
                      "one",
                      name(first), name(a), result)};
    first = a;
  }
  for (uint32_t a = 0; a < graph.arguments().size(); ++a) {
    const int32_t result = graph.alias_of_argument(a);
    if (result < 0)
      continue;
    const TensorType &given = graph.type(graph.result(graph.arguments()[a]));
    const TensorType &made = graph.type(graph.operands(graph.results()[static_cast<size_t>(result)])[0]);
    if (!(given == made))
      return DonationFault{
          Kind::type, a,
          fmt::format("{} is {} and is donated to result {}, which is {}: they are of one type "
                      "where one is made in the memory of the other",
                      name(a), to_text(given), result, to_text(made))};
  }
  return std::nullopt;
}

} // namespace tw::graph
