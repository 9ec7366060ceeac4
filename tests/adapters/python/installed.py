# SPDX-License-Identifier: MIT
"""Run where the wheel is installed, and nothing else of clslice."""

import pathlib
import sys

import numpy as np

import clslice

path = pathlib.Path(clslice.get_library_path())
if not path.is_relative_to(pathlib.Path(sys.prefix).resolve()) or not path.is_file():
    sys.exit(f"{path} is not the library of the wheel in {sys.prefix}")

x = np.arange(24, dtype=np.float32).reshape(4, 6)
if not np.array_equal(clslice.at(x)[::-1, 1::2], x[::-1, 1::2]):
    sys.exit("the slice is wrong")
print(f"clslice {clslice.__version__} from {path}, on {clslice.devices()[0].name}")
