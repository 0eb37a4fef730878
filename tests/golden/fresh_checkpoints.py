# SPDX-License-Identifier: Apache-2.0
"""Sets that PyTorch, safetensors and the hub's library write here and now, read by tw reshard to the same bits, and tiles that it wrote, read
by safetensors. Usage: fresh_checkpoints.py TW. Runs under the python that TW_CHECKPOINTS_PYTHON names (`./dev test --checkpoints` makes one);
skipped without."""

import json
import os
import subprocess
import sys
import tempfile

python = os.environ.get("TW_CHECKPOINTS_PYTHON")
if python is None:
    print("skipped: TW_CHECKPOINTS_PYTHON names no python with torch and safetensors")
    sys.exit(77)
if sys.executable != python:
    os.execv(python, [python, *sys.argv])

from checks import check, failures  # noqa: E402

import torch  # noqa: E402
import torch.distributed as dist  # noqa: E402
import torch.distributed.checkpoint as dcp  # noqa: E402
from safetensors import safe_open  # noqa: E402
from safetensors.torch import load_file, save_file  # noqa: E402
from torch.distributed.device_mesh import init_device_mesh  # noqa: E402
from torch.distributed.tensor import DTensor, Replicate, Shard, distribute_tensor  # noqa: E402

TYPES = [torch.float32, torch.bfloat16, torch.float16, torch.float64, torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64, torch.bool]
RANKS = 4
tw = os.path.abspath(sys.argv[1])


def tensors(seed):
    """One of each type and some ranks, with sizes that nothing divides."""
    draw = torch.Generator().manual_seed(seed)
    made = {}
    for i, dtype in enumerate(TYPES):
        dims = [(7, 5), (3, 4, 6), (11,), (), (1, 9), (6, 6), (5, 3), (13, 2), (), (4, 5)][i]
        values = torch.randint(0, 100, dims, generator=draw)
        made[f"layer.{i}.{str(dtype).removeprefix('torch.')}"] = (values % 2 == 0) if dtype == torch.bool else values.to(dtype)
    made["embed"] = torch.randn(17, 10, generator=draw)
    made["nan"] = torch.tensor([float("nan"), float("inf"), -0.0, 1e-45])
    return made


def same(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and torch.equal(a.contiguous().view(-1).view(torch.uint8) if a.numel() else a, b.contiguous().view(-1).view(torch.uint8) if b.numel() else b)


def reshard(*command):
    done = subprocess.run([tw, "reshard", *command], capture_output=True, text=True, check=False)
    check(done.returncode == 0, f"tw reshard {' '.join(command)}: exit {done.returncode}: {done.stderr}")
    return done.returncode == 0


def check_whole(source, wanted, tmp, what):
    target = os.path.join(tmp, what.replace(" ", "_") + ".safetensors")
    if not reshard(source, target, "--whole", "--verify"):
        return
    found = load_file(target)
    check(set(found) == set(wanted), f"{what}: arrays {sorted(set(found) ^ set(wanted))} are on one side alone")
    for name in set(found) & set(wanted):
        check(same(found[name], wanted[name]), f"{what}: {name} {found[name]} is not {wanted[name]}")


def test_safetensors(tmp):
    wanted = tensors(1)
    path = os.path.join(tmp, "one.safetensors")
    save_file(wanted, path)
    check_whole(path, wanted, tmp, "safetensors")
    from huggingface_hub import save_torch_state_dict

    folder = os.path.join(tmp, "hub")
    os.makedirs(folder)
    save_torch_state_dict(wanted, folder, max_shard_size=300)
    check(len([f for f in os.listdir(folder) if f.endswith(".safetensors")]) > 2, "the hub's library made no shards")
    check_whole(folder, wanted, tmp, "hub")


def test_tiles(tmp):
    """Tiles that tw wrote, put together here as the index says."""
    wanted = tensors(2)
    path, folder = os.path.join(tmp, "source.safetensors"), os.path.join(tmp, "tiles")
    save_file(wanted, path)
    if not reshard(path, folder, "--mesh", "a=2,b=3", "-a", "tile(arg=embed, dim=0, axis=b); tile(arg=embed, dim=1, axis=a)"):
        return
    with open(os.path.join(folder, "model.safetensors.index.json"), encoding="utf-8") as file:
        index = json.load(file)
    again = torch.zeros_like(wanted["embed"])
    seen = torch.zeros(again.shape, dtype=torch.int64)
    for part in index["tiles"]["embed"]["parts"]:
        with safe_open(os.path.join(folder, part["file"]), "pt") as file:
            tile = file.get_tensor("embed")
        box = tuple(slice(o, o + n) for o, n in zip(part["offset"], part["extent"]))
        again[box] = tile
        seen[box] += 1
    check(same(again, wanted["embed"]) and bool((seen == 1).all()), "tiles of embed are not the array")


def rank_main(rank, tmp, port):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    dist.init_process_group("gloo", rank=rank, world_size=RANKS)
    mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("data", "model"))
    state = {}
    for name, tensor in tensors(3).items():
        if tensor.dim() >= 2:
            state[name] = distribute_tensor(tensor, mesh, [Shard(0), Shard(1)], src_data_rank=None)
        elif tensor.dim() == 1 and not tensor.dtype.is_floating_point:
            state[name] = tensor
        elif tensor.dim() == 1:
            state[name] = distribute_tensor(tensor, mesh, [Shard(0), Replicate()], src_data_rank=None)
        else:
            state[name] = tensor
    optimizer = {"step": 7, "moments": {"embed": distribute_tensor(tensors(4)["embed"], mesh, [Replicate(), Shard(0)], src_data_rank=None)}}
    assert isinstance(state["embed"], DTensor)
    dcp.save({"model": state, "optimizer": optimizer}, checkpoint_id=os.path.join(tmp, "dcp"))
    dist.destroy_process_group()


def test_distributed(tmp):
    """Of four ranks: tiles along both dimensions, replicated ones, plain tensors and what is no tensor."""
    import socket

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    torch.multiprocessing.spawn(rank_main, (tmp, port), nprocs=RANKS)
    wanted = {f"model.{name}": tensor for name, tensor in tensors(3).items()}
    wanted["optimizer.moments.embed"] = tensors(4)["embed"]
    check_whole(os.path.join(tmp, "dcp"), wanted, tmp, "distributed")


def main():
    with tempfile.TemporaryDirectory() as tmp:
        for test in (test_safetensors, test_tiles, test_distributed):
            folder = os.path.join(tmp, test.__name__)
            os.makedirs(folder)
            test(folder)
    print(f"torch {torch.__version__}: {len(failures)} failures")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
