// The page around the program: loads it, gives it turns, and is what it calls. files.js and hands.js belong to it;
// web/glfw.cpp and web/main.cpp have the other side, the functions page_….
"use strict";

const element = id => document.getElementById(id);
const canvas = element("canvas"), words = element("words"), keys = element("keys"), file = element("file");
const query = new URLSearchParams(location.search);

function say(sentence) {
    words.querySelector("span").textContent = sentence;
    words.querySelector("progress").hidden = true;
    words.hidden = false;
}

// ---- Turns: with the browser's next frame, after some time, or when something happens ----

let frame = 0, timer = 0, graphics = null;
function turn() {
    frame = timer = 0;
    if (!Module.running || graphics.isContextLost()) return;
    let wait = -1;
    try {
        wait = Module._page_turn();
    } catch (error) {
        if (Module.running) Module.stop(`${error.message || error}. Reload the page.`);
    }
    ++Module.turns;
    if (Module.onTouch) follow_text_field();
    if (wait === 0) wake();
    else if (wait > 0 && !frame) timer = setTimeout(turn, Math.min(wait * 1000, 2 ** 30));
}
// Nothing is to be drawn until something happens.
const resting = () => Module.running && !frame && !timer;
function wake() {
    if (frame || !Module.running) return;
    clearTimeout(timer);
    timer = 0;
    if (document.hidden) timer = setTimeout(turn);  // there are no frames
    else frame = requestAnimationFrame(turn);
}

// ---- What the program calls ----

const link_to = hash => location.href.replace(/[?#].*$/, "") + hash;
async function copy(text) {
    try {
        await navigator.clipboard.writeText(text);
    } catch {
        later("this browser lets the page copy nothing: " + (text.length < 300 ? text : "allow it in the address bar"), true);
    }
}

const loop_threads = Math.max(1, Math.min(Number(query.get("threads")) || navigator.hardwareConcurrency || 2, 8));
let alone = false;  // without threads
var workers = loop_threads + 6;  // that are there from the beginning: those of the loops, and what works beside them

var Module = {
    canvas, turns: 0, wake, resting, download,
    noInitialRun: true,
    printErr(text) { if (!text.startsWith("Blocking on the main thread")) console.warn(text); },  // its loops do, for a frame
    name(title) { document.title = title; },
    chooseFile() { file.click(); },
    fillScreen(fill) { (fill ? document.documentElement.requestFullscreen() : document.exitFullscreen()).catch(() => {}); },
    copyText: copy,
    copyLink(hash) { copy(link_to("#" + hash)); },
    async copySession(text) { copy(link_to("#session=" + await packed(text))); },
    async copyPicture(path) {
        const bytes = Module.FS.readFile(path);
        Module.FS.unlink(path);
        try {
            await navigator.clipboard.write([new ClipboardItem({ "image/png": new Blob([bytes], { type: "image/png" }) })]);
        } catch {
            later("this browser lets the page copy no picture; use File ▸ Save view", true);
        }
    },
    ready() {
        Module.running = true;
        words.hidden = true;
        graphics = canvas.getContext("webgl2");
        for (const [sentence, problem] of before_start.splice(0)) later(sentence, problem);
        if (!Module.started) listen();
        Module.started ||= performance.now();
        size();
        canvas.focus({ preventScroll: true });
        wake();
    },
    stop(sentence) {
        Module.running = false;
        Module.stopped = true;
        say(`texelscope has stopped: ${sentence}`);
    },
    onAbort(why) {
        Module.stop(/memory|OOM/i.test(String(why)) ? "the browser gives it no more memory (a page may use 1 GB). Reload it, and open a smaller picture." : why || "unexpectedly. Reload the page.");
    },
    preRun: [() => {
        Module.ENV.OMP_NUM_THREADS = String(alone ? 1 : loop_threads);
        if (alone) Module.ENV.TEXELSCOPE_ALONE = "1";
    }],
    onRuntimeInitialized() { begin().catch(error => say(`texelscope cannot start: ${error.message || error}`)); },
    // With the progress of the download, and compiled while it comes.
    instantiateWasm(imports, done) {
        (async () => {
            const answer = await fetch("texelscope.wasm");
            if (!answer.ok) throw new Error(`texelscope.wasm cannot be loaded: the server answers ${answer.status}.`);
            const whole = Number(canvas.dataset.bytes), bar = words.querySelector("progress");
            let bytes = 0;
            const counted = new TransformStream({
                transform(part, stream) {
                    bytes += part.length;
                    bar.value = bytes / whole;
                    stream.enqueue(part);
                },
            });
            const body = new Response(answer.body.pipeThrough(counted), { headers: { "Content-Type": "application/wasm" } });
            let made;
            try {
                made = await WebAssembly.instantiateStreaming(body, imports);
            } catch (error) {
                if (bytes < whole) throw new Error("the download was cut off. Reload the page.");
                throw error;
            }
            done(made.instance, made.module);
            if (alone) removeRunDependency("wasm-instantiate");  // which else the last Worker does
        })().catch(error => say(`texelscope cannot start: ${error.message}`));
        return {};
    },
};

// ---- The start ----

async function begin() {
    restore_storage();
    watch_files();
    const options = query.has("log") ? ["--log"] : [], before = shown_before();
    const lesson = before.startsWith("#lesson=") ? before.slice(8) : in_hash("lesson");
    const session = before.startsWith("{") ? session_file(before, "session") : await session_of_address();
    const image = session ? "" : await image_of_address();
    if (session) options.push("--session", session);
    else if (image) options.push(image);
    else if (lesson) options.push("--lesson", lesson);
    Module.callMain(options);
}

// The smallest module with an instruction on vectors: i8x16.splat.
const has_vectors = () => WebAssembly.validate(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11]));

