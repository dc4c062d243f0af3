#!/usr/bin/env bash
# The documentation builds as a web site with search, and a page or a link that is missing is an error.
set -euo pipefail

root="$(readlink -f "$(dirname "$0")/../..")"
command -v mkdocs >/dev/null || { echo "skipped: mkdocs is not installed" && exit 77; }
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
fail() {
  echo "FAILED: $1"
  exit 1
}

"$root/tools/docs_site" "$scratch/site" || fail "the site does not build"
[[ -s $scratch/site/index.html && -s $scratch/site/guide/first_steps.html ]] || fail "pages are missing"
grep -q 'Your kernel' "$scratch/site/search/search_index.json" || fail "search does not know a page"
grep -q 'id="exit-codes"' "$scratch/site/reference/exit_codes.html" || fail "anchors are not those of GitHub"

# refused WORDS: the copy does not build, and says so.
mkdir "$scratch/copy" "$scratch/copy/tools"
cp -r "$root/docs" "$root/mkdocs.yml" "$scratch/copy"
cp "$root/tools/docs_site" "$root/tools/docs_hooks.py" "$scratch/copy/tools"
refused() {
  local said
  if said="$("$scratch/copy/tools/docs_site" "$scratch/bad" 2>&1)"; then fail "it builds with $1"; fi
  [[ $said == *"$2"* ]] || fail "with $1 it says: $said"
}
echo '[a page](gone.md)' >>"$scratch/copy/docs/terms.md"
refused "a link to nowhere" gone.md
cp "$root/docs/terms.md" "$scratch/copy/docs/terms.md"
echo '# New' >"$scratch/copy/docs/guide/new.md"
refused "a page that mkdocs.yml does not list" '> guide/new.md'
