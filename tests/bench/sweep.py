#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Slices drawn at random, of clslice beside those of NumPy, PyTorch and CuPy: reads the lines that
`clslice bench --random N --list` prints, or those of --json in place of --list, from a file or from
standard input.

Operands and samples are those of peers.py. A ratio is the peer's time over clslice's, the median of
the pairs. A draw below 0.97 is measured twice more, and the median of the three ratios counts; if
that is below 0.97, clslice is "behind".
"""

import argparse
import dataclasses
import itertools
import json
import os
import signal
import statistics
import sys
import time

import numpy as np

import clslice_ctypes
import peers
import peers_contest
import peers_libraries
import peers_report

NAMES = ("numpy", "torch", "cupy")
COMPILED_DRAWS = 4  # of a class: compiling takes seconds
WORST = 10
# Of the same bits: PyTorch does not copy every unsigned type on every device.
SIGNED = {"uint16": "int16", "uint32": "int32", "uint64": "int64"}


@dataclasses.dataclass(frozen=True)
class Draw:
    """A line, with the attributes that peers_cases.Case has for those who slice."""

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
    def window(self):
        return [self.line[f"window_{member}"] for member in ("offsets", "sizes", "strides")]

    @property
    def ranges(self):
        """The indices that the output takes, per dimension: a negative step begins at the window's
        end."""
        ranges = []
        for offset, size, step, count in zip(*self.window, self.out_sizes):
            first = offset + size - 1 if step < 0 else offset
            ranges.append(range(first, first + count * step, step))
        return tuple(ranges)

    @property
    def key(self):
        return tuple(slice(r.start, r.stop if r.stop >= 0 else None, r.step) for r in self.ranges)

    @property
    def storage_bytes(self):
        width = np.dtype(self.dtype).itemsize
        tensors = (
            (self.in_offset, self.sizes, self.in_strides),
            (self.out_offset, self.out_sizes, self.out_strides),
        )
        return tuple(
            width * (offset + 1 + sum((n - 1) * s for n, s in zip(sizes, strides)))
            for offset, sizes, strides in tensors
        )

    def mark(self, peer, device):
        """What a result is found again by."""
        return self.name, self.line["seed"], self.line["bytes"], peer, device


class TorchCompile(peers_libraries.Torch):
    """PyTorch's copy, with torch.flip where a step is negative, compiled for the shape."""

    label = "torch.compile"

    def __init__(self, device):
        super().__init__(device)
        import torch._dynamo
        import torch._inductor.config

        # What cannot be compiled is an error, not something slower.
        torch._dynamo.config.suppress_errors = False
        torch._inductor.config.implicit_fallbacks = False

    def prepare(self, case, source, target, stack):
        if case.number >= COMPILED_DRAWS:
            return None
        return super().prepare(case, source, target, stack)

    def _copy(self, view, flipped, out):
        torch = self.torch

        def copy(view, out):
            out.copy_(torch.flip(view, flipped) if flipped else view)

        torch._dynamo.reset()
        torch._dynamo.utils.counters.clear()
        compiled = torch.compile(copy, dynamic=False, fullgraph=True)
        compiled(view, out)
        graphs = torch._dynamo.utils.counters["stats"]["unique_graphs"]
        if graphs != 1:
            raise RuntimeError(f"torch.compile made {graphs} graphs, not 1")
        return lambda: compiled(view, out), lambda: None


def parse_arguments():
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    add = parser.add_argument
    file = argparse.FileType()
    add("draws", type=file, nargs="?", default="-", metavar="DRAWS.jsonl", help="default: stdin")
    add("--library", default=peers.library(), metavar="PATH", help="default: %(default)s")
    add("--device", metavar="SELECTOR", help="default: CLSLICE_DEVICE, else auto")
    add("--peers", metavar="NAMES", help=f"of {','.join(NAMES)}; default: all that run here")
    help_compile = f"also torch.compile, for the first {COMPILED_DRAWS} draws of a class"
    add("--compile", action="store_true", help=help_compile)
    add("--pairs", type=peers.positive, default=7, metavar="N", help="default: %(default)s")
    add("--limit", type=peers.positive, metavar="SECONDS", help="begin no draw after that time")
    help_json = "append a line for each draw and peer, and measure none that is there already"
    add("--json", type=peers.writable, metavar="FILE", help=help_json)
    arguments = parser.parse_args()
    unknown = set((arguments.peers or "numpy").split(",")) - set(NAMES)
    if unknown:
        unknown = ", ".join(map(repr, sorted(unknown)))
        parser.error(f"--peers: unknown {unknown}; use {','.join(NAMES)}")
    try:
        arguments.draws = [Draw(json.loads(line)) for line in arguments.draws if line.strip()]
        names = [(draw.name, draw.number, draw.storage_bytes) for draw in arguments.draws]
    except (ValueError, LookupError, TypeError) as reason:
        parser.error(f"not a line of `clslice bench --random N --list`: {reason!r}")
    if not names:
        parser.error("there are no draws")
    return arguments


def complain(text):
    print(f"sweep: {text}", file=sys.stderr, flush=True)


def open_peers(arguments, device):
    names = arguments.peers or ",".join(NAMES)
    opened, missing = peers_libraries.open_peers(names.split(","), device)
    for name, reason in missing.items():
        complain(f"{name} is left out: {reason}")
    if arguments.compile:
        try:
            opened.append(TorchCompile(device))
        except (ImportError, peers_libraries.Unavailable) as reason:
            sys.exit(f"sweep: --compile: {reason}")
    if not opened or (arguments.peers and missing):
        sys.exit("sweep: install what is left out, see requirements.txt, or use other --peers")
    return opened