// Threads need two headers. If the server does not send them, a service worker does, after one reload; in a frame, it is for
// the page around it.
async function has_threads() {
    if (window.crossOriginIsolated) return true;
    if (window.top !== window || !("serviceWorker" in navigator) || sessionStorage.getItem("texelscope/isolating")) return false;
    await navigator.serviceWorker.register("isolate.js");
    await navigator.serviceWorker.ready;
    sessionStorage.setItem("texelscope/isolating", "1");
    location.reload();
    return new Promise(() => {});
}

// Without them there is memory that could be shared, but nobody to share it with; only its name is missing.
function manage_alone() {
    alone = true;
    workers = 0;
    try {
        window.SharedArrayBuffer ??= new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer.constructor;
    } catch {
        return false;
    }
    later("the page has no threads here, so that it waits for what takes long");
    return true;
}

async function start() {
    try {
        if (!document.createElement("canvas").getContext("webgl2")) return say("texelscope needs WebGL 2, which this browser does not offer or has switched off.");
        if (!has_vectors()) return say("texelscope needs WebAssembly with SIMD, which this browser is too old for: Chrome 91, Firefox 89, Safari 16.4 or newer.");
        if (!await has_threads().catch(() => false) && !manage_alone()) return say("texelscope needs threads, which a browser permits only over https (or on this machine) and with the headers Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp.");
        [canvas.width, canvas.height] = [Math.max(1, Math.round(innerWidth * ratio())), Math.max(1, Math.round(innerHeight * ratio()))];
        const script = document.createElement("script");
        script.src = "texelscope.js";
        script.onerror = () => say("texelscope.js cannot be loaded. Reload the page.");
        script.onload = () => Module.callMain || say("texelscope.js was cut off on its way. Reload the page.");
        addEventListener("error", event => {
            if (!Module.started && !Module.stopped) say(`texelscope cannot start: ${event.message || "a part of it is damaged"}. Reload the page.`);
        });
        document.body.append(script);
    } catch (error) {
        say(`texelscope cannot start: ${error.message}`);
    }
}

// ?embed: a picture until it is clicked; ?picture=URL is another one than that of a few samples, enlarged without and with
// interpolation.
function show_poster() {
    const poster = element("poster"), title = in_hash("lesson").replace(/\/\d+$/, "").replaceAll("-", " ");
    const own = query.get("picture");
    const draw = () => {
        const samples = new OffscreenCanvas(9, 9), drawn = document.createElement("canvas");
        const dots = samples.getContext("2d"), context = drawn.getContext("2d");
        for (let y = 0; y < 9; ++y)
            for (let x = 0; x < 9; ++x) {
                const value = Math.round(128 + 120 * Math.cos(0.35 * ((x - 4) ** 2 + (y - 4) ** 2)));
                dots.fillStyle = `rgb(${value}, ${Math.round(value * 0.9)}, ${255 - value})`;
                dots.fillRect(x, y, 1, 1);
            }
        [drawn.width, drawn.height] = [560, 280];
        for (const [left, smooth] of [[0, false], [280, true]]) {
            context.imageSmoothingEnabled = smooth;
            context.imageSmoothingQuality = "high";
            context.drawImage(samples, 0.5, 0.5, 8, 8, left, 0, 280, 280);
        }
        poster.prepend(drawn);
    };
    if (own) {
        const picture = Object.assign(new Image(), { crossOrigin: "anonymous", alt: title });
        picture.onerror = () => { picture.remove(); draw(); };
        picture.src = own;
        poster.append(picture);
    } else draw();
    poster.append(Object.assign(document.createElement("span"), { textContent: `▶ ${title ? `texelscope: ${title}` : "texelscope"}` }));
    poster.hidden = false;
    words.hidden = true;
    poster.addEventListener("click", () => {
        poster.hidden = true;
        words.hidden = false;
        start();
    });
}

// Called by index.html, once all parts have come.
function open_page() {
    if (query.has("embed")) show_poster();
    else start();
}
++parts;
