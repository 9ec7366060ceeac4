# SPDX-License-Identifier: MIT
"""What was measured over draws: tables by class, and the worst draws.

`ratios` maps (draw, peer's label) to what was measured, and lacks what was not.
"""

import statistics

import clslice_ctypes
import peers_cases
import peers_report

WORST = 10


def groups(draws):
    """(name, draws) of the classes, then of what is judged together."""
    for family in dict.fromkeys(draw.family for draw in draws):
        yield family, [draw for draw in draws if draw.family == family]
    short = [draw for draw in draws if draw.is_short]
    if short:
        yield "short", short
        yield "short, 1-2 bytes", [draw for draw in short if draw.width <= 2]
    yield "all", draws


def known(draws, label, ratios):
    return [ratios[draw, label] for draw in draws if (draw, label) in ratios]


def print_figures(group, what, values, last=""):
    median, mean = statistics.median(values), peers_report.geometric_mean(values)
    numbers = f"{min(values):>8.2f}{median:>8.2f}{mean:>8.2f}"
    print(f"{group:18}{what:>14}{len(values):>7}{numbers}{last:>8}")


def print_classes(draws, labels, ratios):
    """A line for each class and peer."""
    print(f"\n{'class':18}{'':>14}{'draws':>7}{'least':>8}{'median':>8}{'mean':>8}{'behind':>8}")
    for group, members in groups(draws):
        efficiencies = [draw.line["efficiency"] for draw in members if draw.line.get("efficiency")]
        if efficiencies:
            print_figures(group, "efficiency", efficiencies)
        for label in labels:
            values = known(members, label, ratios)
            if values:
                behind = sum(value < peers_report.NEVER_SLOWER for value in values)
                print_figures(group, label, values, str(behind))


def overtaken_from(means):
    """The size in words from which on no mean is behind, of a dictionary from the least size to the
    largest."""
    first = None
    for size, mean in means.items():
        first = None if mean < peers_report.NEVER_SLOWER else first or size
    return peers_cases.size_text(first) if first else "none"


def print_sizes(draws, labels, ratios):
    """The same with a column for each size: mean and least ratio. "From" is the size from which on
    clslice is not slower in the mean."""
    sizes = sorted({draw.bytes for draw in draws})
    head = "".join(f"{peers_cases.size_text(size):>12}" for size in sizes)
    print(f"\n{'class: mean, least':18}{'':>14}{head}{'from':>10}")
    for group, members in groups(draws):
        for label in labels:
            values = {
                size: known([draw for draw in members if draw.bytes == size], label, ratios)
                for size in sizes
            }
            means = {size: peers_report.geometric_mean(of) for size, of in values.items() if of}
            if means:
                cells = (
                    f"{means[size]:.2f} {min(of):.2f}" if of else "-" for size, of in values.items()
                )
                row = "".join(f"{cell:>12}" for cell in cells)
                print(f"{group:18}{label:>14}{row}{overtaken_from(means):>10}")


def print_worst(ratios, device):
    for (draw, label), ratio in sorted(ratios.items(), key=lambda each: each[1])[:WORST]:
        print(f"\n{draw.name:16}{label:>14}{ratio:>8.2f}")
        print(clslice_ctypes.described(device, draw), end="")


def report(draws, labels, ratios, device):
    is_one_size = len({draw.bytes for draw in draws}) == 1
    (print_classes if is_one_size else print_sizes)(draws, labels, ratios)
    print_worst(ratios, device)
