"""Printed values of papers, and ours."""
import json
import os
from typing import Any, Dict, List, Optional, Sequence, TypedDict, Union, cast

from .program import ask, path_of
from .reading import Path
from .records import Machine
from .run import Source


class Interval(TypedDict, total=False):
    low: float
    high: float
    coverage: float  # from 0 to 1


class Reading(TypedDict, total=False):
    """One way to read a claim, with what we measured for it."""

    name: str
    ours: Optional[float]  # in the claim's unit
    interval: Optional[Interval]
    verdict: str


# Functional, since `in` is a word of Python's. `rows`: claims by tables, which only the program takes apart.
Claim = TypedDict("Claim", {
    "id": str, "in": str, "says": str, "kind": str, "printed": Optional[float], "unit": str,
    "machine": Union[str, Machine, None], "verdict": str, "run": str, "readings": List[Reading],
    "rows": List[Dict[str, Any]]}, total=False)


class Claims(TypedDict, total=False):
    """A file of configs/claims, or what `uotbench claims PAPER --format json` prints."""

    paper: str
    claims: List[Claim]
    machines: Dict[str, Machine]


# `printed`, `ours`, `low` and `high` are in `unit`. Without a measurement `ours` and what follows it are None.
ClaimRow = TypedDict("ClaimRow", {
    "paper": str, "id": Optional[str], "in": Optional[str], "says": Optional[str], "kind": Optional[str],
    "printed": Optional[float], "unit": Optional[str], "machine": Optional[str], "verdict": Optional[str],
    "run": Optional[str], "reading": Optional[str], "ours": Optional[float], "low": Optional[float],
    "high": Optional[float], "coverage": Optional[float], "reading_verdict": Optional[str]})


def rows_of_claim(claim: Claim, paper: str, machines: Dict[str, Machine]) -> List[ClaimRow]:
    machine = claim.get("machine")  # its name in the file of claims; all of it in what is printed
    machine = machines.get(machine) if isinstance(machine, str) else machine
    rows: List[ClaimRow] = []
    for reading in claim.get("readings") or [Reading()]:
        interval = reading.get("interval") or Interval()
        rows.append({
            "paper": paper, "id": claim.get("id"), "in": claim.get("in"), "says": claim.get("says"),
            "kind": claim.get("kind"), "printed": claim.get("printed"), "unit": claim.get("unit"),
            "machine": machine.get("name") if machine else None, "verdict": claim.get("verdict"),
            "run": claim.get("run"), "reading": reading.get("name") or None, "ours": reading.get("ours"),
            "low": interval.get("low"), "high": interval.get("high"), "coverage": interval.get("coverage"),
            "reading_verdict": reading.get("verdict")})
    return rows


def claims(source: Union[Path, Claims], *runs: Source) -> List[ClaimRow]:
    """A row per claim, or per reading of it, with what is printed, ours and its interval, and the verdict.

    `source`: a file that ends in .json, of what `uotbench claims PAPER --format json` printed, or of claims as in
    configs/claims (printed values alone: nothing is measured there); its content as a dict; or a paper's name, for
    which the program is asked. `runs` are looked in then, in place of the newest. The program is asked for a file with
    claims by tables (`rows`), too. Raises ValueError where there are no claims, MissingProgram or ProgramFailed.
    """
    if isinstance(source, (str, os.PathLike)):
        name = os.path.splitext(os.path.basename(os.fspath(source)))[0]
        found = claims_of(os.fspath(source), runs)
    else:
        name, found = source.get("paper") or "the content given", source
    if not isinstance(found, dict) or not isinstance(found.get("claims"), list):
        raise ValueError(f"claims failed: {name} holds no claims. Do uotbench claims PAPER --format json > FILE.")
    if any("rows" in claim for claim in found["claims"]):
        raise ValueError(f"claims failed: {name} has claims by tables (rows), which only the program takes apart. Give "
                         "the file's path in place of its content.")
    paper = str(found.get("paper") or ("" if found is source else name))
    return [row for claim in found["claims"] for row in rows_of_claim(claim, paper, found.get("machines") or {})]


def claims_of(source: str, runs: Sequence[Source]) -> Claims:
    """The content of a file, or what the program prints of a paper."""
    if source.endswith(".json"):
        with open(source, encoding="utf-8") as file:
            found = json.load(file)
        if isinstance(found, dict) and any("rows" in claim for claim in found.get("claims") or []):
            found = json.loads(ask(["claims", source, "--format", "json"]))
    else:
        words = ["claims", source, "--format", "json"]
        found = json.loads(ask(words + [word for run in runs for word in ("--from", path_of(run))]))
    return cast(Claims, found)
