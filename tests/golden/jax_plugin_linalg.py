# SPDX-License-Identifier: Apache-2.0
"""Linear algebra as jax_plugin_programs.py has other things: what any platform can do, and what calls LAPACK, which JAX lowers so for platforms
of the name "cpu" alone. What is unique up to signs or order answers what follows from it."""

import functools
import os

import jax
import jax.numpy as jnp
import jax.scipy.linalg as jsl
import numpy as np
from jax import lax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

from jax_plugin_programs import MESH, sharded

PROGRAMS = {}
TYPES = ("float32", "float64", "complex64", "complex128")


def program(function):
    @functools.wraps(function)
    def run():
        with jax.enable_x64(True):
            return function()

    PROGRAMS[function.__name__] = run
    return run


def batch(shape, dtype, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(shape)
    return (x + 1j * rng.standard_normal(shape) if dtype.startswith("c") else x).astype(dtype)


def positive(x):
    return x @ jnp.conj(jnp.swapaxes(x, -1, -2)) + x.shape[-1] * jnp.eye(x.shape[-1], dtype=x.dtype)


def over_batch(function, x):
    """On 8 devices, each with one member of the batch; and the results stay there."""
    made = jax.jit(function)(sharded(x, ("x", "y")))
    for a in jax.tree.leaves(made):
        assert a.sharding.is_equivalent_to(NamedSharding(MESH, P(("x", "y"))), a.ndim), (a.sharding, a.shape)
    return made


def everywhere(function, square=True):
    """For each type: a batch over the devices, and what is small, empty or wide on one."""
    made = []
    for dtype in TYPES:
        made.append(over_batch(function, batch((8, 5, 5), dtype)))
        for shape in ((4, 4), (2, 3, 3, 3), (1, 1)) if square else ((6, 4), (2, 3, 5), (1, 1)):
            made.append(jax.jit(function)(batch(shape, dtype)))
    return made


@program
def cholesky_and_solve():
    def function(x):
        a = positive(x)
        factor = jnp.linalg.cholesky(a)
        return factor, jnp.linalg.cholesky(a, upper=True), jnp.linalg.solve(a, x), jnp.linalg.inv(a), jsl.cho_solve((factor, True), x)

    return everywhere(function)


@program
def determinants():
    return everywhere(lambda x: (jnp.linalg.det(x), *jnp.linalg.slogdet(positive(x)), lax.linalg.lu(x)[0], lax.linalg.lu(x)[2]))


@program
def triangular_solves():
    def function(x):
        a = x + 4 * jnp.eye(x.shape[-1], dtype=x.dtype)
        solve = functools.partial(lax.linalg.triangular_solve, a, x)
        return solve(left_side=True, lower=True), solve(lower=False, transpose_a=True), solve(lower=True, conjugate_a=True, transpose_a=True, unit_diagonal=True)

    return everywhere(function)


@program
def orthogonal_factors():
    def function(x):
        q, r = jnp.linalg.qr(x)
        return q @ r, jnp.conj(jnp.swapaxes(q, -1, -2)) @ q, jnp.abs(r)

    return everywhere(function, square=False)


@program
def exponentials():
    return everywhere(lambda x: jsl.expm(x / 4))


@program
def tridiagonal_systems():
    return [lax.linalg.tridiagonal_solve(x[..., 0], x[..., 1] + 9, x[..., 2], x) for x in (batch((8, 5, 5), "float32"), batch((6, 6), "float64"))]


@program
def gradients_of_factors():
    def loss(x):
        a = positive(x)
        return jnp.sum(jnp.linalg.cholesky(a)) + jnp.sum(jnp.linalg.solve(a, x)) + jnp.linalg.slogdet(a)[1].sum()

    return jax.jit(jax.grad(loss))(sharded(batch((8, 4, 4), "float64"), ("x", "y")))


@program
def matrices_without_factors():
    return jnp.linalg.cholesky(-jnp.eye(3)), jnp.linalg.det(jnp.zeros((2, 2))), jnp.linalg.slogdet(jnp.zeros((2, 2)))[0]


@program
def lapack_singular_values():
    def function(x):
        u, s, v = jnp.linalg.svd(x, full_matrices=False)
        return s, (u * s[..., None, :].astype(x.dtype)) @ v, jnp.linalg.svd(x, compute_uv=False), jnp.abs(jnp.linalg.svd(x)[0])

    return everywhere(function, square=False), jnp.linalg.pinv(batch((5, 3), "float32")), jnp.linalg.matrix_rank(batch((5, 3), "float32"))


@program
def lapack_least_squares():
    return jnp.linalg.lstsq(batch((6, 3), "float64"), batch((6, 2), "float64", 1))


@program
def lapack_symmetric():
    def function(x):
        a = positive(x)
        w, v = jnp.linalg.eigh(a)
        return w, jnp.linalg.eigvalsh(a), (v * w[..., None, :].astype(x.dtype)) @ jnp.conj(jnp.swapaxes(v, -1, -2)), *lax.linalg.tridiagonal(a)[1:3]

    return everywhere(function), jax.jit(jax.grad(lambda x: jnp.linalg.eigh(positive(x))[0][0]))(batch((4, 4), "float64"))


@program
def lapack_general():
    def function(x):
        w, v = jnp.linalg.eig(x)
        return w, (v * w[..., None, :]) @ jnp.linalg.inv(v)

    return everywhere(function)


@program
def lapack_forms():
    def function(x):
        t, z = lax.linalg.schur(x)
        h, q = lax.linalg.hessenberg(x)
        return z @ t @ jnp.conj(jnp.swapaxes(z, -1, -2)), h

    return everywhere(function)


@program
def lapack_pivots():
    def function(x):
        q, r, pivots = lax.linalg.qr(x, pivoting=True, full_matrices=False)
        return q @ r, jnp.abs(r), pivots

    return everywhere(function, square=False), lax.linalg.tridiagonal_solve(jnp.array([0.0, 1.0, 0.0]), jnp.ones(3), jnp.ones(3), jnp.ones((3, 1)))


@program
def lapack_without_the_library():
    """Another process of ours, that finds no library: an error with the call and its source line, and JAX goes on."""
    if "PJRT_NAMES_AND_LIBRARY_PATHS" in os.environ:
        import subprocess
        import sys

        text = ("import jax, jax.numpy as jnp\ntry:\n    jnp.linalg.eigh(jnp.eye(3))\nexcept jax.errors.JaxRuntimeError as error:\n    print(error)\n"
                "print(jnp.arange(3) + 1)")
        done = subprocess.run([sys.executable, "-c", text], env=os.environ | {"TW_LAPACK": "/nowhere"}, capture_output=True, text=True, timeout=600, check=True)
        for word in "UNIMPLEMENTED", "lapack_ssyevd_ffi", "needs LAPACK", "liblapack3", "<string>", "[1 2 3]":
            assert word in done.stdout, (word, done.stdout)
    return jnp.ones(1)
