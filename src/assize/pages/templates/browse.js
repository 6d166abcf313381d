// Long lists: a page of items at a time, found by words, reached by #c=ID. Those not yet shown
// wait as data, `[which tag, ...children]`; whatever a text holds becomes a text node.
"use strict";
const lists = [...document.querySelectorAll(".browse")].map(browse);

function browse(root) {
  const [input, level, said, shown, pager] =
    ["input", "select", "output", ".listed", ".pager"].map((one) => root.querySelector(one));
  const { tags, items } = JSON.parse(root.querySelector("script").textContent);
  const every = [...shown.children, ...items];
  const size = Number(root.dataset.size);
  const about = every.map((one) => (Array.isArray(one) ? tags[one[0]][1] : attributes(one)));
  const place = new Map(about.map((one, at) => [one["data-id"], at]).reverse());
  const texts = new Array(every.length);
  let found = every.map((_, at) => at);
  let page = 0;

  const text = (at) =>
    (texts[at] ??= (Array.isArray(every[at]) ? words(every[at]) : every[at].textContent).toLowerCase());
  const element = (at) => (Array.isArray(every[at]) ? (every[at] = made(tags, every[at])) : every[at]);

  function draw() {
    const pages = Math.max(1, Math.ceil(found.length / size));
    page = Math.min(Math.max(page, 0), pages - 1);
    shown.replaceChildren(...found.slice(page * size, (page + 1) * size).map(element));
    pager.hidden = pages === 1;
    pager.querySelector("span").textContent = `page ${page + 1} of ${pages.toLocaleString("en")}`;
    for (const button of pager.querySelectorAll("button")) {
      const to = page + Number(button.dataset.by);
      button.disabled = to < 0 || to >= pages;
    }
    const [n, of] = [found.length, every.length].map((one) => one.toLocaleString("en"));
    said.textContent = n === of ? `${of} ${said.dataset.noun}` : `${n} of ${of} ${said.dataset.noun}`;
  }

  function filter() {
    const asked = [...input.value.toLowerCase().matchAll(/"([^"]+)"?|(\S+)/g)].map((m) => m[1] ?? m[2]);
    const wanted = level === null ? "" : level.value;
    found = [];
    for (let at = 0; at < every.length; at++) {
      if (wanted !== "" && about[at]["data-level"] !== wanted) continue;
      if (asked.length === 0 || asked.every((word) => text(at).includes(word))) found.push(at);
    }
    page = 0;
    draw();
  }

  // Whether the item is in this list; it is opened and brought into view.
  function go(id) {
    const at = place.get(id);
    if (at === undefined) return false;
    if (!found.includes(at)) {
      input.value = "";
      if (level !== null) level.value = "";
      filter();
    }
    page = Math.floor(found.indexOf(at) / size);
    draw();
    element(at).open = true;
    element(at).scrollIntoView();
    return true;
  }

  // Texts are made ready while nothing else is to be done, so that the first search is as fast.
  function prepare(from) {
    const to = Math.min(from + 200, every.length);
    for (let at = from; at < to; at++) text(at);
    if (to < every.length) setTimeout(prepare, 10, to);
  }

  input.addEventListener("input", filter);
  if (level !== null) level.addEventListener("change", filter);
  for (const button of pager.querySelectorAll("button")) {
    button.addEventListener("click", () => {
      page += Number(button.dataset.by);
      draw();
      root.scrollIntoView();
    });
  }
  root.querySelector(".finder").hidden = false;
  draw();
  setTimeout(prepare, 300, 0);
  return go;
}

function attributes(element) {
  return Object.fromEntries([...element.attributes].map((one) => [one.name, one.value]));
}

function words(node) {
  return node.slice(1).map((one) => (typeof one === "string" ? one : words(one))).join(" ");
}

const SVG = "http://www.w3.org/2000/svg";

function made(tags, [which, ...children], space = null) {
  const [tag, given] = tags[which];
  const own = tag === "svg" ? SVG : space;
  const found = own === null ? document.createElement(tag) : document.createElementNS(own, tag);
  for (const [name, value] of Object.entries(given)) found.setAttribute(name, value);
  found.append(...children.map((one) => (typeof one === "string" ? one : made(tags, one, own))));
  return found;
}

function follow() {
  if (!location.hash.startsWith("#c=")) return;
  let id = location.hash.slice(3);
  try {
    id = decodeURIComponent(id);
  } catch {
    // It was written by hand, with a % of its own.
  }
  lists.some((go) => go(id));
}
addEventListener("hashchange", follow);
follow();
