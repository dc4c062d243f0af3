#!/usr/bin/env bash
# The recipes of conda-forge and Spack name what tools/packages.txt names, by the names of docs/guide/install.md, with its
# versions, and turn on and off what CMake knows; so does the .deb, as far as it recommends.
source "$(dirname "$(readlink -f "$0")")/script.sh"
if ! python3 -c 'import yaml' 2>/dev/null; then
  echo "skipped: python3-yaml is missing"
  exit 77
fi
python3 - "$root" <<'END' || fail "a recipe is not right"
import ast, re, shlex, sys, yaml
root = sys.argv[1]
read = lambda path: open(f"{root}/{path}").read()
version = re.search(r"^project\(uotbench VERSION (\S+)", read("CMakeLists.txt"), re.M)[1]
options = set(re.findall(r"UOTBENCH_(?:TESTS|WITH_[A-Z]+)", "".join(
    read(f"cmake/{name}.cmake") for name in ("UotbenchPackages", "UotbenchMpi", "UotbenchCuda", "UotbenchCcache")) +
    read("CMakeLists.txt")))
# What only one who compiles again and again wants.
without = {"ccache"}
wanted = [line.split()[0] for line in read("tools/packages.txt").splitlines() if re.match(r"[^#]\S*\s+run\b", line)]
rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in read("docs/guide/install.md").splitlines()
        if line.startswith("|")]
conda, spack = set(), set()
for package in wanted:
    row = next((row for row in rows if package in row[1].split()), None)
    assert row, f"docs/guide/install.md has no row for {package}"
    if package not in without:
        conda |= set(shlex.split(row[3]))
        spack |= set(row[4].split())

def name(spec):
    return re.match(r"[A-Za-z0-9_.-]+", spec)[0]
def names(specs):
    return {name(spec) for spec in specs}
def same(ours, theirs, what):
    assert ours == theirs, f"{what}: {sorted(ours - theirs)} too many, {sorted(theirs - ours)} too few"

recipe = yaml.safe_load(read("packaging/conda/recipe.yaml"))
assert recipe["schema_version"] == 1 and recipe["context"]["version"] == version
assert set(recipe) == {"schema_version", "context", "package", "source", "build", "requirements", "tests", "about"}
told = [spec for part in recipe["requirements"].values() for spec in part]
told = ["gxx" if spec == '${{ compiler("cxx") }}' else spec for spec in told]
same(names(told), names(conda), "recipe.yaml")
for spec in conda:  # "fmt<11"
    assert spec in {text.replace(" ", "") for text in told}, f"recipe.yaml: expected {spec}"
script = " ".join(recipe["build"]["script"])
assert set(re.findall(r"-D(UOTBENCH_\w+)=", script)) <= options, "recipe.yaml: an option that CMake does not know"

tree = ast.parse(read("packaging/spack/package.py"))
calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
def first(function):
    return [call.args[0].value for call in calls if function in (getattr(call.func, "id", ""), getattr(call.func, "attr", ""))]
told = first("depends_on") + first("generator")
same(names(told) - {"c", "cxx"} | {"gcc"}, names(re.sub(r"[@+].*", "", spec) for spec in spack), "package.py")
for spec in spack:  # "fmt@:10"; "boost+math" is in "boost+math+context"
    base = name(spec)
    asked = set(re.findall(r"[@+][^@+]+", spec))
    assert any(name(ours) == base and asked <= set(re.findall(r"[@+][^@+]+", ours)) for ours in told) or base == "gcc", spec
same(set(first("define") + first("define_from_variant")) - options, set(), "package.py's options")
assert set(re.findall(r'when="\+(\w+)"', read("packaging/spack/package.py"))) == set(first("variant"))

recommended = re.search(r'RECOMMENDS "([^"]+)"', read("cmake/UotbenchPackage.cmake"))[1].split(", ")
known = {line.split()[0] for line in read("tools/packages.txt").splitlines() if line and not line.startswith("#")}
assert set(recommended) <= known, set(recommended) - known
END

# The tarball holds what git does, and nothing else.
config="$(dirname "$programs")/CPackSourceConfig.cmake"
if [[ -e $config ]] && command -v cpack >/dev/null; then
  cpack --config "$config" -B "$scratch" >/dev/null 2>&1 || fail "cpack packs no sources"
  tar -tzf "$scratch"/uotbench-*.tar.gz | grep -v '/$' | sed 's|^[^/]*/||' | sort >"$scratch/packed"
  "$root/tools/list_files" "$root" | sort | diff - "$scratch/packed" || fail "the tarball is not the tree"
fi
