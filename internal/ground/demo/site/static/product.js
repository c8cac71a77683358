import { cart, make, money, toast } from "./shop.js";

const slug = document.querySelector(".detail").dataset.slug;
const price = document.querySelector("[data-cents]");
price.textContent = money(Number(price.dataset.cents));
const look = document.querySelector(".art");

document.getElementById("buy").addEventListener("submit", (e) => {
  e.preventDefault();
  const form = new FormData(e.target);
  cart.add({
    slug, name: document.querySelector("h1").textContent, price: Number(price.dataset.cents),
    art: look.querySelector("use").getAttribute("href").split("#")[1], hue: Number(look.style.getPropertyValue("--hue")),
    count: document.querySelector("qty-stepper").value,
    options: [form.get("size") && `Size ${form.get("size")}`, form.get("colour")].filter(Boolean).join(", "),
  });
});

const list = document.getElementById("reviews");
const quote = (r) => make("blockquote", {}, make("b", { textContent: r.who }), " " + "★".repeat(r.stars), make("br"), r.text);
const reviews = await (await fetch("/api/reviews/" + slug)).json();
list.replaceChildren(...reviews.map(quote));

document.getElementById("review").addEventListener("submit", (e) => {
  e.preventDefault();
  const stars = e.target.querySelector("star-rating").value;
  if (!stars) { toast("Please choose a number of stars"); return; }
  list.append(quote({ who: "You", stars, text: new FormData(e.target).get("text") }));
  e.target.querySelector("textarea").value = "";
  toast("Thank you for your review");
});
