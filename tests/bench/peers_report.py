# SPDX-License-Identifier: MIT
"""What was measured, as lines, JSON and Markdown.

GB/s are bytes read + written: twice the output's."""

import dataclasses
import math
import statistics

import peers_cases

NEVER_SLOWER = 0.97  # of the peer: the noise of a pair


@dataclasses.dataclass
class Result:
    """One case against one peer."""

    label: str  # the case's name, in a sweep with its size
    case: peers_cases.Case
    peer: str
    variant: str
    ratio: float  # the peer's time over clslice's, median of the pairs
    seconds: float  # clslice's median for one slice
    peer_seconds: float

    def gb_per_s(self, seconds):
        return 2 * self.case.out_bytes / seconds / 1e9

    def json(self):
        return {
            "case": self.case.name,
            "dtype": self.case.dtype,
            "sizes": self.case.sizes,
            "key": self.case.text,
            "input_bytes": self.case.in_bytes,
            "output_bytes": self.case.out_bytes,
            "variant": self.variant,
            "seconds": self.seconds,
            "gb_per_s": self.gb_per_s(self.seconds),
            "peer": self.peer,
            "peer_seconds": self.peer_seconds,
            "peer_gb_per_s": self.gb_per_s(self.peer_seconds),
            "ratio": self.ratio,
        }


def header(peers):
    return ["case", "clslice"] + [cell for peer in peers for cell in (peer.label, "ratio")]


def row(label, results, peers):
    """The cells of one case: GB/s of clslice, then GB/s and ratio of each peer, or blanks."""
    of_peer = {result.peer: result for result in results}
    seconds = [result.seconds for result in results]
    cells = [label, f"{results[0].gb_per_s(statistics.median(seconds)):.1f}" if results else ""]
    for peer in peers:
        r = of_peer.get(peer.label)
        cells += [f"{r.gb_per_s(r.peer_seconds):.1f}", f"{r.ratio:.2f}"] if r else ["", ""]
    return cells


def line(cells, names):
    """For a terminal, under the header's names."""
    widths = [max(9, len(name) + 2) for name in names[1:]]
    text = f"{cells[0]:22}" + "".join(f"{cell:>{width}}" for cell, width in zip(cells[1:], widths))
    return text.rstrip()


def geometric_mean(ratios):
    return math.exp(statistics.fmean(map(math.log, ratios)))


def summary(results, peers):
    """A sentence for each peer."""
    for peer in peers:
        ratios = {result.label: result.ratio for result in results if result.peer == peer.label}
        if ratios:
            mean = geometric_mean(ratios.values())
            behind = {label: ratio for label, ratio in ratios.items() if ratio < NEVER_SLOWER}
            slower = [f"{label} ({ratio:.3f})" for label, ratio in behind.items()]
            where = f"slower in {', '.join(slower)}" if slower else "never slower"
            yield f"against {peer.label}: {mean:.2f} (geometric mean of {len(ratios)}), {where}."


def overtaking(results, peers):
    """A sentence for each swept case and peer: from which size on clslice is never slower."""
    for name in dict.fromkeys(result.case.name for result in results):
        for peer in peers:
            sweep = [r for r in results if r.case.name == name and r.peer == peer.label]
            behind = [i for i, result in enumerate(sweep) if result.ratio < NEVER_SLOWER]
            ahead = sweep[behind[-1] + 1 :] if behind else sweep
            if sweep:
                size = ahead[0].label.split(", ")[1] if ahead else ""
                where = f"never slower from {size}" if ahead else "slower at the largest size"
                yield f"{name} against {peer.label}: {where}."


def markdown(about, names, rows, sentences):
    lines = [about, "", "| " + " | ".join(names) + " |", "|---" + "|---:" * (len(names) - 1) + "|"]
    lines += ["| " + " | ".join(cells) + " |" for cells in rows]
    return "\n".join(lines + [""] + [f"- {sentence}" for sentence in sentences]) + "\n"
