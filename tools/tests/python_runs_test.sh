#!/usr/bin/env bash
# The Python package of run files says what the program says; it is packed as a wheel without pip, installs with it, and
# docs/guide/python.ipynb runs. Parts that need pandas, flit_core, pip or mypy are skipped where these are absent,
# and say so.
source "$(dirname "$(readlink -f "$0")")/script.sh"
command -v python3 >/dev/null || {
  echo "no python3 here"
  exit 77
}
package="$root/results/python"
export PYTHONDONTWRITEBYTECODE=1 UOTBENCH_BIN_DIR="$programs" PATH="$programs:$PATH"
unset UOTBENCH_PROGRAM

# said COMMAND...: what it prints, where it ends with 0.
said() {
  local text
  text="$("$@" 2>&1 </dev/null)" || fail "$*: exit code $?: $(tail -n 40 <<<"$text")" >&2 # stdout may be captured
  printf '%s\n' "$text"
}
# The first interpreter that has what tools/packages.txt installs for this test; else the first.
for python in python3 /usr/bin/python3; do
  "$python" -c 'import flit_core, pandas' 2>/dev/null && break
  python=python3
done
has() { "$python" -c "import $1" 2>/dev/null; }

cd "$scratch"
text="$(said "$python" -m unittest discover -s "$package/tests" -p '*_test.py')"
tail -n 1 <<<"$text"
for module in pandas mypy; do
  has $module || echo "skipped: $module is not installed: what needs it was not tried"
done
if has mypy && has pandas; then
  said "$python" -m mypy --config-file "$package/pyproject.toml" --cache-dir "$scratch/mypy" "$package/uotbench_runs" >/dev/null
fi

cp "$root/tools/tests/golden/small.jsonl" before.jsonl
# As if both were one machine's.
sed '1s/"fingerprint":"feed"//' "$root/tools/tests/golden/after.jsonl" >after.jsonl

# pack SOURCES FOLDER: the wheel, as the build packs it.
pack() { SOURCE_DATE_EPOCH=315532800 said "$python" -m flit_core.wheel "$1" --outdir "$2" >/dev/null; }
if has flit_core.wheel; then
  # Whole, the same bytes from files of another time, and of the program's version.
  version="$(sed -n 's/^project(uotbench VERSION \([0-9.]*\) .*/\1/p' "$root/CMakeLists.txt")"
  wheel="uotbench_runs-$version-py3-none-any.whl"
  pack "$package" wheels
  [[ -e wheels/$wheel ]] || fail "the wheel is $(ls wheels), uotbench has version $version"
  cp -r "$package" copy
  find copy -exec touch -d 2001-01-01 {} +
  pack copy again
  cmp "wheels/$wheel" "again/$wheel" || fail "two wheels of the same files differ"
  diff <(cd "$package" && ls uotbench_runs/*.py uotbench_runs/py.typed) \
    <("$python" -m zipfile -l "wheels/$wheel" | awk '/^uotbench_runs\// { print $1 }' | sort) || fail "the wheel holds other files"
  read_it=("$python" -c "import uotbench_runs; assert uotbench_runs.__version__ == '$version', uotbench_runs.__version__
assert len(uotbench_runs.read('after.jsonl')) > 5; print(uotbench_runs.__file__)")
  where="$(PYTHONPATH="$scratch/wheels/$wheel" said "${read_it[@]}")" # Python reads a wheel where it is
  [[ $where == "$scratch/wheels/"* ]] || fail "not the wheel's: $where"
  if has pip; then
    for source in "wheels/$wheel" copy; do
      rm -rf installed
      said "$python" -m pip install --quiet --no-index --no-build-isolation --no-cache-dir --disable-pip-version-check \
        --target installed "./$source" >/dev/null
      [[ -f installed/uotbench_runs/py.typed ]] || fail "pip installs no py.typed from $source"
      where="$(PYTHONPATH="$scratch/installed" said "${read_it[@]}")"
      [[ $where == "$scratch/installed/"* ]] || fail "not what pip installed: $where"
    done
  else
    echo "skipped: pip is not installed: the wheel was read where it is"
  fi
else
  echo "skipped: flit_core is not installed: no wheel was packed"
fi

# The notebook, and the commands of its page.
export PYTHONPATH="$package"
said "$python" "$package/tests/run_notebook.py" "$root/docs/guide/python.ipynb"
if has pandas; then said "$python" -c "$(sed -n '/^```python$/,/^```$/p' "$root/docs/guide/python.md" | grep -v '^```')" >/dev/null; fi
