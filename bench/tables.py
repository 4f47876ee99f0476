# SPDX-License-Identifier: BSD-3-Clause
"""From the results of all rounds to one table."""
import statistics

# What is shown of a test, and whether more is better; all others show their time.
SHOWN = {"bandwidth": ("bandwidth_MBps", "MB/s"), "bibandwidth": ("bandwidth_MBps", "MB/s"),
         "put-bandwidth": ("bandwidth_MBps", "MB/s"), "get-bandwidth": ("bandwidth_MBps", "MB/s"),
         "rate": ("rate_per_s", "messages/s")}


def size_text(size):
    if size is None:
        return ""
    for unit in ("", "k", "m", "g"):
        if size % 1024 or not size or unit == "g":
            return "%d%s" % (size, unit)
        size //= 1024
    return ""


def number_text(value):
    return "%.2f" % value if value < 1000 else "%.0f" % value


class Series:
    """One test in one form: samples[size][peer name] is the list of the rounds' medians."""

    def __init__(self, test, form):
        self.test, self.form = test, form
        self.field, self.unit = SHOWN.get(test, ("median_us", "us"))
        self.samples, self.failed, self.lingered = {}, {}, {}

    def take(self, name, results):
        for row in results["results"]:
            if row["test"] == self.test and row.get("form") == self.form:
                self.samples.setdefault(row.get("bytes"), {}).setdefault(name, []).append(row[self.field])

    def value(self, size, name):
        """Median over the rounds, or None."""
        values = self.samples[size].get(name)
        return statistics.median(values) if values else None

    def ratio(self, size, names):
        """How many times faster Tutti is than the best of the others; None if there is nothing to compare."""
        mine, others = self.value(size, "Tutti"), [self.value(size, n) for n in names if n != "Tutti"]
        others = [value for value in others if value]
        if not mine or not others:
            return None
        return min(others) / mine if self.field == "median_us" else mine / max(others)

    def ratios(self, names):
        found = [self.ratio(size, names) for size in self.sizes()]
        return [ratio for ratio in found if ratio is not None]

    def sizes(self):
        return sorted(self.samples, key=lambda size: -1 if size is None else size)

    def title(self):
        return self.test + (", " + self.form if self.form else "")


def cell(series, size, name):
    value = series.value(size, name)
    if value is not None:
        return number_text(value)
    return "failed" if name in series.failed else "-"


def print_series(series, names, out):
    width = max(12, *(len(name) + 2 for name in names))
    print("\n%s (%s, median of the rounds' medians)" % (series.title(), series.unit), file=out)
    print("%8s" % "bytes" + "".join("%*s" % (width, name) for name in names) + "%16s" % "best MPI/Tutti", file=out)
    for size in series.sizes() or [None]:
        ratio = series.ratio(size, names) if series.samples else None
        cells = [cell(series, size, name) if series.samples else "failed" for name in names]
        print("%8s" % size_text(size) + "".join("%*s" % (width, text) for text in cells)
              + "%16s" % ("%.2f" % ratio if ratio else ""), file=out)
    ratios = series.ratios(names)
    if len(ratios) > 1:
        print("%8s median over sizes %.2f, lowest %.2f" % ("", statistics.median(ratios), min(ratios)), file=out)
    for name, why in series.failed.items():
        print("%8s %s: %s" % ("", name, why), file=out)
    for name, count in series.lingered.items():
        print("%8s %s: %d runs had their results but did not end by themselves" % ("", name, count), file=out)


def series_json(series, names):
    return {"test": series.test, "form": series.form, "unit": series.unit, "failed": series.failed,
            "sizes": [{"bytes": size, "ratio": series.ratio(size, names),
                       "median": {name: series.value(size, name) for name in names},
                       "rounds": series.samples[size]} for size in series.sizes()]}
