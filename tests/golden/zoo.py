# SPDX-License-Identifier: Apache-2.0
"""Natural shardings of the programs of examples/models/zoo, over an axis x."""

SHARDINGS = {
    "decode": ["tile(arg=arg5, dim=0, axis=x)", "tile(arg=arg1, dim=1, axis=x); tile(arg=arg2, dim=1, axis=x)"],  # batch; width
    "dropout": ["tile(arg=arg1, dim=0, axis=x)", "tile(arg=arg2, dim=1, axis=x)"],  # batch; features
    "expert_step": ["tile(arg=arg3, dim=0, axis=x)", "tile(arg=arg1, dim=0, axis=x); tile(arg=arg2, dim=0, axis=x)"],  # groups of tokens; experts
    "fft_filter": ["tile(arg=arg0, dim=0, axis=x)", "tile(arg=arg0, dim=1, axis=x)"],  # images; rows
    "graph_step": ["tile(arg=arg3, dim=0, axis=x); tile(arg=arg4, dim=0, axis=x)", "tile(arg=arg0, dim=1, axis=x)"],  # edges; features
    "lstm_step": ["tile(arg=arg4, dim=1, axis=x)", "tile(arg=arg3, dim=0, axis=x)"],  # batch; hidden
    "moe_step": ["tile(arg=arg3, dim=0, axis=x)", "tile(arg=arg1, dim=0, axis=x); tile(arg=arg2, dim=0, axis=x)"],  # tokens; experts
    "resnet_step": ["tile(arg=arg8, dim=0, axis=x)", "tile(arg=arg8, dim=1, axis=x)", "tile(arg=arg1, dim=3, axis=x)"],  # batch; space; features
    "stencil": ["tile(arg=arg0, dim=0, axis=x)", "tile(arg=arg0, dim=1, axis=x)"],  # rows; columns
}
