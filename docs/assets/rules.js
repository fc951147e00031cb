// Keeps the paragraph that one reads when one goes to another book, and says so where that book has none such.
const paragraphs = () => [...document.querySelectorAll("article.book .r[id]")];

const wanted = () => {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return ""; // no address of ours
  }
};

// The rule that one reads: where one has stayed for a moment, wherever one scrolls to choose a book; or that of the address.
const A_MOMENT = 400; // milliseconds
let read = "";
let waiting;
function stayed() {
  if (scrollY < innerHeight / 2) return;
  const first = paragraphs().find((each) => each.getBoundingClientRect().bottom > 0);
  if (first) read = first.id;
}
addEventListener("scroll", () => {
  clearTimeout(waiting);
  waiting = setTimeout(stayed, A_MOMENT);
}, { passive: true });

function place() {
  const rule = document.getElementById(wanted());
  const asked = rule?.closest(".r, tr");
  const elsewhere = read && asked && !asked.contains(document.getElementById(read)) && asked.id !== read;
  if (rule && !elsewhere) return location.hash;
  return read ? `#${read}` : "";
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a.book");
  if (link) link.hash = place();
});

// Another book may not have that rule: then its chapter is shown, if it has that, and a line says why.
function missing() {
  document.querySelector(".note-missing")?.remove();
  const rule = wanted().replace(/^open\./, "");
  if (!rule || document.getElementById(rule)) return;
  const chapters = [...document.querySelectorAll("article.book h2[data-has]")];
  const chapter = chapters.find((each) => each.dataset.has.split(" ").some((has) => has === rule || rule.startsWith(`${has}.`)));
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
