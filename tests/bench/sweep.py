#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Slices drawn at random, of clslice beside those of NumPy, PyTorch and CuPy: reads the lines that
`clslice bench --random N --list` prints, or those of --json in place of --list, from a file or from
standard input. Gradients, too: there the libraries write zeros, and then copy to some places.

Operands and samples are those of peers.py. A ratio is the peer's time over clslice's, the median of
the pairs. A draw below 0.97 is measured twice more, and the median of the three ratios counts; if
that is below 0.97, clslice is "behind". Draws of several sizes make a table by size.

Further --peers: compile is torch.compile, for the first 4 draws of a class; cuda the kernel of
transpose.cu, for draws that are transposes; c loops of C compiled for the draw, on a CPU; variants
is clslice itself, by each other kernel that can do the slice. The first three leave gradients out.

Exits with 1 where something could not be measured, with 3 where --limit left something out.
"""

import argparse
import json
import os
import signal
import sys
import time

import peers
import peers_contest
import peers_libraries
import peers_report
import sweep_peers
import sweep_report
from sweep_draws import Draw

NAMES = ("numpy", "torch", "cupy", "c", "compile", "cuda", "variants")
USUAL = ("numpy", "torch", "cupy")
EXIT_LIMIT = 3


def parse_arguments():
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    add = parser.add_argument
    file = argparse.FileType()
    add("draws", type=file, nargs="?", default="-", metavar="DRAWS.jsonl", help="default: stdin")
    add("--library", default=peers.library(), metavar="PATH", help="default: %(default)s")
    add("--device", metavar="SELECTOR", help="default: CLSLICE_DEVICE, else auto")
    usual = f"default: those of {','.join(USUAL)} that run here"
    add("--peers", metavar="NAMES", help=f"of {','.join(NAMES)}; {usual}")
    add("--compile", action="store_true", help="compile, too")
    help_launches = "so many slices, then one wait; default: 1, on a GPU 5"
    add("--launches", type=peers.positive, metavar="N", help=help_launches)
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
    """Those that were asked for, or the usual ones that run here."""
    names = (arguments.peers or ",".join(USUAL)).split(",") + ["compile"] * arguments.compile
    names = list(dict.fromkeys(names))
    single = [name for name in names if name != "variants"]
    opened, missing = peers_libraries.open_peers(single, device, sweep_peers.PEERS)
    for name, reason in missing.items():
        complain(f"{name} is left out: {reason}")
    if "variants" in names:
        opened += sweep_peers.variants(device)
    if not opened or (missing.keys() - USUAL) or (arguments.peers and missing):
        sys.exit("sweep: install what is left out, see requirements.txt, or use other --peers")
    return opened


def fits(draw, device):
    """Whether there is memory for it: both sides' tensors, and the host's, with what is expected and
    what torch.flip makes."""
    in_bytes, out_bytes = draw.storage_bytes
    host = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    sides = 1 if device.is_cpu else 2
    return (
        max(in_bytes, out_bytes) <= device.buffer_bytes
        and sides * (in_bytes + out_bytes) <= 0.9 * device.bytes
        and in_bytes + 3 * out_bytes <= 0.8 * host
    )


class Results:
    """What was measured, now and before."""

    def __init__(self, arguments, device):
        self.path, self.pairs, self.device = arguments.json, arguments.pairs, device
        self.launches = peers_contest.launches(device, arguments.launches)
        lines = self.path.read_text().splitlines() if self.path and self.path.exists() else []
        try:
            found = [json.loads(line) for line in lines]
            marked = ("peer", "device", "launches")
            self.of_mark = {Draw(line).mark(*(line[m] for m in marked)): line for line in found}
        except (ValueError, LookupError) as reason:
            sys.exit(f"sweep: --json {self.path} is not a file of results: {reason!r}")

    def _mark(self, draw, peer):
        return draw.mark(peer.label, self.device.name, self.launches)

    def find(self, draw, peer):
        return self.of_mark.get(self._mark(draw, peer))

    def ratios(self, draws, opened):
        """As sweep_report has them."""
        found = {(draw, peer.label): self.find(draw, peer) for draw in draws for peer in opened}
        return {key: line["ratio"] for key, line in found.items() if line}

    def add(self, draw, peer, result, measured):
        line = draw.line | {
            "device": self.device.name,
            "driver": self.device.driver,
            "version": self.device.version,
            "variant": result.variant,
            "peer": peer.label,
            "peer_version": peer.version,
            "pairs": self.pairs,
            "launches": self.launches,
            "measured": measured,
            "seconds": result.seconds,
            "peer_seconds": result.peer_seconds,
            "ratio": result.ratio,
        }
        self.of_mark[self._mark(draw, peer)] = line
        shape = "x".join(map(str, draw.out_sizes))
        what = f"{result.variant:14}{draw.dtype} {shape}"
        print(f"{draw.name:16}{peer.label:>14}{result.ratio:>8.2f}  {what}", flush=True)
        if self.path:
            with self.path.open("a") as file:
                file.write(json.dumps(line) + "\n")


def contend(against, peer):
    """The Result, or None for a draw that is not the peer's, and how often it was measured."""
    result = against(peer)
    if result is None or result.ratio >= peers_report.NEVER_SLOWER:
        return result, 1
    results = [result] + [against(peer) for _ in range(2)]
    return sorted(results, key=lambda each: each.ratio)[1], 3


def attempt(against, draw, peer, results):
    """Whether it went as it should."""
    try:
        result, measured = contend(against, peer)
    except Exception as reason:  # of the peer's, whichever it is
        complain(f"{draw.name}, {peer.label}: {type(reason).__name__}: {reason}")
        return False
    if result:
        results.add(draw, peer, result, measured)
    return True


def measure(arguments, device, opened, results):
    """Returns the exit status."""
    begun, is_well = time.monotonic(), True
    todo = []
    for draw in arguments.draws:
        left = [peer for peer in opened if not results.find(draw, peer)]
        if left and fits(draw, device):
            todo.append((draw, left))
    if not todo:
        return 0
    cases = [draw for draw, _ in todo]
    contest = peers_contest.Contest(device, arguments.pairs, cases, results.launches)
    for draw, left in todo:
        if arguments.limit and time.monotonic() - begun > arguments.limit:
            complain(f"--limit {arguments.limit} is over: nothing from {draw.name} on")
            return EXIT_LIMIT
        with contest.of(draw.name, draw) as against:
            is_well = all([attempt(against, draw, peer, results) for peer in left]) and is_well
    return 0 if is_well else 1


def main():
    arguments = parse_arguments()
    device = peers.open_device(arguments)
    opened = open_peers(arguments, device)
    results = Results(arguments, device)
    # A run that is ended still reports what it has.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        status = measure(arguments, device, opened, results)
    except KeyboardInterrupt:
        status = 130
    left_out = [draw.name for draw in arguments.draws if not fits(draw, device)]
    print(" ".join([f"\n{len(left_out)} draws left out for memory", *left_out]))
    ratios = results.ratios(arguments.draws, opened)
    sweep_report.report(arguments.draws, [peer.label for peer in opened], ratios, device)
    return status


if __name__ == "__main__":
    sys.exit(main())
