// A former address on a page that has been split: the link there leads to the new address, with the same choice of books.
(() => {
  const go = () => {
    let name = "";
    try {
      name = decodeURIComponent(location.hash.slice(1));
    } catch {
      return; // no address of ours
    }
    const link = name ? document.getElementById(name) : null;
    if (!link?.matches("a[data-moved]")) return;
    const to = new URL(link.href);
    to.search = location.search;
    location.replace(to);
  };
  addEventListener("DOMContentLoaded", go);
  addEventListener("hashchange", go);
})();
