#!/usr/bin/env bash
# Variants as functions: from Python, and the programs of docs/guide/call.md, as a user compiles and runs them.
source "$(dirname "$(readlink -f "$0")")/../script.sh"
cd "$scratch"
libraries="$(dirname "$programs")/lib"
[[ -e $libraries/libuotbench.so ]] || {
  echo "no $libraries/libuotbench.so: cmake --build build/release --target call"
  exit 77
}
page="$root/docs/guide/call.md"

# The page's blocks of a language, one file each: block LANGUAGE NUMBER.
block() {
  awk -v fence='```'"$1" -v wanted="$2" '
    $0 == fence { n++; inside = n == wanted; next }
    /^```$/ { inside = 0 }
    inside' "$page"
}
block c 1 >solve.c
block cpp 1 >solve.cpp
mkdir include && ln -s "$root/harness/call" include/uotbench
for source in solve.c solve.cpp; do
  [[ -s $source ]] || fail "$page has no $source"
  compile=(gcc -std=c11)
  [[ $source == solve.c ]] || compile=(g++ -std=c++20)
  "${compile[@]}" -Wall -Wextra -Werror -Iinclude -I"$root" "$source" -o "${source/./_}" -L"$libraries" -luotbench \
    -Wl,-rpath,"$libraries" -lm || fail "$source does not compile"
  said="$("./${source/./_}")" || fail "$source ends with $?: $said"
  [[ $said == *iterations* ]] || fail "$source says: $said"
done

# The first interpreter that has NumPy.
for python in python3 /usr/bin/python3; do
  command -v "$python" >/dev/null && "$python" -c 'import numpy' 2>/dev/null && break
  python=''
done
[[ -n $python ]] || {
  echo "no NumPy here"
  exit 77
}
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$root/harness/python" UOTBENCH_LIBRARY="$libraries/libuotbench.so"
"$python" -m unittest discover -s "$root/harness/call/tests" -p '*_test.py' >said 2>&1 || fail "$(tail -n 60 said)"
for number in 1 2; do
  block python "$number" >example.py
  [[ -s example.py ]] || fail "$page has no Python example $number"
  "$python" example.py >said 2>&1 || fail "example $number of $page: $(tail said)"
done

# Nothing is found: one line says what to do.
said="$(UOTBENCH_LIBRARY=/nowhere/libuotbench.so "$python" -c 'import uotbench; uotbench.call("uot/gemv")' 2>&1)" &&
  fail "a library that is not there is loaded"
[[ $said == *"no libuotbench.so in /nowhere; expected"* ]] || fail "$said"
