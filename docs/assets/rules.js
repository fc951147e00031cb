// Keeps the paragraph that one reads when one goes to another book, and says so where that book has none such.
const paragraphs = () => [...document.querySelectorAll("article.book .r[id]:not(.unsaid)")];

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
  document.querySelector(".note-missing")?.remove();
  const wanted = decodeURIComponent(location.hash.slice(1)).replace(/^open\./, "");
  if (!wanted || document.getElementById(wanted)) return;
  const chapters = [...document.querySelectorAll("article.book h2[data-has]")];
  const chapter = chapters.find((each) => each.dataset.has.split(" ").some((has) => has === wanted || wanted.startsWith(`${has}.`)));
  const note = document.createElement("p");
  note.className = "note-missing";
  note.setAttribute("role", "status");
  note.textContent = "This book has no rule at that address" + (chapter ? "; this is its chapter." : ".");
  if (chapter) chapter.after(note);
  else document.querySelector("article.book dl").before(note);
  note.scrollIntoView({ block: "center" });
}
addEventListener("DOMContentLoaded", missing);
addEventListener("hashchange", missing);
