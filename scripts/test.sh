#!/bin/bash
# Builds everything and runs the tests.
#
#   scripts/test.sh                      what a merge needs: all but the slow tests, then those of reading bytes and of
#                                        computing once more under the sanitizers
#   scripts/test.sh --all                the fuzz targets in it for a minute each; then the rest of the sanitizers' tests but
#                                        those of the window, the slow ones, and the page and the engine as WebAssembly if
#                                        Emscripten is installed
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
accurate='^engine[.]Cpu/(Float64|Impulse|Knots|MeasuredConvergence|Polynomials|Signals|ZonePlate)$'

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

if [ $all = no ] && { [ $# -gt 0 ] || [ "$preset" != release ]; }; then
    [ $# -gt 0 ] || set -- -LE slow
    stage "$preset" "$preset" "" "$@"
else
    stage release release "" -LE slow "$@"
    # Compiling kernels loads NVRTC, which leaks 72 KiB of its own. Accuracy is that of other builds: `accurate`, of code
    # that other suites run as well, is for the rest.
    [ $all = yes ] || export TEXELSCOPE_FUZZ_SECONDS=${TEXELSCOPE_FUZZ_SECONDS:-10}
    stage sanitized sanitize sanitized -LE slow -R '^(core|engine|files|fuzz|kernels|method|tiles|weights)[.]' \
        -E "^kernels[.]Compiling|Slow|$accurate|^fuzz[.](lesson|pushing|session)$" "$@"
fi
if [ $all = yes ]; then
    # GUI tests take ten minutes under the sanitizers, and the other programs find no more there: `--preset sanitize`.
    stage "sanitized rest" sanitize "sanitized_rest" -LE slow \
        -R "$accurate|^(picture|state)[.]|^fuzz[.](lesson|pushing|session)$" "$@"
    stage "slow tests" release "" -L slow "$@"
    if ! command -v em++ >/dev/null; then
        verdicts+=("WebAssembly: skipped, since Emscripten is not installed (scripts/web.sh installs it)")
    elif ! "$here/web.sh" --sources; then
        verdicts+=("WebAssembly: skipped, since the sources of its libraries could not be fetched")
    else
        # What differs from a native build: vectors, threads, sizes of 32 bits, the page; scripts/web.sh runs all.
        stage WebAssembly web "" -LE slow -R '^(core|kernels|method|weights|web)[.]|^engine[.].*(Display|Identity|NumberTypes|Polar|Positions|PrefilterTest|SampleForms|Threads|VectorCode)|^tiles[.].*(LiveViews|TiledImages|TiledPyramid)' "$@"
    fi
fi

# The end of the output, since a list of skipped tests can be long.
echo
missing=$(missing_packages build run test)
[ -z "$missing" ] || verdicts+=("not installed: ${missing//$'\n'/ }")
printf 'texelscope tests: %s\n' "${verdicts[@]}"
exit $status
