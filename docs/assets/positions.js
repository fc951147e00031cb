// Filters the list of positions; the choice is in the address. Without the script the list is complete.
const made = (name, given = {}, ...inside) => {
  const one = document.createElement(name);
  for (const [key, value] of Object.entries(given)) one.setAttribute(key, value);
  one.append(...inside);
  return one;
};

class HoylePositions extends HTMLElement {
  connectedCallback() {
    if (this.fields) return;
    this.sections = [...this.querySelectorAll("section")];
    this.books = this.dataset.books.split("|").map((each) => each.split("="));
    const topics = new Map([...this.querySelectorAll("[data-topic]")].map((each) => [each.dataset.topic, each.querySelector("summary").firstChild.data.trim()]));
    const games = this.sections.map((each) => [each.dataset.game, each.querySelector("h2").textContent]);
    const select = (options) => made("select", {}, made("option", { value: "" }, "all"), ...options.map(([value, name]) => made("option", { value }, name)));
    const box = () => made("input", { type: "checkbox" });
    this.fields = {
      words: made("input", { type: "search", autocomplete: "off" }),
      game: select(games),
      topic: select([...topics].sort((one, other) => one[1].localeCompare(other[1]))),
      book: select(this.books.map(([, id, name]) => [id, name])),
      differ: box(),
      open: box(),
    };
    const labels = { words: "Words of the question", game: "Game", topic: "Topic", book: "Book", differ: "≠ answers differ", open: "? a book leaves it open" };
    this.status = made("p", { role: "status", class: "small" });
    const form = made("form", { class: "filters", role: "search", "aria-label": "Positions" });
    for (const [name, field] of Object.entries(this.fields)) {
      const isBox = field.type === "checkbox";
      form.append(made("label", { class: isBox ? "box" : name }, ...(isBox ? [field, labels[name]] : [labels[name], field])));
    }
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", () => this.chosen());
    this.prepend(form, this.status);
    this.fromAddress();
    addEventListener("hashchange", () => this.fromAddress());
  }

  fromAddress() {
    const asked = new URLSearchParams(location.hash.slice(1));
    for (const [name, field] of Object.entries(this.fields)) {
      if (field.type === "checkbox") field.checked = asked.get(name) === "1";
      else field.value = asked.get(name) ?? "";
      if (field.matches("select") && field.selectedIndex < 0) field.value = "";
    }
    this.filter();
  }

  chosen() {
    const choice = new URLSearchParams();
    for (const [name, field] of Object.entries(this.fields)) {
      const value = field.type === "checkbox" ? (field.checked ? "1" : "") : field.value.trim();
      if (value) choice.set(name, value);
    }
    history.replaceState(null, "", `#${choice}`);
    this.filter();
  }

  filter() {
    const { words, game, topic, book, differ, open } = this.fields;
    const asked = words.value.toLowerCase().split(/\s+/u).filter(Boolean);
    const [letter] = this.books.find(([, id]) => id === book.value) ?? [""];
    const narrow = asked.length || book.value || differ.checked || open.checked || topic.value;
    const found = new Set();
    for (const section of this.sections) {
      let inGame = 0;
      for (const list of section.querySelectorAll("[data-topic]")) {
        let shown = 0;
        const out = (game.value && section.dataset.game !== game.value) || (topic.value && list.dataset.topic !== topic.value);
        for (const entry of out ? [] : list.querySelectorAll("li")) {
          const title = entry.textContent.toLowerCase();
          const marks = entry.querySelector("b")?.textContent ?? "";
          const fits = entry.dataset.b.includes(letter) && (!differ.checked || marks.includes("≠")) && (!open.checked || marks.includes("?")) && asked.every((word) => title.includes(word));
          entry.hidden = !fits;
          if (fits) found.add(entry.querySelector("a").getAttribute("href"));
          shown += fits;
        }
        list.hidden = !shown;
        list.querySelector(".count").textContent = shown;
        inGame += shown;
      }
      section.hidden = !inGame;
    }
    for (const list of this.querySelectorAll("[data-topic]")) list.open = Boolean(narrow) && !list.hidden && found.size <= 60;
    this.status.textContent = found.size === 1 ? "One position." : `${found.size.toLocaleString("en")} positions.`;
  }
}
customElements.define("hoyle-positions", HoylePositions);
