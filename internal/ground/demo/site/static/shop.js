// What every page shares: the cart, which lives in this browser, and the toasts.
const key = "fernway-cart";

export const cart = {
  lines() { return JSON.parse(localStorage.getItem(key) ?? "[]"); },
  save(lines) { localStorage.setItem(key, JSON.stringify(lines)); badge(); },
  add(line) {
    const lines = cart.lines();
    const same = lines.find((l) => l.slug === line.slug && l.options === line.options);
    if (same) same.count += line.count; else lines.push(line);
    cart.save(lines);
    toast(`Added ${line.name} to your cart`);
  },
  total() { return cart.lines().reduce((sum, l) => sum + l.price * l.count, 0); },
};

export const money = (cents) => `€${(cents / 100).toFixed(2)}`;

export function make(tag, props = {}, ...children) {
  const el = Object.assign(document.createElement(tag), props);
  el.append(...children);
  return el;
}

export function art(product) {
  const box = make("div", { className: "art" });
  box.style.setProperty("--hue", product.hue);
  box.innerHTML = `<svg aria-hidden="true" viewBox="0 0 64 64"><use href="/static/art.svg#${product.art}"/></svg>`;
  return box;
}

export function toast(text) {
  const el = make("div", { className: "toast", textContent: text });
  document.getElementById("toasts").append(el);
  setTimeout(() => el.remove(), 4000);
}

function badge() {
  const count = cart.lines().reduce((n, l) => n + l.count, 0);
  const el = document.getElementById("cart-count");
  if (!el) return;
  el.textContent = count;
  el.hidden = count === 0;
  document.querySelector(".cart-link").setAttribute("aria-label", count === 0 ? "Cart, empty" : `Cart, ${count} ${count === 1 ? "item" : "items"}`);
}
badge();
