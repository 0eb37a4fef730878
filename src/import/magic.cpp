// SPDX-License-Identifier: Apache-2.0
// Names files that are no StableHLO text for what they are, and the command that makes text of them or uses
// them.
#include <algorithm>

#include <fmt/format.h>

#include "import/import.hpp"

namespace tw::import {
namespace {

using namespace std::string_view_literals;

constexpr size_t kHead = 4096, kTail = size_t{1} << 16;

// Of a zip archive, whose names of entries stand at its end.
bool is_zip_of(std::string_view bytes, std::string_view entry) {
  return bytes.starts_with("PK\x03\x04"sv) &&
         bytes.substr(bytes.size() - std::min(bytes.size(), kTail)).find(entry) != std::string_view::npos;
}

// A field of a protocol buffer whose value has a length in front.
struct Field {
  char tag = '\0';
  std::string_view value, rest; // `value` is cut where the text ends
};
Field first_field(std::string_view bytes) {
  Field field;
  if (bytes.empty())
    return field;
  field.tag = bytes[0];
  size_t at = 1;
  uint64_t length = 0;
  for (unsigned shift = 0; at < bytes.size() && shift < 63; shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes[at++]);
    length |= uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80)
      break;
  }
  field.value = bytes.substr(at, length);
  field.rest = bytes.substr(std::min<uint64_t>(bytes.size(), at + length));
  return field;
}

bool is_printable(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) { return c >= 0x20 && c != 0x7f; });
}

bool is_npz(std::string_view bytes) { return is_zip_of(bytes, ".npy"); }
bool is_npy(std::string_view bytes) { return bytes.starts_with("\x93NUMPY"sv); }
bool is_torch_export(std::string_view bytes) {
  return is_zip_of(bytes, "serialized_exported_program.json") || is_zip_of(bytes, "archive_format");
}
bool is_torch_script(std::string_view bytes) {
  return is_zip_of(bytes, "/constants.pkl") && is_zip_of(bytes, "/code/");
}
bool is_torch_checkpoint(std::string_view bytes) {
  return is_zip_of(bytes, "data.pkl") || bytes.starts_with("\x80\x02\x8a\x0al\xfc\x9c"sv);
}
bool is_zip(std::string_view bytes) { return bytes.starts_with("PK\x03\x04"sv); }
bool is_safetensors(std::string_view bytes) {
  return bytes.size() > 10 && bytes.substr(6, 2) == "\0\0"sv && bytes.substr(8, 2) == "{\"";
}
bool is_hdf5(std::string_view bytes) { return bytes.starts_with("\x89HDF"sv); }
bool is_pickle(std::string_view bytes) {
  return bytes.size() > 2 && bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 5;
}
bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"sv); }
bool is_byte_order_mark(std::string_view bytes) { return bytes.starts_with("\xef\xbb\xbf"sv); }
bool is_utf16(std::string_view bytes) { return bytes.starts_with("\xff\xfe"sv); }
bool is_elf(std::string_view bytes) {
  return bytes.starts_with("\x7f"
                           "ELF"sv);
}

// ir_version (field 1, a small number), then the producer's name, the opset or the graph. A SavedModel begins
// so too, but its second field is a message.
bool is_onnx(std::string_view bytes) {
  if (bytes.size() <= 4 || bytes[0] != '\x08' || static_cast<unsigned char>(bytes[1]) >= 32)
    return false;
  const Field second = first_field(bytes.substr(2));
  return second.tag == '\x3a' || second.tag == '\x42' || (second.tag == '\x12' && is_printable(second.value));
}
bool is_saved_model(std::string_view bytes) {
  return bytes.starts_with("\x08\x01\x12"sv) && first_field(bytes.substr(2)).value.starts_with('\x0a');
}

// Nodes one behind the other, each with name and op.
bool is_tensorflow_graph(std::string_view bytes) {
  const Field node = first_field(bytes);
  if (node.tag != '\x0a' || !node.rest.starts_with('\x0a'))
    return false;
  const Field name = first_field(node.value), op = first_field(name.rest);
  return name.tag == '\x0a' && is_printable(name.value) && op.tag == '\x12' && is_printable(op.value);
}
// A module, with its name and that of its entry; or what XLA dumps, which holds one.
bool is_hlo_module(std::string_view bytes) {
  const Field name = first_field(bytes), entry = first_field(name.rest);
  return name.tag == '\x0a' && is_printable(name.value) && entry.tag == '\x12' && is_printable(entry.value);
}
bool is_hlo_proto(std::string_view bytes) {
  return is_hlo_module(bytes) || (bytes.starts_with('\x0a') && is_hlo_module(first_field(bytes).value));
}

