// SPDX-License-Identifier: Apache-2.0
// The numbers of MLIR bytecode, and of the attributes and types of dialects in it: facts of the format, for
// who reads and who writes it.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace tw::import::bytecode {

inline constexpr uint8_t kPadding = 0xcb;
inline constexpr std::string_view kMagic = "ML\xefR", kPortable = "StableHLO_v";

enum Section : uint8_t {
  kStrings,
  kDialects,
  kEntries,
  kEntryOffsets,
  kIr,
  kResources,
  kResourceOffsets,
  kDialectVersion,
  kPropertyTable,
  kSections,
};

// What an op has, as its mask says.
enum Parts : uint8_t {
  kAttributes = 1,
  kResults = 2,
  kOperands = 4,
  kSuccessors = 8,
  kRegions = 16,
  kUseOrders = 32,
  kHasProperties = 64,
};

enum class BuiltinAttribute : uint64_t {
  kArray,
  kDictionary,
  kString,
  kTypedString,
  kSymbol,
  kNestedSymbol,
  kType,
  kUnit,
  kInteger,
  kFloat,
  kCallSite,
  kFileLine,
  kFused,
  kFusedWithMetadata,
  kName,
  kUnknown,
  kResource,
  kDenseArray,
  kDense,
  kDenseStrings,
  kSparse,
  kDistinct,
  kFileRange,
};

enum class BuiltinType : uint64_t {
  kIntegerType,
  kIndex,
  kFunction,
  kBf16,
  kF16,
  kF32,
  kF64,
  kF80,
  kF128,
  kComplex,
  kMemRef,
  kMemRefWithSpace,
  kNone,
  kTensor,
  kTensorWithEncoding,
  kTuple,
  kUnrankedMemRef,
  kUnrankedMemRefWithSpace,
  kUnrankedTensor,
  kVector,
  kScalableVector,
  kTf32, // and narrow numbers behind it
};

// Types by their code from kTf32 on.
inline constexpr std::string_view kNarrow[] = {"tf32",       "f8E5M2",     "f8E4M3",        "f8E4M3FN",
                                               "f8E5M2FNUZ", "f8E4M3FNUZ", "f8E4M3B11FNUZ", "f8E3M4",
                                               "f4E2M1FN",   "f6E2M3FN",   "f6E3M2FN",      "f8E8M0FNU"};

enum class VhloAttribute : uint64_t {
  kArray = 1,
  kBoolean,
  kComparisonDirection,
  kComparisonType,
  kApiVersion,
  kDictionary,
  kFftType,
  kFloat,
  kInteger,
  kOutputOperandAlias,
  kPrecision,
  kRngAlgorithm,
  kRngDistribution,
  kString,
  kTensor,
  kTranspose,
  kType,
  kTypeExtensions,
  kResultAccuracyMode,
  kResultAccuracy,
  kSubAxisInfo,
  kAxisRef,
  kReplicaGroupMeshAxes,
  kMeshAxis,
  kMesh,
};

enum class VhloType : uint64_t {
  kComplex = 1,
  kFunction = 8,
  kRankedTensor = 20,
  kRankedTensorWithEncoding = 21,
  kTuple = 23,
  kQuantized = 24,
  kUnrankedTensor = 25,
  kQuantizedPerAxis = 30,
  kRankedBuffer = 41,
  kFuture = 42,
};

// Types without parameters, and since which version of StableHLO (as in vhlo_op_list.inc).
struct PlainType {
  uint64_t code;
  std::string_view name;
  int16_t since = 9;
};
inline constexpr PlainType kPlainTypes[] = {
    {0, "i1"},
    {2, "bf16"},
    {3, "f16"},
    {4, "f32"},
    {5, "f64"},
    {6, "f8E4M3FN"},
    {7, "f8E5M2"},
    {9, "index"},
    {10, "i4"},
    {11, "i8"},
    {12, "i16"},
    {13, "i32"},
    {14, "i64"},
    {15, "ui4"},
    {16, "ui8"},
    {17, "ui16"},
    {18, "ui32"},
    {19, "ui64"},
    {22, "!stablehlo.token"},
    {26, "!shape.witness"},
    {27, "f8E4M3FNUZ", 10},
    {28, "f8E5M2FNUZ", 10},
    {29, "f8E4M3B11FNUZ", 11},
    {31, "i2", 102},
    {32, "ui2", 102},
    {33, "none", 106},
    {34, "tf32", 106},
    {35, "f8E4M3", 107},
    {36, "f8E3M4", 107},
    {37, "f4E2M1FN", 108},
    {38, "f6E2M3FN", 108},
    {39, "f6E3M2FN", 108},
    {40, "f8E8M0FNU", 108},
};

enum class SdyAttribute : uint64_t {
  kManualAxes,
  kMeshAxis,
  kMesh,
  kSubAxis,
  kAxis,
  kDimension,
  kSharding,
  kShardings,
  kDimensionFactors,
  kFactors,
  kRule,
  kAxes,
  kAxesList,
  kAllToAll,
  kAllToAllList,
  kShardingWithUnreduced,
  kShardingsWithUnreduced,
  kShardingWithReduction,
};

// Names by number; an empty one is no value.
struct Choice {
  std::string_view attribute;
  std::array<std::string_view, 6> names;
};
inline constexpr Choice kChoices[] = {
    {"comparison_direction", {"EQ", "NE", "GE", "GT", "LE", "LT"}},
    {"comparison_type", {"NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"}},
    {"fft_type", {"FFT", "IFFT", "RFFT", "IRFFT"}},
    {"precision", {"DEFAULT", "HIGH", "HIGHEST"}},
    {"result_accuracy_mode", {"DEFAULT", "HIGHEST", "TOLERANCE"}},
    {"rng_algorithm", {"DEFAULT", "THREE_FRY", "PHILOX"}},
    {"rng_distribution", {"", "UNIFORM", "NORMAL"}},
    {"transpose", {"TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"}},
};

// Attributes that are fields one behind the other; a name that ends with [] is a list.
struct Fields {
  std::string_view attribute, names;
};
inline constexpr Fields kFields[] = {
    {"channel_handle", "handle type"},
    {"conv", "input_batch_dimension input_feature_dimension input_spatial_dimensions[] "
             "kernel_input_feature_dimension kernel_output_feature_dimension kernel_spatial_dimensions[] "
             "output_batch_dimension output_feature_dimension output_spatial_dimensions[]"},
    {"dot", "lhs_batching_dimensions[] rhs_batching_dimensions[] lhs_contracting_dimensions[] "
            "rhs_contracting_dimensions[]"},
    {"gather", "offset_dims[] collapsed_slice_dims[] operand_batching_dims[] start_indices_batching_dims[] "
               "start_index_map[] index_vector_dim"},
    {"output_operand_alias", "output_tuple_indices[] operand_index operand_tuple_indices[]"},
    {"scatter", "update_window_dims[] inserted_window_dims[] input_batching_dims[] "
                "scatter_indices_batching_dims[] scatter_dims_to_operand_dims[] index_vector_dim"},
};

// The names of a list that blanks separate: takes the first.
constexpr std::string_view take_name(std::string_view &names) {
  const std::string_view name = names.substr(0, names.find(' '));
  names.remove_prefix(name.size() < names.size() ? name.size() + 1 : name.size());
  return name;
}

} // namespace tw::import::bytecode
