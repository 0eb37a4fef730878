# SPDX-License-Identifier: Apache-2.0
"""Modules that tw writes as text and as artifacts, as jaxlib reads them. What imports this has jax_lane before it."""

import re

from jax._src.interpreters import mlir
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo


def version_of(artifact):
    return re.match(rb"ML\xefR.StableHLO_v([0-9.]+)\0", artifact, re.DOTALL)[1].decode()


def read(artifact, context):
    """The module of an artifact, which passes MLIR's verifier."""
    module = stablehlo.deserialize_portable_artifact(context, artifact)
    module.operation.verify()
    return module


def difference(text, artifact):
    """The first line in which an artifact is another module than that of jaxlib's own artifact of the text, in the same version; "" where there is
    none. And the text that MLIR prints of ours."""
    with mlir.make_ir_context() as context:
        theirs = str(read(stablehlo.serialize_portable_artifact(ir.Module.parse(text), version_of(artifact), True), context))
        ours = str(read(artifact, context))
    lines = [f"{a}\n  {b}" for a, b in zip(theirs.split("\n"), ours.split("\n")) if a != b]
    return ("" if theirs == ours else (lines or ["one of them is shorter"])[0]), ours
