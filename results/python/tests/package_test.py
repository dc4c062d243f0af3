"""The package itself: its modules import one another in one direction, and what a caller gives wrong is named."""
import ast
import graphlib
import unittest
from pathlib import Path

from shared import OLD, uotbench_runs
from uotbench_runs.program import path_of


def imported_by(module):
    """The modules of the package that this one imports, wherever in the file."""
    names = []
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            names += [node.module] if node.module else [alias.name for alias in node.names]
    return names


class Modules(unittest.TestCase):
    def test_import_one_another_in_one_direction(self):
        folder = Path(uotbench_runs.__file__).parent
        imports = {module.stem: imported_by(module) for module in folder.glob("*.py") if module.stem != "__init__"}
        order = list(graphlib.TopologicalSorter(imports).static_order())  # raises CycleError
        self.assertEqual(set(order), set(imports))
        self.assertLess(order.index("records"), order.index("rows"))


class Sources(unittest.TestCase):
    def test_a_run_is_known_by_its_file(self):
        self.assertEqual(path_of(uotbench_runs.read(OLD[0])), str(OLD[0]))
        self.assertEqual(path_of(OLD[0]), str(OLD[0]))
        self.assertEqual(path_of("name"), "name")

    def test_what_is_no_run_is_named(self):
        for function in (lambda source: uotbench_runs.compare(source, OLD[0]), uotbench_runs.derived):
            with self.assertRaisesRegex(TypeError, "^expected a run file, or what read or read_frame returned; got d"):
                function({"id": ["a@w"]})


if __name__ == "__main__":
    unittest.main()
