// Saves what is answered before it is sent; where the server cannot be reached, in this browser.
"use strict";
(() => {
  const WAIT = 700; // milliseconds of quiet before a draft is sent
  const AGAIN = 8_000; // before it is tried again
  let form = null;
  let timer = 0;
  let sending = false;
  let changed = false;

  const key = (which) => `assize-draft-${which.dataset.assignment}`;

  function told(text, bad = false) {
    const place = document.getElementById("draft-state");
    if (!place) return;
    place.textContent = text;
    place.classList.toggle("problem", bad);
  }

  function body(which) {
    which.elements["page.seconds"].value = window.assize.time.seconds();
    return new URLSearchParams(new FormData(which)).toString();
  }

  function keep(which, text) {
    const values = new URLSearchParams(text);
    values.delete("csrf");
    const entry = { revision: which.elements["page.revision"].value, text: values.toString() };
    try { localStorage.setItem(key(which), JSON.stringify(entry)); } catch { /* none here */ }
  }

  function forget(which) {
    try { localStorage.removeItem(key(which)); } catch { /* none here */ }
  }

  async function save() {
    clearTimeout(timer);
    if (!form || !changed || sending) return;
    const which = form;
    const seconds = window.assize.time.seconds();
    const text = body(which);
    let wait = WAIT;
    changed = false;
    sending = true;
    told("Saving…");
    try {
      const reply = await fetch(which.dataset.draft, {
        method: "POST", body: text, keepalive: text.length < 60_000,
        headers: { "content-type": "application/x-www-form-urlencoded" },
      });
      if (which === form) heard(which, text, reply.status, seconds);
    } catch {
      keep(which, text);
      if (which === form) {
        told("No connection. Your answers are kept in this browser.", true);
        changed = true;
        wait = AGAIN;
      }
    } finally {
      sending = false;
      if (changed && which === form) timer = setTimeout(save, wait);
    }
  }

  function heard(which, text, status, seconds) {
    if (status < 300) {
      window.assize.time.settle(seconds); // the server has counted these
      forget(which);
      told(changed ? "" : "Draft saved");
      return;
    }
    keep(which, text);
    if (status === 409) {
      told("This item was answered or taken back elsewhere. Reload the page before you go on.", true);
    } else if (status === 401) {
      told("You were signed out. Your answers are kept in this browser; sign in again.", true);
    } else {
      told("The server did not take the draft. Your answers are kept in this browser.", true);
    }
  }

  function later() {
    changed = true;
    told("");
    clearTimeout(timer);
    timer = setTimeout(save, WAIT);
  }

  function fill(which, values) {
    const seen = {};
    for (const input of which.elements) {
      if (!input.name || input.type === "hidden" || input.name.startsWith("page.")) continue;
      const given = values.getAll(input.name);
      if (input.type === "radio" || input.type === "checkbox") {
        input.checked = given.includes(input.value);
      } else {
        const place = seen[input.name] ?? 0; // several lines may share a name
        seen[input.name] = place + 1;
        input.value = given[place] ?? "";
      }
    }
  }

  function restore(which) {
    let kept = null;
    try { kept = JSON.parse(localStorage.getItem(key(which)) || "null"); } catch { /* none here */ }
    if (!kept) return;
    if (kept.revision !== which.elements["page.revision"].value) { forget(which); return; }
    fill(which, new URLSearchParams(kept.text));
    told("Restored from this browser");
    changed = true;
    timer = setTimeout(save, WAIT);
  }

  function leave() {
    if (form && changed) keep(form, body(form)); // the request below may be lost
    save();
  }

  addEventListener("pagehide", leave);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") leave();
  });

  window.assize = window.assize || {};
  window.assize.draft = {
    begin(which) {
      form = which;
      changed = false;
      clearTimeout(timer);
      which.addEventListener("input", later);
      restore(which);
    },
    flush: leave,
    end() { // what is sent now needs no draft
      clearTimeout(timer);
      if (form) forget(form);
      form = null;
    },
    // The answers were not taken: they are a draft again.
    again(which) {
      form = which;
      changed = true;
      keep(which, body(which));
      timer = setTimeout(save, WAIT);
    },
  };
})();
