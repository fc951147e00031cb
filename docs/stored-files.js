// What both service workers share: each answers only for the files of a list, which is made when the site is built, and stores
// them under the version of that list. `take` stores the files, and `answer` answers a request for one of them.
self.storeFiles = (prefix, { version, files }, take, answer) => {
  const name = prefix + version;
  const here = (path) => new URL(path, self.registration.scope).href;
  const stored = new Set(files.map(({ path }) => here(path)));

  const tidy = async () => {
    const old = (await caches.keys()).filter((each) => each.startsWith(prefix) && each !== name);
    await Promise.all(old.map((each) => caches.delete(each)));
  };
  self.addEventListener("install", (event) => event.waitUntil(caches.open(name).then((cache) => take(cache, files, here))));
  self.addEventListener("activate", (event) => event.waitUntil(tidy()));
  self.addEventListener("fetch", (event) => {
    const url = event.request.url.replace(/[?#].*$/u, "");
    const own = event.request.method === "GET" && stored.has(url);
    if (own) event.respondWith(caches.open(name).then((cache) => answer(cache, url, event.request)));
  });
};
