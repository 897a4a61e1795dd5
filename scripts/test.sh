#!/bin/bash
# Builds everything and runs the tests.
#
#   scripts/test.sh                      preset release, without slow tests
#   scripts/test.sh --all                then, of preset sanitize, what reads bytes and what computes, and the slow tests
#   scripts/test.sh --all --minutes 50   begins no further stage after 50 minutes, and says which were left out
#   scripts/test.sh --preset NAME        another preset of CMakePresets.json
#   scripts/test.sh … -- CTEST-OPTIONS   e.g. -- -L unit, -- -R include_direction, -- -L slow
#
# The GUI tests start their own virtual X server. Tests that this machine cannot run (no GPU) are listed as skipped.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"

preset=release
all=no
minutes=
while [ $# -gt 0 ]; do
    case $1 in
        --all) all=yes ;;
        --minutes) minutes=${2:?--minutes needs a number}; shift ;;
        --preset) preset=${2:?--preset needs a name}; shift ;;
        --) shift; break ;;
        -h | --help) sed -n '2,/^set/{/^set/d; s/^# \{0,1\}//; p}' "${BASH_SOURCE[0]}"; exit ;;
        *) say "unknown option $1; see scripts/test.sh --help"; exit 2 ;;
    esac
    shift
done

jobs=${CTEST_PARALLEL_LEVEL:-$(($(nproc) + 2))}
verdicts=()
status=0

# stage NAME PRESET TARGET CTEST-OPTIONS…: builds (TARGET empty: everything), runs these tests, notes the verdict
stage() {
    local name=$1 preset=$2 target=$3
    shift 3
    if [ -n "$minutes" ] && [ $SECONDS -gt $((minutes * 60)) ]; then
        verdicts+=("$name: left out, since $minutes minutes were over")
        return
    fi
    set_up "$preset" build run test
    build "$preset" $target
    say "running the tests: $name"
    local log=$root/build/$preset/ctest.log passed=yes summary skipped
    (cd "$root" && ctest --preset "$preset" -j "$jobs" "$@") | tee "$log" || passed=no
    [ $passed = yes ] || status=1
    summary=$(grep -o '[0-9]*% tests passed.*' "$log" || echo "no tests were run")
    skipped=$(grep -c '\*\*\*Skipped' "$log" || true)
    verdicts+=("$name: $summary, $skipped skipped, $((SECONDS / 60)) minutes since the start")
}

if [ $all = yes ]; then
    stage release release "" -LE slow "$@"
    # GUI tests take ten minutes under the sanitizers, and the other programs find no more there; `--preset sanitize`
    # runs them all. By name: a preset's filter of labels outweighs -LE.
    stage "sanitized readers" sanitize sanitized_readers -R '^(core|files|fuzz|state|weights)[.]' "$@"
    # Compiling kernels loads NVRTC, which leaks 72 KiB of its own.
    stage "sanitized computing" sanitize sanitized_computing -R '^(engine|kernels|method|picture|tiles)[.]' \
        -E '^kernels[.]Compiling' "$@"
    stage "slow tests" release "" -L slow "$@"
elif [ $# -gt 0 ]; then
    stage "$preset" "$preset" "" "$@"
else
    stage "$preset" "$preset" "" -LE slow
fi

# The end of the output, since a list of skipped tests can be long.
echo
missing=$(missing_packages build run test)
[ -z "$missing" ] || verdicts+=("not installed: ${missing//$'\n'/ }")
printf 'texelscope tests: %s\n' "${verdicts[@]}"
exit $status
