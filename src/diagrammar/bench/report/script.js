"use strict";
(() => {
  const root = document.documentElement;
  const $ = (selector, within = document) => within.querySelector(selector);
  const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];
  const DIMENSIONS = ["all", "type", "text", "color", "box"];
  const CLASSES = ["a-", "t-", "w-", "c-", "b-"];
  const SAID = { m: "matched", p: "alike in part", x: "not matched" };
  const NAMES = ["", "type", "text", "colour", "box"];
  const cards = $$(".card");
  const container = $("#cards");
  const toolbar = $("#toolbar");
  const remember = (key, value) => { try { localStorage.setItem("diagrammar-" + key, value); } catch { /* private window */ } };
  const recall = (key) => { try { return localStorage.getItem("diagrammar-" + key); } catch { return null; } };

  // Light and dark
  const theme = $("#theme");
  theme.hidden = false;
  if (recall("theme")) root.dataset.theme = recall("theme");
  const switchTheme = () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    remember("theme", root.dataset.theme);
  };
  theme.addEventListener("click", switchTheme);

  // One number at a time
  const metrics = $("#metrics");
  const choose = (button) => {
    for (const other of $$("button", metrics)) other.setAttribute("aria-checked", String(other === button));
    for (const table of $$(".by-number")) table.hidden = table.dataset.metric !== button.dataset.metric;
  };
  metrics.hidden = false;
  metrics.addEventListener("click", (event) => event.target.dataset.metric && choose(event.target));
  metrics.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = step && (step > 0 ? event.target.nextElementSibling : event.target.previousElementSibling);
    if (next) { next.focus(); choose(next); event.preventDefault(); }
  });
  if ($("button", metrics)) choose($("button", metrics));

  // Objects over the pictures. What a model wrote only ever becomes text.
  const objectsOf = (tile) => {
    if (tile.objects === undefined) {
      const block = $("script", tile);
      tile.objects = block ? JSON.parse(block.textContent) : null;
    }
    return tile.objects;
  };
  const draw = (svg, rows, theirs) => {
    svg.classList.toggle("theirs", theirs);
    svg.replaceChildren(...rows.map(([x, y, width, height, label, states, partner], at) => {
      const rect = document.createElementNS("http://www.w3.org/2000/svg", "rect");
      const least = 0.8;  // bp: a hairline can still be seen and pointed at
      for (const [name, value] of Object.entries({
        x: x - Math.max(0, least - width) / 2, y: y - Math.max(0, least - height) / 2,
        width: Math.max(width, least), height: Math.max(height, least), rx: 1,
        class: "o " + [...states].map((state, d) => CLASSES[d] + state).join(" "),
      })) rect.setAttribute(name, value);
      Object.assign(rect, { label, states, partner, at, theirs });
      return rect;
    }));
  };
  const activate = (card, tile) => {
    const objects = tile && objectsOf(tile);
    for (const other of $$(".answer", card)) other.classList.toggle("active", other === tile && Boolean(objects));
    const svg = $(".truth .overlay", card);
    if (!svg) return;
    draw(svg, objects ? objects.t : [], false);
    $(".versus", card).textContent = objects ? "against " + $(".model", tile).textContent : "";
    card.active = tile;
  };
  const shownTiles = (card) => $$(".answer", card).filter((tile) => !tile.hidden);
  const build = (card) => {
    if (!card.built) {
      card.built = true;
      for (const tile of $$(".answer", card)) {
        const objects = objectsOf(tile);
        if (objects) draw($(".overlay", tile), objects.c, true);
        tile.addEventListener("pointerenter", () => objectsOf(tile) && card.active !== tile && activate(card, tile));
        tile.addEventListener("focusin", () => objectsOf(tile) && card.active !== tile && activate(card, tile));
      }
    }
    if (!card.active || card.active.hidden) {
      // The answer with the most to see: the worst one that draws something.
      const drawn = shownTiles(card).filter(objectsOf);
      activate(card, drawn.sort((a, b) => a.dataset.score - b.dataset.score).find((t) => objectsOf(t).c.length) || drawn[0]);
    }
  };
  const seen = new IntersectionObserver(
    (entries) => { for (const entry of entries) if (entry.isIntersecting) build(entry.target); }, { rootMargin: "600px" },
  );
  // Many pictures are drawn over when they come near; a few at once.
  const FEW = 24;
  if (cards.length > FEW) cards.forEach((card) => seen.observe(card));
  addEventListener("beforeprint", () => cards.forEach(build));

  // What is under the pointer, and its partner in the other picture
  const tip = $("#tip");
  let hot = [];
  const cool = () => { hot.forEach((rect) => rect.classList.remove("hot")); hot = []; tip.hidden = true; };
  document.addEventListener("pointermove", (event) => {
    const rect = event.target instanceof Element && event.target.classList.contains("o") ? event.target : null;
    if (!rect) { if (hot.length) cool(); return; }
    if (hot[0] !== rect) {
      cool();
      hot = [rect];
      const around = rect.closest(".panes, .card");
      const pair = $$(".overlay", around).filter((svg) => svg.classList.contains("theirs") !== rect.theirs);
      const other = rect.theirs ? pair[0] : pair.find((svg) => svg.closest(".active")) || pair[0];
      const partnerVisible = other && (!rect.theirs || around.matches(".panes") || rect.closest(".active"));
      if (partnerVisible && rect.partner >= 0 && other.children[rect.partner]) hot.push(other.children[rect.partner]);
      hot.forEach((one) => one.classList.add("hot"));
      const name = document.createElement("b");
      name.textContent = rect.label;
      tip.replaceChildren(name, ...[...rect.states].flatMap((state, d) => {
        if (!d || state === "-") return [];
        const said = document.createElement("i");
        said.className = state;
        said.textContent = NAMES[d] + " " + SAID[state];
        return [said, " "];
      }));
      tip.hidden = false;
    }
    const { width, height } = tip.getBoundingClientRect();
    tip.style.left = Math.max(4, Math.min(event.clientX + 14, innerWidth - width - 8)) + "px";
    tip.style.top = (event.clientY + height + 24 < innerHeight ? event.clientY + 16 : event.clientY - height - 12) + "px";
  });
  addEventListener("scroll", cool, { passive: true });

  // Filters and order
  toolbar.hidden = false;
  toolbar.addEventListener("submit", (event) => event.preventDefault());
  const scoreOf = (tile) => (tile.dataset.score === "" ? 0 : Number(tile.dataset.score));
  const textOf = (card) => (card.words ??= card.textContent.toLowerCase());
  const key = (card, by, order) => {
    const tiles = shownTiles(card).filter((tile) => by === "all" || tile.dataset.model === by);
    if (!tiles.length) return order === "low" ? 2 : -1;
    const scores = tiles.map(scoreOf);
    const all = shownTiles(card).map(scoreOf);
    if (order === "spread") return Math.max(...all) - Math.min(...all);
    return scores.reduce((sum, score) => sum + score, 0) / scores.length;
  };
  const apply = () => {
    const form = new FormData(toolbar);
    const domains = new Set(form.getAll("domain")), models = new Set(form.getAll("model"));
    const which = form.get("which"), order = form.get("order"), find = form.get("find").trim().toLowerCase();
    let count = 0;
    for (const card of cards) {
      for (const tile of $$(".answer", card)) tile.hidden = !models.has(tile.dataset.model);
      const tiles = shownTiles(card);
      const fits = which === "all" || tiles.some((tile) => (which === "none" ? "failed" in tile.dataset : scoreOf(tile) < Number(which)));
      card.hidden = !(domains.has(card.dataset.domain) && fits && (!find || textOf(card).includes(find)));
      count += !card.hidden;
      if (card.built && !card.hidden) build(card);
    }
    const sign = order === "low" ? 1 : -1;
    const keys = new Map(cards.map((card) => [card, order === "bench" ? 0 : sign * key(card, form.get("by"), order)]));
    container.append(...[...cards].sort((a, b) => keys.get(a) - keys.get(b) || a.dataset.number - b.dataset.number));
    root.dataset.dim = form.get("dim");
    $("#count").textContent = count === cards.length ? `${count} diagrams` : `${count} of ${cards.length} diagrams`;
    $("#nothing").hidden = count > 0;
  };
  toolbar.addEventListener("input", apply);
  apply();
  if (cards.length <= FEW) cards.forEach(build);

  // Original and answer, large
  const large = $("#large");
  let open = null;
  const copy = (from, into) => {
    const image = $("img", from).cloneNode(), svg = $(".overlay", from).cloneNode();
    image.loading = "eager";
    into.replaceChildren(image, svg);
    return svg;
  };
  const enlarge = (card, tile) => {
    build(card);
    const objects = objectsOf(tile), [left, right] = $$(".panes figure", large);
    draw(copy($(".truth .frame", card), $(".frame", left)), objects ? objects.t : [], false);
    draw(copy($(".frame", tile), $(".frame", right)), objects ? objects.c : [], true);
    $(".what", large).textContent = $("h3", card).textContent;
    $("figcaption", right).textContent = $(".model", tile).textContent + "  " + $(".total", tile).textContent;
    open = { card, tile };
    if (!large.open) large.showModal();
  };
  const withPicture = (card) => shownTiles(card).filter((tile) => $("img", tile));
  const step = (by) => {
    const tiles = withPicture(open.card);
    const at = (tiles.indexOf(open.tile) + by + tiles.length) % tiles.length;
    enlarge(open.card, tiles[at]);
  };
  const enlargeCard = (card) => {
    const tile = card.active && !card.active.hidden && $("img", card.active) ? card.active : withPicture(card)[0];
    if (tile) enlarge(card, tile);
  };
  container.addEventListener("click", (event) => {
    const frame = event.target.closest(".frame"), card = event.target.closest(".card");
    if (!frame || frame.classList.contains("empty")) return;
    const tile = frame.closest(".answer");
    if (tile) enlarge(card, tile); else enlargeCard(card);
  });
  large.addEventListener("click", (event) => {
    if (event.target === large || "close" in event.target.dataset) large.close();
    else if (event.target.dataset.step) step(Number(event.target.dataset.step));
  });
  large.addEventListener("close", () => { cool(); open && open.card.focus({ preventScroll: true }); });

  // Keys
  const go = (by) => {
    const visible = $$(".card:not([hidden])");
    const current = document.activeElement.closest?.(".card");
    const first = visible.findIndex((card) => card.getBoundingClientRect().bottom > 160);
    const at = current ? visible.indexOf(current) + by : Math.max(0, first);
    const card = visible[Math.min(Math.max(at, 0), visible.length - 1)];
    if (card) { card.focus({ preventScroll: true }); card.scrollIntoView({ block: "start" }); }
  };
  const dimension = (value) => { toolbar.elements.dim.value = value; apply(); };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input[type=search], select")) return;
    const card = event.target.closest?.(".card");
    if (large.open) {
      if (event.key === "ArrowLeft") step(-1);
      else if (event.key === "ArrowRight") step(1);
    } else if (event.key === "j") go(1);
    else if (event.key === "k") go(-1);
    else if (event.key === "t") switchTheme();
    else if (event.key === "Enter" && card && event.target === card) enlargeCard(card);
    else if (event.key === "/") { toolbar.elements.find.focus(); event.preventDefault(); }
    if (/^[0-5]$/.test(event.key)) dimension(["none", ...DIMENSIONS][Number(event.key)]);
  });
})();
