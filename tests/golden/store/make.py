# SPDX-License-Identifier: Apache-2.0
"""Makes the small sets of arrays that tests read, with plain Python: make.py FOLDER. `hub` is a set of two files as model hubs have
them: a layer of a transformer, whose elements count up. `torch` is a distributed checkpoint of two ranks as PyTorch writes it: classes of
the same names stand for its own, since a pickle has nothing but names."""

import collections
import copyreg
import enum
import io
import json
import os
import pickle
import struct
import sys
import types
import zipfile


def floats(n, first):
    return struct.pack(f"<{n}f", *(first + i for i in range(n)))


def bfloats(n, first):
    return b"".join(struct.pack("<f", first + i)[2:] for i in range(n))


def safetensors(path, arrays):
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name, (dtype, dims, elements) in arrays.items():
        header[name] = {"dtype": dtype, "shape": dims, "data_offsets": [len(data), len(data) + len(elements)]}
        data += elements
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


def hub(folder):
    os.makedirs(folder, exist_ok=True)
    files = [
        {"embed.weight": ("BF16", [12, 8], bfloats(96, 0)), "layers.0.attn.wq": ("F32", [8, 8], floats(64, 100))},
        {"layers.0.mlp.w1": ("F32", [8, 16], floats(128, 200)), "layers.0.mlp.w2": ("F32", [16, 8], floats(128, 400)), "step": ("I64", [], struct.pack("<q", 1000))},
    ]
    names = [f"model-{i + 1:05}-of-{len(files):05}.safetensors" for i in range(len(files))]
    for name, arrays in zip(names, files):
        safetensors(os.path.join(folder, name), arrays)
    index = {"metadata": {"total_size": sum(len(a[2]) for f in files for a in f.values())}, "weight_map": {a: n for n, f in zip(names, files) for a in f}}
    with open(os.path.join(folder, "model.safetensors.index.json"), "w", encoding="utf-8") as file:
        json.dump(index, file, indent=2)
        file.write("\n")


def module(name, **members):
    made = types.ModuleType(name)
    for key, value in members.items():
        setattr(made, key, value)
        value.__module__ = name
        if isinstance(value, type):
            value.__qualname__ = key
    sys.modules[name] = made
    return made


class Named:
    """What a pickle has as a name: an element type or a kind of storage."""

    def __init__(self, name):
        self.name = name

    def __reduce__(self):
        return self.name


class Size(tuple):
    def __reduce__(self):
        return (Size, (tuple(self),))


class Fields:
    def __init__(self, **fields):
        self.__dict__.update(fields)


class MemoryFormat(enum.Enum):
    CONTIGUOUS = 0


class TensorProperties(Fields):
    def __getstate__(self):
        return (self.dtype, self.layout, False, MemoryFormat.CONTIGUOUS, False)


class Layout:
    pass


class Storage:
    def __init__(self, kind, elements):
        self.kind, self.elements = kind, elements


class Tensor:
    def __init__(self, kind, elements, size, strides=None, offset=0):
        self.storage, self.size, self.offset = Storage(kind, elements), size, offset
        self.strides = strides or tuple(count(size[d + 1 :]) for d in range(len(size)))

    def __reduce__(self):
        return (rebuild_tensor, (self.storage, self.offset, tuple(self.size), self.strides, False, collections.OrderedDict()))


class Pickler(pickle.Pickler):
    def persistent_id(self, obj):
        return ("storage", obj.kind, "0", "cpu", len(obj.elements)) if isinstance(obj, Storage) else None


def rebuild_tensor(*_):
    raise NotImplementedError


def get_layout(*_):
    raise NotImplementedError


def count(sizes):
    n = 1
    for size in sizes:
        n *= size
    return n


