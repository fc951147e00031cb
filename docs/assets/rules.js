// Keeps the current paragraph when the reader changes to another book, and reports if that book has no such paragraph.
const paragraphs = () => [...document.querySelectorAll("article.book .r[id]")];

const wanted = () => {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return ""; // no address of ours
  }
};

// The current rule: the one at which the reader has paused, even after scrolling to choose a book; or that of the address.
const A_MOMENT = 400; // milliseconds
const SHOWN = 2500; // milliseconds that a button says that it has copied
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

// If another book does not have that rule, its chapter is shown, if there is one, and a line explains why.
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

// The link to a paragraph, for sharing. If a page may not write to the clipboard, the address bar has the link.
const status = document.createElement("p");
status.className = "unseen";
status.setAttribute("role", "status");
addEventListener("DOMContentLoaded", () => document.querySelector("article.book").append(status));

async function copy(button) {
  const link = new URL(`#${button.dataset.to}`, location.href).href;
  try {
    await navigator.clipboard.writeText(link);
    status.textContent = "Link copied.";
    button.firstChild.data = "copied";
  } catch {
    location.hash = button.dataset.to;
    status.textContent = "The link is in the address bar.";
  }
  button.classList.add("done");
  setTimeout(() => {
    button.firstChild.data = "copy link";
    button.classList.remove("done");
    status.textContent = "";
  }, SHOWN);
}
document.addEventListener("click", (event) => {
  const button = event.target.closest?.(".copy");
  if (button) copy(button);
});

// An open question folds to one line; an address in it unfolds it, also in browsers that do not do so by themselves.
function unfold() {
  const fold = document.getElementById(wanted())?.closest("details.open");
  if (fold && !fold.open) {
    fold.open = true;
    fold.scrollIntoView({ block: "center" });
  }
}
addEventListener("DOMContentLoaded", unfold);
addEventListener("hashchange", unfold);
