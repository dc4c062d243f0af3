"""run_notebook.py FILE.ipynb: runs the code of its cells, in order, as plain Python; no Jupyter is needed.

A cell's tags name the modules and programs that it needs; without them it is skipped, which is said. Ends with 1 where
a cell fails, or holds an output: a notebook of the tree has none.
"""
import importlib.util
import json
import shutil
import sys
import traceback


def is_here(need):
    return importlib.util.find_spec(need) is not None or shutil.which(need) is not None


def main(path):
    with open(path, encoding="utf-8") as file:
        cells = [cell for cell in json.load(file)["cells"] if cell["cell_type"] == "code"]
    names = {"__name__": "__main__"}
    ran = 0
    for number, cell in enumerate(cells, 1):
        if cell["outputs"] or cell["execution_count"] is not None:
            print(f"{path}: cell {number} holds an output; clear all outputs")
            return 1
        missing = [need for need in cell["metadata"].get("tags", []) if not is_here(need)]
        if missing:
            print(f"skipped: cell {number} needs {' and '.join(missing)}")
            continue
        try:
            exec(compile("".join(cell["source"]), f"{path}: cell {number}", "exec"), names)
        except Exception:
            traceback.print_exc()
            return 1
        ran += 1
    print(f"ran {ran} of {len(cells)} cells")
    return 0 if ran else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
