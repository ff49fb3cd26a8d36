#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes a site of the pages and of the comments in public headers, and checks its links.

  doc/site.py build/site            makes it by doxygen; the first page is build/site/html/index.html
  doc/site.py build/site --check    checks the links of one that is there
  doc/site.py --filter doc/guide.md prints a page as doxygen reads it, see FILTER_PATTERNS in doc/Doxyfile

Fails on a warning of doxygen and on a link, in the pages as they are or in what was made of them, to a file or to an
anchor that is not there. Addresses of other sites are not asked. Pages are written for GitHub. For doxygen headings get
the anchors that GitHub gives them, and links to files of the repository lead to copies in the site.
"""
import argparse
import html.parser
import os
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
PAGES += sorted((ROOT / "doc").glob("*.md")) + sorted((ROOT / "example").glob("*/README.md"))

# True as soon as each public member and each of its parameters has a comment: the site fails on one that has none.
# Hidden members, as they are today, are not warned of.
STRICT = True

CODE = re.compile(r"^```.*?^```|(?:(?<=\n\n)|\A)(?: {4}[^\n]*\n|\n(?= {4}))+|`[^`\n]+`", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"(!?)\[((?:[^\[\]`]|`[^`]*`)*)\]\(([^)\s]+)\)")
HEADING = re.compile(r"^(#{1,4}) +(.*?) *$", re.MULTILINE)


def label(page):
    """The name that doxygen gives to a page, and the beginning of those of its headings."""
    where = page.relative_to(ROOT)
    return where.parent.name if where.parts[0] == "example" and len(where.parts) == 3 else where.stem.lower()


def outside_code(text, change):
    """The text with change() of what is no block of code; code in a line belongs to links and headings."""
    pieces, end = [], 0
    for code in CODE.finditer(text):
        if not code.group().startswith("`") or code.group().startswith("```"):
            pieces += [change(text[end:code.start()]), code.group()]
            end = code.end()
    return "".join(pieces) + change(text[end:])


def anchors(page):
    """Anchors of headings in their order, as GitHub makes them."""
    names, times = [], {}

    def collect(text):
        for heading in HEADING.finditer(text):
            name = re.sub(r"[^\w\- ]", "", heading.group(2).lower()).replace(" ", "-")
            times[name] = times.get(name, -1) + 1
            names.append(name if times[name] == 0 else f"{name}-{times[name]}")
        return text

    outside_code(page.read_text(encoding="utf-8"), collect)
    return names


class Target:
    """Where a link of a page leads, and why it does not."""

    def __init__(self, page, link):
        path, _, self.anchor = link.partition("#")
        self.file = pathlib.Path(os.path.normpath(page.parent / path)) if path else page
        if self.file.is_dir() and (self.file / "README.md").exists():
            self.file /= "README.md"
        self.is_page = self.file in PAGES
        self.error = ""
        if ROOT not in self.file.parents or not self.file.is_file():
            self.error = "there is no such file"
        elif self.anchor and not (self.is_page and self.anchor in anchors(self.file)):
            self.error = "there is no such heading"

    def copy(self):
        """The place of a copy in the site; what is no picture is a text, so that browsers show it."""
        parts = [part.lstrip(".") for part in self.file.relative_to(ROOT).parts]
        return "sources/" + "/".join(parts) + ("" if self.file.suffix in (".png", ".svg") else ".txt")


def is_outside(link):
    return re.match(r"[a-z]+:", link) is not None


def targets(page):
    """Links of a page: '!' if it shows a picture, how it is written, where it leads."""
    found = []

    def collect(text):
        found.extend((link.group(1), link.group(3), Target(page, link.group(3)))
                     for link in LINK.finditer(text) if not is_outside(link.group(3)))
        return text

    outside_code(page.read_text(encoding="utf-8"), collect)
    return found


def for_doxygen(page):
    """The page with labels, and links by them."""
    names, name = iter(anchors(page)), label(page)

    def link(match):
        image, text, where = match.groups()
        if is_outside(where):
            return match.group()
        target = Target(page, where)
        if image:
            return f"![{text}]({target.file.name})"
        if not target.is_page:
            return f"[{text}]({target.copy()})"
        if target.anchor:
            return f"[{text}](@ref {label(target.file)}-{target.anchor})"
        return f"[{text}](index.html)" if label(target.file) == "readme" else f"[{text}](@ref {label(target.file)})"

    def heading(match):
        anchor = next(names)
        if len(match.group(1)) == 1:
            return f"{match.group()} {{#{'mainpage' if name == 'readme' else name}}}"
        return f"{match.group()} {{#{name}-{anchor}}}"

    return outside_code(page.read_text(encoding="utf-8"), lambda text: HEADING.sub(heading, LINK.sub(link, text)))


class Page(html.parser.HTMLParser):
    """Links and anchors of a page of the site."""

    def __init__(self, path):
        super().__init__()
        self.links, self.names = [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("id", "name"):
                self.names.add(value)
            elif name in ("href", "src", "data") and value and not is_outside(value):
                self.links.append(urllib.parse.unquote(value))


def check(folder):
    """Fails if a link in the folder is broken."""
    pages = {path: Page(path) for path in sorted(folder.rglob("*.html"))}
    wrong = []
    for path, page in pages.items():
        for link in page.links:
            where, _, anchor = link.partition("#")
            target = pathlib.Path(os.path.normpath(path.parent / where.partition("?")[0])) if where else path
            if not target.exists():
                wrong.append(f"{path.name}: there is no {link}")
            # doxygen's own lists have links to letters that are not there.
            elif anchor and target in pages and not anchor.startswith("index_") and anchor not in pages[target].names:
                wrong.append(f"{path.name}: there is no anchor {link}")
    if wrong:
        sys.exit("\n".join(wrong))
    links = sum(len(page.links) for page in pages.values())
    print(f"{len(pages)} pages, {links} links, none of them broken: {folder / 'index.html'}")


def make(out, doxygen, is_strict):
    wrong = [f"{page.relative_to(ROOT)}: {link}: {target.error}"
             for page in PAGES for _, link, target in targets(page) if target.error]
    if wrong:
        sys.exit("\n".join(wrong))
    shutil.rmtree(out / "html", ignore_errors=True)
    out.mkdir(parents=True, exist_ok=True)
    version = re.findall(r"_(?:MAJOR|MINOR|PATCH) (\d+)\)", (ROOT / "cmake/KontractVersion.cmake").read_text())
    settings = [(ROOT / "doc/Doxyfile").read_text(encoding="utf-8"), f'OUTPUT_DIRECTORY = "{out}"',
                f"PROJECT_NUMBER = {'.'.join(version)}"]
    hidden, complete = ("NO", "YES") if is_strict else ("YES", "NO")
    settings += [f"HIDE_UNDOC_MEMBERS = {hidden}", f"HIDE_UNDOC_CLASSES = {hidden}", f"WARN_IF_INCOMPLETE_DOC = {complete}"]
    try:
        release = subprocess.run([doxygen, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
        if [int(number) for number in re.findall(r"\d+", release)[:3]] >= [1, 9, 8]:
            settings.append("IMPLICIT_DIR_DOCS = NO")  # each README.md is a page
        (out / "Doxyfile").write_text("\n".join(settings) + "\n", encoding="utf-8")
        result = subprocess.run([doxygen, out / "Doxyfile"], cwd=ROOT, stderr=subprocess.PIPE, text=True, check=False)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"site.py: doxygen cannot be run ({error}); Debian has it in its package doxygen")
    if result.returncode != 0 or result.stderr:
        sys.exit(f"doxygen warns:\n{result.stderr}")
    html_dir = out / "html"
    for page in PAGES:
        for image, _, target in targets(page):
            if not image and not target.is_page:
                copy = html_dir / target.copy()
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(target.file, copy)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", help="directory of the site; with --filter a page")
    parser.add_argument("--filter", action="store_true", help="print a page as doxygen reads it")
    parser.add_argument("--check", action="store_true", help="check the links of the site, and make nothing")
    parser.add_argument("--strict", action="store_true", default=STRICT, help="fail on public members without a comment")
    parser.add_argument("--doxygen", default="doxygen", help="the program")
    arguments = parser.parse_args()
    out = pathlib.Path(arguments.out).resolve()
    if arguments.filter:
        sys.stdout.reconfigure(encoding="utf-8")
        sys.stdout.write(for_doxygen(out))
        return
    if not arguments.check:
        make(out, arguments.doxygen, arguments.strict)
    check(out / "html")


if __name__ == "__main__":
    main()
