// SPDX-License-Identifier: Apache-2.0
// How VHLO says what StableHLO says: which forms its ops have, which attributes StableHLO's text leaves out,
// and which it holds together.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace tw::import::bytecode {

inline constexpr int16_t kOpen = INT16_MAX;
struct VhloOp {
  std::string_view name;
  int16_t since, until; // StableHLO versions: major * 100 + minor
  std::string_view attributes;
};
#define TW_VHLO(name, since, until, attributes) {#name, since, until, attributes},
inline constexpr VhloOp kVhloOps[] = {
#include "import/bytecode/vhlo_op_list.inc"
};
#undef TW_VHLO

// What an attribute says by default, where the schemas of ops do not know it; of every op where `op` is
// empty. A value that ends with * is the beginning of one.
struct Default {
  std::string_view op, attribute, value;
};
inline constexpr Default kDefaults[] = {
    {"", "called_computations", "[]"},
    {"", "channel_id", "0 : i64"},
    {"", "composite_attributes", "{}"},
    {"", "has_dynamic_root", "false"},
    {"", "infeed_config", "\"\""},
    {"", "is_host_transfer", "false"},
    {"", "known_expanding_dimensions", "dense<> *"},
    {"", "known_nonexpanding_dimensions", "dense<> *"},
    {"", "outfeed_config", "\"\""},
    {"", "output_operand_aliases", "[]"},
    {"", "result_accuracy",
     "#stablehlo.result_accuracy<atol = 0.000000e+00, rtol = 0.000000e+00, ulps = 0, mode = "
     "#stablehlo<result_accuracy_mode DEFAULT>>"},
    {"", "result_tilings", "[]"},
    {"", "use_global_device_ids", "false"},
    {"func.func", "arg_attrs", "[]"},
    {"func.func", "res_attrs", "[]"},
    {"func.func", "sym_visibility", "\"\""},
    {"stablehlo.compare", "compare_type", "#stablehlo<comparison_type NOTYPE>"},
    {"stablehlo.composite", "version", "0 : *"},
    {"stablehlo.custom_call", "api_version", "1 : i32"},
    {"stablehlo.custom_call", "backend_config", "\"\""},
    {"stablehlo.custom_call", "backend_config", "{}"},
    {"stablehlo.infeed", "layout", "[]"},
    {"stablehlo.recv", "source_target_pairs", "dense<> *"},
    {"stablehlo.send", "source_target_pairs", "dense<> *"},
    {"stablehlo.sort", "dimension", "-1 : i64"},
};

// Attributes that become one, in order; the last two columns are what stands around them.
struct Group {
  std::string_view op, name, open, close;
  std::array<std::string_view, 9> parts;
};
inline constexpr std::array<std::string_view, 9> kConvolution = {
    "input_batch_dimension",          "input_feature_dimension",         "input_spatial_dimensions",
    "kernel_input_feature_dimension", "kernel_output_feature_dimension", "kernel_spatial_dimensions",
    "output_batch_dimension",         "output_feature_dimension",        "output_spatial_dimensions"};
inline constexpr Group kGroups[] = {
    {"stablehlo.dot_general",
     "algorithm",
     "<",
     ">",
     {"lhs_precision_type", "rhs_precision_type", "accumulation_type", "lhs_component_count",
      "rhs_component_count", "num_primitive_operations", "allow_imprecise_accumulation"}},
    {"stablehlo.convolution", "dimension_numbers", "#stablehlo.conv<raw ", ">", kConvolution},
    {"stablehlo.dynamic_conv", "dimension_numbers", "#stablehlo.conv<raw ", ">", kConvolution},
};

} // namespace tw::import::bytecode
