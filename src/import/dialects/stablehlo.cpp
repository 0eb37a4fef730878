// SPDX-License-Identifier: Apache-2.0
// StableHLO: the ops whose text or meaning the registry does not know. stablehlo/ has what they are.
#include "import/dialects/stablehlo/ops.hpp"

namespace tw::import::stablehlo_dialect {

namespace {

constexpr Syntax kSyntax[] = {
    {"stablehlo.all_gather", form_default, lower_collective},
    {"stablehlo.all_reduce", form_default, lower_collective},
    {"stablehlo.all_to_all", form_default, lower_collective},
    {"stablehlo.batch_norm_grad", form_default, lower_batch_norm},
    {"stablehlo.batch_norm_inference", form_default, lower_batch_norm},
    {"stablehlo.batch_norm_training", form_default, lower_batch_norm},
    {"stablehlo.case", form_default, lower_control},
    {"stablehlo.collective_broadcast", form_default, lower_collective},
    {"stablehlo.collective_permute", form_default, lower_collective},
    {"stablehlo.compare", form_compare},
    {"stablehlo.composite", form_composite, lower_composite},
    {"stablehlo.constant", form_constant},
    {"stablehlo.convolution", form_convolution, lower_convolution},
    {"stablehlo.copy", form_default, lower_identity},
    {"stablehlo.custom_call", form_custom_call, lower_custom_call},
    {"stablehlo.dot", form_default, lower_dot},
    {"stablehlo.dynamic_broadcast_in_dim", form_default, lower_static},
    {"stablehlo.dynamic_conv", form_default, lower_folded},
    {"stablehlo.dynamic_gather", form_default, lower_folded},
    {"stablehlo.dynamic_iota", form_default, lower_static},
    {"stablehlo.dynamic_pad", form_default, lower_folded},
    {"stablehlo.dynamic_reshape", form_default, lower_static},
    {"stablehlo.einsum", form_default, lower_einsum},
    {"stablehlo.get_dimension_size", form_default, lower_dimension_size},
    {"stablehlo.get_tuple_element", form_tuple_element, lower_tuple_element},
    {"stablehlo.if", form_default, lower_control},
    {"stablehlo.partition_id", form_default, lower_device_number},
    {"stablehlo.real_dynamic_slice", form_default, lower_folded},
    {"stablehlo.reduce_scatter", form_default, lower_collective},
    {"stablehlo.reduce", form_reduce},
    {"stablehlo.replica_id", form_default, lower_device_number},
    {"stablehlo.rng", form_default, lower_rng},
    {"stablehlo.set_dimension_size", form_default, lower_set_dimension_size},
    {"stablehlo.slice", form_slice},
    {"stablehlo.torch_index_select", form_default, lower_index_select},
    {"stablehlo.tuple", form_default, lower_tuple},
    {"stablehlo.unary_einsum", form_default, lower_unary_einsum},
    {"stablehlo.while", form_while, lower_control},
};

constexpr Alias kAliases[] = {{"stablehlo.return", "func.return"}, {"stablehlo.topk", "chlo.top_k"}};

} // namespace

Dialect dialect() { return {.syntax = kSyntax, .aliases = kAliases}; }

} // namespace tw::import::stablehlo_dialect
