# SPDX-License-Identifier: MIT
"""The sizes that clslice.torch gives a compiler, also where there is no PyTorch."""

import importlib
import sys
import unittest
from unittest.mock import MagicMock, patch


class Tensor:
    """As much of PyTorch's as a function needs that computes sizes alone."""

    def __init__(self, *shape):
        self.shape = shape

    def new_empty(self, sizes):
        return Tensor(*sizes)


def size_functions():
    """Those of slice and slice_grad, in this order."""
    found, torch = [], MagicMock(Tensor=Tensor)
    operator = torch.library.custom_op.return_value.return_value
    operator.register_fake.side_effect = found.append
    with patch.dict(sys.modules, {"torch": torch}):
        sys.modules.pop("clslice.torch", None)
        importlib.import_module("clslice.torch")
    return found


class Traced(unittest.TestCase):
    def test_sizes(self):
        slice_sizes, gradient_sizes = size_functions()
        window = [0, 1], [4, 5], [-2, 3]
        self.assertEqual(slice_sizes(Tensor(4, 6), *window).shape, (2, 2))
        self.assertEqual(gradient_sizes(Tensor(2, 2), [4, 6], *window).shape, (4, 6))


if __name__ == "__main__":
    unittest.main()
