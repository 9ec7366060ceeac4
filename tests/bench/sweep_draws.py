# SPDX-License-Identifier: MIT
"""Slices as `clslice bench --random N --list` prints them, and gradients, in lines of JSON."""

import dataclasses

import numpy as np

# Of the same bits: PyTorch does not copy every unsigned type on every device.
SIGNED = {"uint16": "int16", "uint32": "int32", "uint64": "int64"}
SHORT = 32


@dataclasses.dataclass(frozen=True, eq=False)
class Draw:
    """A line, with the attributes that peers_cases.Case has for those who slice. Equal to itself
    alone."""

    line: dict

    @property
    def name(self):
        return self.line["case"]

    @property
    def family(self):
        return self.name.split("/")[0]

    @property
    def number(self):
        return int(self.name.split("/")[1])

    @property
    def dtype(self):
        return SIGNED.get(self.line["dtype"], self.line["dtype"])

    @property
    def width(self):
        return np.dtype(self.dtype).itemsize

    @property
    def bytes(self):
        """What was asked for."""
        return self.line["bytes"]

    @property
    def sizes(self):
        return tuple(self.line["in_shape"])

    @property
    def in_strides(self):
        return tuple(self.line["in_strides"])

    @property
    def out_sizes(self):
        return tuple(self.line["out_shape"])

    @property
    def out_strides(self):
        return tuple(self.line["out_strides"])

    @property
    def in_offset(self):
        return self.line["in_offset"]

    @property
    def out_offset(self):
        return self.line["out_offset"]

    @property
    def operator(self):
        return self.line.get("operator", "slice1")

    @property
    def is_gradient(self):
        return self.operator == "slice_grad"

    @property
    def counts(self):
        """Of the elements that are moved."""
        return self.sizes if self.is_gradient else self.out_sizes

    @property
    def window(self):
        return [self.line[f"window_{member}"] for member in ("offsets", "sizes", "strides")]

    @property
    def ranges(self):
        """The indices that a slice takes of its input, and a gradient fills of its output, per
        dimension: a negative step begins at the window's end."""
        ranges = []
        for offset, size, step, count in zip(*self.window, self.counts):
            first = offset + size - 1 if step < 0 else offset
            ranges.append(range(first, first + count * step, step))
        return tuple(ranges)

    @property
    def key(self):
        return tuple(slice(r.start, r.stop if r.stop >= 0 else None, r.step) for r in self.ranges)

    @property
    def is_short(self):
        """Of those whose rows are so short that a kernel for any shape has much to compute: rows,
        pixels, interleave, and of perm those of 1 or 2 bytes where fewer than SHORT elements are
        neighbours in the memory of the output or of the input."""
        if self.family != "perm":
            return self.family in ("rows", "pixels", "interleave")
        innermost = (strides.index(min(strides)) for strides in (self.out_strides, self.in_strides))
        return self.width <= 2 and min(self.counts[axis] for axis in innermost) < SHORT

    @property
    def storage_bytes(self):
        tensors = (
            (self.in_offset, self.sizes, self.in_strides),
            (self.out_offset, self.out_sizes, self.out_strides),
        )
        return tuple(
            self.width * (offset + 1 + sum((n - 1) * s for n, s in zip(sizes, strides)))
            for offset, sizes, strides in tensors
        )

    def mark(self, peer, device, launches):
        """What a result is found again by."""
        return self.operator, self.name, self.line["seed"], self.bytes, peer, device, launches
