# SPDX-License-Identifier: MIT
"""The slices to measure, as NumPy writes them. Their names are those of `clslice bench`."""

import dataclasses
import math

import numpy as np


def packed(sizes):
    """Strides in elements, the last dimension innermost."""
    return tuple(math.prod(sizes[i + 1 :]) for i in range(len(sizes)))


def draw(name, size, dtype, sizes, strides, window, out_sizes):
    """A slice into a packed output as `clslice bench --random N --list` prints it."""
    offsets, windows, steps = window
    return {
        "case": name,
        "seed": "",
        "bytes": size,
        "dtype": dtype,
        "in_shape": sizes,
        "in_strides": strides,
        "window_offsets": offsets,
        "window_sizes": windows,
        "window_strides": steps,
        "out_shape": out_sizes,
        "out_strides": packed(out_sizes),
        "in_offset": 0,
        "out_offset": 0,
    }


@dataclasses.dataclass(frozen=True)
class Case:
    name: str
    dtype: str
    sizes: tuple
    text: str  # the key: one slice per dimension
    is_broadcast: bool = False  # the input is one row, read for every row
    is_transposed: bool = False  # the output lies column by column

    in_offset = out_offset = 0  # elements from the storage to the tensor
    is_gradient = False

    @property
    def key(self):
        parts = [part.split(":") for part in self.text.split(",")]
        return tuple(slice(*(int(n) if n.strip() else None for n in part)) for part in parts)

    @property
    def ranges(self):
        """The indices that the output takes, per dimension."""
        return tuple(range(size)[part] for size, part in zip(self.sizes, self.key))

    @property
    def out_sizes(self):
        return tuple(map(len, self.ranges))

    @property
    def in_strides(self):
        return (0,) + packed(self.sizes)[1:] if self.is_broadcast else packed(self.sizes)

    @property
    def out_strides(self):
        return packed(self.out_sizes[::-1])[::-1] if self.is_transposed else packed(self.out_sizes)

    @property
    def window(self):
        """SLICE1's InputWindowOffsets, InputWindowSizes and InputWindowStrides."""
        lowest = [min(r[0], r[-1]) for r in self.ranges]
        spans = [abs(r[-1] - r[0]) + 1 for r in self.ranges]
        return lowest, spans, [r.step for r in self.ranges]

    @property
    def in_bytes(self):
        elements = math.prod(self.sizes[1:] if self.is_broadcast else self.sizes)
        return elements * np.dtype(self.dtype).itemsize

    @property
    def out_bytes(self):
        return math.prod(self.out_sizes) * np.dtype(self.dtype).itemsize

    @property
    def storage_bytes(self):
        """Of both tensors."""
        return self.in_bytes, self.out_bytes

    def scaled(self, factor):
        """With so many times the first dimension."""
        return dataclasses.replace(self, sizes=(self.sizes[0] * factor,) + self.sizes[1:])

    def of_size(self, in_bytes):
        """With an input of about so many bytes, by the first two dimensions."""
        side = math.sqrt(in_bytes / self.in_bytes)
        sizes = tuple(int(n * side) for n in self.sizes[:2]) + self.sizes[2:]
        return dataclasses.replace(self, sizes=sizes)


# Inputs of 64 MiB or a little less or more: see --scale.
CASES = (
    Case("copy_all", "float32", (4096, 4096), ":, :"),
    Case("crop_aligned", "float32", (4096, 4096), ":, 16:-16"),
    Case("crop_odd", "float32", (4096, 4096), ":, 1:-2"),
    Case("crop_odd_u8", "uint8", (4096, 16384), ":, 1:-2"),
    Case("qkv_split", "float16", (2048, 3, 32, 170), ":, 1:2, :, :"),
    Case("kv_cache_head", "float16", (32, 8192, 128), ":, :5000, :"),
    Case("rope_even", "float16", (8192, 32, 128), ":, :, ::2"),
    Case("rope_odd", "float16", (8192, 32, 128), ":, :, 1::2"),
    Case("focus", "float32", (14, 3, 640, 640), ":, :, ::2, 1::2"),
    Case("stride2_f32", "float32", (4096, 4096), ":, ::2"),
    Case("stride2_u8", "uint8", (4096, 16384), ":, ::2"),
    Case("stride3_i16", "int16", (4096, 8192), ":, ::3"),
    Case("rows_outer2", "float32", (4096, 4096), "::2, :"),
    Case("flip_f32", "float32", (4096, 4096), ":, ::-1"),
    Case("flip_f16", "float16", (4096, 8192), ":, ::-1"),
    Case("flip_u8", "uint8", (4096, 16384), ":, ::-1"),
    Case("flip_rows", "float32", (4096, 4096), "::-1, :"),
    Case("rgb_to_bgr", "uint8", (4096, 5461, 3), ":, :, ::-1"),
    Case("rgba_to_rgb", "uint8", (4096, 4096, 4), ":, :, :3"),
    Case("one_channel", "uint8", (4096, 5461, 3), ":, :, 1:2"),
    Case("column", "float64", (131072, 64), ":, 7:8"),
    Case("rank8_stride2", "float32", (4, 8, 8, 8, 8, 8, 8, 16), ":, ::2, :, ::2, :, ::2, :, ::2"),
    Case("rank8_flip", "int32", (8,) * 8, ", ".join(["::-1"] * 8)),
    Case("transpose_out", "float32", (4096, 4096), ":, :", is_transposed=True),
    Case("broadcast_in", "float32", (4096, 4096), ":, :", is_broadcast=True),
)

# What is measured at every size: a crop, a flip, a stride and a shuffle.
SWEPT = ("crop_odd", "flip_f32", "stride2_f32", "rgb_to_bgr")
SWEEP_BYTES = tuple(4096 * 4**k for k in range(8))


def size_text(size):
    """Of a power of two in bytes."""
    return f"{size >> 20} MiB" if size >= 1 << 20 else f"{size >> 10} KiB"
