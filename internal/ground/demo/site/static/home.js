import { art, cart, make, money } from "./shop.js";

const grid = document.getElementById("products");
const form = document.getElementById("filter");
let turn = 0;

async function load() {
  const mine = ++turn;
  grid.setAttribute("aria-busy", "true");
  const answer = await fetch("/api/products?" + new URLSearchParams(new FormData(form)));
  const products = await answer.json();
  if (mine !== turn) return;
  grid.replaceChildren(...products.map(card));
  if (products.length === 0) grid.append(make("p", { textContent: "Nothing like that on our shelves." }));
  grid.setAttribute("aria-busy", "false");
}

function card(p) {
  const title = make("h3", { id: "p-" + p.slug }, make("a", { href: "/product/" + p.slug, textContent: p.name }));
  const buy = make("button", { className: "button small", textContent: p.stock ? "Add to cart" : "Sold out", disabled: !p.stock });
  buy.addEventListener("click", () => cart.add({ slug: p.slug, name: p.name, price: p.price, art: p.art, hue: p.hue, count: 1, options: "" }));
  const el = make("article", { className: "card" }, art(p), make("div", { className: "body" },
    make("span", { className: "stars", textContent: "★".repeat(p.stars), role: "img", ariaLabel: `${p.stars} of 5 stars` }),
    title, make("p", { textContent: p.blurb }),
    make("div", { className: "foot" }, make("span", { className: "price", textContent: money(p.price) }), buy)));
  el.setAttribute("aria-labelledby", title.id);
  return el;
}

form.addEventListener("input", load);
form.addEventListener("submit", (e) => { e.preventDefault(); load(); });
load();
