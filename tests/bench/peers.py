#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Slices of clslice beside those of NumPy, PyTorch, CuPy and ONNX Runtime, in one run over the same
operands.

Each case is sliced in turns, clslice, peer, clslice, peer, and the ratio is the median over these
pairs of the peer's time over clslice's: above 1 clslice is faster, and "slower" is below 0.97. The
outputs are compared byte for byte. On a CPU everybody reads and writes the same arrays, and a time
is that of one call until the output is there; on a GPU everybody has copies on the device, and a
time is a fifth of that of 5 launches and one wait.
"""

import argparse
import fnmatch
import json
import os
import pathlib
import signal
import sys
import time

import clslice_ctypes
import peers_cases
import peers_contest
import peers_libraries
import peers_pictures
import peers_report

SCALE_ON_GPU = 16

try:
    from tqdm import tqdm
except ImportError:
    tqdm = None


def parse_arguments():
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    names = ",".join(peers_libraries.PEERS)
    add = parser.add_argument
    add("--library", default=library(), metavar="PATH", help="default: %(default)s")
    add("--device", metavar="SELECTOR", help="default: CLSLICE_DEVICE, else auto")
    of_peers = f"of {names}, with commas; default: all but host that run here"
    add("--peers", metavar="NAMES", help=of_peers)
    add("--case", default="*", metavar="GLOB", help="the cases of these names; default: all")
    of_scale = "times the first dimension; default: 1, on a GPU 16"
    add("--scale", type=positive, metavar="N", help=of_scale)
    add("--sizes", action="store_true", help="inputs of 4 KiB to 64 MiB instead, of a few cases")
    add("--pairs", type=positive, default=15, metavar="N", help="default: %(default)s")
    add("--limit", type=positive, metavar="SECONDS", help="begin no case after that time")
    add("--json", type=writable, metavar="FILE", help="a line for each case and peer")
    add("--table", type=writable, metavar="FILE.md", help="in Markdown")
    add("--picture", type=writable, metavar="FILE.svg", help="or .png; needs matplotlib")
    arguments = parser.parse_args()
    if arguments.picture and arguments.picture.suffix not in (".svg", ".png"):
        parser.error(f"--picture {arguments.picture}: must end in .svg or .png")
    unknown = set((arguments.peers or names).split(",")) - set(peers_libraries.PEERS)
    if unknown:
        parser.error(f"--peers: unknown {', '.join(map(repr, sorted(unknown)))}; use {names}")
    if not chosen(arguments):
        names = ", ".join(case.name for case in offered(arguments))
        parser.error(f"--case {arguments.case} matches none of {names}")
    return arguments


def library():
    """What `carry` puts beside this script, else what the dynamic linker finds."""
    carried = pathlib.Path(__file__).resolve().parent / "lib" / "libclslice.so.0"
    return str(carried) if carried.exists() else carried.name


def positive(text):
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{value} is below 1")
    return value


def writable(text):
    path = pathlib.Path(text)
    if not os.access(path.parent, os.W_OK):
        raise argparse.ArgumentTypeError(f"{text}: cannot write to the folder {path.parent}")
    return path


def offered(arguments):
    cases, swept = peers_cases.CASES, peers_cases.SWEPT
    return [case for case in cases if not arguments.sizes or case.name in swept]


def chosen(arguments):
    return [case for case in offered(arguments) if fnmatch.fnmatch(case.name, arguments.case)]


def labelled(arguments, scale):
    """(label, case) of everything to measure."""
    if not arguments.sizes:
        return [(case.name, case.scaled(scale)) for case in chosen(arguments)]
    sizes = [(peers_cases.size_text(size), size) for size in peers_cases.SWEEP_BYTES]
    cases = chosen(arguments)
    return [(f"{case.name}, {text}", case.of_size(size)) for case in cases for text, size in sizes]


def say(text):
    """A line that a progress bar leaves alone, at once: a run may be cut off."""
    (tqdm.write if tqdm else print)(text)
    sys.stdout.flush()


def complain(text):
    print(f"peers: {text}", file=sys.stderr, flush=True)


def open_device(arguments):
    if arguments.device is not None:
        os.environ["CLSLICE_DEVICE"] = arguments.device
    try:
        return clslice_ctypes.Device(arguments.library)
    except clslice_ctypes.LibraryError as reason:
        sys.exit(f"peers: {reason}, or by --library")
    except clslice_ctypes.Error as reason:
        sys.exit(f"peers: {reason}")


def open_peers(arguments, device):
    """Those asked for, or all that run here."""
    names = arguments.peers or ",".join(name for name in peers_libraries.PEERS if name != "host")
    peers, missing = peers_libraries.open_peers(names.split(","), device)
    for name, reason in missing.items():
        complain(f"{name} is left out: {reason}")
    if not peers or (arguments.peers and missing):
        remedy = "install what is left out, see requirements.txt, or name others with --peers"
        sys.exit(f"peers: {remedy}")
    return peers


def attempt(against, label, peer):
    """The Result or None, and whether that is as it should be."""
    try:
        return against(peer), True
    except (clslice_ctypes.Error, peers_contest.Differs) as reason:
        complain(f"{label}, {peer.label}: {reason}")
        return None, False
    except Exception as reason:  # of the peer's, whichever it is
        complain(f"{label}, {peer.label} is left blank: {reason}")
        return None, True


class Report:
    """What was measured so far. JSON lines go out at once, the rest at the end."""

    def __init__(self, arguments, device, peers):
        self.arguments, self.device, self.peers = arguments, device, peers
        self.results, self.rows = [], []
        self.names = peers_report.header(peers)
        self.versions = {peer.label: peer.version for peer in peers}
        if arguments.json:
            arguments.json.write_text("")
        say(peers_report.line(self.names, self.names))

    def add(self, label, results):
        self.results += results
        self.rows.append(peers_report.row(label, results, self.peers))
        say(peers_report.line(self.rows[-1], self.names))
        if self.arguments.json:
            with self.arguments.json.open("a") as file:
                file.writelines(json.dumps(self._json(result)) + "\n" for result in results)

    def _json(self, result):
        return result.json() | {
            "peer_version": self.versions[result.peer],
            "pairs": self.arguments.pairs,
            "version": self.device.version,
            "device": self.device.name,
            "driver": self.device.driver,
        }

    def finish(self):
        sentences = peers_report.overtaking if self.arguments.sizes else peers_report.summary
        sentences = list(sentences(self.results, self.peers))
        if self.arguments.table:
            text = peers_report.markdown(self._about(), self.names, self.rows, sentences)
            self.arguments.table.write_text(text)
        if self.arguments.picture and self.results:
            self._draw()
        say("\n".join([self._about(), *sentences]))

    def _about(self):
        device = self.device
        versions = ", ".join(f"{label} {version}" for label, version in self.versions.items())
        return (
            f"clslice {device.version} on {device.name}, driver {device.driver}; {versions}."
            " GB/s of bytes read + written; ratio: the peer's time over clslice's,"
            f" median of {self.arguments.pairs} pairs."
        )

    def _draw(self):
        draw = peers_pictures.sweep_picture if self.arguments.sizes else peers_pictures.picture
        path, title = self.arguments.picture, f"clslice on {self.device.name}"
        try:
            draw(path, title, self.results, self.peers)
        except ImportError as reason:
            complain(f"no picture {path}: {reason}")


def measure(plan, contest, peers, limit, report):
    """Returns whether all went as it should."""
    begun, is_well = time.monotonic(), True
    for label, case in tqdm(plan, disable=None, leave=False, unit="case") if tqdm else plan:
        if limit and time.monotonic() - begun > limit:
            complain(f"--limit {limit} is over: nothing from {label} on")
            break
        with contest.of(label, case) as against:
            attempts = [attempt(against, label, peer) for peer in peers]
        is_well = is_well and all(good for _, good in attempts)
        report.add(label, [result for result, _ in attempts if result])
    return is_well


def main():
    arguments = parse_arguments()
    device = open_device(arguments)
    peers = open_peers(arguments, device)
    plan = labelled(arguments, arguments.scale or (1 if device.is_cpu else SCALE_ON_GPU))
    cases, launches = [case for _, case in plan], peers_contest.launches(device)
    contest = peers_contest.Contest(device, arguments.pairs, cases, launches)
    report = Report(arguments, device, peers)
    # A run that is ended still reports what it has.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        status = 0 if measure(plan, contest, peers, arguments.limit, report) else 1
    except KeyboardInterrupt:
        status = 130
    report.finish()
    return status


if __name__ == "__main__":
    sys.exit(main())
