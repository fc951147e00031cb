// Keeps the rules, the terms, what one learns from, and the search, for those who have no network. What is kept, and under
// which version, stands in a list made when the site is built; nothing else is kept. With a network, pages come from there.
importScripts("reading-files.js");
const { version, files } = self.readingFiles;
const PREFIX = "hoyle-reading-";
const NAME = PREFIX + version;
const here = (path) => new URL(path, self.registration.scope).href;
const kept = new Set(files.map(({ path }) => here(path)));

async function take() {
  const cache = await caches.open(NAME);
  await cache.addAll(files.map(({ path }) => new Request(here(path), { cache: "no-cache" })));
  await self.skipWaiting(); // pages come from the network as long as there is one: no two versions meet
}
self.addEventListener("install", (event) => event.waitUntil(take()));

async function tidy() {
  const old = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== NAME);
  await Promise.all(old.map((name) => caches.delete(name)));
}
self.addEventListener("activate", (event) => event.waitUntil(tidy()));

async function answer(url, request) {
  try {
    return await fetch(request);
  } catch (failed) {
    const stored = await (await caches.open(NAME)).match(url);
    if (stored) return stored;
    throw failed;
  }
}
self.addEventListener("fetch", (event) => {
  const url = event.request.url.replace(/[?#].*$/u, "");
  if (event.request.method === "GET" && kept.has(url)) event.respondWith(answer(url, event.request));
});
