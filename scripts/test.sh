#!/bin/bash
# Builds everything and runs all tests.
#
#   scripts/test.sh                      preset release
#   scripts/test.sh --all                preset release, then of sanitize what computes and what reads bytes
#   scripts/test.sh --preset NAME        another preset of CMakePresets.json; may be repeated
#   scripts/test.sh … -- CTEST-OPTIONS   e.g. -- -L unit, -- -R include_direction, -- -LE slow
#
# The GUI tests start their own virtual X server. Tests that this machine cannot run (no GPU) are listed as skipped. Where
# only GUI tests failed, which drive a window in real time, they run once more by themselves; the last lines say so.
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

# failed_in LOG: the names of the tests that failed
failed_in() { sed -n '/^The following tests FAILED/,$ s/^[[:space:]]*[0-9]* - \([^ ]*\) (.*/\1/p' "$1"; }

for preset in "${presets[@]}"; do
    # With --all, the sanitizers run over what computes and what reads bytes: GUI tests take ten minutes under them, and
    # the other programs find no more there; `--preset sanitize` runs them all.
    [ "$all-$preset" = yes-sanitize ] && target=sanitized_tests || target=
    set_up "$preset" build run test
    build "$preset" $target
    say "running the tests of preset $preset"
    log=$root/build/$preset/ctest.log
    # By name: a preset's filter of labels outweighs -LE. Compiling kernels loads NVRTC, which leaks 72 KiB of its own.
    [ -n "$target" ] && some=(-E '^(cli|docs|drawing|gui|interop|scipy|studies|text|viewer)[.]|^test_gui|^kernels[.]Compiling') || some=()
    passed=yes again=
    (cd "$root" && ctest --preset "$preset" -j "$jobs" "${some[@]}" "$@") | tee "$log" || passed=no
    if [ $passed = no ] && grep -q '^gui[.]' <(failed_in "$log") && ! grep -qv '^gui[.]' <(failed_in "$log"); then
        say "only GUI tests failed: these run again, one at a time"
        again="; again by themselves: $(failed_in "$log" | tr '\n' ' ')"
        (cd "$root" && ctest --preset "$preset" -j 1 --rerun-failed) | tee "$log.again" && passed=yes
        again+=$(grep -o '[0-9]*% tests passed.*' "$log.again" || true)
    fi
    [ $passed = yes ] || status=1
    summary=$(grep -o '[0-9]*% tests passed.*' "$log" || echo "no tests were run")
    skipped=$(grep -c '\*\*\*Skipped' "$log" || true)
    verdicts+=("$preset: $summary, $skipped skipped$again")
done

# The end of the output, since a list of skipped tests can be long.
echo
missing=$(missing_packages build run test)
[ -z "$missing" ] || verdicts+=("not installed: ${missing//$'\n'/ }")
printf 'texelscope tests: %s\n' "${verdicts[@]}"
exit $status
