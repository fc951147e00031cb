// The page at an address with a token: it redirects to the same page without the token in the address or the history.
(() => {
  const link = document.getElementById("enter");
  location.replace(new URL(`${link.getAttribute("href")}${location.hash}`, location.href).href);
})();
