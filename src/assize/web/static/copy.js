// Buttons that copy the text of a field.
for (const button of document.querySelectorAll("button[data-copies]")) {
  const field = document.getElementById(button.dataset.copies);
  button.hidden = false;
  button.addEventListener("click", async () => {
    field.select();
    try { await navigator.clipboard.writeText(field.value); button.textContent = "Copied"; }
    catch { button.textContent = "Press Ctrl+C"; }
  });
}
