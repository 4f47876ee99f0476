# SPDX-License-Identifier: BSD-3-Clause
"""From the results of all rounds to one table."""
import statistics

from sizes import list_text, size_text

# What is shown of a test where more is better; all others show their time.
SHOWN = {"bandwidth": ("bandwidth_MBps", "MB/s"), "bibandwidth": ("bandwidth_MBps", "MB/s"),
         "put-bandwidth": ("bandwidth_MBps", "MB/s"), "get-bandwidth": ("bandwidth_MBps", "MB/s"),
         "rate": ("rate_per_s", "messages/s")}


def is_bandwidth(test):
    return SHOWN.get(test, ("",))[0] == "bandwidth_MBps"


def number_text(value):
    return "%.2f" % value if value < 1000 else "%.0f" % value


def size_key(size):
    return -1 if size is None else size


class Series:
    """One test in one form, of one type and operation: samples[size][peer name] is the list of the rounds' medians."""

    def __init__(self, test, form=None, kind=None, op=None):
        self.test, self.form, self.kind, self.op = test, form, kind, op
        self.field, self.unit = SHOWN.get(test, ("median_us", "us"))
        self.samples, self.failed, self.lingered, self.hopeless, self.floors = {}, {}, {}, set(), {}
        self.syncs = {}  # syncs[size][peer name]: how repetitions were started; barriers take over where a clock does not do
        self.asked = []  # sizes that all are to have: what none of them reaches is shown too
        self.own = {"Tutti"}  # and its variants, under whatever names: what Tutti is set beside is others

    def begin(self, peers, sizes):
        """Who is to be measured, at which sizes."""
        self.asked = sizes
        self.own = {peer.name for peer in peers if peer.family == "tutti"}

    def others(self, names):
        return [name for name in names if name not in self.own]

    def take(self, name, results):
        for row in results["results"]:
            if row["test"] == self.test and row.get("form") == self.form and row.get(self.field, 0) > 0:
                self.samples.setdefault(row.get("bytes"), {}).setdefault(name, []).append(row[self.field])
                self.take_sync(row.get("bytes"), name, row.get("sync"))
        if results["wall_s"] is None:
            self.lingered[name] = self.lingered.get(name, 0) + 1

    def take_sync(self, size, name, sync):
        if sync:
            self.syncs.setdefault(size, {}).setdefault(name, set()).add(sync)

    def uneven(self):
        """Where not all were started alike: the sizes of each [(how, names)]. A time from an agreed moment and one from behind a
        barrier are not the same figure."""
        found = {}
        for size, names in sorted(self.syncs.items(), key=lambda item: size_key(item[0])):
            ways = sorted(set().union(*names.values()))
            if len(ways) > 1:
                found.setdefault(tuple((way, tuple(name for name in names if way in names[name])) for way in ways), []).append(size)
        return found

    def take_floor(self, machine, plan, sizes):
        """What a round's run says of the machine (floors.py)."""
        for size in sizes:
            self.floors.setdefault(size, []).append(machine.floor(plan, self.test, size))

    def floor(self, size):
        return statistics.median(self.floors[size]) if self.floors.get(size) else None

    def over_floor(self, size):
        """How many times as long as the machine's floor Tutti takes; None: one of them is not known."""
        mine, floor = self.value(size, "Tutti"), self.floor(size)
        return mine / floor if mine and floor else None

    def value(self, size, name):
        """Median over the rounds, or None."""
        values = self.samples.get(size, {}).get(name)
        return statistics.median(values) if values else None

    def less_is_better(self):
        return self.field == "median_us"

    def ratio_head(self):
        """Of what the ratio is, that above 1 says that Tutti is faster."""
        return "best MPI/Tutti" if self.less_is_better() else "Tutti/best MPI"

    def times_better(self, mine, best):
        return best / mine if self.less_is_better() else mine / best

    def best(self, size, names):
        values = [value for value in (self.value(size, name) for name in names) if value]
        return (min(values) if self.less_is_better() else max(values)) if values else None

    def ratio(self, size, names):
        """How many times faster Tutti is than the best of the others; None if there is nothing to compare."""
        mine, best = self.value(size, "Tutti"), self.best(size, self.others(names))
        return self.times_better(mine, best) if mine and best else None

    def ratios(self, names):
        found = [self.ratio(size, names) for size in self.sizes()]
        return [ratio for ratio in found if ratio is not None]

    def give_up_on_hopeless(self, names, factor):
        """Notes the names, of others than Tutti, that are `factor` times slower than the best at every size they have."""
        for name in self.others(names):
            sizes = [size for size in self.samples if self.value(size, name)]
            ratios = [self.times_better(self.value(size, name), self.best(size, names)) for size in sizes]
            if ratios and max(ratios) * factor < 1:
                self.hopeless.add(name)

    def sizes(self):
        return sorted(set(self.samples).union(self.asked), key=size_key)

    def title(self):
        reduction = ["%s of %s" % (self.op, self.kind)] if self.kind else []
        return ", ".join([self.test] + ([self.form] if self.form else []) + reduction)


