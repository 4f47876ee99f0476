# SPDX-License-Identifier: BSD-3-Clause
"""How the scripts of measurements end: by themselves, by a Problem, or by a signal."""
import signal
import sys

from peers import Problem

SIGNALS = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)


class Hold:
    """A signal that comes within takes effect at its end: what is started has a name then, by which it can be ended."""
    active, number = False, None

    def __enter__(self):
        Hold.active = True

    def __exit__(self, *_):
        Hold.active = False
        if Hold.number is not None:
            exit_on(Hold.number, None)


def exit_on(number, _frame):
    """A second signal would cut short what the first one began: the job that runs is ended, what was found is written."""
    if Hold.active:
        Hold.number = number
        return
    for one in SIGNALS:
        signal.signal(one, lambda *_: None)
    sys.exit(128 + number)


def run_script(main, say):
    """Exits with what main() returns. A signal ends it as an exception does, since the job that runs has a session of its own,
    which no terminal's signal reaches; one that is ignored (nohup) stays so."""
    for number in SIGNALS:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, exit_on)
    try:
        sys.exit(main())
    except Problem as problem:
        say(str(problem))
        sys.exit(problem.status)
