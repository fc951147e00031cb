// The page can be read without this script: it unfolds the target of a link, and everything before printing.
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
