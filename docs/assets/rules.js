// Keeps the paragraph that one reads when one goes to another book, and says so where that book has none such.
const paragraphs = () => [...document.querySelectorAll("article.book .r[id]")];

// The rule in the address; or the paragraph at the top of what is seen.
function place() {
  if (location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)))) {
    const box = document.getElementById(decodeURIComponent(location.hash.slice(1))).getBoundingClientRect();
    if (box.top > -innerHeight && box.top < innerHeight) return location.hash;
  }
  if (scrollY < innerHeight / 2) return "";
  const first = paragraphs().find((each) => each.getBoundingClientRect().bottom > 0);
  return first ? `#${first.id}` : "";
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a.book");
  if (link) link.hash = place();
});

// Another book may not have that rule: then its chapter is shown, if it has that, and a line says why.
function missing() {
  const wanted = decodeURIComponent(location.hash.slice(1));
  if (!wanted || document.getElementById(wanted)) return;
  const chapter = [...document.querySelectorAll("article.book .rule[id], article.book tr[id]")].find(
    (each) => each.id.split(".")[0] === wanted.split(".")[0],
  );
  const note = document.createElement("p");
  note.className = "note-missing";
  note.setAttribute("role", "status");
  note.textContent = "This book says nothing under that address.";
  const before = chapter?.closest(".r, .scrolls") ?? document.querySelector("article.book dl");
  before?.before(note);
  note.scrollIntoView({ block: "center" });
}
addEventListener("DOMContentLoaded", missing);
addEventListener("hashchange", missing);
