// Lets the reader choose the books to compare. It hides columns, and marks the rows in which the remaining books differ.
// It contains no rules. The choice is in the query of the address (?books=…&only=all), before the anchor of a rule.
// Without the script all columns are visible, with the marks for all of them. Links to other chapters keep the choice.
const keepChoice = () => {
  for (const link of document.links) if (/\/differences[/.]/.test(link.pathname) && !link.search && !link.hash) link.dataset.chapter = "";
  for (const link of document.querySelectorAll("a[data-chapter]")) link.search = location.search;
};
keepChoice();

class HoyleComparison extends HTMLElement {
  connectedCallback() {
    if (this.rows) return;
    this.books = this.dataset.all.split(" ");
    this.first = this.dataset.first.split(" ");
    this.only = document.getElementById("differences");
    this.count = document.querySelector(".count");
    this.scroller = this.querySelector(".scrolls");
    this.rows = [...this.querySelector("tbody").rows];
    this.said = this.rows.map((row) => [...row.cells].slice(1).map((cell) => cell.querySelector("summary, .none").textContent));
    this.heads = [...this.querySelectorAll("thead th")].slice(1);
    this.prepend(this.choice());
    this.only.addEventListener("change", () => this.note());
    addEventListener("popstate", () => this.read());
    new ResizeObserver(() => this.fit()).observe(this);
    this.read();
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target) target.scrollIntoView();
  }

  // A checkbox for each book, under its form of the game.
  choice() {
    const choice = document.createElement("details");
    choice.className = "choice";
    choice.open = matchMedia("(min-width: 60rem)").matches;
    const summary = document.createElement("summary");
    this.chosen = document.createElement("span");
    summary.append("Books: ", this.chosen);
    choice.append(summary);
    this.boxes = this.heads.map((head) => {
      const form = head.querySelector(".form").textContent;
      let group = [...choice.querySelectorAll("fieldset")].find((each) => each.dataset.form === form);
      if (!group) {
        group = document.createElement("fieldset");
        group.dataset.form = form;
        const legend = document.createElement("legend");
        legend.textContent = form;
        group.append(legend);
        choice.append(group);
      }
      const label = document.createElement("label");
      const box = document.createElement("input");
      box.type = "checkbox";
      box.value = head.dataset.book;
      box.addEventListener("change", () => this.note());
      label.append(box, " ", head.querySelector("a").textContent);
      group.append(label);
      return box;
    });
    return choice;
  }

  // The choice in the address, or the two books shown at first.
  read() {
    const asked = new URLSearchParams(location.search);
    const named = (asked.get("books") || "").split(",").filter((name) => this.books.includes(name));
    const chosen = named.length ? named : this.first;
    for (const box of this.boxes) box.checked = chosen.includes(box.value);
    this.only.checked = asked.get("only") !== "all";
    this.update();
  }

  // Puts the reader's choice into the address, so that it can be shared; the Back button restores the previous one.
  note() {
    const chosen = this.boxes.filter((box) => box.checked).map((box) => box.value);
    const asked = [];
    if (chosen.join() !== this.books.filter((name) => this.first.includes(name)).join()) asked.push(`books=${chosen.join()}`);
    if (!this.only.checked) asked.push("only=all");
    const address = `${location.pathname}${asked.length ? `?${asked.join("&")}` : ""}${location.hash}`;
    history.pushState(null, "", address);
    this.update();
  }

  update() {
    const on = this.boxes.map((box) => box.checked);
    const few = on.filter(Boolean).length < 2;
    for (const box of this.boxes) box.disabled = few && box.checked;
    const shown = (each, at) => on[at];
    this.heads.forEach((head, at) => (head.hidden = !on[at]));
    const rules = { all: 0, differ: 0 };
    this.rows.forEach((row, number) => {
      [...row.cells].slice(1).forEach((cell, at) => (cell.hidden = !on[at]));
      const said = this.said[number].filter(shown);
      const differs = new Set(said).size > 1;
      const nothing = said.every((each) => each === "—");
      row.classList.toggle("differs", differs);
      row.classList.toggle("same", !differs);
      row.classList.toggle("nothing", nothing);
      if (!nothing) rules.all += 1;
      if (differs) rules.differ += 1;
    });
    const forms = new Set(this.heads.filter(shown).map((head) => head.querySelector(".form").textContent));
    this.classList.toggle("one-form", forms.size === 1);
    this.chosen.textContent = [...forms].map((form) => `${form}: ${this.namesOf(form, on)}`).join("; ");
    this.count.textContent = `${rules.differ} of ${rules.all} rules ${rules.differ === 1 ? "differs" : "differ"} between these books, marked ≠.`;
    this.columns = on.filter(Boolean).length;
    this.fit();
    keepChoice();
  }

  namesOf(form, on) {
    const own = this.heads.filter((head, at) => on[at] && head.querySelector(".form").textContent === form);
    return own.map((head) => head.querySelector("a").textContent).join(", ");
  }

  // If the columns fit, the page itself scrolls, and the head stays at its top; otherwise the table scrolls.
  fit() {
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const fits = this.clientWidth >= (this.columns + 1) * 8.5 * rem || this.clientWidth < 600;
    this.classList.toggle("fits", fits);
    if (fits) this.scroller.removeAttribute("tabindex");
    else this.scroller.tabIndex = 0;
  }
}

customElements.define("hoyle-comparison", HoyleComparison);
