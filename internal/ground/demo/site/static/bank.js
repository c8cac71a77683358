const form = document.getElementById("card"), said = document.getElementById("said");
form.number.addEventListener("input", () => {
  form.number.value = form.number.value.replace(/\D/g, "").slice(0, 16).replace(/(.{4})(?=.)/g, "$1 ");
});
form.addEventListener("submit", (e) => {
  e.preventDefault();
  const digits = form.number.value.replace(/\D/g, "");
  if (digits.length !== 16) { said.textContent = "A card number has 16 digits."; return; }
  said.textContent = "Card accepted.";
  parent.postMessage({ card: digits.slice(-4) }, document.body.dataset.shop);
});