def cell(series, size, name):
    value = series.value(size, name)
    if value is not None:
        return number_text(value)
    return "failed" if name in series.failed else "-"


def floor_cells(series, size):
    floor, over = series.floor(size), series.over_floor(size)
    return "%10s%13s" % (number_text(floor), "%.2f" % over if over else "-") if floor else ""


def lingering(lingered):
    """What is said of runs that hung at their end, by the name and number of them."""
    return ["%s: %d runs had their results but did not end by themselves" % one for one in lingered.items()]


def notes(series):
    """What is said of single libraries, below the table."""
    for name, why in series.failed.items():
        yield "%s: %s" % (name, why)
    for name in sorted(series.hopeless):
        yield "%s: one round only, since it is far slower than the best at every size" % name
    yield from lingering(series.lingered)
    for ways, sizes in series.uneven().items():
        at = "" if sizes == [None] else " at " + list_text(sizes)
        yield "not started alike%s: %s" % (at, "; ".join("by %s %s" % (way, ", ".join(names)) for way, names in ways))


def print_series(series, names, heading, out):
    width = max(12, *(len(name) + 2 for name in names))
    print("\n%s (%s, median of the rounds' medians)" % (heading, series.unit), file=out)
    floor_head = "%10s%13s" % ("floor", "Tutti/floor") if series.floors else ""
    print("%8s" % "bytes" + "".join("%*s" % (width, name) for name in names) + "%16s" % series.ratio_head() + floor_head, file=out)
    for size in series.sizes() if series.samples else [None]:
        ratio = series.ratio(size, names) if series.samples else None
        cells = [cell(series, size, name) if series.samples else "failed" for name in names]
        print("%8s" % size_text(size) + "".join("%*s" % (width, text) for text in cells)
              + "%16s" % ("%.2f" % ratio if ratio else "") + floor_cells(series, size), file=out)
    ratios = series.ratios(names)
    if len(ratios) > 1:
        print("%8s median over sizes %.2f, lowest %.2f" % ("", statistics.median(ratios), min(ratios)), file=out)
    for note in notes(series):
        print("%8s %s" % ("", note), file=out)


def size_json(series, size, names):
    return {"bytes": size, "ratio": series.ratio(size, names), "floor": series.floor(size),
            "over_floor": series.over_floor(size),
            "median": {name: series.value(size, name) for name in names},
            "sync": {name: sorted(ways) for name, ways in series.syncs.get(size, {}).items()},
            "rounds": series.samples.get(size, {})}


def series_json(series, names, plan):
    return {"test": series.test, "form": series.form, "type": series.kind, "op": series.op, "ranks": plan.ranks,
            "bind": plan.bind, "unit": series.unit, "failed": series.failed, "lingered": series.lingered,
            "one_round": sorted(series.hopeless), "peers": series.others(names),
            "sizes": [size_json(series, size, names) for size in series.sizes()]}
