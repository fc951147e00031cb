// Lets the reader choose which rulesets stand side by side. It knows no rule: it hides columns, and marks the rows in which
// what is left does not say the same. Without it all the columns are there, and the marks are those of all of them.
class HoyleComparison extends HTMLElement {
  connectedCallback() {
    if (this.boxes || this.querySelectorAll("thead th").length < 4) return;
    const headings = [...this.querySelectorAll("thead th")].slice(1);
    const choice = document.createElement("fieldset");
    const legend = document.createElement("legend");
    legend.textContent = "Rulesets to compare";
    choice.append(legend);
    this.boxes = headings.map((heading) => {
      const label = document.createElement("label");
      const box = document.createElement("input");
      box.type = "checkbox";
      box.checked = true;
      box.addEventListener("change", () => this.update());
      label.append(box, " ", heading.textContent);
      choice.append(label);
      return box;
    });
    choice.append(this.button("All", true), this.button("None", false));
    this.prepend(choice);
  }

  button(text, checked) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.addEventListener("click", () => {
      for (const box of this.boxes) box.checked = checked;
      this.update();
    });
    return button;
  }

  update() {
    for (const row of this.querySelectorAll("tr")) {
      if (row.querySelector(".chapter")) continue;
      const cells = [...row.children].slice(1);
      cells.forEach((cell, at) => (cell.hidden = !this.boxes[at].checked));
      if (row.parentElement.tagName === "THEAD") continue;
      const said = cells.filter((cell) => !cell.hidden).map((cell) => cell.firstChild.textContent.trim());
      const differs = new Set(said).size > 1;
      row.classList.toggle("differs", differs);
      row.classList.toggle("same", !differs);
      row.classList.toggle("nothing", said.every((each) => each === "—"));
    }
    this.chapters();
    const rows = [...this.querySelectorAll("tr.same, tr.differs")];
    const rules = rows.filter((row) => !row.querySelector(".chapter") && !row.classList.contains("nothing"));
    const differ = rules.filter((row) => row.classList.contains("differs")).length;
    this.previousElementSibling.textContent = `Of ${rules.length} rules ${differ} are not the same in all of these rulesets; they are marked ≠.`;
  }

  // A chapter's heading goes with its last rule, and with its last difference where only these are shown.
  chapters() {
    let heading = null;
    let rows = [];
    const close = () => {
      if (!heading) return;
      heading.classList.toggle("nothing", rows.every((row) => row.classList.contains("nothing")));
      heading.classList.toggle("same", !rows.some((row) => row.classList.contains("differs")));
    };
    for (const row of this.querySelectorAll("table tr")) {
      if (row.querySelector(".chapter")) {
        close();
        [heading, rows] = [row, []];
      } else {
        rows.push(row);
      }
    }
    close();
  }
}

customElements.define("hoyle-comparison", HoyleComparison);
