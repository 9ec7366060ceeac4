#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints slices drawn at random that belong to no class, as sweep.py and builds.py read them: of 2
to 4 dimensions in any order of the input, some repeated, with steps of -2 to 3 and, if asked for,
gaps in the output."""

import argparse
import json
import math
import random

import peers_cases

WIDTHS = (1, 1, 2, 2, 4, 8)  # bytes of an element
STEPS = (1, 1, 1, 1, 2, 3, -1, -2)
GAPS = (1, 1, 2, 3, 8)  # elements
SHORT, LONG = (2, 64), (16, 3000)  # sizes of a dimension, and of some of the innermost
INPUT_MOST = 8  # times the output


def log_uniform(draw, least, most):
    return round(least * (most / least) ** draw.random())


def sizes_of(draw, elements):
    """Of the output: one of the outer dimensions has what the others leave of the elements."""
    sizes = [log_uniform(draw, *SHORT) for _ in range(draw.randint(2, 4))]
    if draw.random() < 0.4:
        sizes[-1] = log_uniform(draw, *LONG)
    rest = draw.randrange(len(sizes) - 1)
    sizes[rest] = elements // (math.prod(sizes) // sizes[rest])
    return sizes


def strides_of(draw, sizes):
    """Of an input with such sizes, packed but for what its order is."""
    order = list(range(len(sizes)))
    if draw.random() < 0.5:
        draw.shuffle(order)
    strides = [0] * len(sizes)
    for place, axis in enumerate(order):
        strides[axis] = math.prod(sizes[a] for a in order[place + 1 :])
    if draw.random() < 0.12:
        strides[draw.randrange(len(sizes))] = 0
    return strides


def gapped(draw, sizes):
    """Strides of the output, with a gap behind one dimension at least."""
    strides, apart, gap = [0] * len(sizes), 1, draw.randrange(1, len(sizes))
    for axis in reversed(range(len(sizes))):
        strides[axis] = apart
        apart *= sizes[axis]
        if axis == gap or (axis > 0 and draw.random() < 0.2):
            apart += draw.choice((*GAPS, sizes[axis]))
    return strides


def slice_of(draw, name, size, has_gaps):
    """A line, or None where the input would be too large or the output empty."""
    width = draw.choice(WIDTHS)
    sizes = sizes_of(draw, size // width)
    steps = [draw.choice(STEPS) for _ in sizes]
    windows = [(n - 1) * abs(step) + 1 for n, step in zip(sizes, steps)]
    in_sizes = [n + draw.choice((0, 0, 1, 3)) for n in windows]
    strides = strides_of(draw, in_sizes)
    out_strides = gapped(draw, sizes) if has_gaps else peers_cases.packed(sizes)
    if min(sizes) < 1 or math.prod(in_sizes) * width > INPUT_MOST * size:
        return None
    window = [0] * len(sizes), windows, steps
    line = peers_cases.draw(name, size, f"uint{8 * width}", in_sizes, strides, window, sizes)
    return {**line, "out_strides": out_strides}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", default="1", help="any text; default: %(default)s")
    parser.add_argument("--count", type=int, default=100, help="slices; default: %(default)s")
    parser.add_argument("--mib", type=int, default=64, help="of an output; default: %(default)s")
    parser.add_argument("--gaps", action="store_true", help="all outputs have gaps")
    arguments = parser.parse_args()
    draw, number = random.Random(arguments.seed), 0
    while number < arguments.count:
        line = slice_of(draw, f"mixed/{number}", arguments.mib << 20, arguments.gaps)
        if line:
            print(json.dumps(line))
            number += 1


if __name__ == "__main__":
    main()