def fits(draw, device):
    """Whether there is memory for it: both sides' tensors, and on a GPU the host's."""
    in_bytes, out_bytes = draw.storage_bytes
    host = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    sides = 1 if device.is_cpu else 2
    return (
        max(in_bytes, out_bytes) <= device.buffer_bytes
        and sides * (in_bytes + out_bytes) <= 0.9 * device.bytes
        and in_bytes + 4 * out_bytes <= 0.8 * host
    )


class Results:
    """What was measured, now and before."""

    def __init__(self, arguments, device):
        self.path, self.pairs, self.device = arguments.json, arguments.pairs, device
        lines = self.path.read_text().splitlines() if self.path and self.path.exists() else []
        try:
            found = [json.loads(line) for line in lines]
            self.of_mark = {Draw(line).mark(line["peer"], line["device"]): line for line in found}
        except (ValueError, LookupError) as reason:
            sys.exit(f"sweep: --json {self.path} is not a file of results: {reason!r}")

    def find(self, draw, peer):
        return self.of_mark.get(draw.mark(peer.label, self.device.name))

    def add(self, draw, peer, result, measured):
        line = draw.line | {
            "device": self.device.name,
            "driver": self.device.driver,
            "version": self.device.version,
            "variant": result.variant,
            "peer": peer.label,
            "peer_version": peer.version,
            "pairs": self.pairs,
            "measured": measured,
            "seconds": result.seconds,
            "peer_seconds": result.peer_seconds,
            "ratio": result.ratio,
        }
        self.of_mark[draw.mark(peer.label, self.device.name)] = line
        print(f"{draw.name:16}{peer.label:>14}{result.ratio:>8.2f}  {result.variant}", flush=True)
        if self.path:
            with self.path.open("a") as file:
                file.write(json.dumps(line) + "\n")


def contend(contest, draw, peer):
    """The Result, or None for a draw that is not the peer's, and how often it was measured."""
    result = contest.result(draw.name, draw, peer)
    if result is None or result.ratio >= peers_report.NEVER_SLOWER:
        return result, 1
    results = [result] + [contest.result(draw.name, draw, peer) for _ in range(2)]
    return sorted(results, key=lambda each: each.ratio)[1], 3


def attempt(contest, draw, peer, results):
    """Whether it went as it should."""
    try:
        result, measured = contend(contest, draw, peer)
    except Exception as reason:  # of the peer's, whichever it is
        complain(f"{draw.name}, {peer.label}: {type(reason).__name__}: {reason}")
        return False
    if result:
        results.add(draw, peer, result, measured)
    return True


def measure(arguments, device, opened, results):
    """Returns whether all went as it should."""
    begun, is_well = time.monotonic(), True
    todo = []
    for draw in arguments.draws:
        left = [peer for peer in opened if not results.find(draw, peer)]
        if left and fits(draw, device):
            todo.append((draw, left))
    if not todo:
        return True
    contest = peers_contest.Contest(device, arguments.pairs, [draw for draw, _ in todo])
    for draw, left in todo:
        if arguments.limit and time.monotonic() - begun > arguments.limit:
            complain(f"--limit {arguments.limit} is over: nothing from {draw.name} on")
            break
        is_well = all([attempt(contest, draw, peer, results) for peer in left]) and is_well
    return is_well


def print_figures(family, what, figures, behind=""):
    median, mean = statistics.median(figures), peers_report.geometric_mean(figures)
    numbers = f"{min(figures):>8.2f}{median:>8.2f}{mean:>8.2f}"
    print(f"{family:16}{what:>14}{len(figures):>7}{numbers}{behind:>8}")


def report(draws, device, opened, results):
    print(f"\n{'class':16}{'':>14}{'draws':>7}{'least':>8}{'median':>8}{'mean':>8}{'behind':>8}")
    for family, members in itertools.groupby(draws, key=lambda draw: draw.family):
        members = list(members)
        efficiencies = [draw.line["efficiency"] for draw in members if draw.line.get("efficiency")]
        if efficiencies:
            print_figures(family, "efficiency", efficiencies)
        for peer in opened:
            lines = [results.find(draw, peer) for draw in members]
            ratios = [line["ratio"] for line in lines if line]
            if ratios:
                behind = sum(ratio < peers_report.NEVER_SLOWER for ratio in ratios)
                print_figures(family, peer.label, ratios, str(behind))
    left_out = [draw.name for draw in draws if not fits(draw, device)]
    print(f"\n{len(left_out)} draws left out for memory" + "".join(f" {name}" for name in left_out))
    found = [(draw, peer, results.find(draw, peer)) for draw in draws for peer in opened]
    found = [(line["ratio"], draw, peer) for draw, peer, line in found if line]
    for ratio, draw, peer in sorted(found, key=lambda each: each[0])[:WORST]:
        print(f"\n{draw.name:16}{peer.label:>14}{ratio:>8.2f}")
        print(clslice_ctypes.described(device, draw), end="")


def main():
    arguments = parse_arguments()
    device = peers.open_device(arguments)
    opened = open_peers(arguments, device)
    results = Results(arguments, device)
    # A run that is ended still reports what it has.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        status = 0 if measure(arguments, device, opened, results) else 1
    except KeyboardInterrupt:
        status = 130
    report(arguments.draws, device, opened, results)
    return status


if __name__ == "__main__":
    sys.exit(main())
