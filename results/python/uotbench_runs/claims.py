"""Printed values of papers, and ours."""
import json
import os
from typing import Any, Dict, List

from .program import ask, path_of
from .rows import Row


def rows_of_claim(claim: Dict[str, Any], paper: str, machines: Dict[str, Any]) -> List[Row]:
    machine = claim.get("machine")  # its name in the file of claims; all of it in what is printed
    machine = machines.get(machine) if isinstance(machine, str) else machine
    shared = {"paper": paper, **{key: claim.get(key) for key in ("id", "in", "says", "kind", "printed", "unit")},
              "machine": (machine or {}).get("name"), "verdict": claim.get("verdict"), "run": claim.get("run")}
    rows = []
    for reading in claim.get("readings") or [{}]:
        interval = reading.get("interval") or {}
        rows.append({**shared, "reading": reading.get("name") or None, "ours": reading.get("ours"),
                     "low": interval.get("low"), "high": interval.get("high"), "coverage": interval.get("coverage"),
                     "reading_verdict": reading.get("verdict")})
    return rows


def claims(source: Any, *runs: Any) -> List[Row]:
    """A row a claim, or a reading of it, with what is printed, ours and its interval, and the verdict.

    `source`: a file that ends in .json, of what `uotbench claims PAPER --format json` printed, or of claims as in
    configs/claims (printed values alone: nothing is measured there); its content as a dict; or a paper's name, for
    which the program is asked. `runs` are looked in then, in place of the newest. The program is asked for a file with
    claims by tables (`rows`), too.
    """
    name = source.get("paper") if isinstance(source, dict) else os.path.splitext(os.path.basename(os.fspath(source)))[0]
    if isinstance(source, dict):
        told = source
    elif os.fspath(source).endswith(".json"):
        with open(source, encoding="utf-8") as file:
            told = json.load(file)
        if any("rows" in claim for claim in told.get("claims") or []):
            told = json.loads(ask(["claims", os.fspath(source), "--format", "json"]))
    else:
        words = ["claims", os.fspath(source), "--format", "json"]
        told = json.loads(ask(words + [word for run in runs for word in ("--from", path_of(run))]))
    if not isinstance(told, dict) or not isinstance(told.get("claims"), list):
        raise ValueError(f"claims failed: {name} holds no claims. Do uotbench claims PAPER --format json > FILE.")
    if any("rows" in claim for claim in told["claims"]):
        raise ValueError(f"claims failed: {name} has claims by tables (rows), which only the program takes apart. Give "
                         "the file's path in place of its content.")
    paper = str(told.get("paper") or name or "")
    return [row for claim in told["claims"] for row in rows_of_claim(claim, paper, told.get("machines") or {})]
