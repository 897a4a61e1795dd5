#!/usr/bin/env python3
"""Checks an experiment's folder: check_report.py FOLDER

The page is well-formed, is self-contained, and holds every plot and picture of the folder; tables say the same as CSV,
as JSON and on the page. Status 1 and one line for each violation."""

import base64
import csv
import html.parser
import json
import pathlib
import re
import sys
import xml.etree.ElementTree

VOID = {"meta", "img", "br", "hr", "link", "input"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.images, self.svgs, self.ids, self.text = [], [], 0, [], []

    def handle_starttag(self, tag, attributes):
        if tag not in VOID:
            self.open.append(tag)
        self.note(tag, dict(attributes))

    def handle_startendtag(self, tag, attributes):
        self.note(tag, dict(attributes))

    def note(self, tag, attributes):
        for name in ("src", "href", "xlink:href", "data", "srcset"):
            value = attributes.get(name, "data:")
            assert value.startswith("data:"), f"{tag} refers to {value[:60]}"
        assert tag not in ("script", "link", "iframe", "object"), f"there is a <{tag}>"
        if tag == "img":
            assert attributes.get("alt"), "a picture has no words instead of it"
            self.images.append(attributes["src"])
        self.svgs += tag == "svg"
        if "id" in attributes:
            self.ids.append(attributes["id"])

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-1:]}"
        self.open.pop()

    def handle_data(self, data):
        self.text.append(data)


def check(folder):
    text = (folder / "report.html").read_text(encoding="utf-8")
    xml.etree.ElementTree.fromstring(text.split("\n", 1)[1])
    page = Page()
    page.feed(text)
    page.close()
    assert not page.open, f"never closed: {page.open}"
    assert len(page.ids) == len(set(page.ids)), "two elements share an id"
    assert not re.search(r"url\((?!#)|@import", text), "the style refers to something else"

    pictures = sorted(folder.glob("picture-*.png"))
    plots = sorted(folder.glob("plot-*.svg"))
    assert len(page.images) == len(pictures), f"{len(page.images)} pictures on the page, {len(pictures)} files"
    assert page.svgs == len(plots) == len(list(folder.glob("plot-*.png"))) > 0, "plots are missing"
    files = {p.read_bytes() for p in pictures}
    for source in page.images:
        head, data = source.split(",", 1)
        assert head == "data:image/png;base64", head
        assert base64.b64decode(data, validate=True) in files, "a picture on the page is none of the folder's"
    for plot in plots:
        xml.etree.ElementTree.parse(plot)

    result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    tables = {p.name: p for p in folder.glob("table-*.csv")}
    assert len(tables) == len(result["tables"]) > 0, "as many tables as files"
    words = " ".join(page.text)
    rows_by_headings = {}
    for path in tables.values():
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        rows_by_headings.setdefault((tuple(rows[0]), len(rows)), []).append(rows[1:])
    for table in result["tables"]:
        headings = tuple(f"{c['name']} ({c['unit']})" if c["unit"] else c["name"] for c in table["columns"])
        found = rows_by_headings[headings, len(table["rows"]) + 1]
        same = [rows for rows in found if all(
            cell == "" if value is None else cell == value if isinstance(value, str) else float(cell) == value
            for row, values in zip(rows, table["rows"], strict=True) for cell, value in zip(row, values, strict=True))]
        assert same, f"the CSV of '{table['title']}' differs from the JSON"
        assert table["title"] in words, f"'{table['title']}' is not on the page"
    for verdict in result["verdicts"]:
        assert verdict["expected"] in words and verdict["found"] in words, f"not on the page: {verdict['expected']}"
        assert verdict["outcome"] in ("agrees", "differs", "open")


if __name__ == "__main__":
    try:
        check(pathlib.Path(sys.argv[1]))
    except AssertionError as error:
        sys.exit(f"{sys.argv[1]}: {error}")
