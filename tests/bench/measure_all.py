#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Takes the figures of a GPU, and of the processor beside it through PoCL, with what lies beside
this script: see `carry`.

Each step leaves STEP.txt in FOLDER when it is complete, and most also their measurements, as
STEP.jsonl. Called again with the same arguments, it takes what is missing: the steps that are not
complete, and of these what STEP.jsonl lacks. Exits with 1 where a step failed, else with 3 where
one was left out or cut off.
"""

import argparse
import os
import pathlib
import signal
import sys
import tempfile
import time

from measure_step import EXIT_LIMIT, HERE, Failed, Step, Unfinished

SIZES = ("64K", "256K", "1M", "4M", "16M")
COMPILED_DRAWS = 4  # of a class, as sweep.py has them
LEAST_PART = 1 / 3  # of its time, for a step to be begun
SHOWN_LINES = 5  # of a step that failed


# ---- The steps ----

STEPS = {}


def step(device, seconds, needs=None):
    """A function to be called with a Step, which may take so many seconds; it reads the lines of
    the step that it needs."""

    def register(function):
        STEPS[function.__name__] = (function, device, seconds, needs)
        return function

    return register


def of_copies(self, count):
    for size in SIZES:
        print(f"\n{size}, from call to completion", file=self.log, flush=True)
        words = ("--seed", self.arguments.seed, "--bytes", size, "--latency")
        self.clslice("bench", "--random", str(count), *words)


def of_script(self, name, *words):
    """The lines of a script that prints slices."""
    with tempfile.TemporaryFile("w+") as lines:
        if self.run(sys.executable, HERE / name, *words, output=lines):
            raise Failed(f"{name} failed")
        lines.seek(0)
        return lines.readlines()


def of_sizes(self, count):
    return [line for size in SIZES for line in self.lines(count, "--bytes", size, "--list")]


@step("gpu", 180)
def table(self):
    self.clslice("bench")


@step("gpu", 30)
def tiny(self):
    self.clslice("bench", "--case", "tiny*")


@step("gpu", 300)
def draws(self):
    self.draws(self.arguments.draws, self.arguments.bytes)


@step("gpu", 400, needs="draws")
def peers(self):
    self.sweep(self.path("draws.jsonl").open(), "torch,cupy")


@step("gpu", 240)
def compiled(self):
    count = min(self.arguments.draws, COMPILED_DRAWS)
    self.sweep(self.lines(count, "--bytes", self.arguments.bytes, "--list"), "compile")


@step("gpu", 70)
def transposes(self):
    self.sweep(of_script(self, "transposes.py"), "cuda")


@step("gpu", 90)
def models(self):
    self.sweep(of_script(self, "models.py", "--mib", "256"), "torch,cupy")


@step("gpu", 60)
def latency(self):
    of_copies(self, self.arguments.middle)


@step("gpu", 150)
def sizes(self):
    self.sweep(of_sizes(self, self.arguments.middle), "torch,cupy", "--launches", "1")


@step("gpu", 60)
def startup(self):
    self.first_results(CUDA_CACHE_DISABLE="1")


@step("cpu", 120)
def cpu_draws(self):
    self.draws(self.arguments.cpu_draws, self.arguments.cpu_bytes)


@step("cpu", 120, needs="cpu_draws")
def cpu_peers(self):
    self.sweep(self.path("cpu_draws.jsonl").open(), "torch")


@step("cpu", 70)
def cpu_models(self):
    self.sweep(of_script(self, "models.py", "--mib", "256"), "torch")


@step("cpu", 30)
def cpu_latency(self):
    of_copies(self, self.arguments.cpu_middle)


@step("cpu", 70)
def cpu_sizes(self):
    self.sweep(of_sizes(self, self.arguments.cpu_middle), "torch")


@step("cpu", 40)
def cpu_startup(self):
    self.first_results()


@step("cpu", 100)
def cpu_variants(self):
    self.sweep(of_sizes(self, self.arguments.cpu_middle), "variants", "--pairs", "3")


# ---- The run ----


def parse_arguments():
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    add = parser.add_argument
    default = "default: %(default)s"
    add("seed", metavar="SEED", help="of the draws: 1 to 16 hexadecimal digits")
    add("folder", type=pathlib.Path, metavar="FOLDER", help="for the results")
    names = f"only these, of {', '.join(STEPS)}"
    add("steps", nargs="*", metavar="STEP", help=names)
    add("--gpu", default="nvidia", metavar="SELECTOR", help=default)
    add("--cpu", default="portable", metavar="SELECTOR", help=default)
    add("--draws", type=int, default=20, metavar="N", help=f"of a class; {default}")
    outputs = "of their outputs; models and transposes have sizes of their own"
    add("--bytes", default="256M", metavar="SIZE", help=f"{outputs}; {default}")
    add("--cpu-draws", type=int, default=4, metavar="N", help=default)
    add("--cpu-bytes", default="256M", metavar="SIZE", help=default)
    add("--middle", type=int, default=5, metavar="N", help=f"of a class and size; {default}")
    add("--cpu-middle", type=int, default=1, metavar="N", help=default)
    add("--limit", type=int, default=560, metavar="SECONDS", help=f"of this call; {default}")
    help_total = f"of all calls for this FOLDER; {default}"
    add("--total", type=int, default=1500, metavar="SECONDS", help=help_total)
    arguments = parser.parse_intermixed_args()
    unknown = set(arguments.steps) - set(STEPS)
    if unknown:
        parser.error(f"no step is called {', '.join(sorted(unknown))}; use {', '.join(STEPS)}")
    return arguments


class Budget:
    """Seconds that are left, of this call and of all calls together."""

    def __init__(self, arguments):
        self.path = arguments.folder / "seconds"
        self.before = float(self.path.read_text()) if self.path.exists() else 0
        self.begun, self.arguments = time.monotonic(), arguments

    def left(self):
        """Also keeps what was spent."""
        spent = time.monotonic() - self.begun
        self.path.write_text(f"{self.before + spent:.0f}\n")
        return min(self.arguments.limit - spent, self.arguments.total - self.before - spent)


def complete(arguments, name):
    return (arguments.folder / f"{name}.txt").exists()


def take(arguments, name, left):
    """What became of the step, in a word or more."""
    function, device, seconds, needs = STEPS[name]
    if complete(arguments, name):
        return "complete before"
    if left < LEAST_PART * seconds:
        return f"left out: {max(left, 0):.0f} s are left"
    if needs and not complete(arguments, needs):
        return f"left out: needs {needs}"
    part = arguments.folder / f"{name}.part"
    try:
        with part.open("w") as log:
            selector = getattr(arguments, device)
            function(Step(arguments, name, selector, min(seconds, left), log))
    except Unfinished:
        return "cut off"
    except Failed as reason:
        shown = part.read_text(errors="replace").splitlines()[-SHOWN_LINES:]
        return "\n    ".join([f"FAILED: {reason}", *shown])
    part.rename(arguments.folder / f"{name}.txt")
    return "complete"


def main():
    arguments = parse_arguments()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    budget, outcomes = Budget(arguments), []
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with tempfile.TemporaryDirectory() as work:
        # What drivers and compilers keep begins empty, and leaves nothing behind.
        os.environ |= {"XDG_CACHE_HOME": work, "TORCHINDUCTOR_CACHE_DIR": f"{work}/inductor"}
        os.environ |= {"TRITON_CACHE_DIR": f"{work}/triton", "CUPY_CACHE_DIR": f"{work}/cupy"}
        # On a CPU, other libraries' threads are not to wait busily.
        os.environ.setdefault("OMP_WAIT_POLICY", "passive")
        for name in arguments.steps or STEPS:
            begun = time.monotonic()
            outcomes.append(take(arguments, name, budget.left()))
            print(f"{name:12}{time.monotonic() - begun:7.0f} s  {outcomes[-1]}", flush=True)
    print(f"{max(budget.left(), 0):.0f} s are left of --limit and --total")
    if any(outcome.startswith("FAILED") for outcome in outcomes):
        return 1
    return 0 if all(outcome.startswith("complete") for outcome in outcomes) else EXIT_LIMIT


if __name__ == "__main__":
    sys.exit(main())