bool is_hlo_text(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text.substr(first).starts_with("HloModule");
}
bool is_notebook(std::string_view text) {
  return text.starts_with('{') && text.substr(0, kHead).find("\"cells\"") != std::string_view::npos;
}
// The first line that is no comment and no title imports or defines something.
bool is_python(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const bool quoted = line.starts_with("\"\"\"");
    if (line.starts_with("import ") || line.starts_with("from ") || line.starts_with("def ") ||
        line.starts_with("class "))
      return true;
    if (quoted && line.find("\"\"\"", 3) == std::string_view::npos) {
      const size_t end = text.find("\"\"\"", 3);
      if (end == std::string_view::npos)
        return false;
      text.remove_prefix(end);
      text.remove_prefix(std::min(text.find('\n'), text.size()));
    } else if (!quoted && !line.empty() && line != "\r" && !line.starts_with("# ") &&
               !line.starts_with("#!")) {
      return false;
    } else {
      text.remove_prefix(std::min(line.size(), text.size()));
    }
    text.remove_prefix(text.empty() ? 0 : 1);
  }
  return false;
}

// MLIR has names of attributes behind a #, and comments behind //.
bool is_commented_by_hashes(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text.substr(first).starts_with("# ");
}

constexpr const char *kHoldsArrays = "it holds arrays and no program: tw run PROGRAM.mlir --inputs FILE";
constexpr const char *kNeedsNpz = "it holds arrays and no program. Convert it, and give it to --inputs: ";

struct Format {
  bool (*is)(std::string_view);
  const char *name;
  const char *prefix; // of the advice
  const char *advice; // FILE stands for the file
};

