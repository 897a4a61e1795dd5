#!/bin/bash
# Builds everything and runs all tests.
#
#   scripts/test.sh                      preset release
#   scripts/test.sh --all                preset release, then sanitize without the slow and the GUI tests
#   scripts/test.sh --preset NAME        another preset of CMakePresets.json; may be repeated
#   scripts/test.sh … -- CTEST-OPTIONS   e.g. -- -L unit, -- -R include_direction, -- -LE slow
#
# The GUI tests start their own virtual X server. Tests that this machine cannot run (no GPU) are listed as skipped.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"

presets=()
all=no
while [ $# -gt 0 ]; do
    case $1 in
        --all) presets+=(release sanitize); all=yes ;;
        --preset) presets+=("${2:?--preset needs a name}"); shift ;;
        --) shift; break ;;
        -h | --help) sed -n '2,/^set/{/^set/d; s/^# \{0,1\}//; p}' "${BASH_SOURCE[0]}"; exit ;;
        *) say "unknown option $1; see scripts/test.sh --help"; exit 2 ;;
    esac
    shift
done
[ ${#presets[@]} -gt 0 ] || presets=(release)

jobs=${CTEST_PARALLEL_LEVEL:-$(($(nproc) + 2))}  # GUI tests mostly wait
verdicts=()
status=0

# What --all leaves out under the sanitizers: GUI tests take ten minutes there, SciPy's and the bench's find no more.
is_light() { [ "$all-$1" = yes-sanitize ]; }
build_for_tests() { build "$1" $(is_light "$1" && echo headless_tests); }

building=
for number in "${!presets[@]}"; do
    preset=${presets[number]} next=${presets[number + 1]:-}
    if [ -z "$building" ]; then
        set_up "$preset" build run test
        build_for_tests "$preset"
    elif ! wait "$building"; then
        cat "$root/build/$preset/build.log" >&2
        exit 1
    fi
    building=
    # Tests do not use all processors all the time: the next preset is built beside them, at the lowest priority.
    if [ -n "$next" ]; then
        set_up "$next" build run test
        (renice -n 19 -p "$BASHPID" >/dev/null || true; build_for_tests "$next") >"$root/build/$next/build.log" 2>&1 &
        building=$!
    fi
    say "running the tests of preset $preset"
    log=$root/build/$preset/ctest.log
    # By name: a preset's filter of labels outweighs -LE.
    is_light "$preset" && some=(-E '^(gui[.]|test_gui|scipy[.]|cli[.]Bench)') || some=()
    (cd "$root" && ctest --preset "$preset" -j "$jobs" "${some[@]}" "$@") | tee "$log" || status=1
    summary=$(grep -o '[0-9]*% tests passed.*' "$log" || echo "no tests were run")
    skipped=$(grep -c '\*\*\*Skipped' "$log" || true)
    verdicts+=("$preset: $summary, $skipped skipped")
done

# The end of the output, since a list of skipped tests can be long.
echo
printf 'texelscope tests: %s\n' "${verdicts[@]}"
exit $status
