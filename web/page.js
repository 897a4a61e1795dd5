// The page around the program: loads it, gives it turns, and hands on what happens to the canvas. web/glfw.cpp and
// web/main.cpp have the other side of it, the functions page_….
"use strict";

const element = id => document.getElementById(id);
const canvas = element("canvas"), words = element("words"), keys = element("keys"), file = element("file");
const query = new URLSearchParams(location.search);
const folder = "/files";  // of opened and saved files, as the program sees them
const most_bytes = 400 << 20;  // of a file

function say(sentence) {
    words.querySelector("span").textContent = sentence;
    words.querySelector("progress").hidden = true;
    words.hidden = false;
}

// ---- Links: #lesson=half-texel/3, #session=… ----

const in_hash = name => location.hash.startsWith(`#${name}=`) ? decodeURIComponent(location.hash.slice(name.length + 2)) : "";

async function through(stream, bytes) {
    return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}
async function packed(text) {
    const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
    let all = "";
    for (const each of bytes) all += String.fromCharCode(each);
    return btoa(all).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
async function unpacked(text) {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), each => each.charCodeAt(0));
    return new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes));
}

// The file of the session in the address; empty if there is none.
async function session_of_address() {
    const text = in_hash("session");
    if (!text) return "";
    try {
        const path = `${folder}/link.json`;
        Module.FS.writeFile(path, await unpacked(text));
        return path;
    } catch {
        later("the link's session is cut off or damaged; ask for the link again", true);
        return "";
    }
}

// ---- Messages of the page in the program's window ----

const before_start = [];
function later(sentence, problem = false) {
    if (Module.running) Module.ccall("page_say", null, ["string", "number"], [sentence, problem ? 1 : 0]);
    else before_start.push([sentence, problem]);
}

// ---- Storage: settings, and the sessions that were saved last ----

const storage = {
    get(name) {
        try { return localStorage.getItem("texelscope/" + name); } catch { return null; }
    },
    set(name, text) {
        try {
            localStorage.setItem("texelscope/" + name, text);
        } catch {
            if (!this.told) later("this browser keeps no settings: its storage is full or forbidden", false);
            this.told = true;
        }
    },
};
const settings_file = "/home/web_user/.config/texelscope/settings.json";
const most_sessions = 8, most_session_bytes = 200000;

function sessions() {
    try { return JSON.parse(storage.get("sessions") || "{}"); } catch { return {}; }
}
function restore_storage() {
    const FS = Module.FS;
    FS.mkdirTree(settings_file.replace(/\/[^/]*$/, ""));
    FS.mkdirTree(folder);
    FS.chdir(folder);
    const kept = sessions();
    for (const [path, text] of Object.entries(kept)) FS.writeFile(path, text);
    const settings = storage.get("settings");
    if (!settings) return;
    try {
        const all = JSON.parse(settings);
        all.recent = (all.recent || []).filter(each => each.startsWith("@") || each in kept);  // other files are gone
        FS.writeFile(settings_file, JSON.stringify(all));
    } catch {
        FS.writeFile(settings_file, settings);  // the program says what is wrong
    }
}
function keep_storage() {
    if (!Module.running) return;
    Module.ccall("page_keep_settings", null, [], []);
    try { storage.set("settings", Module.FS.readFile(settings_file, { encoding: "utf8" })); } catch { /* none was written */ }
}

// ---- Files ----

