// Shows one table for all steps of a position. It contains no rules: it shows the list, which is complete without the script.
const { element, draw, pictured } = globalThis.hoyleCards;

class HoyleReplay extends HTMLElement {
  connectedCallback() {
    if (this.tracks) return;
    this.tracks = [...this.querySelectorAll(".track")];
    if (!this.tracks.length) return;
    this.at = [0, -1]; // the track that is shown, and the one beside it
    this.step = Number(this.dataset.from); // a page that shows the position itself begins with the first step
    this.last = this.stepsOf(0).length - 1;
    this.build();
    this.toAddress();
    addEventListener("hashchange", () => this.toAddress());
    document.addEventListener("keydown", (event) => this.key(event));
  }

  stepsOf(track) {
    return [...this.tracks[track].querySelector("ol").children];
  }

  build() {
    const names = this.tracks.map((track) => track.querySelector("summary").textContent);
    this.tables = element("div", { class: "tables" });
    this.status = element("p", { role: "status", class: "unseen" });
    this.stage = element("div", { class: "stage" });
    if (names.length > 1) this.stage.append(this.chooser(names));
    this.stage.append(this.tables, this.bar(), this.status);
    this.folded = element("button", { type: "button", class: "all", "aria-expanded": "false" }, "All steps as a list");
    this.folded.addEventListener("click", () => {
      const open = this.classList.toggle("listed");
      this.folded.setAttribute("aria-expanded", open);
    });
    this.stage.append(this.folded);
    this.prepend(this.stage);
    this.classList.add("staged");
  }

  chooser(names) {
    const select = (label, options, chosen) => {
      const field = element("select", {}, ...options.map(([value, name]) => element("option", { value }, name)));
      field.addEventListener("change", () => chosen(Number(field.value)));
      return [field, element("label", {}, `${label} `, field)];
    };
    const all = names.map((name, at) => [at, name]);
    const [first, by] = select("By", all, (at) => this.choose(at, this.at[1] === at ? -1 : this.at[1]));
    const [second, beside] = select("Compare with", [[-1, "nothing"], ...all], (at) => this.choose(this.at[0], at === this.at[0] ? -1 : at));
    this.fields = [first, second];
    return element("div", { class: "chooser" }, by, beside);
  }

  bar() {
    const button = (label, shown, act) => {
      const made = element("button", { type: "button", "aria-label": label }, shown);
      made.addEventListener("click", act);
      return made;
    };
    this.first = button("First", "⇤", () => this.show(0));
    this.back = button("Back", "←", () => this.show(this.step - 1));
    this.next = button("Next", "Next →", () => this.show(this.step + 1));
    this.end = button("Last", "⇥", () => this.show(this.last));
    this.slider = element("input", { type: "range", min: 0, max: this.last, "aria-label": "Step" });
    this.slider.addEventListener("input", () => this.show(Number(this.slider.value)));
    this.count = element("span", { class: "count", "aria-hidden": "true" });
    return element("div", { class: "bar" }, this.first, this.back, this.next, this.end, this.slider, this.count);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const on = document.activeElement;
    if (on !== document.body && (!this.stage.contains(on) || on.matches("select, input"))) return;
    const own = on !== document.body;
    const to = { ArrowRight: this.step + 1, ArrowLeft: this.step - 1, ...(own ? { Home: 0, End: this.last } : {}) }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.show(to);
  }

  choose(track, beside) {
    this.at = [track, beside];
    this.show(this.step);
  }

  show(step, note = true) {
    this.step = Math.max(0, Math.min(step, this.last));
    const shown = this.at.filter((track) => track >= 0).map((track) => this.side(track));
    this.tables.replaceChildren(...shown);
    this.tables.classList.toggle("two", shown.length > 1);
    this.tracks.forEach((track, at) => {
      track.classList.toggle("shown", this.at.includes(at));
      if (at === this.at[0]) track.open = true;
    });
    this.slider.value = this.step;
    this.count.textContent = this.step ? `${this.step} of ${this.last}` : `${this.last} step${this.last === 1 ? "" : "s"}`;
    this.slider.setAttribute("aria-valuetext", this.step ? `step ${this.step} of ${this.last}` : "the position");
    const on = document.activeElement;
    this.first.disabled = this.back.disabled = this.step === 0;
    this.next.disabled = this.end.disabled = this.step === this.last;
    if (on.disabled && this.stage.contains(on)) this.slider.focus({ preventScroll: true }); // the keys go on from there
    if (this.fields) this.fields.forEach((field, at) => (field.value = this.at[at]));
    if (!note) return;
    this.status.textContent = this.spoken();
    history.replaceState(null, "", `#${this.address()}`);
  }

  spoken() {
    const told = this.at.filter((track) => track >= 0).map((track) => {
      const step = this.stepsOf(track)[this.step];
      const name = this.at[1] >= 0 ? `${this.tracks[track].querySelector("summary").textContent}: ` : "";
      return name + [...step.querySelectorAll(".said, .follows li, .parting")].map((each) => each.textContent).join(" ");
    });
    return `${this.step ? `Step ${this.step} of ${this.last}. ` : ""}${told.join(" ")}`;
  }

  side(track) {
    const step = this.stepsOf(track)[this.step];
    const name = this.tracks[track].querySelector("summary").textContent;
    const parts = [...step.children].map((each) => each.cloneNode(true));
    const lies = parts.find((each) => each.matches(".lies"));
    const felt = element("div", { class: "felt", role: "group", "aria-label": `The table after this step, ${name}` }, lies.querySelector("dl"));
    const title = this.tracks.length > 1 ? [element("p", { class: "whose" }, name)] : [];
    draw(felt, (name) => pictured(name));
    const made = element("div", { class: `side ${step.className}` }, ...title, felt, ...parts.filter((each) => each !== lies));
    return draw(made);
  }

  address() {
    const [first, second] = this.at.map((track) => (track >= 0 ? this.tracks[track].dataset.rulesets.split(" ")[0] : ""));
    return `${first}-${this.step}${second ? `~${second}` : ""}`;
  }

  toAddress() {
    const [, first, step, , second] = decodeURIComponent(location.hash).match(/^#(.+?)-(\d+)(~(.+))?$/u) ?? [];
    const track = (name) => this.tracks.findIndex((each) => each.dataset.rulesets.split(" ").includes(name));
    const found = track(first);
    if (found < 0) return this.show(this.step, false);
    this.at = [found, second ? track(second) : -1];
    this.show(Number(step));
    this.stage.scrollIntoView({ block: "nearest" });
    return undefined;
  }
}
customElements.define("hoyle-replay", HoyleReplay);
