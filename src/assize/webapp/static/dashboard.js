// Draws each chart by Vega's expression interpreter (nothing is compiled from text), asks for its
// bands, and lists what lies under a click or a drag.
"use strict";

const style = getComputedStyle(document.documentElement);
const named = (name) => style.getPropertyValue(name).trim();
const SERIES = [1, 2, 3, 4, 5, 6].map((at) => named(`--chart-${at}`));
const INK = named("--chart-ink"), MUTED = named("--chart-muted"), GRID = named("--chart-grid");
const CONFIG = {
  background: null, font: "system-ui, sans-serif", view: { stroke: null },
  axis: { labelColor: INK, titleColor: MUTED, tickColor: GRID, domainColor: MUTED, gridColor: GRID,
          labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal" },
  legend: { labelColor: INK, labelFontSize: 12, labelLimit: 200 },
};

function coloured(spec) {
  for (const layer of spec.layer) {
    const colour = layer.encoding.color;
    if (colour) {
      colour.scale.range = SERIES.slice(0, colour.scale.domain.length);
      colour.legend = null;  // the table below has the keys
    }
    if (layer.mark.type === "rule") layer.mark.color = INK;
  }
  if (spec.data.name === "answers") return spec;  // nothing to drag over
  const brush = { name: "brush", select: { type: "interval", encodings: ["x"], translate: false, zoom: false,
                  mark: { fill: MUTED, fillOpacity: 0.15, stroke: MUTED } } };
  spec.layer[spec.layer.length - 1].params = [brush];
  return spec;
}

async function draw(section, spec) {
  const place = section.querySelector(".plot");
  const options = { ast: true, actions: false, defaultStyle: false, tooltip: false, renderer: "canvas", config: CONFIG };
  const curves = spec.data.values;
  const old = section.drawn;
  const found = await vegaEmbed(place, coloured(spec), options);
  if (old) old.finalize();
  section.drawn = found;
  (section.dataset.kind === "nominal" ? watchAnswers : watch)(section, found.view, curves);
}

function watchAnswers(section, view, rows) {
  const place = section.querySelector(".plot");
  place.onpointerdown = null;
  place.onpointerup = (event) => {
    const row = answerUnder(view, place, event, rows);
    if (row) list(section, { answer: row.answer, curve: new Set(rows.map((one) => one.name)).size > 1 ? row.name : "" });
  };
}

// The answer and group whose row lies under a click, however short its bar is; also a click on its name.
function answerUnder(view, place, event, rows) {
  const y = event.clientY - place.querySelector("canvas").getBoundingClientRect().top - view.origin()[1];
  const down = view.scale("y"), groups = new Set(rows.map((one) => one.name)).size > 1 ? view.scale("yOffset") : null;
  const away = (row) => {
    const top = down(row.said) + (groups ? groups(row.name) : 0), high = (groups || down).bandwidth();
    return Math.abs(y - top - high / 2) - high / 2;
  };
  const [near] = [...rows].sort((one, other) => away(one) - away(other));
  return near && away(near) < 6 ? near : null;
}

function watch(section, view, curves) {
  let stretch = null;
  view.addSignalListener("brush", (_, value) => { stretch = value.x || value.from || Object.values(value)[0] || null; });
  const place = section.querySelector(".plot");
  place.onpointerdown = (event) => { section.pressed = event.clientX; };
  place.onpointerup = (event) => {
    const moved = Math.abs(event.clientX - section.pressed);
    setTimeout(() => {
      const [x, y] = under(view, place, event);
      if (moved > 4 && stretch) list(section, { low: Math.min(...stretch), high: Math.max(...stretch) });
      else if (moved <= 4 && x !== null) list(section, { at: x, curve: nearest(curves, x, y) });
    }, 60);
  };
}

function under(view, place, event) {
  const box = place.querySelector("canvas").getBoundingClientRect();
  const [left, top] = view.origin();
  const [x, y] = [event.clientX - box.left - left, event.clientY - box.top - top];
  if (x < 0 || y < 0 || x > view.width() || y > view.height()) return [null, null];
  return [view.scale("x").invert(x), view.scale("y").invert(y)];
}

function nearest(curves, x, y) {
  const best = new Map();
  for (const row of curves) {
    const away = Math.abs(row.x - x), known = best.get(row.name);
    if (!known || away < known.away) best.set(row.name, { away, apart: Math.abs(row.y - y) });
  }
  return [...best].sort((one, other) => one[1].apart - other[1].apart)[0][0];
}

function list(section, wanted) {
  const address = new URL(section.dataset.region, location.href);
  for (const [name, value] of Object.entries(wanted)) address.searchParams.set(name, String(value));
  const target = document.getElementById("region");
  htmx.ajax("GET", address.pathname + address.search, { target, swap: "innerHTML" }).then(() => {
    target.scrollIntoView({ block: "start" });
    target.focus({ preventScroll: true });
  });
}

async function bands(section) {
  const answer = await fetch(section.dataset.bands, { headers: { accept: "application/json" } });
  if (!answer.ok) {
    section.querySelector(".figures").insertAdjacentHTML("beforeend", '<p class="problem">The bands could not be worked out.</p>');
    return;
  }
  const found = await answer.json();
  const figures = section.querySelector(".figures");
  figures.innerHTML = found.table;
  htmx.process(figures);
  await draw(section, found.spec);
  section.dataset.pending = "";
}

async function start() {
  const sections = [...document.querySelectorAll(".chart")];
  for (const section of sections) await draw(section, JSON.parse(section.dataset.spec));
  document.body.dataset.drawn = "1";
  const asked = sections.filter((section) => section.dataset.pending);
  await Promise.all(asked.map(bands));
  document.body.dataset.bands = "1";
}

document.addEventListener("DOMContentLoaded", start);
