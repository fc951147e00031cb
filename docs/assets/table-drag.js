// Dragging: a card follows the pointer, and is dropped on a place. Whatever can be dragged can be touched too, so that nothing
// needs a drag.
(() => {
  const table = (globalThis.hoyleTable ??= { ...globalThis.hoyleCards });
  const STARTS = 8; // pixels from which a touch is a drag

  // The place under the pointer, if cards can be dropped there.
  const placeAt = (root, { clientX, clientY }) => {
    const found = document.elementFromPoint(clientX, clientY)?.closest("[data-drop]");
    return found && root.contains(found) ? found : null;
  };

  const follow = (drag, event) => {
    const { made, x, y, root } = drag;
    made.style.transform = `translate(${event.clientX - x}px, ${event.clientY - y}px)`;
    const place = placeAt(root, event);
    if (place === drag.place) return;
    drag.place?.classList.remove("drop-here");
    place?.classList.add("drop-here");
    drag.place = place;
  };
  const begin = (drag) => {
    const { left, top, width, height } = drag.from.getBoundingClientRect();
    drag.made = drag.from.cloneNode(true);
    drag.made.classList.add("dragged");
    drag.made.removeAttribute("data-card");
    Object.assign(drag.made.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
    document.body.append(drag.made);
    drag.from.classList.add("lifted");
  };
  const end = (drag) => {
    drag.made?.remove();
    drag.from.classList.remove("lifted");
    drag.place?.classList.remove("drop-here");
  };

  // Cards in `root` that match `selector` can be dragged: `drop` is told which was dropped where.
  const draggable = (root, selector, drop) => {
    let drag = null;
    const stop = () => {
      if (drag) end(drag);
      drag = null;
    };
    root.addEventListener("pointerdown", (event) => {
      const from = event.button === 0 && event.target.closest(selector);
      if (from) drag = { root, from, x: event.clientX, y: event.clientY, place: null, made: null };
    });
    root.addEventListener("pointermove", (event) => {
      if (!drag) return;
      if (!drag.made && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < STARTS) return;
      if (!drag.made) {
        begin(drag);
        root.setPointerCapture(event.pointerId); // the click that ends a drag is no touch of a card
      }
      follow(drag, event);
    });
    root.addEventListener("pointerup", (event) => {
      const { made, from, place } = drag ?? {};
      stop();
      if (made && place) drop(from, place);
    });
    root.addEventListener("pointercancel", stop);
    root.addEventListener("dragstart", (event) => event.preventDefault());
  };

  table.draggable = draggable;
})();
