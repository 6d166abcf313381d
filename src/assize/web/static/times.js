// Times in the zone of whoever reads; without scripts they stand in UTC.
function localTimes(root) {
  for (const one of root.querySelectorAll("time[datetime]:not([title])")) {
    one.title = one.textContent;
    one.textContent = new Date(one.dateTime).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  }
}
document.addEventListener("htmx:afterSwap", () => localTimes(document));
localTimes(document);
