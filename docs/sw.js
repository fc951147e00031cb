// Keeps the table for those who have no network: the page, and all it is made of, as they were built together. It answers for
// nothing else. What is kept, and under which version, stands in a list made when the site is built.
importScripts("table-files.js");
const { version, files } = self.tableFiles;
const PREFIX = "hoyle-table-";
const NAME = PREFIX + version;
const here = (path) => new URL(path, self.registration.scope).href;
const kept = new Set(files.map(({ path }) => here(path)));

// A file that is named by its content is the same in an older version; the others are asked for anew.
async function take({ path, lasts }) {
  const known = lasts && (await caches.match(here(path)));
  const response = known || (await fetch(here(path), { cache: lasts ? "default" : "no-cache" }));
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  await (await caches.open(NAME)).put(here(path), response);
}

self.addEventListener("install", (event) => event.waitUntil(Promise.all(files.map(take))));

// A newer version waits until no page of the older is open; then nobody needs that any more.
async function tidy() {
  const old = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== NAME);
  await Promise.all(old.map((name) => caches.delete(name)));
}
self.addEventListener("activate", (event) => event.waitUntil(tidy()));

async function answer(url, request) {
  const cache = await caches.open(NAME);
  return (await cache.match(url)) ?? fetch(request);
}
self.addEventListener("fetch", (event) => {
  const url = event.request.url.replace(/[?#].*$/u, "");
  if (event.request.method === "GET" && kept.has(url)) event.respondWith(answer(url, event.request));
});
