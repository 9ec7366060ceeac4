# SPDX-License-Identifier: MIT
"""What was measured, as pictures: needs matplotlib, which is imported only to draw."""

import peers_cases

RATIO = "peer's time over clslice's: above 1 clslice is faster"
COLORS = ("tab:blue", "tab:orange", "tab:green", "tab:purple", "tab:brown")


def _axes(title, size):
    """A figure without any window behind it."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained", facecolor="white")
    axes = figure.add_subplot(title=title)
    axes.grid(axis="both", color="0.9")
    axes.set_axisbelow(True)
    return figure, axes


def _ratio_axis(axis, line_at_one):
    from matplotlib.ticker import FormatStrFormatter, LogLocator, NullFormatter

    axis.set_major_locator(LogLocator(2))
    axis.set_major_formatter(FormatStrFormatter("%.2g"))
    axis.set_minor_formatter(NullFormatter())
    line_at_one(1, color="0.3", linewidth=1)


def _save(figure, path):
    import matplotlib

    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "clslice"}):
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None, dpi=150)


def picture(path, title, results, peers):
    """Each case a row, each peer a dot."""
    labels = list(dict.fromkeys(result.label for result in results))
    figure, axes = _axes(title, (8, 1.5 + 0.24 * len(labels)))
    for peer, color in zip(peers, COLORS):
        mine = [result for result in results if result.peer == peer.label]
        rows, ratios = [labels.index(r.label) for r in mine], [r.ratio for r in mine]
        axes.scatter(ratios, rows, color=color, label=peer.label, zorder=3)
    axes.set_xscale("log", base=2)
    _ratio_axis(axes.xaxis, axes.axvline)
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(len(labels) - 0.5, -0.5)
    axes.set_xlabel(RATIO)
    figure.legend(loc="outside lower center", ncols=len(peers))
    _save(figure, path)


def sweep_picture(path, title, results, peers):
    """Each case a line style, each peer a color, over the size of the input."""
    figure, axes = _axes(title, (8, 5))
    names = list(dict.fromkeys(result.case.name for result in results))
    for peer, color in zip(peers, COLORS):
        for name, style in zip(names, ("-", "--", "-.", ":")):
            mine = [r for r in results if r.peer == peer.label and r.case.name == name]
            sizes, ratios = [r.case.in_bytes for r in mine], [r.ratio for r in mine]
            axes.plot(sizes, ratios, style, color=color, marker=".", label=f"{peer.label}, {name}")
    axes.set_xscale("log", base=2)
    axes.set_xticks(peers_cases.SWEEP_BYTES, map(peers_cases.size_text, peers_cases.SWEEP_BYTES))
    axes.set_yscale("log", base=2)
    _ratio_axis(axes.yaxis, axes.axhline)
    axes.set_xlabel("input")
    axes.set_ylabel(RATIO)
    figure.legend(loc="outside lower center", ncols=len(peers))
    _save(figure, path)
