// SPDX-License-Identifier: Apache-2.0
// The text of the program for one device, and how arrays lie.
#include "pjrt/identity.hpp"

#include "pjrt/fingerprint.hpp"

namespace tw::pjrt {

namespace {

constexpr std::string_view kCallback = "tilewright_python_callback", kNumber = "function = ";

// A process numbers its Python functions as they come.
void forget_numbers(std::string &text) {
  for (size_t at = text.find(kCallback); at != text.npos; at = text.find(kCallback, at + 1)) {
    const size_t number = text.find(kNumber, at);
    if (number == text.npos || number > text.find('\n', at))
      continue;
    const size_t begin = number + kNumber.size();
    text.erase(begin, text.find_first_not_of("0123456789", begin) - begin);
  }
}

} // namespace

std::string identity_of(const Compiled &compiled) {
  std::string text;
  for (const int64_t partition : compiled.partitions)
    text += std::to_string(partition) + ",";
  for (const auto *specs : {&compiled.arguments, &compiled.results})
    for (const ArraySpec &spec : *specs)
      text += "\n" + spec.sharding;
  for (const int64_t result : compiled.result_in)
    text += "\n" + std::to_string(result);
  text += "\n" +
          text_of([&](tw_blob_t **out) { return tw_program_emit(compiled.program.get(), "stablehlo", out); });
  forget_numbers(text);
  return hex_of(hash_of(text)) + hex_of(hash_of(text, text.size() + 1));
}

void check_effects(const tw_graph_t *graph) {
  any_op(graph, [&](tw_op_t op, const tw_op_view_t &view) {
    if (view.name != std::string_view("stablehlo.custom_call") || view.num_results == 0 ||
        attribute_of(graph, op, view, "has_side_effect").integer == 0)
      return false;
    throw Failure{
        abi::Code::unimplemented,
        std::string("custom_call @") + attribute_of(graph, op, view, "call_target_name").string +
            " has results and side effects (io_callback), and each of several processes would get its "
            "own: call a function without side effects, or one without results"};
  });
}

} // namespace tw::pjrt
