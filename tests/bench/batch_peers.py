#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What batches.c measures, as PyTorch on a GPU does it: crops by torch.stack and by a loop of
copies, pages by index_select and index_copy_. With TABLE, in place of those, the pages, blocks and
scattered pages of a table that batch_draws printed, and PyTorch's time divided by clslice's.
Microseconds, medians: from the call to completion, and back to back. The input has MiB, 2048 where
nothing is said."""

import argparse
import functools
import math
import statistics
import sys
import time

import torch

TURNS, IN_A_ROW, CROPS, PAGES = 21, 20, 1000, 4096
TYPES = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


def measured(once, has_rows=True):
    """From the call to completion, and back to back."""

    def taken(count):
        torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(count):
            once()
        torch.cuda.synchronize()
        return 1e6 * (time.perf_counter() - start) / count

    turns = TURNS if has_rows else 5
    taken(2)
    single = statistics.median(taken(1) for _ in range(turns))
    row = statistics.median(taken(IN_A_ROW) for _ in range(turns)) if has_rows else single
    return single, row


def report(name, once, has_rows=True):
    single, row = measured(once, has_rows)
    print(f"| {name} | {single:.0f} | {row:.0f} |", flush=True)


# ---- What batches measures ----


def crops(storage, side):
    frames = storage[: len(storage) // 6220800 * 6220800].view(-1, 1080, 1920, 3)
    limits = (len(frames), 1081 - side, 1921 - side)
    places = torch.stack([torch.randint(n, (CROPS,)) for n in limits], 1).tolist()
    out = torch.empty((CROPS, side, side, 3), dtype=torch.uint8, device="cuda")
    parts = [frames[f, y : y + side, x : x + side] for f, y, x in places]

    def loop():
        for i, (f, y, x) in enumerate(places):
            out[i].copy_(frames[f, y : y + side, x : x + side])

    name = f"{CROPS} crops of {side} x {side} x 3"
    report(f"{name}, torch.stack of views", lambda: torch.stack(parts, out=out))
    report(f"{name}, loop", loop, False)


def pages(storage, kib):
    page = kib * 128
    values = storage[: len(storage) // 8 * 8].view(torch.float64)
    memory = values[: len(values) // page * page].view(-1, page)
    if len(memory) < PAGES:
        return
    index = torch.randperm(len(memory), device="cuda")[:PAGES]
    to = torch.randperm(PAGES, device="cuda")
    out = torch.empty((PAGES, page), dtype=torch.float64, device="cuda")
    name = f"{PAGES} pages of {kib} KiB"
    report(f"{name}, index_select", lambda: torch.index_select(memory, 0, index, out=out))
    report(f"{name}, index_copy_", lambda: out.index_copy_(0, to, memory[:PAGES]))


# ---- What batch_draws measured ----


def draws(table):
    """(kind, bytes of an element, sizes of the input and of an item, items, microseconds)"""
    for line in table:
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) > 12 and cells[0] in ("pages", "blocks", "scattered"):
            sizes = [tuple(map(int, cells[i].replace("-", "").split())) for i in (2, 3)]
            yield cells[0], int(cells[1]), *sizes, int(cells[6]), float(cells[9]), float(cells[11])


def draw(storage, kind, width, sizes, item, count):
    """PyTorch's function for it, to call."""
    axis = 0 if kind == "blocks" else 2
    elements = math.prod(sizes)
    if elements * width > len(storage):
        sys.exit("batch_peers.py: the table was measured with a larger input")
    memory = storage[: elements * width].view(TYPES[width]).view(sizes)
    memory = memory[tuple(slice(n) if i != axis else slice(None) for i, n in enumerate(item))]
    out = torch.empty(
        [count if i == axis else n for i, n in enumerate(item)], dtype=TYPES[width], device="cuda"
    )
    if kind == "scattered":
        to = torch.randperm(count, device="cuda")
        return functools.partial(out.index_copy_, axis, to, memory.narrow(axis, 0, count))
    index = torch.randperm(sizes[axis], device="cuda")[:count]
    return functools.partial(torch.index_select, memory, axis, index, out=out)


def compare(storage, table):
    print("| kind | bytes | input | item | items | PyTorch | ratio | back to back | ratio |")
    print("|---|---:|---|---|---:|---:|---:|---:|---:|")
    ratios = {}
    for kind, width, sizes, item, count, single, row in draws(table):
        times = measured(draw(storage, kind, width, sizes, item, count))
        ratio = times[0] / single, times[1] / row
        ratios.setdefault(kind, []).append(ratio)
        shape = (" ".join(map(str, n)) for n in (sizes, item))
        print(
            f"| {kind} | {width} | {' | '.join(shape)} | {count} | {times[0]:.0f} |"
            f" {ratio[0]:.2f} | {times[1]:.0f} | {ratio[1]:.2f} |",
            flush=True,
        )
    for kind, all_of_kind in ratios.items():
        for name, numbers in zip(("PyTorch", "back to back"), zip(*all_of_kind)):
            mean = statistics.geometric_mean(numbers)
            print(f"{kind}, {name}: least {min(numbers):.2f}, mean {mean:.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mib", type=int, nargs="?", default=2048, metavar="MIB")
    parser.add_argument("table", type=argparse.FileType(), nargs="?", metavar="TABLE")
    arguments = parser.parse_args()
    storage = torch.randint(256, (arguments.mib << 20,), dtype=torch.uint8, device="cuda")
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}; microseconds\n")
    if arguments.table:
        compare(storage, arguments.table)
        return
    print("| items | call to completion | back to back |\n|---|---:|---:|")
    for side in (224, 64, 32):
        crops(storage, side)
    for kib in (4, 8, 32, 128):
        pages(storage, kib)


main()
