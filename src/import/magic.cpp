// SPDX-License-Identifier: Apache-2.0
// Names files that are no text, and how to make text of them.
#include <algorithm>

#include <fmt/format.h>

#include "import/import.hpp"

namespace tw::import {
namespace {

struct Format {
  std::string_view magic;
  const char *name;
  const char *conversion;
};

constexpr Format kFormats[] = {
    {std::string_view("\x1f\x8b", 2), "gzip", "gunzip FILE"},
    {std::string_view("PK\x03\x04", 4), "a zip archive",
     "python3 -c \"import sys, torch; from torch_xla.stablehlo import exported_program_to_stablehlo as f; "
     "print(f(torch.export.load(sys.argv[1])).get_stablehlo_text())\" FILE > file.mlir"},
    {std::string_view("\xef\xbb\xbf", 3), "text with a byte order mark",
     "sed -i '1s/^\\xef\\xbb\\xbf//' FILE"},
    {std::string_view("\xff\xfe", 2), "UTF-16 text", "iconv -f UTF-16 -t UTF-8 FILE"},
    {std::string_view("\x7f"
                      "ELF",
                      4),
     "a program or library", "lower the program to StableHLO text instead"},
};

// What a JAX user has at hand: jaxlib brings MLIR's Python.
constexpr const char *kArtifactToText =
    "python3 -c \"import sys; from jaxlib.mlir import ir; from jaxlib.mlir.dialects import stablehlo; "
    "print(stablehlo.deserialize_portable_artifact(ir.Context(), open(sys.argv[1], 'rb').read()))\" FILE > "
    "file.mlir";
constexpr const char *kBytecodeToText =
    "python3 -c \"import sys; from jax.interpreters import mlir; "
    "print(mlir.ir.Module.parse(open(sys.argv[1], 'rb').read(), mlir.make_ir_context()))\" FILE > file.mlir";
constexpr const char *kExportToText =
    "python3 -c \"import sys; from jax import export; "
    "print(export.deserialize(bytearray(open(sys.argv[1], 'rb').read())).mlir_module())\" FILE > file.mlir";
constexpr const char *kOnnxToText =
    "python3 -m torch_mlir.tools.import_onnx FILE -o onnx.mlir && torch-mlir-opt "
    "--torch-onnx-to-torch-backend-pipeline --torch-backend-to-stablehlo-backend-pipeline onnx.mlir > "
    "file.mlir";

constexpr std::string_view kBytecode = "ML\xefR", kArtifact = "StableHLO_v";

// jax.export wraps an artifact in a flat buffer.
bool looks_like_jax_export(std::string_view bytes) {
  const std::string_view head = bytes.substr(0, size_t{1} << 20);
  const size_t at = head.find(kBytecode);
  return at != std::string_view::npos && head.find('\0') < at &&
         head.substr(at, 64).find(kArtifact) != std::string_view::npos;
}

// A protobuf begins with a field's tag: ONNX with ir_version (field 1, a small number) and then the
// producer's name or opset, HLO protos with a message or a name.
bool looks_like_onnx(std::string_view bytes) {
  return bytes.size() > 4 && bytes[0] == '\x08' && static_cast<unsigned char>(bytes[1]) < 32 &&
         (bytes[2] == '\x12' || bytes[2] == '\x3a' || bytes[2] == '\x42');
}

bool looks_like_hlo_proto(std::string_view bytes) {
  return bytes.size() > 4 && bytes[0] == '\x0a' && bytes.substr(0, 4096).find('\0') != std::string_view::npos;
}

bool looks_like_hlo_text(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text.substr(first).starts_with("HloModule");
}

} // namespace

Status check_is_text(std::string_view bytes, const std::string &file) {
  const auto refuse = [&](std::string what, std::string conversion) {
    return fail(Error(Code::invalid_argument, "TW-112", fmt::format("this is {}, not StableHLO text", what))
                    .at({file, 0, 0})
                    .note(fmt::format("convert it: {}", conversion)));
  };
  if (bytes.starts_with(kBytecode))
    return bytes.substr(0, 64).find(kArtifact) != std::string_view::npos
               ? refuse("a StableHLO portable artifact", kArtifactToText)
               : refuse("MLIR bytecode", kBytecodeToText);
  for (const Format &format : kFormats)
    if (bytes.starts_with(format.magic))
      return refuse(format.name, format.conversion);
  if (looks_like_onnx(bytes))
    return refuse("an ONNX model", kOnnxToText);
  if (looks_like_jax_export(bytes))
    return refuse("a program that jax.export serialised", kExportToText);
  if (looks_like_hlo_proto(bytes))
    return refuse("a protocol buffer, probably an HLO proto",
                  "python3 -c \"import sys, jax.extend.mlir as m; print(m.hlo_to_stablehlo(open(sys.argv[1], "
                  "'rb').read()))\" FILE > file.mlir");
  if (looks_like_hlo_text(bytes))
    return refuse("HLO text", "print the program before compilation: jax.jit(f).lower(..).as_text()");
  const std::string_view head = bytes.substr(0, 4096);
  if (const size_t nul = head.find('\0'); nul != std::string_view::npos)
    return refuse(fmt::format("binary data (byte {} is 0)", nul), "lower the program to StableHLO text");
  return {};
}

} // namespace tw::import
