# SPDX-License-Identifier: MIT
"""What a step of measure_all.py is made of: commands that end when the step's time does."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
EXIT_LIMIT = 3  # as sweep.py has it
SPARE_SECONDS = 30  # of a sweep's time: for its last draw, and its report


class Unfinished(Exception):
    """The time is over, and what was measured is kept."""


class Failed(Exception):
    """Why a step cannot be completed."""


class Step:
    """Its time, and the log that becomes its result."""

    def __init__(self, arguments, name, selector, seconds, log):
        self.arguments, self.name, self.log = arguments, name, log
        self.until = time.monotonic() + seconds
        self.environment = os.environ | {"CLSLICE_DEVICE": selector}

    @property
    def left(self):
        return self.until - time.monotonic()

    def path(self, name):
        return self.arguments.folder / name

    def run(self, *command, output=None, **environment):
        """Returns the exit status."""
        environment = self.environment | environment
        output = output or self.log
        with subprocess.Popen(command, stdout=output, stderr=self.log, env=environment) as process:
            try:
                return process.wait(max(self.left, 0))
            except subprocess.TimeoutExpired as reason:
                raise Unfinished from reason
            finally:
                if process.poll() is None:
                    process.terminate()
                    end(process)

    def clslice(self, *words, output=None):
        libraries = {"LD_LIBRARY_PATH": str(HERE / "lib")}
        status = self.run(HERE / "bin/clslice", *words, output=output, **libraries)
        if status:
            raise Failed(f"clslice ended with status {status}")

    def lines(self, *words):
        """What `clslice bench --random` prints."""
        words = ("bench", "--random", *words, "--seed", self.arguments.seed)
        with tempfile.TemporaryFile("w+") as output:
            self.clslice(*map(str, words), output=output)
            output.seek(0)
            return output.readlines()

    def draws(self, count, size):
        """Measures draws, and keeps a class when it is complete."""
        path = self.path(f"{self.name}.jsonl")
        path.touch()
        measured = set(map(family_of, path.open()))
        for family in map(family_of, self.lines(1, "--list")):
            if family not in measured:
                lines = self.lines(count, "--bytes", size, "--case", f"{family}/*", "--json")
                with path.open("a") as file:
                    file.writelines(lines)
                print(f"{family}: {len(lines)} draws", file=self.log, flush=True)

    def sweep(self, lines, peers, *words):
        """Measures peers over draws, and keeps each draw."""
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as draws:
            draws.writelines(lines)
            draws.flush()
            limit = str(max(1, int(self.left - min(SPARE_SECONDS, self.left / 3))))
            words = ("--peers", peers, "--limit", limit, *words)
            results = ("--json", self.path(f"{self.name}.jsonl"))
            script = HERE / "sweep.py"
            status = self.run(sys.executable, script, *words, *results, draws.name)
        if status == EXIT_LIMIT:
            raise Unfinished
        if status:
            raise Failed(f"sweep.py ended with status {status}")

    def first_results(self, **environment):
        """Whether the requirements are met is for people to judge."""
        libraries = {"LD_LIBRARY_PATH": str(HERE / "lib")}
        command = (HERE / "startup", HERE / "bin/first_result", "3")
        status = self.run(*command, **libraries, **environment)
        if status == 1 and "pairs, end" in pathlib.Path(self.log.name).read_text():
            print("not all requirements are met", file=self.log)
        elif status:
            raise Failed(f"startup ended with status {status}")


def end(process):
    try:
        process.wait(15)
    except subprocess.TimeoutExpired:
        process.kill()


def family_of(line):
    return json.loads(line)["case"].split("/")[0]
