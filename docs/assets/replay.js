// Steps through the list of a scenario. It knows no rule: it shows one entry of the list at a time, and the list is all
// there without it.
class HoyleReplay extends HTMLElement {
  connectedCallback() {
    if (this.steps || this.querySelectorAll(".step").length < 2) return;
    this.steps = [...this.querySelectorAll(".step")];
    this.at = 0;
    this.back = this.button("Back", () => this.show(this.at - 1));
    this.next = this.button("Next", () => this.show(this.at + 1));
    this.all = this.button("Step through", () => this.toggle());
    this.status = document.createElement("span");
    this.status.setAttribute("role", "status");
    const controls = document.createElement("div");
    controls.className = "controls";
    controls.append(this.all, this.back, this.next, this.status);
    this.prepend(controls);
    this.addEventListener("keydown", (event) => this.key(event));
    this.update();
  }

  button(text, act) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.addEventListener("click", act);
    return button;
  }

  get playing() {
    return this.classList.contains("playing");
  }

  toggle() {
    this.classList.toggle("playing");
    this.show(0);
  }

  key(event) {
    if (!this.playing) return;
    if (event.key === "ArrowRight") this.show(this.at + 1);
    if (event.key === "ArrowLeft") this.show(this.at - 1);
  }

  show(at) {
    this.at = Math.max(0, Math.min(at, this.steps.length - 1));
    this.update();
  }

  update() {
    this.steps.forEach((step, index) => step.classList.toggle("now", index === this.at));
    const table = this.steps[this.at].querySelector("details");
    if (table && this.playing) table.open = true;
    this.back.hidden = this.next.hidden = this.status.hidden = !this.playing;
    this.back.disabled = this.at === 0;
    this.next.disabled = this.at === this.steps.length - 1;
    this.all.textContent = this.playing ? "All steps" : "Step through";
    this.status.textContent = `step ${this.at + 1} of ${this.steps.length}`;
  }
}

customElements.define("hoyle-replay", HoyleReplay);
