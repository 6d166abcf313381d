// The page on which items are rated: keys, focus, what an answer passes over, what is announced.
"use strict";
(() => {
  const { time, draft } = window.assize;
  const CHOICE = "assize-single-keys"; // "off" where somebody does not want single-key shortcuts
  const byId = (name) => document.getElementById(name);
  const form = () => byId("answers");
  const typing = (target) => target.closest?.(
    "textarea, select, [contenteditable], input:not([type=radio]):not([type=checkbox])");

  // Questions

  const fields = () => [...form().querySelectorAll("[data-field]")];
  const asked = () => fields().filter((one) => !one.hidden);
  const current = () => form().querySelector("[data-field].current");

  function given(field) {
    return [...field.querySelectorAll("input:checked")].map((one) => one.value);
  }

  function answered(field) {
    return given(field).length > 0
      || [...field.querySelectorAll("textarea, input[type=text], input[type=number]")]
        .some((one) => one.value.trim());
  }

  function mark(field) {
    for (const one of fields()) one.classList.toggle("current", one === field);
  }

  function go(field) {
    if (!field) return;
    mark(field);
    field.focus({ preventScroll: true });
    field.scrollIntoView({ block: "nearest" });
  }

  function step(by) {
    const all = asked();
    const place = all.indexOf(current());
    go(all[Math.min(Math.max(place + by, 0), all.length - 1)]);
  }

  function choose(key) {
    const field = current();
    const input = field?.querySelector(`input[data-key="${CSS.escape(key)}"]`);
    if (!input) return false;
    input.checked = input.type === "radio" ? true : !input.checked;
    input.dispatchEvent(new Event("input", { bubbles: true }));
    input.dispatchEvent(new Event("change", { bubbles: true }));
    if (input.type === "radio") {
      const all = asked();
      const next = all[all.indexOf(field) + 1];
      if (next) go(next); else byId("submit").focus();
    }
    return true;
  }

  // What an answer makes needless is hidden, as the server will pass over it.

  function passOver() {
    const skips = JSON.parse(form().dataset.skips || "{}");
    const all = fields();
    const names = all.map((one) => one.dataset.field);
    let over = 0;
    all.forEach((field, place) => {
      const { when, whenAnswers } = field.dataset;
      const asks = !when || all.some((one) => one.dataset.field === when && !one.hidden
        && given(one).some((answer) => JSON.parse(whenAnswers).includes(answer)));
      field.hidden = place < over || !asks;
      if (field.hidden) return;
      const target = (skips[field.dataset.field] || {})[given(field)[0]];
      if (target === "end") over = all.length;
      else if (target) over = Math.max(over, names.indexOf(target));
    });
    for (const section of form().querySelectorAll("[data-section]")) {
      const inside = [...section.querySelectorAll("[data-field]")];
      section.hidden = inside.length > 0 && inside.every((one) => one.hidden);
    }
    if (current()?.hidden) mark(asked()[0]);
    const left = asked().filter((one) => !answered(one) && "required" in one.dataset).length;
    const place = byId("left");
    if (place) place.textContent = left ? `${left} to answer` : "All answered";
  }

  function say(text) {
    const place = byId("said");
    place.textContent = "";
    if (text) setTimeout(() => { place.textContent = text; }, 60);
  }

  // Keys

  const single = () => {
    try { return localStorage.getItem(CHOICE) !== "off"; } catch { return true; }
  };

  function showKeys() {
    document.documentElement.classList.toggle("keys", single());
    const box = byId("single-keys");
    if (box) box.checked = single();
  }

  function open(name) {
    const dialog = byId(name);
    if (dialog && !dialog.open) dialog.showModal();
  }

  function unfold(name) {
    const part = byId(name);
    if (!part) return;
    part.open = true;
    part.querySelector("textarea, select, input:not([type=hidden])")?.focus();
  }

  const ACTIONS = {
    j: () => step(1),
    k: () => step(-1),
    s: () => unfold("skip"),
    f: () => unfold("flag"),
    u: () => byId("undo")?.requestSubmit(),
    i: () => open("instructions"),
    "?": () => open("keys"),
  };

  function pressed(event) {
    if (!form() || event.defaultPrevented || event.isComposing) return;
    if (document.querySelector("dialog[open]")) return;
    const part = event.target.closest(".aside details[open]");
    if (event.key === "Escape" && part) {
      part.open = false;
      part.querySelector("summary").focus();
      return;
    }
    if (event.key === "Escape" && typing(event.target)) {
      go(event.target.closest("[data-field]") || current());
      return;
    }
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      (event.target.form && event.target.form !== form() ? event.target.form : form()).requestSubmit();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
    const within = event.target.closest("input, a, button, summary");
    if (event.key === "Enter") {
      if (within && within.tagName !== "INPUT") return;
      event.preventDefault();
      form().requestSubmit();
      return;
    }
    if ((event.key === "ArrowDown" || event.key === "ArrowUp") && event.target.matches("[data-field]")) {
      event.preventDefault();
      step(event.key === "ArrowDown" ? 1 : -1);
      return;
    }
    if (!single() || event.repeat) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : "";
    if (!key) return;
    if (ACTIONS[key]) {
      event.preventDefault();
      ACTIONS[key]();
    } else if (choose(key)) {
      event.preventDefault();
    }
  }

  // An item appears

  function begin() {
    if (!form()) return;
    form().noValidate = true; // the server says what is missing, beside the question
    time.begin();
    draft.begin(form());
    passOver();
    showKeys();
    const wrong = asked().find((one) => one.querySelector(".problem"));
    if (wrong) {
      go(wrong);
      (wrong.querySelector("input:checked, input, textarea") || wrong).focus();
    } else {
      mark(asked().find((one) => !answered(one)) || asked()[0]);
    }
  }

  function changed(event) {
    if (!form() || event.target.form !== form()) return;
    passOver();
  }

  document.addEventListener("keydown", pressed);
  document.addEventListener("change", changed);
  document.addEventListener("focusin", (event) => {
    const field = event.target.closest?.("[data-field]");
    if (field && field.closest("#answers")) mark(field);
  });
  document.addEventListener("change", (event) => {
    if (event.target.id !== "single-keys") return;
    try { localStorage.setItem(CHOICE, event.target.checked ? "on" : "off"); } catch { /* none */ }
    showKeys();
  });
  document.addEventListener("click", (event) => {
    const cited = event.target.closest?.("a.cite");
    const source = cited && byId(cited.hash.slice(1));
    if (source?.matches("details")) source.open = true;
    const opener = event.target.closest?.("[data-open]");
    if (opener) {
      event.preventDefault();
      open(opener.dataset.open);
    }
    const shut = event.target.closest?.("[data-close]");
    if (shut) shut.closest("dialog").close();
  });

  // htmx: the answers are sent, the next item comes

  document.addEventListener("submit", (event) => {
    const sent = event.target;
    if (sent.elements["page.seconds"]) sent.elements["page.seconds"].value = time.seconds();
  }, { capture: true });
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { status } = event.detail.xhr;
    if (status === 422 || status === 409) {
      event.detail.shouldSwap = true;
      event.detail.isError = false;
    }
  });
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (!event.detail.elt.closest("#work")) return;
    byId("work").setAttribute("aria-busy", "true");
    if (event.detail.elt.id === "undo") draft.flush();
    draft.end();
  });
  for (const name of ["htmx:sendError", "htmx:responseError", "htmx:timeout"]) {
    document.addEventListener(name, (event) => {
      byId("work")?.removeAttribute("aria-busy");
      if (form()) draft.again(form());
      const place = byId("trouble");
      place.hidden = false;
      place.textContent = event.detail.xhr?.status === 401
        ? "You were signed out. Your answers are kept in this browser; sign in again and submit them."
        : "This was not sent: the server cannot be reached, or refused it. "
          + "Your answers are kept in this browser. Try again.";
      say(place.textContent);
    });
  }
  let before = { assignment: "", top: 0 }; // what was read, and how far, before the swap
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (!event.detail.shouldSwap || !form()) return;
    before = { assignment: form()?.dataset.assignment, top: document.querySelector(".item")?.scrollTop };
    // For a moment old and new stand side by side: radios of one name would uncheck each other,
    // and details of one name close each other.
    const named = [...form().elements, ...form().querySelectorAll("details[name]")];
    for (const one of named) one.removeAttribute("name");
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.target.id !== "work" && event.detail.target.id !== "work") return;
    byId("trouble").hidden = true;
    if (form() && form().dataset.assignment === before.assignment) {
      document.querySelector(".item").scrollTop = before.top;
    }
    begin();
    const work = byId("work");
    if (work.dataset.said) say(work.dataset.said);
    if (!document.querySelector("#answers .problem")) {
      scrollTo(0, 0);
      byId("heading")?.focus({ preventScroll: true });
    }
  });

  document.documentElement.classList.add("scripts");
  if (window.htmx) {
    htmx.config.refreshOnHistoryMiss = true; // pages are whole, never pieced together
    htmx.config.defaultSettleDelay = 0; // what has come can be used at once
  }
  begin();
  const work = byId("work");
  if (work?.dataset.said) say(work.dataset.said);
})();
