// A service worker that adds the headers which threads need, on hosts that do not send them.
"use strict";

addEventListener("install", () => skipWaiting());
addEventListener("activate", event => event.waitUntil(clients.claim()));
addEventListener("fetch", event => {
    if (new URL(event.request.url).origin !== location.origin) return;
    event.respondWith((async () => {
        const answer = await fetch(event.request);
        if (answer.status === 0) return answer;
        const headers = new Headers(answer.headers);
        headers.set("Cross-Origin-Opener-Policy", "same-origin");
        headers.set("Cross-Origin-Embedder-Policy", "require-corp");
        headers.set("Cross-Origin-Resource-Policy", "same-origin");
        return new Response(answer.body, { status: answer.status, statusText: answer.statusText, headers });
    })());
});
