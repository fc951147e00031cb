// Motion: a card that lies elsewhere after a change moves there. Nothing moves for a reader who wants no motion.
(() => {
  const table = (globalThis.hoyleTable ??= { ...globalThis.hoyleCards });
  const TAKES = 180; // milliseconds
  const NEAR = 2; // pixels that are no move

  const onScreen = () => [...document.querySelectorAll("#table .screen [data-card]")].filter((each) => each.offsetParent);
  const places = () => new Map(onScreen().map((each) => [each.dataset.card, each.getBoundingClientRect()]));

  // Draws, and then moves each card from where it was; one that was nowhere comes from the stock.
  const moving = (draw) => {
    const before = matchMedia("(prefers-reduced-motion: reduce)").matches ? new Map() : places();
    const stock = document.querySelector("#table .stock .face")?.getBoundingClientRect();
    draw();
    if (!before.size) return;
    for (const each of onScreen()) {
      const from = before.get(each.dataset.card) ?? stock;
      const to = each.getBoundingClientRect();
      if (!from?.width || (Math.abs(from.x - to.x) < NEAR && Math.abs(from.y - to.y) < NEAR)) continue;
      const start = `translate(${from.x - to.x}px, ${from.y - to.y}px)`;
      each.animate([{ transform: start, zIndex: 3 }, { transform: "none", zIndex: 3 }], { duration: TAKES, easing: "ease-out" });
    }
  };

  table.moving = moving;
})();
