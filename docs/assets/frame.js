// The frame of a page. The list of chapters follows the reader: it marks the current chapter, which the bar of a phone also
// names.
(() => {
  const FAR = "1000000px"; // above the window: a heading that was passed at once counts as one that was scrolled by
  const links = [...document.querySelectorAll("#beside .chapters a")];
  const beside = document.getElementById("beside");
  const now = document.querySelector(".contents-button .now");
  // A link leads to another place on the same page: the list can close.
  beside?.addEventListener("click", (event) => {
    if (event.target.closest("a") && beside.matches(":popover-open")) beside.hidePopover();
  });
  if (!links.length) return;
  const first = now.textContent;

  const headings = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
  let marked;
  const mark = (link) => {
    if (link === marked) return;
    marked?.removeAttribute("aria-current");
    link?.setAttribute("aria-current", "location");
    marked = link;
    now.textContent = link?.textContent ?? first;
    if (link && beside.scrollHeight > beside.clientHeight) {
      beside.scrollTop += link.getBoundingClientRect().top - beside.getBoundingClientRect().top - beside.clientHeight / 2;
    }
  };

  // The current chapter is the last one whose heading is in the upper fifth of the window or above it; at the end, the last chapter.
  const follow = () => {
    const root = document.documentElement;
    if (root.scrollHeight - innerHeight - scrollY < 2 && scrollY > 0) return mark(links.at(-1));
    const line = innerHeight / 5;
    return mark(links[headings.findLastIndex((heading) => heading && heading.getBoundingClientRect().top < line)]);
  };
  const watch = new IntersectionObserver(follow, { rootMargin: `${FAR} 0px -80% 0px` });
  for (const heading of headings) if (heading) watch.observe(heading);
  addEventListener("scrollend", follow);
  follow();
})();
