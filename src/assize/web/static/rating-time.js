// How long somebody works on an item: only while the page is seen and they are active.
"use strict";
(() => {
  const IDLE = 60_000; // milliseconds without a sign of life after which nothing is counted
  const TICK = 1_000;
  const LONGEST = 5_000; // a longer gap between two ticks is a machine that slept
  const SIGNS = ["keydown", "pointerdown", "pointermove", "wheel", "touchmove", "scroll"];
  let counted = 0;
  let before = Date.now();
  let alive = before;

  function tick() {
    const now = Date.now();
    const gap = now - before;
    const seen = document.visibilityState === "visible" && now - alive <= IDLE;
    if (seen && gap > 0 && gap <= LONGEST) counted += gap;
    before = now;
  }

  for (const sign of SIGNS) {
    addEventListener(sign, () => { alive = Date.now(); }, { passive: true, capture: true });
  }
  document.addEventListener("visibilitychange", () => {
    tick();
    alive = Date.now();
  });
  setInterval(tick, TICK);

  window.assize = window.assize || {};
  window.assize.time = {
    begin() {
      counted = 0;
      before = alive = Date.now();
    },
    settle(seconds) { // these are counted elsewhere
      counted = Math.max(0, counted - seconds * 1000);
    },
    seconds() {
      tick();
      return Math.round(counted / 100) / 10;
    },
  };
})();
