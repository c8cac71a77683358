import { cart, make, money } from "./shop.js";

const form = document.getElementById("order");
const problems = document.getElementById("problems");
let card = "";

document.getElementById("mini").replaceChildren(...cart.lines().map((l) => make("li", {}, make("span", { textContent: `${l.count} × ${l.name}` }), make("span", { textContent: money(l.price * l.count) }))));
const total = () => cart.total() + (form.speed.value === "bike" ? 600 : 0);
const sum = () => { document.getElementById("total").textContent = money(total()); };
form.addEventListener("change", sum);
form.addEventListener("input", (e) => { e.target.removeAttribute("aria-invalid"); document.getElementById("problems").replaceChildren(); });
sum();

form.gift.addEventListener("change", () => { document.getElementById("gift-note").hidden = !form.gift.checked; });
form.phone.addEventListener("input", () => {
  const digits = form.phone.value.replace(/\D/g, "").slice(0, 10);
  form.phone.value = digits.length > 3 ? digits.slice(0, 3) + " " + digits.slice(3) : digits;
});

window.addEventListener("message", (e) => {
  if (e.data?.town) { form.town.value = e.data.town; form.town.removeAttribute("aria-invalid"); }
  if (e.data?.card) { card = e.data.card; document.getElementById("card").textContent = `Paying with the card that ends in ${card}.`; }
});

const needed = { name: "your name", email: "a valid email", country: "a country", town: "a town", terms: "your nod to the terms" };
form.addEventListener("submit", async (e) => {
  e.preventDefault();
  const missing = Object.entries(needed).filter(([name]) => {
    const bad = !form[name].checkValidity();
    if (bad) form[name].setAttribute("aria-invalid", "true"); else form[name].removeAttribute("aria-invalid");
    return bad;
  }).map(([, what]) => "We need " + what + ".");
  if (!card) missing.push("We need a card.");
  problems.replaceChildren(...missing.map((m) => make("li", { textContent: m })));
  if (missing.length) return;
  const button = form.querySelector("button");
  button.disabled = true;
  button.textContent = "Sending…";
  const order = { name: form.name.value, speed: form.speed.value, total: total(), card, lines: cart.lines().map((l) => ({ name: l.name, count: l.count })), gift: form.gift.checked ? form.note.value : "" };
  const { number } = await (await fetch("/api/orders", { method: "POST", body: JSON.stringify(order) })).json();
  sessionStorage.setItem("order", JSON.stringify({ ...order, number }));
  cart.save([]);
  location.assign("/order");
});