function download(path) {
    const name = path.replace(/^.*\//, ""), bytes = Module.FS.readFile(path);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([bytes]));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    if (!name.endsWith(".json") || bytes.length > most_session_bytes) return;
    const kept = Object.entries(sessions()).filter(([other]) => other !== path).slice(1 - most_sessions);
    storage.set("sessions", JSON.stringify(Object.fromEntries([...kept, [path, new TextDecoder().decode(bytes)]])));
}

// Files that the program writes get their name once they are complete: then they are a download. The next one removes it
// here, if it is large.
function watch_files() {
    const FS = Module.FS, rename = FS.rename;
    let large = "";
    FS.rename = (from, to) => {
        rename.call(FS, from, to);
        const path = FS.cwd && !to.startsWith("/") ? `${FS.cwd()}/${to}` : to;
        if (!path.startsWith(folder + "/")) return;
        setTimeout(() => {
            if (large && large !== path) try { FS.unlink(large); } catch { /* it is gone */ }
            large = "";
            download(path);
            if (FS.stat(path).size > 8 << 20) large = path;
        });
    };
}

// What the program has no reader for, and the browser has.
const browsers_types = { avif: "image/avif", heic: "image/heic", heif: "image/heif", jxl: "image/jxl", svg: "image/svg+xml" };
const ending = name => name.replace(/^.*[.]/, "").toLowerCase();
async function decoded_by_browser(blob, name) {
    const picture = new Image(), address = URL.createObjectURL(new Blob([blob], { type: browsers_types[ending(name)] }));
    picture.src = address;
    await picture.decode().finally(() => URL.revokeObjectURL(address));
    const drawn = new OffscreenCanvas(picture.naturalWidth, picture.naturalHeight);
    drawn.getContext("2d").drawImage(picture, 0, 0);
    later(`${name}: decoded by the browser, as 8 bits in sRGB`);
    return drawn.convertToBlob({ type: "image/png" });
}

// Its path for the program; empty if the page has said why there is none.
async function taken(blob, name) {
    try {
        if (blob.size > most_bytes) throw new Error(`it has ${Math.round(blob.size / 1048576)} MB; a page takes files of up to ${most_bytes / 1048576} MB`);
        if (ending(name) in browsers_types) {
            try {
                blob = await decoded_by_browser(blob, name);
                name += ".png";
            } catch {
                throw new Error("neither texelscope in a browser nor this browser can read it; convert it to PNG");
            }
        }
        const path = `${folder}/${name}`;
        Module.FS.writeFile(path, new Uint8Array(await blob.arrayBuffer()));
        return path;
    } catch (error) {
        later(`${name}: ${error.message || error}`, true);
        return "";
    }
}
async function open(files) {
    for (const each of files) {
        const path = await taken(each, each.name);
        if (path) Module.ccall("page_dropped", null, ["string"], [path]);
        wake();
    }
    canvas.focus();
}

// ?image=URL, as far as the other server permits it.
async function image_of_address() {
    const address = query.get("image");
    if (!address) return "";
    const name = decodeURIComponent(new URL(address, location.href).pathname.replace(/^.*\//, "")) || "image";
    try {
        const answer = await fetch(address, { credentials: "omit" });
        if (!answer.ok) throw new Error(`the server answers ${answer.status}`);
        return await taken(await answer.blob(), name);
    } catch (error) {
        const why = error instanceof TypeError ? "it cannot be reached, or its server lets no other page read it" : error.message;
        later(`${address}: ${why}`, true);
        return "";
    }
}

// ---- Turns: with the browser's next frame, after some time, or when something happens ----

let frame = 0, timer = 0;
function turn() {
    frame = timer = 0;
    if (!Module.running) return;
    const wait = Module._page_turn();
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

// ---- Mouse, pen and fingers ----

const ratio = () => window.devicePixelRatio || 1;
const mods = event => (event.shiftKey ? 1 : 0) | (event.ctrlKey || event.metaKey ? 2 : 0) | (event.altKey ? 4 : 0);
const at = event => [event.offsetX * ratio(), event.offsetY * ratio()];

function size() {
    Module._page_sized(Math.max(1, Math.round(innerWidth * ratio())), Math.max(1, Math.round(innerHeight * ratio())), ratio());
    wake();
}

const fingers = new Map();  // where each is
let held = -1;  // the button that one finger holds: 0 left, 1 right
let long_press = 0, twist = 0, beginning = [0, 0];

function press(button, event) {
    Module._page_button(button, 1, mods(event));
    held = button;
}
function let_go() {
    clearTimeout(long_press);
    if (held >= 0) Module._page_button(held, 0, 0);
    held = -1;
}
function between() {
    const [a, b] = [...fingers.values()];
    const x = b[0] - a[0], y = b[1] - a[1];
    return { x: (a[0] + b[0]) / 2, y: (a[1] + b[1]) / 2, apart: Math.max(1, Math.hypot(x, y)), angle: Math.atan2(y, x) * 180 / Math.PI };
}

function finger_down(event) {
    Module.onTouch = true;
    fingers.set(event.pointerId, at(event));
    if (fingers.size > 1) return let_go();
    beginning = at(event);
    twist = 0;
    Module._page_entered(1);
    Module._page_moved(...beginning);
    Module.finger_has_moved = false;
    press(0, event);
    long_press = setTimeout(() => {  // a right click
        let_go();
        Module._page_button(1, 1, 0);
        Module._page_button(1, 0, 0);
        wake();
    }, 550);
}
function finger_moved(event) {
    if (!fingers.has(event.pointerId)) return;
    const before = fingers.size === 2 ? between() : null;
    fingers.set(event.pointerId, at(event));
    if (!before) {
        if (held < 0) return;
        const [x, y] = at(event);
        if (Math.hypot(x - beginning[0], y - beginning[1]) < 8 * ratio() && !Module.finger_has_moved) return;
        Module.finger_has_moved = true;
        clearTimeout(long_press);
        Module._page_moved(x, y);
        return;
    }
    const now = between();
    let turned = now.angle - before.angle;
    turned -= 360 * Math.round(turned / 360);
    twist += turned;
    // A pinch is seldom straight: only a clear twist turns the picture.
    Module._page_pinched(now.x, now.y, now.x - before.x, now.y - before.y, now.apart / before.apart, Math.abs(twist) > 12 ? turned : 0);
}
function finger_up(event) {
    fingers.delete(event.pointerId);
    let_go();
}

const buttons = [0, 2, 1];  // of the browser, as GLFW numbers them
function listen() {
    const pointer = handle => event => {
        if (!Module.running) return;
        handle(event);
        wake();
        if (event.cancelable) event.preventDefault();
    };
    const touching = event => event.pointerType === "touch";
    canvas.addEventListener("pointerdown", pointer(event => {
        canvas.focus({ preventScroll: true });
        try { canvas.setPointerCapture(event.pointerId); } catch { /* a made-up event of a test */ }
        if (touching(event)) return finger_down(event);
        Module._page_moved(...at(event));
        Module._page_button(buttons[event.button] ?? 3, 1, mods(event));
    }));
    canvas.addEventListener("pointermove", pointer(event => {
        if (touching(event)) return finger_moved(event);
        Module._page_entered(1);
        Module._page_moved(...at(event));
    }));
    canvas.addEventListener("pointerup", pointer(event => touching(event) ? finger_up(event) : Module._page_button(buttons[event.button] ?? 3, 0, mods(event))));
    canvas.addEventListener("pointercancel", pointer(event => touching(event) && finger_up(event)));
    canvas.addEventListener("pointerleave", pointer(event => touching(event) || Module._page_entered(0)));
    canvas.addEventListener("contextmenu", event => event.preventDefault());
    canvas.addEventListener("wheel", pointer(event => {
        Module._page_entered(1);
        Module._page_moved(...at(event));
        const notch = event.deltaMode === 0 ? 100 : event.deltaMode === 1 ? 3 : 1;
        // A trackpad's pinch is a wheel with Ctrl, in small steps.
        const pinch = event.ctrlKey && event.deltaMode === 0 && Math.abs(event.deltaY) < 50;
        if (pinch) Module._page_pinched(...at(event), 0, 0, Math.exp(-event.deltaY / 100), 0);
        else Module._page_scrolled(-event.deltaX / notch, -event.deltaY / notch);
    }), { passive: false });

    listen_to_keys();
    addEventListener("resize", size);
    const zoomed = () => matchMedia(`(resolution: ${ratio()}dppx)`).addEventListener("change", () => { size(); zoomed(); }, { once: true });
    zoomed();
    canvas.addEventListener("focus", () => { Module._page_focused(1); wake(); });
    canvas.addEventListener("blur", () => { Module._page_focused(0); wake(); });
    document.addEventListener("visibilitychange", () => {
        Module._page_hidden(document.hidden ? 1 : 0);
        if (document.hidden) {
            keep_storage();
            cancelAnimationFrame(frame);
            frame = 0;
        }
        wake();
    });
    addEventListener("pagehide", keep_storage);
    addEventListener("hashchange", async () => {
        const session = await session_of_address();
        if (session) Module.ccall("page_open_session", null, ["string"], [session]);
        else if (in_hash("lesson")) Module.ccall("page_open_lesson", null, ["string"], [in_hash("lesson")]);
    });

    addEventListener("dragover", event => event.preventDefault());
    addEventListener("drop", event => {
        event.preventDefault();
        Module._page_moved(event.clientX * ratio(), event.clientY * ratio());
        open(event.dataTransfer.files);
    });
    file.addEventListener("change", async () => {
        await open(file.files);
        file.value = "";
    });
    document.addEventListener("paste", async event => {
        const picture = [...event.clipboardData.files].find(each => each.type.startsWith("image/"));
        if (picture) {
            Module.FS.writeFile("/pasted", new Uint8Array(await picture.arrayBuffer()));
            Module._page_paste();
        } else {
            Module.ccall("page_pasted", null, ["string"], [event.clipboardData.getData("text/plain")]);
            for (const action of [1, 0]) Module.ccall("page_key", null, ["number", "string", "number", "number"], [86, "v", action, 2]);
        }
        event.preventDefault();
        wake();
    });
}

// ---- Keys ----

const key_numbers = { Space: 32, Quote: 39, Comma: 44, Minus: 45, Period: 46, Slash: 47, Semicolon: 59, Equal: 61, BracketLeft: 91,
    Backslash: 92, BracketRight: 93, Backquote: 96, Escape: 256, Enter: 257, Tab: 258, Backspace: 259, Insert: 260, Delete: 261,
    ArrowRight: 262, ArrowLeft: 263, ArrowDown: 264, ArrowUp: 265, PageUp: 266, PageDown: 267, Home: 268, End: 269,
    NumpadDecimal: 330, NumpadDivide: 331, NumpadMultiply: 332, NumpadSubtract: 333, NumpadAdd: 334, NumpadEnter: 335,
    ShiftLeft: 340, ControlLeft: 341, AltLeft: 342, MetaLeft: 341, ShiftRight: 344, ControlRight: 345, AltRight: 346, MetaRight: 345 };
function key_number(code) {
    if (/^Key[A-Z]$/.test(code)) return code.charCodeAt(3);
    if (/^Digit\d$/.test(code)) return code.charCodeAt(5);
    if (/^F\d+$/.test(code)) return 289 + Number(code.slice(1));
    if (/^Numpad\d$/.test(code)) return 320 + Number(code[6]);
    return key_numbers[code] ?? -1;
}
// The browser's own: developer tools, reloading, and pasting, whose event comes with what is pasted.
function browsers_own(event) {
    const command = event.ctrlKey || event.metaKey;
    return event.key === "F12" || (command && /^[rv]$/i.test(event.key) && !event.altKey) || (command && event.shiftKey && /^[ij]$/i.test(event.key));
}
function key(event, action) {
    if (!Module.running || event.isComposing || browsers_own(event)) return;
    const letter = [...event.key].length === 1 ? event.key : "";
    Module.ccall("page_key", null, ["number", "string", "number", "number"], [key_number(event.code), letter.toLowerCase(), action, mods(event)]);
    const altgr = event.getModifierState("AltGraph");
    if (letter && action > 0 && (altgr || !(event.ctrlKey || event.metaKey || event.altKey))) Module._page_character(letter.codePointAt(0));
    event.preventDefault();
    wake();
}
function listen_to_keys() {
    canvas.addEventListener("keydown", event => key(event, event.repeat ? 2 : 1));
    canvas.addEventListener("keyup", event => key(event, 0));
    // A touched screen's keyboard writes into a field, of which the program gets each change.
    keys.addEventListener("input", event => {
        const send = (number, label) => { for (const action of [1, 0]) Module.ccall("page_key", null, ["number", "string", "number", "number"], [number, label, action, 0]); };
        if (event.inputType.startsWith("delete")) send(259, "");
        else if (event.inputType === "insertLineBreak") send(257, "");
        else for (const each of event.data || "") Module._page_character(each.codePointAt(0));
        keys.value = " ";
        wake();
    });
}
function follow_text_field() {
    const wanted = Module._page_wants_text() !== 0, there = document.activeElement === keys;
    if (wanted && !there) {
        keys.value = " ";
        keys.focus({ preventScroll: true });
    } else if (!wanted && there) canvas.focus({ preventScroll: true });
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
        for (const [sentence, problem] of before_start) later(sentence, problem);
        Module.started = performance.now();
        listen();
        size();
        canvas.focus({ preventScroll: true });
        wake();
    },
    stop(sentence) {
        Module.running = false;
        say(`texelscope has stopped: ${sentence}`);
    },
    onAbort(why) {
        Module.stop(/memory|OOM/i.test(String(why)) ? "the browser gives it no more memory (a page may use 1 GB). Reload it, and open a smaller picture." : why || "unexpectedly. Reload the page.");
    },
    preRun: [() => { Module.ENV.OMP_NUM_THREADS = String(loop_threads); }],
    async onRuntimeInitialized() {
        restore_storage();
        watch_files();
        const options = query.has("log") ? ["--log"] : [];
        const session = await session_of_address(), image = session ? "" : await image_of_address();
        if (session) options.push("--session", session);
        else if (image) options.push(image);
        else if (in_hash("lesson")) options.push("--lesson", in_hash("lesson"));
        Module.callMain(options);
    },
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
        })().catch(error => say(`texelscope cannot start: ${error.message}`));
        return {};
    },
};

