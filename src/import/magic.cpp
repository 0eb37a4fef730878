// SPDX-License-Identifier: Apache-2.0
// Names files that are no text, and how to make text of them.
#include <algorithm>

#include <fmt/format.h>

#include "import/stablehlo.hpp"

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
     "unzip FILE; a .pt2 of torch.export goes through torch_xla or torchax to StableHLO"},
    {std::string_view("\xef\xbb\xbf", 3), "text with a byte order mark",
     "sed -i '1s/^\\xef\\xbb\\xbf//' FILE"},
    {std::string_view("\xff\xfe", 2), "UTF-16 text", "iconv -f UTF-16 -t UTF-8 FILE"},
    {std::string_view("\x7f"
                      "ELF",
                      4),
     "a program or library", "lower the program to StableHLO text instead"},
};

// A protobuf begins with a field's tag: ONNX with ir_version (field 1, a small number) and then the producer's name or opset, HLO protos
// with a message or a name.
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
  if (bytes.starts_with("ML\xefR")) {
    const size_t end = std::min<size_t>(bytes.size(), 64);
    const std::string_view producer = bytes.substr(4, end - 4);
    if (producer.find("StableHLO_v") != std::string_view::npos)
      return refuse("a StableHLO portable artifact", "stablehlo-translate --deserialize FILE > file.mlir");
    return refuse("MLIR bytecode", "stablehlo-opt FILE > file.mlir");
  }
  for (const Format &format : kFormats)
    if (bytes.starts_with(format.magic))
      return refuse(format.name, format.conversion);
  if (looks_like_onnx(bytes))
    return refuse("an ONNX model",
                  "export the program from its framework as StableHLO text; ONNX is not read yet");
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