constexpr const char *kConvert = "convert it: ";
constexpr Format kFormats[] = {
    {is_gzip, "gzip", kConvert, "gunzip FILE"},
    {is_npz, "a NumPy archive (.npz)", "", kHoldsArrays},
    {is_npy, "a NumPy array (.npy)", "",
     "it holds an array and no program: tw run PROGRAM.mlir --fill ARGUMENT=FILE"},
    {is_torch_export, "a program that torch.export saved", kConvert,
     "python3 -c \"import sys, torch; from torch_xla.stablehlo import exported_program_to_stablehlo as f; "
     "print(f(torch.export.load(sys.argv[1])).get_stablehlo_text())\" FILE > file.mlir"},
    {is_torch_script, "a TorchScript module", "",
     "TorchScript has no way to StableHLO: export the module that it was made of, "
     "torch.export.save(torch.export"
     ".export(module, arguments), 'module.pt2'), and give that to tw, which says how to go on"},
    {is_torch_checkpoint, "a PyTorch checkpoint", kNeedsNpz,
     "python3 -c \"import sys, numpy, torch; s = torch.load(sys.argv[1], map_location='cpu'); "
     "s = s.get('state_dict', s.get('model', s)); numpy.savez(sys.argv[2], **{k: (v.float() if "
     "v.is_floating_point() else v).numpy() for k, v in s.items() if torch.is_tensor(v)})\" FILE "
     "weights.npz"},
    {is_zip, "a zip archive", "", "unzip FILE"},
    {is_safetensors, "a safetensors checkpoint", kNeedsNpz,
     "python3 -c \"import sys, numpy; from safetensors.numpy import load_file; numpy.savez(sys.argv[2], "
     "**load_file(sys.argv[1]))\" FILE weights.npz"},
    {is_hdf5, "an HDF5 file, as of Keras", kNeedsNpz,
     "python3 -c \"import sys, numpy, h5py; a = {}; h5py.File(sys.argv[1]).visititems(lambda k, v: "
     "a.update({k: v[()]}) if isinstance(v, h5py.Dataset) else None); numpy.savez(sys.argv[2], **a)\" FILE "
     "weights.npz"},
    {is_pickle, "a Python pickle", "",
     "it holds objects of Python and no program: numpy.savez makes an archive "
     "of arrays for --inputs"},
    {is_byte_order_mark, "text with a byte order mark", kConvert, "sed -i '1s/^\\xef\\xbb\\xbf//' FILE"},
    {is_utf16, "UTF-16 text", kConvert, "iconv -f UTF-16 -t UTF-8 FILE > file.mlir"},
    {is_elf, "a program or library", "", "lower the program to StableHLO text instead"},
    {is_onnx, "an ONNX model", kConvert,
     "python3 -m torch_mlir.tools.import_onnx FILE -o onnx.mlir && torch-mlir-opt "
     "--torch-onnx-to-torch-backend-pipeline --torch-backend-to-stablehlo-backend-pipeline onnx.mlir > "
     "file.mlir"},
    {is_saved_model, "a TensorFlow SavedModel", kConvert,
     "python3 -c \"import os, sys, tensorflow as tf; m = tf.saved_model.load(os.path.dirname(sys.argv[1]) or "
     "'.'); "
     "s = m.signatures['serving_default']; print(tf.function(lambda **k: s(**k), jit_compile=True)"
     ".experimental_get_compiler_ir(**s.structured_input_signature[1])(stage='stablehlo'))\" FILE > "
     "file.mlir"},
    {is_tensorflow_graph, "a TensorFlow graph", kConvert,
     "python3 -c \"import sys, tensorflow as tf; g = tf.compat.v1.GraphDef(); "
     "g.ParseFromString(open(sys.argv[1], 'rb').read()); w = tf.compat.v1.wrap_function(lambda: "
     "tf.graph_util.import_graph_def(g, name=''), []); o = w.graph.get_operations(); i = [p.outputs[0] for p "
     "in o "
     "if p.type == 'Placeholder']; f = w.prune(i, [t for p in o for t in p.outputs if not t.consumers()]); "
     "print(tf.function(lambda *a: f(*a), "
     "jit_compile=True).experimental_get_compiler_ir(*[tf.TensorSpec(t.shape, "
     "t.dtype) for t in i])(stage='stablehlo'))\" FILE > file.mlir"},
    // XLA dumps a message around the module, whose tag and length are taken off.
    {is_hlo_proto, "an HLO proto", kConvert,
     "python3 -c \"import re, sys, jax.extend.mlir as m; from jax.interpreters import mlir; b = "
     "re.sub(rb'^\\n[\\x80-\\xff]*[\\x00-\\x7f](?=\\n)', b'', open(sys.argv[1], 'rb').read()); "
     "print(mlir.ir.Module.parse(m.hlo_to_stablehlo(b), mlir.make_ir_context()))\" FILE > file.mlir"},
    {is_hlo_text, "HLO text", "",
     "XLA made it of StableHLO, which JAX writes too, to dump/*.mlir: JAX_DUMP_IR_TO=dump "
     "JAX_DUMP_IR_MODES=stablehlo python3 PROGRAM.py"},
    {is_notebook, "a notebook", "", "jupyter nbconvert --to script FILE makes a Python program of it"},
    {is_python, "a Python program", "",
     "JAX writes what it compiles to dump/*.mlir: JAX_DUMP_IR_TO=dump JAX_DUMP_IR_MODES=stablehlo python3 "
     "FILE"},
    {is_commented_by_hashes, "text with comments behind #, such as a spec or a system", "",
     "the program comes first: tw plan PROGRAM.mlir --spec FILE, tw estimate PROGRAM.mlir --system FILE"},
};

// As a shell reads it.
std::string quoted(const std::string &file) {
  if (file.starts_with('<')) // it came in otherwise
    return "FILE";
  const bool plain = std::ranges::all_of(file, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           "_-./+=,:@"sv.find(c) != std::string_view::npos;
  });
  if (plain)
    return file;
  std::string text = "'";
  for (const char c : file)
    text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

std::string with_file(std::string advice, const std::string &file) {
  constexpr std::string_view place = "FILE";
  for (size_t at = advice.find(place); at != std::string::npos; at = advice.find(place, at)) {
    const std::string name = quoted(file);
    advice.replace(at, place.size(), name);
    at += name.size();
  }
  return advice;
}

} // namespace

Status check_is_text(std::string_view bytes, const std::string &file) {
  const auto refuse = [&](std::string what, std::string advice) {
    return fail(Error(Code::invalid_argument, "TW-112", fmt::format("this is {}, not StableHLO text", what))
                    .at({file, 0, 0})
                    .note(with_file(std::move(advice), file)));
  };
  for (const Format &format : kFormats)
    if (format.is(bytes))
      return refuse(format.name, std::string(format.prefix) + format.advice);
  const std::string_view head = bytes.substr(0, kHead);
  if (const size_t nul = head.find('\0'); nul != std::string_view::npos)
    return refuse(fmt::format("binary data (byte {} is 0)", nul), "lower the program to StableHLO text");
  return {};
}

} // namespace tw::import
