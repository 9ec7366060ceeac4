# SPDX-License-Identifier: MIT
"""clslice and a peer in turns over one case: how operands are made and samples are taken."""

import contextlib
import functools
import statistics
import time

import numpy as np

import peers_libraries
import peers_report

PAGE = 4096
CHUNK = (1 << 26) - 5  # a prime
COMPARED = 1 << 20  # bytes at once, which stay in the caches
UNTOUCHED = 1  # not 0, which gradients write
SAMPLE_SECONDS = 0.002  # at least: short slices are repeated
LAUNCHES_ON_GPU = 5
# Before each sample on a CPU: OpenMP's threads wait busily for some milliseconds after their work.
PAUSE_SECONDS = 0.02


class Differs(Exception):
    """A peer's output is not clslice's."""


def aligned(size):
    """Bytes that begin a page."""
    memory = np.empty(size + PAGE, np.uint8)
    start = -memory.ctypes.data % PAGE
    return memory[start : start + size]


def random_bytes(size):
    """Repeated, since generating takes longer than copying; at a distance that no slice has."""
    memory = aligned(size)
    chunk = np.frombuffer(np.random.default_rng(1).bytes(min(size, CHUNK)), np.uint8)
    for start in range(0, size, CHUNK):
        part = memory[start : start + CHUNK]
        part[:] = chunk[: part.size]
    return memory


def as_bytes(array):
    """Bits are compared, not numbers: floats are random too, and NaN is not NaN."""
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def compare(output, expected):
    found = as_bytes(output)
    if found.size != expected.size:
        raise Differs(f"the output has {found.size} bytes, clslice's {expected.size}")
    for start in range(0, expected.size, COMPARED):
        part = slice(start, start + COMPARED)
        if not np.array_equal(found[part], expected[part]):
            first = start + int(np.argmax(found[part] != expected[part]))
            raise Differs(f"output byte {first} is {found[first]}, clslice's is {expected[first]}")


def launches(device, wanted=None):
    """So many slices in a row, and then one wait."""
    return wanted or (1 if device.is_cpu else LAUNCHES_ON_GPU)


class Contest:
    """One device, and operands for the largest of the cases: memory that was never written takes
    longer than what is done with it."""

    def __init__(self, device, pairs, cases, launches):
        self.ours, self.pairs, self.launches = peers_libraries.Clslice(device), pairs, launches
        self.pause = PAUSE_SECONDS if device.is_cpu else 0
        in_bytes, out_bytes = map(max, zip(*(case.storage_bytes for case in cases)))
        self.source, self.target = random_bytes(in_bytes), aligned(out_bytes)
        self.expected = aligned(out_bytes)

    @contextlib.contextmanager
    def of(self, label, case):
        """against(peer): a Result, or None where the peer has no such slice. clslice's side is made
        ready once for all peers."""
        in_bytes, out_bytes = case.storage_bytes
        source = self.source[:in_bytes].view(case.dtype)
        target = self.target[:out_bytes].view(case.dtype)
        with contextlib.ExitStack() as stack:
            ours = functools.cache(lambda: self._ours(case, source, target, stack))
            yield lambda peer: self._result(label, case, peer, ours, source, target)

    def _ours(self, case, source, target, stack):
        """clslice's side, and what it writes."""
        ours = self.ours.prepare(case, source, target, stack)
        ours.run(1)
        expected = self.expected[: target.nbytes]
        expected[:] = as_bytes(ours.output())
        return ours, expected

    def _result(self, label, case, peer, ready, source, target):
        target.fill(UNTOUCHED)
        with contextlib.ExitStack() as stack:
            theirs = peer.prepare(case, source, target, stack)
            if theirs is None:
                return None
            ours, expected = ready()
            target.fill(UNTOUCHED)
            theirs.run(1)
            compare(theirs.output(), expected)
            measured = self._pairs(ours, theirs)
            return peers_report.Result(label, case, peer.label, ours.variant, *measured)

    def _pairs(self, ours, theirs):
        """The median ratio of the peer's seconds to clslice's, and the medians of these."""
        sides = [(side, self._rounds(side)) for side in (ours, theirs)]
        samples = [
            [self._sample(side, rounds) for side, rounds in sides] for _ in range(self.pairs)
        ]
        ratio = statistics.median(their / our for our, their in samples)
        return ratio, *map(statistics.median, zip(*samples))

    def _rounds(self, side):
        return max(1, round(SAMPLE_SECONDS / (self._sample(side, 1) * self.launches)))

    def _sample(self, side, rounds):
        """Seconds of one slice. A run ahead wakes the threads and fills the caches."""
        time.sleep(self.pause)
        side.run(1)
        start = time.perf_counter()
        for _ in range(rounds):
            side.run(self.launches)
        return (time.perf_counter() - start) / (rounds * self.launches)
