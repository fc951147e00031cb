// Nothing here is needed to read the page: it unfolds what a link leads to, and everything for the printer.
const unfold = () => {
  let here = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let at = here; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
  if (here) here.scrollIntoView();
};
addEventListener("hashchange", unfold);
addEventListener("load", unfold);
let folded = [];
addEventListener("beforeprint", () => { folded = [...document.querySelectorAll("details:not([open])")]; for (const each of folded) each.open = true; });
addEventListener("afterprint", () => { for (const each of folded) each.open = false; });
