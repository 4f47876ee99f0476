# SPDX-License-Identifier: BSD-3-Clause
# Shared by tests of what a user may get wrong; to be sourced after patience.sh, in a folder that may be written to.

# refuses PATTERN PROGRAM ARGUMENT...: status 1, and one line on stderr that begins with the program's name and matches.
refuses() {
    local pattern=$1 program=$2 status
    shift
    patiently "$@" >out 2>err </dev/null
    status=$?
    [ $status = 1 ] && [ "$(wc -l <err)" = 1 ] && grep -qE "^${program##*/}: .*($pattern)" err && return
    echo "$*: status $status; expected one line with \"$pattern\", found:"
    cat err
    return 1
}
