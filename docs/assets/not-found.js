// The page for an address without a page: it searches for the words of the address, and shows the page with the most similar
// address. It inserts parts of the address into the page only as text.
(() => {
  const ENOUGH = 0.55, LONGEST = 200;
  const box = document.querySelector("#lost"), near = document.querySelector("#near");
  const base = new URL(".", document.baseURI).pathname;
  const decoded = (text) => {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  };
  const path = decoded(location.pathname.startsWith(base) ? location.pathname.slice(base.length) : location.pathname.slice(1)).slice(0, LONGEST);
  const plain = (address) => address.replace(/\.(html|md)$/, "").replace(/\/index$/, "").replace(/[-_./\s]+/g, " ").trim().toLowerCase();
  // "rulesets/bezique_hoyle" is searched for by its own words, without its folder.
  const pieces = path.replace(/\.(html|md)$/, "").replace(/\/(index)?$/, "").split("/");
  box.value = (pieces.at(-1) ?? "").replace(/[-_.]+/g, " ").trim();

  // The similarity of two texts, from 0 to 1: the share of common pairs of letters.
  const pairs = (text) => new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2)));
  const alike = (one, other) => (2 * [...one].filter((pair) => other.has(pair)).length) / (one.size + other.size || 1);

  const nearest = (index) => {
    const here = pairs(plain(path));
    const pages = new Set(["index.html", ...index.things.map((thing) => thing[4].replace(/#.*/, ""))]);
    let best = "", most = ENOUGH;
    for (const page of pages) {
      const likeness = alike(here, pairs(plain(page)));
      if (likeness > most) [best, most] = [page, likeness];
    }
    return best;
  };
  window.hoyleSearch?.loaded().then((among) => {
    const page = nearest(among.index);
    if (!page) return;
    const link = document.createElement("a");
    link.href = page;
    link.textContent = page;
    near.append("Did you mean ", link, "?");
  }, () => {});
})();
