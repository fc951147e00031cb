// What is taken away: a link that opens the same table, and a file that can be added to the suite. Nothing is sent anywhere.
(() => {
  const table = (globalThis.hoyleTable ??= { ...globalThis.hoyleCards });
  const { element, button, words, renew } = table;
  const SHOWN_FOR = 4000; // milliseconds that a button says what it has done

  // Copies a text; where a page may not, the text is shown to be copied by hand.
  const copied = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return false;
    }
  };
  const saying = (store, made, says) => {
    const before = made.dataset.says ?? made.textContent;
    made.dataset.says = before;
    made.textContent = says;
    setTimeout(() => (made.textContent = before), SHOWN_FOR);
    store.speak(says);
  };

  // --- The link.
  const linkTo = async (store) => (await store.link()) || location.href;
  const linking = (store) => {
    const byHand = element("input", { type: "text", readonly: "", "aria-label": "The link to this table", hidden: "" });
    const copy = button("copy-link", async () => {
      const address = await linkTo(store);
      if (await copied(address)) return saying(store, copy, "The link is copied");
      byHand.hidden = false;
      byHand.value = address;
      byHand.select();
      return saying(store, copy, "Copy it from the box");
    }, "Copy the link");
    const share = button("share", async () => {
      const url = await linkTo(store);
      await navigator.share({ title: store.layout.title || "A position at the table", url }).catch(() => {}); // the reader may change their mind
    }, "Share");
    const about = element("p", { class: "small" }, "The link contains the whole table: anyone who opens it sees the same cards, steps and answers.");
    return [about, element("div", { class: "row" }, copy, ...(navigator.share ? [share] : [])), byHand];
  };

  // --- The file.
  const named = (says, hint, value) => {
    const input = element("input", { type: "text", autocomplete: "off", placeholder: hint });
    input.value = value ?? "";
    return { input, shown: element("label", { class: "field" }, element("span", {}, says), input) };
  };
  const word = (text) => text.toLowerCase().normalize("NFD").replace(/[^a-z0-9]+/gu, "-").replace(/^-+|-+$/gu, "");
  const download = (name, text, type) => {
    const address = URL.createObjectURL(new Blob([text], { type }));
    const made = element("a", { href: address, download: name });
    made.click();
    URL.revokeObjectURL(address);
  };
  const problems = (found) => element("ul", { class: "problems" }, ...found.map(({ says, remedy }) => words("li", {}, [says, remedy].filter(Boolean).join(" "))));
  const sending = (send) => {
    if (!send) return [];
    if (typeof send === "string") return [words("p", {}, send)];
    return [element("p", {}, send.says ?? "", " ", ...(send.href ? [element("a", { href: send.href }, send.link ?? send.href)] : []))];
  };

  const preview = (store, file) => {
    const copy = button("copy-file", async () => saying(store, copy, (await copied(file.text)) ? "The text is copied" : "Select the text and copy it"), "Copy the text");
    const save = button("save-file", () => download(file.name.split("/").pop(), file.text, "application/yaml"), "Download");
    const about = element("p", { class: "proposals" }, element("strong", {}, "Its outcomes are proposals. "), "They are what the reference interpreter does, not what the sources say: confirm each from its source before you add it.");
    const text = element("pre", { tabindex: 0, role: "region", "aria-label": `The file ${file.name}` }, file.text);
    const open = table.leftOpen(store).map(({ says }) => element("p", { class: "small" }, says));
    return [about, ...open, element("p", { class: "name" }, element("code", {}, file.name)), text, element("div", { class: "row" }, save, copy), ...sending(file.send)];
  };

  // What is asked of the file, by the fields; a title stands in the link too.
  const naming = (store) => {
    const topic = named("Topic", "such as to-score");
    const name = named("Name", "such as the-example");
    const title = named("Title", "the question, as a sentence");
    const given = () => title.input.value.trim();
    const titled = ({ title: _, ...layout }) => (given() ? { ...layout, title: given() } : layout);
    title.input.addEventListener("change", () => store.change(titled, "The position has a title"));
    const show = () => {
      if (document.activeElement !== title.input) title.input.value = store.layout.title ?? "";
    };
    const asked = () => ({ layout: titled(store.layout), id: `${word(topic.input.value)}.${word(name.input.value)}`, title: given() });
    return { shown: [topic.shown, name.shown, title.shown], asked, show };
  };

  const refusal = ({ says, remedy }) => [words("p", { class: "refusal" }, [says, remedy].filter(Boolean).join(" "))];

  // Where Hoyle serves the page it writes the file too; over a draft that is there only when told, and over no other.
  const writing = (store, asked) => {
    const place = element("div");
    const write = async (request) => {
      const done = await store.ask({ ask: "write", ...request });
      const over = () => write({ ...asked(), id: done.id, over: true });
      const instead = done.there ? [button("write-over", over, `Overwrite ${done.name}`), button("keep-older", forget, "Keep the older draft")] : [];
      const found = done.error ?? { says: "The file is not written yet." };
      const says = done.written ? `Written${request.over ? ", replacing the older draft" : ""}: ${done.written}` : "";
      const refused = [...refusal(found), ...(done.problems?.length ? [problems(done.problems)] : []), element("div", { class: "row" }, ...instead)];
      renew(place, ...(says ? [element("p", { class: "done" }, says)] : refused));
      store.speak(says || `${found.says} ${found.remedy ?? ""}`);
    };
    const forget = () => {
      place.replaceChildren();
      made.focus();
    };
    const made = button("write-file", () => write(asked()), "Write it to my folder");
    return { shown: made, place };
  };

  const filing = (root, store) => {
    const { shown, asked, show } = naming(store);
    const place = element("div", { class: "file" });
    const read = async () => {
      const file = await store.ask({ ask: "file", ...asked() });
      const parts = [...(file.problems?.length ? [problems(file.problems)] : []), ...(file.text ? preview(store, file) : [])];
      renew(place, ...(file.error ? refusal(file.error) : parts));
      return file;
    };
    const make = button("make-file", async () => {
      const { error, text } = await read();
      store.speak(error?.says ?? (text ? "The file is shown below" : "The file is not complete yet"));
    }, "Show the file");
    const { shown: write, place: written } = writing(store, asked);
    const served = Boolean(document.body.dataset.server);
    const about = element("p", { class: "small" }, "A scenario file as the suite uses it: the position, the steps, and the answer of each ruleset as a proposal. Give it a name, and you can check, save and send it.");
    for (const each of shown) each.addEventListener("input", () => written.replaceChildren()); // what was told is of another name
    root.append(element("h3", {}, "As a scenario file"), about, ...shown, element("div", { class: "row" }, make, ...(served ? [write] : [])), written, place);
    store.listen((_, why) => {
      if (why === "layout") show();
      if (why === "answer" && place.firstChild) read(); // the file that is shown is of the table as it is
    });
    show();
  };

  const taking = (root, store) => {
    root.append(element("h2", { tabindex: -1, "data-home": "" }, "Save or share"), ...linking(store));
    filing(root, store);
  };

  Object.assign(table, { taking, download });
})();
