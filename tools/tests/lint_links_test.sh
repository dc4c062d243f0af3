#!/usr/bin/env bash
# lint_links finds every link that leads nowhere, with file and line, and refuses no sound one.
set -euo pipefail

lint="$(dirname "$(readlink -f "$0")")/../lint_links"
tree="$(mktemp -d)"
trap 'rm -rf "$tree"' EXIT
failures=0

fail() {
  echo "FAILED: $1"
  failures=$((failures + 1))
}

mkdir -p "$tree/docs/golden"
touch "$tree/docs/picture (1).png" "$tree/docs/picture.png" "$tree/LICENSE"
cat >"$tree/docs/page.md" <<'END_OF_PAGE'
# A page: what `it_holds`, and *more*!

## Twice
## Twice
## Größe, 4096² × 2

```cpp
## In code
```

<a id="by-hand"></a>
END_OF_PAGE
cat >"$tree/sound.md" <<'END_OF_PAGE'
# Sound

[a page](docs/page.md), [with
two lines](docs/page.md#twice-1), ![a picture](docs/picture.png "with a title"), [here](#sound), [a folder](docs)
[![a picture in a link](docs/picture.png)](docs/page.md#a-page-what-it_holds-and-more)
[a blank](docs/picture%20(1).png) [brackets](<docs/picture (1).png>) [umlaut](docs/page.md#größe-4096²--2)
[escaped](docs/page.md#gr%C3%B6%C3%9Fe-4096%C2%B2--2) [by hand](docs/page.md#by-hand) [text](LICENSE) [by name]
[others](https://example.org/nowhere.md#at-all) <a href="docs/page.md">HTML</a> [mail](mailto:a@example.org)

[by name]: docs/page.md

`[&](nowhere)` and ``[a `b`](nowhere)`` are code, and so is

```cpp
const auto squares = [&](std::size_t) {};
[no link](nowhere.md)
```
END_OF_PAGE
# What a program printed links to what is not there.
echo '[run](run.jsonl)' >"$tree/docs/golden/report.md"
said="$("$lint" "$tree")" || fail "sound links are refused: $said"

# refused LINE WORDS: on line 3 of a page in docs
refused() {
  local said
  printf 'first line\n\n%s\n' "$1" >"$tree/docs/bad.md"
  if said="$("$lint" "$tree")"; then
    fail "\"$1\" passes"
  elif [[ $said != "docs/bad.md:3: "*"$2"* || $(wc -l <<<"$said") != 1 ]]; then
    fail "\"$1\": \"$said\" does not say \"$2\""
  fi
  rm "$tree/docs/bad.md"
}
refused '[a page](gone.md)' 'gone.md: no file docs/gone.md'
refused 'a word [a page](docs/page.md)' 'no file docs/docs/page.md'
refused '![a picture](gone.png)' 'no file docs/gone.png'
refused '[![a picture](gone.png)](page.md)' 'no file docs/gone.png'
refused '[![a picture](picture.png)](gone.md)' 'no file docs/gone.md'
refused '[outside](../../else.md)' 'no file ../else.md'
refused '[root](/docs/page.md)' 'root of a disk'
refused '[a heading](page.md#thrice)' 'no heading #thrice in docs/page.md; there are: '
refused '[a heading](page.md#twice-2)' 'no heading #twice-2'
refused '[in code](page.md#in-code)' 'no heading #in-code'
refused '[here](#here)' 'no heading #here in docs/bad.md'
refused '[a line](../LICENSE#l3)' 'on Markdown pages alone'
refused '[empty]()' 'without a target'
refused '[by name]: gone.md' 'no file docs/gone.md'
refused '<img src="gone.png">' 'no file docs/gone.png'

# In a checkout a file that git ignores is none: whoever clones the project does not have it.
git -C "$tree" init -q .
echo '*.svg' >"$tree/.gitignore"
touch "$tree/docs/made.svg"
refused '![made](made.svg)' 'no file docs/made.svg'
mv "$tree/.git" "$tree/git"

mkdir "$tree/empty"
code=0
"$lint" "$tree/empty" 2>"$tree/said" || code=$?
[[ $code == 2 ]] || fail "a folder without pages: exit code $code"

((failures == 0)) || exit 1
