"""What mkdocs needs to know of these pages: links that leave docs/, and GitHub's anchors of headings."""
import os
import re

LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|!\[[^\[\]]*\]\([^()]*\))*)\]\(([^()\s]+)\)")


def slug(heading, separator):
    """GitHub's anchor of a heading, as tools/lint_links has it."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", separator)


def on_page_markdown(markdown, page, config, files):
    """A link to a file outside of docs/ becomes its text, for the site does not contain that file."""
    folder = os.path.dirname(page.file.src_path)

    def within(found):
        target = found[2].partition("#")[0]
        if not target or re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", target):
            return found[0]
        outside = os.path.normpath(os.path.join(folder, target)).startswith("..")
        return found[1] if outside else found[0]

    return LINK.sub(within, markdown)
