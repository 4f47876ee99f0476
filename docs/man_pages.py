#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the manual pages of the public API: man_pages.py XML VERSION MAN

XML is the folder that Doxygen wrote from the headers, MAN the one that gets

  man3/tutti_send.3   a page for each function (and macro with arguments) that documents itself, with its nonblocking (`i`)
                      and persistent (`_init`) forms, which get a page that refers to it
  man7/tutti_p2p.7    a page for each header: its own text, functions, types, constants
  man7/tutti.7        the conventions of tutti.h

A function without a word about it is an error."""
import os
import re
import sys
from xml.etree import ElementTree

INCLUDE = "tutti/tutti.h"
ALONE = ("stream.h",)  # not in tutti.h: of a library of their own
WIDTH = 76  # of a line of a prototype
COMPLETED = r"\fBtutti_wait\fR(3), \fBtutti_test\fR(3) and their like"
NONBLOCKING = (r"Returns at once with an active request in \fI*request\fR; " + COMPLETED + " complete it, free it and set it to NULL. "
               "Until then the buffers must not be touched (sent: not written; received: not read).")
PERSISTENT = (r"Starts nothing, but makes an inactive persistent request, in \fI*request\fR. Each \fBtutti_start\fR(3) of it begins the "
              r"operation anew, with the arguments given here; " + COMPLETED + r" complete it, which makes it inactive again, and "
              r"\fBtutti_request_free\fR(3) ends it.")
RESULT = (r"0 (TUTTI_SUCCESS), or a negative TUTTI_ERR_* code; then \fBtutti_error_detail\fR(3) tells who, what, how much and what to do, "
          r"and \fBtutti_strerror\fR(3) the code's text.")
# What not every terminal's font has.
GLYPHS = {"\\": r"\e", "…": "...", "×": r"\(mu", "≥": r"\(>=", "≤": r"\(<=", "−": r"\(mi", "–": r"\(en", "—": r"\(em", "∘": "op"}


def troff(text):
    text = re.sub(r"\s+", " ", text or "")
    text = "".join(GLYPHS.get(c, c if ord(c) < 128 else rf"\[u{ord(c):04X}]") for c in text)
    return re.sub(r"\b(tutti_\w+|TUTTI_\w+)\(\)", r"\\fB\1\\fR(3)", text)  # a function's or macro's name leads to its page


def inline(node):
    """The troff text of a node, without the lists and sections in it, which come apart."""
    parts = [troff(node.text)]
    for child in node:
        if child.tag not in ("itemizedlist", "parameterlist", "simplesect", "para"):
            text = inline(child)
            if child.tag in ("computeroutput", "emphasis"):
                text = rf"\fI{text}\fR"
            elif child.tag == "bold":
                text = rf"\fB{text}\fR"
            elif child.tag == "ndash":
                text = r"\(en"
            parts.append(text)
        parts.append(troff(child.tail))
    return "".join(parts)


def paragraphs(description):
    """The paragraphs and list items of a description, each one line of troff that a macro may precede."""
    found = []
    for para in description.findall("para") if description is not None else []:
        found.append(re.sub(r"^(?=[.'])", r"\\&", inline(para).strip()))  # no macro, where a text begins with a dot
        for item in para.findall("itemizedlist/listitem"):
            found.append(".IP \\(bu 2\n" + " ".join(inline(p).strip() for p in item.findall("para")))
    return [p for p in found if p]


def joined(description):
    return " ".join(paragraphs(description))


def documented(member):
    return " ".join(filter(None, (joined(member.find("briefdescription")), joined(member.find("detaileddescription")))))


def plain(node):
    return "".join(node.itertext()) if node is not None else ""


def take(pattern, texts):
    """Removes what matches from the texts, and returns what its group holds, or None."""
    for i, text in enumerate(texts):
        match = re.search(pattern, text)
        if match:
            texts[i] = (text[:match.start()] + text[match.end():]).strip()
            return match[1].strip()
    return None


class Function:
    """One documented function, or macro with arguments."""

    def __init__(self, member):
        self.name = member.findtext("name")
        self.macro = member.get("kind") == "define"
        self.type = plain(member.find("type"))
        self.params = [(plain(p.find("type")), p.findtext("declname") or p.findtext("defname") or "", p.findtext("array") or "")
                       for p in member.findall("param")]
        self.brief = joined(member.find("briefdescription"))
        texts = paragraphs(member.find("detaileddescription"))
        texts[:1] = [" ".join([self.brief] + texts[:1])]
        returns = [inline(p).strip() for p in member.findall(".//simplesect[@kind='return']/para")]
        self.arguments = [(item.findtext(".//parametername"), joined(item.find("parameterdescription")))
                          for item in member.findall(".//parameteritem")]
        self.threads = take(r"Threads: (.*)$", texts) or take(r"Threads: (.*)$", returns)
        self.texts = [t for t in texts if t]
        self.returns = " ".join(returns)

    def request(self):
        return ("tutti_request **", "request", "") in self.params

    def prototype(self):
        """Lines of .BI, arguments slanted, broken like the headers."""
        head = (self.type + ("" if self.type.endswith("*") or not self.type else " ")) + self.name + "("
        lines, pieces, column = [], [head], len(head)
        for i, (kind, name, array) in enumerate(self.params):
            kind += " " if kind and name and not kind.endswith("*") else ""
            after = array + (", " if i + 1 < len(self.params) else ")" + ("" if self.macro else ";"))
            if column + len(kind + name + after) > WIDTH and i > 0:
                lines.append(pieces)
                pieces, column = [" " * len(head)], len(head)
            pieces[-1] += kind
            pieces += [name, after] if name else []
            pieces[-1] += "" if name else after
            column += len(kind + name + after)
        return "\n".join(".BI " + " ".join(f'"{p}"' for p in line) for line in lines + [pieces])


class Header:
    """One header: what it says of itself and what it declares."""

    def __init__(self, compound, structs):
        self.file = compound.findtext("compoundname")
        self.topic = "tutti" if self.file == "tutti.h" else "tutti_" + self.file[:-2]
        self.brief = joined(compound.find("briefdescription"))
        self.texts = paragraphs(compound.find("detaileddescription"))
        members = compound.findall("sectiondef/memberdef")
        self.functions = [Function(m) for m in members
                          if m.get("kind") == "function" or m.get("kind") == "define" and m.find("param/defname") is not None
                          and documented(m)]
        names = {f.name for f in self.functions}
        self.base = {f.name: b for f in self.functions for b in bases(f.name) if b in names}
        self.types = [(plain(m.find("definition")) + plain(m.find("argsstring")), documented(m)) for m in members
                      if m.get("kind") == "typedef"]
        self.structs = [structs[inner.get("refid")] for inner in compound.findall("innerclass")]
        self.enums = [m for m in members if m.get("kind") == "enum"]
        self.constants = [(m.findtext("name"), documented(m)) for m in members
                          if m.get("kind") == "define" and m.find("param") is None and documented(m)]
        self.errors = take(r"Errors common to all: (.*)$", list(self.texts))
        self.threads = take(r"^Threads: (.*)$", list(self.texts))

    def pages(self):
        return [f for f in self.functions if f.name not in self.base]

    def forms(self, function):
        return [f for f in self.functions if self.base.get(f.name) == function.name]


def bases(name):
    """What tutti_ibcast and tutti_bcast_init may be forms of."""
    return [re.sub("^tutti_i", "tutti_", name)] * name.startswith("tutti_i") + [name[:-5]] * name.endswith("_init")


def capital(text):
    return text[:1].upper() + text[1:]


def title(brief):
    """A brief as `whatis` shows it: no styles, no full stop."""
    return re.sub(r"\\f[BIR]", "", brief).rstrip(" .")


class Page:
    def __init__(self, name, section, version, names, brief):
        self.path = os.path.join(f"man{section}", f"{name}.{section}")
        self.lines = [f'.TH {name.upper()} {section} "" "Tutti {version}" "Tutti"', ".ad l", ".nh"]
        self.section("NAME", [", ".join(names) + r" \- " + title(brief)])

    def section(self, name, texts):
        if texts:
            self.lines += [f".SH {name}", "\n.PP\n".join(texts)]

    def tagged(self, name, rows):
        """Rows of what and its meaning; what has none is a paragraph."""
        if rows:
            self.section(name, ["\n".join(f".TP\n{tag}\n{text}" if text else f".PP\n{tag}" for tag, text in rows)])

    def write(self, folder):
        path = os.path.join(folder, self.path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        text = "\n".join(self.lines) + "\n"
        with open(path, "w", encoding="ascii") as out:
            out.write(re.sub(r"\.PP\n(?=\.(IP|TP))", "", text))


def included(header):
    return f".B #include <{'tutti/' + header.file if header.file in ALONE else INCLUDE}>"


def synopsis(page, header, functions):
    lines = [".nf", included(header), ".PP"] + [f.prototype() for f in functions] + [".fi"]
    page.section("SYNOPSIS", ["\n".join(lines)])


def form_text(form):
    how = "" if not form.request() else PERSISTENT if form.name.endswith("_init") else NONBLOCKING
    return " ".join(form.texts + [how]).strip()


def function_page(header, function, version, threads):
    forms = header.forms(function)
    page = Page(function.name, 3, version, [f.name for f in [function] + forms], function.brief)
    synopsis(page, header, [function] + forms)
    page.section("DESCRIPTION", function.texts)
    if forms:
        page.lines += [line for f in forms for line in (".TP", f".BR {f.name} ()", form_text(f))]
    page.tagged("PARAMETERS", [(rf"\fI{name}\fR", text) for name, text in function.arguments])
    of_codes = function.type == "int" and not (function.returns and not function.returns.startswith("TUTTI_ERR"))
    page.section("RETURN VALUE", [RESULT] if of_codes else [capital(function.returns)] * bool(function.returns))
    if of_codes:
        common = [f"Of all functions of tutti/{header.file}: {header.errors}"] * bool(header.errors)
        page.section("ERRORS", [function.returns] * bool(function.returns) + common)
    if not function.macro:
        page.section("THREADS", [capital(function.threads)] if function.threads else
                     [capital(t) for t in (threads, header.threads) if t])
    others = [f"\\fB{f.name}\\fR(3)" for f in header.pages() if f is not function]
    page.section("SEE ALSO", [", ".join(others + [rf"\fB{header.topic}\fR(7)"] + [r"\fBtutti\fR(7)"])])
    return page


def fields(struct):
    return [(rf"\fB{plain(f.find('definition')).replace('::', '.')}\fR", documented(f)) for f in struct.findall("sectiondef/memberdef")]


def values(enum):
    """What the enum is for, those of its values that speak for themselves, and the others."""
    rows = [(rf"\fB{v.findtext('name')}\fR", documented(v)) for v in enum.findall("enumvalue")]
    plain_ones = ", ".join(name for name, text in rows if not text)
    return [(documented(enum), "")] + [(plain_ones, "")] * bool(plain_ones) + [row for row in rows if row[1]]


def header_page(header, version, others):
    page = Page(header.topic, 7, version, [header.topic], header.brief)
    page.section("SYNOPSIS", [included(header)])
    page.section("DESCRIPTION", header.texts)
    page.tagged("HEADERS", [(rf"\fB{h.topic}\fR(7)", h.brief) for h in others])
    page.tagged("FUNCTIONS", [(", ".join(rf"\fB{g.name}\fR(3)" for g in [f] + header.forms(f)), f.brief) for f in header.pages()])
    page.tagged("TYPES", [(rf"\fB{troff(t)}\fR", text) for t, text in header.types] +
                [row for s in header.structs for row in fields(s)])
    page.tagged("CONSTANTS", [row for e in header.enums for row in values(e)] +
                [(rf"\fB{name}\fR", text) for name, text in header.constants])
    page.section("SEE ALSO", [r"\fBtuttirun\fR(1), \fBtutti\-info\fR(1)" if others else r"\fBtutti\fR(7)"])
    return page


def read(folder):
    compounds = [ElementTree.parse(os.path.join(folder, f)).find("compounddef") for f in sorted(os.listdir(folder))
                 if f.endswith("_8h.xml") or f.startswith("struct")]
    structs = {c.get("id"): c for c in compounds if c.get("kind") == "struct"}
    return [Header(c, structs) for c in compounds if c.get("kind") == "file"]


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    xml, version, folder = sys.argv[1:]
    headers = read(xml)
    top = next(h for h in headers if h.topic == "tutti")
    headers.remove(top)
    silent = [f.name for h in headers for f in h.pages() if not f.brief]
    if silent:
        sys.exit(f"man_pages: nothing is said in the headers about {', '.join(silent)}")
    threads = take(r"\\fBThreads\.\\fR (.*)$", list(top.texts)) or sys.exit("man_pages: tutti.h has no rule that begins with **Threads.**")
    header_page(top, version, headers).write(folder)
    for header in headers:
        header_page(header, version, []).write(folder)
        for function in header.pages():
            function_page(header, function, version, threads).write(folder)
        for form, base in header.base.items():
            with open(os.path.join(folder, "man3", f"{form}.3"), "w", encoding="ascii") as out:
                out.write(f".so man3/{base}.3\n")


if __name__ == "__main__":
    main()
