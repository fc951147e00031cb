// What is taken away: a link that opens the same table, and a file that can be added to the suite. Nothing is sent anywhere.
(() => {
  const table = (globalThis.hoyleTable ??= {});
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
      return saying(store, copy, "Copy it from the field");
    }, "Copy the link");
    const share = button("share", async () => {
      const url = await linkTo(store);
      await navigator.share({ title: store.layout.title || "A position at the table", url }).catch(() => {}); // the reader may change their mind
    }, "Share");
    const about = element("p", { class: "small" }, "The whole table is in its address: whoever opens the link sees the same cards, the same steps and the same answers.");
    return [about, element("div", { class: "row" }, copy, ...(navigator.share ? [share] : [])), byHand];
  };

  // --- The file.
  const named = (says, hint, value) => {
    const input = element("input", { type: "text", autocomplete: "off", placeholder: hint });
    input.value = value ?? "";
    return { input, shown: element("label", { class: "field" }, element("span", {}, says), input) };
  };
  const word = (text) => text.toLowerCase().normalize("NFD").replace(/[^a-z0-9]+/gu, "-").replace(/^-+|-+$/gu, "");
  const download = ({ name, text }) => {
    const address = URL.createObjectURL(new Blob([text], { type: "application/yaml" }));
    const made = element("a", { href: address, download: name.split("/").pop() });
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
    const save = button("save-file", () => download(file), "Download");
    const about = element("p", { class: "proposals" }, element("strong", {}, "The outcomes in it are proposals. "), "They are what the reference interpreter does, not what the sources say: confirm each from its source before it is added.");
    const text = element("pre", { tabindex: 0, role: "region", "aria-label": `The file ${file.name}` }, file.text);
    return [about, element("p", { class: "name" }, element("code", {}, file.name)), text, element("div", { class: "row" }, save, copy), ...sending(file.send)];
  };

  const filing = (root, store) => {
    const topic = named("Topic", "such as to-score");
    const name = named("Name", "such as the-example");
    const title = named("Title", "a question, or what comes of it, in a sentence", store.layout.title);
    const place = element("div", { class: "file", "aria-live": "off" });
    const asked = () => ({ layout: store.layout, id: `${word(topic.input.value)}.${word(name.input.value)}`, title: title.input.value.trim() });
    const show = (file) => {
      const parts = [...(file.problems?.length ? [problems(file.problems)] : []), ...(file.text ? preview(store, file) : [])];
      renew(place, ...(file.error ? [words("p", { class: "refusal" }, [file.error.says, file.error.remedy].filter(Boolean).join(" "))] : parts));
    };
    const make = button("make-file", async () => {
      const file = await store.ask({ ask: "file", ...asked() });
      show(file);
      store.speak(file.error ? file.error.says : "The file is shown below.");
    }, "Show the file");
    const write = button("write-file", async () => {
      const done = await store.ask({ ask: "write", ...asked() });
      const says = done.written ? `Written: ${done.written}` : done.error?.says ?? "It could not be written.";
      renew(written, element("p", { class: done.written ? "done" : "refusal" }, says), ...(done.error?.remedy ? [element("p", {}, done.error.remedy)] : []));
      store.speak(says);
    }, "Write it into my folder");
    const written = element("div");
    const served = Boolean(document.querySelector("[data-server]"));
    const about = element("p", { class: "small" }, "A file in the form of the suite: the position, the steps, and what each ruleset answers, as proposals. Name it, and it can be checked, kept and sent.");
    root.append(element("h3", {}, "As a scenario file"), about, topic.shown, name.shown, title.shown, element("div", { class: "row" }, make, ...(served ? [write] : [])), written, place);
  };

  const taking = (root, store) => {
    root.append(element("h2", { tabindex: -1, "data-home": "" }, "Take it away"), ...linking(store));
    filing(root, store);
  };

  table.taking = taking;
})();
