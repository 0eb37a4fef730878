# SPDX-License-Identifier: Apache-2.0
"""How near arrays of a run of ours have to be to those of JAX."""

import numpy as np

TOLERANCE = {"float16": 1e-2, "bfloat16": 3e-2}  # of an array's largest; others 1e-4, integers exactly, NaN where there is NaN


def difference(ours, theirs):
    """What is wrong, or None."""
    theirs = np.asarray(theirs)
    if ours.shape != theirs.shape:
        return f"{ours.shape}, expected {theirs.shape}"
    if theirs.dtype.kind in "biu":
        return None if np.array_equal(ours, theirs) else f"{np.sum(ours != theirs)} of {theirs.size} differ"
    ours, expected = (np.asarray(a).astype(np.complex128 if theirs.dtype.kind == "c" else np.float64) for a in (ours, theirs))
    largest = max(float(np.nanmax(np.abs(expected), initial=0)), 1e-30)
    apart = np.where(np.isnan(ours) & np.isnan(expected), 0, np.abs(ours - expected))
    worst = float(np.max(apart, initial=0)) / largest
    return None if worst <= TOLERANCE.get(str(theirs.dtype), 1e-4) else f"{worst:.1e} of the largest"
