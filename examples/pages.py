"""What the scripts share that write the tables of a page: their command line, and the places of the tables in the page."""

import argparse
from pathlib import Path


def insert(page, name, lines):
    """Replaces what stands in a page between the marks of a section."""
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    before, _, rest = page.read_text(encoding="utf-8").partition(begin)
    _, found, after = rest.partition(end)
    if not found:
        raise SystemExit(f"{page}: no section {name}, expected {begin.strip()} and {end}")
    page.write_text(before + begin + "\n".join(["", *lines, "", ""]) + end + after, encoding="utf-8")


def run(about, sections):
    """Prints the sections asked for, and writes them into a page.

    `sections` has by name a function from the arbiter's path to lines of Markdown, and whether the section has to be named.
    """
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arbiter", default="target/release/arbiter", help="the program [%(default)s]")
    parser.add_argument("--page", type=Path, help="write the tables into this page, too")
    parser.add_argument("--list", action="store_true", help="print the names of all sections and leave")
    parser.add_argument("sections", nargs="*", metavar="SECTION", help="what to do")
    chosen = parser.parse_args()
    if chosen.list:
        print(*sections, sep="\n")
        return
    unknown = set(chosen.sections) - set(sections)
    if unknown:
        parser.error(f"no section {', '.join(sorted(unknown))}; there are {', '.join(sections)}")
    for name in chosen.sections or [name for name, (_, is_named) in sections.items() if not is_named]:
        lines = []
        for text in sections[name][0](chosen.arbiter):
            print(text, flush=True)
            lines.append(text)
        print()
        if chosen.page:
            insert(chosen.page, name, lines)
