#!/usr/bin/env bash
# The Python package of run files says what the program says; it is packed as a wheel without pip, installs with it, and
# docs/guide/python.ipynb runs. Parts that want pandas, matplotlib, pip or mypy are skipped where these are absent, and say so.
source "$(dirname "$(readlink -f "$0")")/script.sh"
command -v python3 >/dev/null || {
  echo "no python3 here"
  exit 77
}
package="$root/results/python"
export PYTHONDONTWRITEBYTECODE=1 UOTBENCH_BIN_DIR="$programs" PATH="$programs:$PATH" MPLBACKEND=Agg
unset UOTBENCH_PROGRAM

# said COMMAND...: what it prints, where it ends with 0.
said() {
  local text
  text="$("$@" 2>&1 </dev/null)" || fail "$*: exit code $?: $(tail -n 40 <<<"$text")" >&2 # stdout may be captured
  printf '%s\n' "$text"
}
has() { python3 -c "import $1" 2>/dev/null; }

cd "$scratch"
text="$(said python3 -m unittest discover -s "$package/tests" -p '*_test.py')"
tail -n 1 <<<"$text"
for module in pandas matplotlib mypy; do
  has $module || echo "skipped: $module is not installed: what needs it was not tried"
done
if has mypy && has pandas; then said python3 -m mypy --strict --cache-dir "$scratch/mypy" "$package/uotbench_runs" >/dev/null; fi

# The wheel: the same bytes each time, whole, and of the program's version.
wheel="$(said python3 "$package/wheel.py" wheels)"
said python3 "$package/wheel.py" again >/dev/null
cmp "wheels/$wheel" "again/$wheel" || fail "two wheels of the same files differ"
version="$(sed -n 's/^project(uotbench VERSION \([0-9.]*\) .*/\1/p' "$root/CMakeLists.txt")"
[[ $wheel == "uotbench_runs-$version-py3-none-any.whl" ]] || fail "the wheel is $wheel, uotbench has version $version"
cp "$root/tools/tests/golden/small.jsonl" before.jsonl
# As if both were one machine's.
sed '1s/"fingerprint":"feed"//' "$root/tools/tests/golden/after.jsonl" >after.jsonl
read_it=(python3 -c "import uotbench_runs; assert uotbench_runs.__version__ == '$version', uotbench_runs.__version__
assert len(uotbench_runs.read('after.jsonl', pandas=False)) > 5; print(uotbench_runs.__file__)")
where="$(PYTHONPATH="$scratch/wheels/$wheel" said "${read_it[@]}")" # Python reads a wheel where it lies
[[ $where == "$scratch/wheels/"* ]] || fail "not the wheel's: $where"
if has pip; then
  for source in "wheels/$wheel" "$package"; do
    rm -rf installed
    said python3 -m pip install --quiet --no-index --no-cache-dir --disable-pip-version-check --target installed "$source" >/dev/null
    [[ -f installed/uotbench_runs/py.typed ]] || fail "pip installs no py.typed from $source"
    where="$(PYTHONPATH="$scratch/installed" said "${read_it[@]}")"
    [[ $where == "$scratch/installed/"* ]] || fail "not what pip installed: $where"
  done
else
  echo "skipped: pip is not installed: the wheel was read where it lies"
fi

# The notebook, and the commands of its page.
export PYTHONPATH="$package"
said python3 "$package/tests/run_notebook.py" "$root/docs/guide/python.ipynb"
if has pandas; then said python3 -c "$(sed -n '/^```python$/,/^```$/p' "$root/docs/guide/python.md" | grep -v '^```')" >/dev/null; fi