def torch_modules():
    names = ["float32", "bfloat16", "int64", "FloatStorage", "BFloat16Storage", "LongStorage"]
    torch = module("torch", Size=Size, **{name: Named(name) for name in names})
    get_layout.__qualname__, rebuild_tensor.__qualname__ = "_get_layout", "_rebuild_tensor_v2"
    module("torch.serialization", _get_layout=get_layout)
    module("torch._utils", _rebuild_tensor_v2=rebuild_tensor)
    copyreg.pickle(Layout, lambda _: (get_layout, ("torch.strided",)))
    shard = module("torch.distributed._shard.sharded_tensor.metadata", TensorProperties=TensorProperties, MEM_FORMAT_ENCODING=MemoryFormat)
    metadata = module("torch.distributed.checkpoint.metadata", **{name: type(name, (Fields,), {}) for name in
                      ("Metadata", "MetadataIndex", "TensorStorageMetadata", "BytesStorageMetadata", "ChunkStorageMetadata")})
    files = module("torch.distributed.checkpoint.filesystem", _StorageInfo=type("_StorageInfo", (Fields,), {}))
    return torch, shard, metadata, files


def torch_save(tensor):
    """A tensor as torch.save writes it: an archive whose data begin at multiples of 64."""
    pickled, out = io.BytesIO(), io.BytesIO()
    Pickler(pickled, protocol=2).dump(tensor)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, data in (("data.pkl", pickled.getvalue()), ("byteorder", b"little"), ("data/0", tensor.storage.elements), ("version", b"3\n")):
            entry = zipfile.ZipInfo("archive/" + name)
            begin = out.tell() + 30 + len(entry.filename)
            padding = -(begin + 4) % 64
            entry.extra = b"FB" + struct.pack("<H", padding) + b"Z" * padding
            archive.writestr(entry, data)
    return out.getvalue()


def torch_checkpoint(folder):
    os.makedirs(folder, exist_ok=True)
    torch, _, metadata, files = torch_modules()
    numbers = [float(i) for i in range(24)]
    by_column = [numbers[r * 4 + c] for c in range(4) for r in range(6)]
    written = {  # name: element type, size, [rank, offset, tensor]
        "model.w": ("float32", (6, 4), [(0, (0, 0), Tensor(torch.FloatStorage, struct.pack("<16f", *numbers[:16]), (4, 4))),
                                        (1, (4, 0), Tensor(torch.FloatStorage, struct.pack("<8f", *numbers[16:]), (2, 4)))]),
        "model.t": ("float32", (6, 4), [(0, (0, 0), Tensor(torch.FloatStorage, struct.pack("<26f", -1, -1, *by_column), (6, 4), (1, 6), 2))]),
        "model.b": ("bfloat16", (5,), [(1, (0,), Tensor(torch.BFloat16Storage, bfloats(5, 7), (5,)))]),
        "optim.step": ("int64", (), [(0, (), Tensor(torch.LongStorage, struct.pack("<q", 42), ()))]),
    }
    data, entries, places = [b"", b""], {}, {}
    for name, (dtype, size, chunks) in written.items():
        entries[name] = metadata.TensorStorageMetadata(
            properties=TensorProperties(dtype=getattr(torch, dtype), layout=Layout()), size=Size(size),
            chunks=[metadata.ChunkStorageMetadata(offsets=Size(offset), sizes=Size(tensor.size)) for _, offset, tensor in chunks])
        for rank, offset, tensor in chunks:
            archive = torch_save(tensor)
            places[metadata.MetadataIndex(fqn=name, offset=Size(offset), index=0)] = files._StorageInfo(
                relative_path=f"__{rank}_0.distcp", offset=len(data[rank]), length=len(archive), transform_descriptors=None)
            data[rank] += archive
    entries["loader"] = metadata.BytesStorageMetadata()
    places[metadata.MetadataIndex(fqn="loader", offset=None, index=None)] = files._StorageInfo(relative_path="__0_0.distcp", offset=len(data[0]), length=3)
    data[0] += b"abc"
    for rank, content in enumerate(data):
        with open(os.path.join(folder, f"__{rank}_0.distcp"), "wb") as file:
            file.write(content)
    about = metadata.Metadata(state_dict_metadata=entries, planner_data={name: tuple(name.split(".")) for name in entries}, storage_data=places)
    with open(os.path.join(folder, ".metadata"), "wb") as file:
        pickle.dump(about, file)


if __name__ == "__main__":
    hub(os.path.join(sys.argv[1], "hub"))
    torch_checkpoint(os.path.join(sys.argv[1], "torch"))
