// Stores the rules, the terms, the pages that teach a game, and the search, for readers who have no network. With a network, pages
// come from the network, so no two versions are mixed, and a new version need not wait.
importScripts("reading-files.js", "stored-files.js");

async function take(cache, files, here) {
  await cache.addAll(files.map(({ path }) => new Request(here(path), { cache: "no-cache" })));
  await self.skipWaiting();
}

async function answer(cache, url, request) {
  try {
    return await fetch(request);
  } catch (failed) {
    const stored = await cache.match(url);
    if (stored) return stored;
    throw failed;
  }
}

self.storeFiles("hoyle-reading-", self.readingFiles, take, answer);
