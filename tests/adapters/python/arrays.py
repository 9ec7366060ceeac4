# SPDX-License-Identifier: MIT
"""Arrays of all types and layouts, and keys for them, drawn by hypothesis."""

import math

import ml_dtypes
import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

# The same examples in every run.
settings.register_profile("clslice", database=None, deadline=None, derandomize=True)
settings.load_profile("clslice")

# Items of every width that one word moves, of more, and of odd ones.
DTYPES = [
    *map(
        np.dtype,
        "? b B h H i I q Q e f d g F D S1 S3 S16 U1 U2 U3 V4 V12 >i2 >f8 M8[ns] m8[D]".split(),
    ),
    *map(np.dtype, (ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn)),
    np.dtype([("number", "f4"), ("tag", "u1")]),
    np.dtype([("x", "f8"), ("y", "f8")]),
]

SENTINEL = 0xA5


def filled(dtype, shape, offset=0):
    """An array of bytes that differ, `offset` bytes behind where an allocation begins."""
    size = math.prod(shape) * dtype.itemsize
    memory = np.random.default_rng(size).integers(
        0, 2 if dtype == bool else 256, offset + size, np.uint8
    )
    return np.ndarray(shape, dtype, memory, offset)


@st.composite
def shapes(draw, max_dims=5):
    shape = list(draw(hnp.array_shapes(min_dims=0, max_dims=max_dims, min_side=0, max_side=6)))
    if shape and draw(st.booleans()):  # one long enough for whole words
        shape[draw(st.integers(0, len(shape) - 1))] = draw(st.integers(30, 150))
    return tuple(shape)


@st.composite
def layouts(draw, max_dims=5, dtypes=DTYPES):
    """A view of another array: reversed, thinned out, transposed, repeated, misaligned."""
    dtype = draw(st.sampled_from(dtypes))
    array = filled(
        dtype, draw(shapes(max_dims)), draw(st.sampled_from((0, 0, 1, 4, dtype.itemsize)))
    )
    if draw(st.booleans()):
        array = array[
            (*map(slice, [None] * array.ndim, [None] * array.ndim, draw(steps(array.ndim))), ...)
        ]
    if draw(st.booleans()):
        array = array.transpose(draw(st.permutations(range(array.ndim))))
    if array.ndim < max_dims and draw(st.integers(0, 3)) == 0:
        array = np.broadcast_to(array, (draw(st.integers(1, 4)), *array.shape))
    return array


def steps(count):
    return st.lists(st.sampled_from((1, 1, 2, 3, -1, -2)), min_size=count, max_size=count)


def keys(shape):
    return hnp.basic_indices(shape, max_dims=8, allow_newaxis=True, allow_ellipsis=True)


@st.composite
def outputs(draw, dtype, shape):
    """(memory, view): a writable array of that type and shape inside sentinels, in any layout."""
    order = draw(st.permutations(range(len(shape))))
    factors = draw(steps(len(shape)))
    room = [shape[axis] * abs(factors[axis]) for axis in order]
    memory = np.full(math.prod(room) * dtype.itemsize + 8, SENTINEL, np.uint8)
    offset = draw(st.sampled_from((0, 0, 1, 8)))
    view = np.ndarray(room, dtype, memory, offset).transpose(np.argsort(order))
    view = view[(*(slice(None, None, factor) for factor in factors), ...)]
    return memory, view


def viewed(x, key):
    """x[key] as an array, also where NumPy would give a scalar."""
    key = key if isinstance(key, tuple) else (key,)
    return x[key if Ellipsis in key else (*key, ...)]
