// A chat: messages are sent without leaving the page, answers appear while they are written.
"use strict";
(() => {
  const talk = document.getElementById("talk");
  const composer = document.getElementById("composer");
  if (!talk || !composer) return;
  document.documentElement.classList.add("scripts");
  const token = document.querySelector('meta[name="csrf"]').content;
  const two = talk.dataset.sides === "2";
  let busy = false;

  const element = (name, classes, text) => {
    const made = document.createElement(name);
    made.className = classes;
    if (text !== undefined) made.textContent = text;
    return made;
  };

  const atEnd = () =>
    document.documentElement.scrollHeight - window.innerHeight - window.scrollY < 160;

  const toEnd = () => window.scrollTo({ top: document.documentElement.scrollHeight });

  const fragment = (html) => {
    const made = document.createElement("template");
    made.innerHTML = html; // rendered and escaped by the server
    return made.content;
  };

  const tell = (text) => {
    const problem = document.getElementById("problem");
    if (problem) problem.textContent = text;
  };

  const setBusy = (now) => {
    busy = now;
    talk.setAttribute("aria-busy", String(now));
    for (const one of composer.querySelectorAll(now ? "button:enabled" : "button[data-held]")) {
      one.disabled = now;
      one.toggleAttribute("data-held", now);
    }
  };

  const said = (text) => {
    const turn = element("article", "turn user");
    turn.setAttribute("aria-label", "You");
    turn.append(element("div", "role", "You"), element("div", "said written", text));
    talk.append(turn);
    return turn;
  };

  // The place of a side's answer that is being written; made where there is none.
  const writing = (side, sides) => {
    const open = [...talk.querySelectorAll(".turn.assistant")].filter(
      (one) => one.dataset.side === side && (one.dataset.live || one.matches(".writing, .interrupted")),
    ).pop();
    if (open) {
      if (!open.dataset.live) {
        open.dataset.live = "1";
        open.classList.remove("interrupted");
        open.querySelectorAll(".problem, .sources").forEach((one) => one.remove());
        open.querySelector(".said").replaceChildren();
        open.querySelector(".said").classList.add("writing", "written");
      }
      return open;
    }
    let row = talk.lastElementChild;
    if (!row || !row.classList.contains("answers") || row.children.length >= (two ? 2 : 1)) {
      row = element("div", "answers");
      talk.append(row);
    }
    const turn = element("article", "turn assistant");
    turn.dataset.side = side;
    turn.dataset.live = "1";
    turn.setAttribute("aria-label", side ? `Assistant ${side}` : "Assistant");
    turn.append(element("div", "role", side ? `Assistant ${side}` : "Assistant"));
    turn.append(element("div", "said writing written", ""));
    row.append(turn);
    return turn;
  };

  const take = (event) => {
    const follow = atEnd();
    if (event.begin) event.begin.forEach((side) => writing(side));
    else if (event.text !== undefined) writing(event.side).querySelector(".said").append(event.text);
    else if (event.html !== undefined) writing(event.side).replaceWith(fragment(event.html));
    else if (event.composer !== undefined) composer.replaceChildren(fragment(event.composer));
    else if (event.problem !== undefined) tell(event.problem);
    if (follow) toEnd();
  };

  const read = async (response) => {
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    let whole = false;
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      const lines = (rest + value).split("\n");
      rest = lines.pop();
      for (const line of lines.filter(Boolean)) {
        const event = JSON.parse(line);
        whole = whole || event.composer !== undefined || event.problem !== undefined;
        take(event);
      }
    }
    if (!whole) throw new Error("the stream ended early");
  };

  const ask = (address, method, body) =>
    fetch(address, {
      method,
      body,
      redirect: "manual",
      headers: { Accept: "application/x-ndjson", "X-CSRF-Token": token },
    });

  const send = async (form) => {
    if (busy) return;
    const box = form.querySelector("textarea");
    const text = box ? box.value.trim() : "";
    if (box && !text) return;
    setBusy(true);
    tell("");
    let turn = null;
    try {
      const body = new URLSearchParams(box ? { text } : {});
      const response = await ask(form.action, "POST", body);
      if (response.ok && box) {
        document.getElementById("empty")?.remove();
        document.getElementById("other-topic")?.remove();
        turn = said(text);
        box.value = "";
        toEnd();
      }
      if (response.ok || response.status === 409) await read(response);
      else throw new Error(String(response.status));
    } catch {
      if (turn === null) tell("Your message was not sent. Check the connection and send it again.");
      else await again();
    } finally {
      setBusy(false);
      restore();
      document.getElementById("text")?.focus({ preventScroll: true });
    }
  };

  // The connection was lost in mid-answer: the server goes on, so hear it from the beginning.
  const again = async () => {
    for (let tries = 0; tries < 5; tries += 1) {
      try {
        for (const one of talk.querySelectorAll("[data-live]")) one.querySelector(".said").replaceChildren();
        await read(await ask(`${location.pathname}/stream`, "GET"));
        return;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 1000 * 2 ** tries));
      }
    }
    tell("The connection was lost. Your message is kept: reload the page to see the answer.");
  };

  // After an answer the end is allowed; before, what the server rendered holds.
  const restore = () => {
    for (const one of talk.querySelectorAll("[data-live]")) {
      one.querySelector(".said").classList.remove("writing");
    }
  };

  composer.addEventListener("submit", (event) => {
    if (!event.target.dataset.talk) return;
    event.preventDefault();
    send(event.target);
  });
  composer.addEventListener("keydown", (event) => {
    const sends = event.key === "Enter" && !event.shiftKey && !event.isComposing;
    if (!sends || event.target.id !== "text") return;
    event.preventDefault();
    send(event.target.form);
  });
  talk.addEventListener("click", (event) => {
    const cited = event.target.closest("a.cite");
    if (!cited) return;
    const source = document.getElementById(cited.hash.slice(1));
    if (!source) return;
    source.closest("details").open = true;
    requestAnimationFrame(() => source.focus({ preventScroll: false }));
  });
  if (talk.dataset.follow) {
    setBusy(true);
    again().finally(() => {
      setBusy(false);
      restore();
    });
  }
  if (talk.querySelector(".turn")) toEnd();
})();