// ---- The start ----

// The smallest module with an instruction on vectors: i8x16.splat.
const has_vectors = () => WebAssembly.validate(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11]));

// Threads need two headers. If the server does not send them, a service worker does, after one reload.
async function has_threads() {
    if (window.crossOriginIsolated) return true;
    if (!("serviceWorker" in navigator) || sessionStorage.getItem("texelscope/isolating")) return false;
    await navigator.serviceWorker.register("isolate.js");
    await navigator.serviceWorker.ready;
    sessionStorage.setItem("texelscope/isolating", "1");
    location.reload();
    return new Promise(() => {});
}

async function start() {
    try {
        if (!document.createElement("canvas").getContext("webgl2")) return say("texelscope needs WebGL 2, which this browser does not offer or has switched off.");
        if (!has_vectors()) return say("texelscope needs WebAssembly with SIMD, which this browser is too old for: Chrome 91, Firefox 89, Safari 16.4 or newer.");
        if (!await has_threads().catch(() => false)) return say("texelscope needs threads, which a browser permits only over https (or on this machine) and with the headers Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp.");
        [canvas.width, canvas.height] = [Math.max(1, Math.round(innerWidth * ratio())), Math.max(1, Math.round(innerHeight * ratio()))];
        const script = document.createElement("script");
        script.src = "texelscope.js";
        script.onerror = () => say("texelscope.js cannot be loaded. Reload the page.");
        document.body.append(script);
    } catch (error) {
        say(`texelscope cannot start: ${error.message}`);
    }
}

// ?embed: a picture until it is clicked; ?picture=URL is another one than that of a few samples, enlarged without and with
// interpolation. In a frame whose page has no threads to give, a click opens a tab.
function show_poster() {
    const poster = element("poster"), title = in_hash("lesson").replace(/\/\d+$/, "").replaceAll("-", " ");
    const own = query.get("picture");
    if (own) poster.append(Object.assign(new Image(), { src: own, alt: title }));
    else {
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
        poster.append(drawn);
    }
    poster.append(Object.assign(document.createElement("span"), { textContent: `▶ ${title ? `texelscope: ${title}` : "texelscope"}` }));
    poster.hidden = false;
    words.hidden = true;
    poster.addEventListener("click", () => {
        if (window.top !== window && !window.crossOriginIsolated) return void window.open(location.href.replace(/([?&])embed\b&?/, "$1"));
        poster.hidden = true;
        words.hidden = false;
        start();
    });
}

if (query.has("embed")) show_poster();
else start();
