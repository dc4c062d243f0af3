"""The worker looks for the members that a kernel may have by the names that are declared, and finds those of a kernel
within another."""
import re
import typing
import unittest
from pathlib import Path

from uotbench import kernel
from uotbench.finishing import Finishing


def members_of(protocol):
    return {name for name in {*vars(protocol), *protocol.__annotations__} if not name.startswith("_")}


class Plain:
    def iterate(self):
        pass

    def finish(self):
        return {}


class Full(Plain):
    clock = "cuda-event"

    def __init__(self):
        self.called = []

    def begin(self):
        self.called.append("begin")

    def restart(self):
        self.called.append("restart")

    def facts(self):
        return {"library": "one"}


class Members(unittest.TestCase):
    def test_that_has_takes_are_those_of_the_protocol(self):
        self.assertEqual(set(typing.get_args(kernel.Member)), members_of(kernel.Extended))

    def test_the_worker_looks_for_no_others(self):
        for file in Path(kernel.__file__).parent.glob("*.py"):
            asked = re.findall(r'\b(?:has|getattr)\((?:kernel|self\._kernel), "(\w+)"', file.read_text(encoding="utf-8"))
            self.assertLessEqual(set(asked), set(typing.get_args(kernel.Member)), file.name)
            self.assertNotIn("hasattr(kernel, \"", file.read_text(encoding="utf-8"), file.name)

    def test_of_a_kernel_within_another_are_found(self):
        full, plain = Finishing(Full(), "f32"), Finishing(Plain(), "f32")
        self.assertTrue(kernel.has(full, "restart"))
        self.assertFalse(kernel.has(plain, "restart"))
        self.assertEqual(kernel.facts(full), {"library": "one"})
        self.assertEqual(kernel.facts(plain), {})
        kernel.restart(full)
        kernel.begin(plain)
        self.assertEqual(full.called, ["restart", "begin"])


if __name__ == "__main__":
    unittest.main()
