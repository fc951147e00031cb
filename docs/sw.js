// Stores the page of the table with everything that it needs, for readers who have no network. A new version waits until no page
// of the older version is open.
importScripts("table-files.js", "stored-files.js");

// A file whose name has a digest is the same in an older version. The others are fetched again.
async function store(cache, { path, lasts }, here) {
  const known = lasts && (await caches.match(here(path)));
  const response = known || (await fetch(here(path), { cache: lasts ? "default" : "no-cache" }));
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  await cache.put(here(path), response);
}

self.storeFiles(
  "hoyle-table-",
  self.tableFiles,
  (cache, files, here) => Promise.all(files.map((file) => store(cache, file, here))),
  async (cache, url, request) => (await cache.match(url)) ?? fetch(request),
);
