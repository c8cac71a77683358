import { make } from "./shop.js";

const list = document.getElementById("pack");
let held = null;
const say = () => { document.getElementById("first").textContent = "First out of the bag: " + list.firstElementChild.textContent; };

list.addEventListener("dragstart", (e) => {
  held = e.target;
  e.dataTransfer.setData("text/plain", held.textContent);
  e.dataTransfer.effectAllowed = "move";
  held.classList.add("dragging");
});
list.addEventListener("dragover", (e) => { if (held) e.preventDefault(); });
list.addEventListener("drop", (e) => {
  e.preventDefault();
  const over = e.target.closest("li");
  if (!held || !over || over === held) return;
  const box = over.getBoundingClientRect();
  over[e.clientY < box.top + box.height / 2 || over === list.firstElementChild ? "before" : "after"](held);
  say();
});
list.addEventListener("dragend", () => { held?.classList.remove("dragging"); held = null; });
list.addEventListener("dblclick", (e) => e.target.closest("li")?.classList.toggle("done"));

const water = document.getElementById("water");
water.addEventListener("input", () => { document.getElementById("weight").textContent = `${(6 + Number(water.value)).toFixed(1)} kg`; });

const things = ["Knife", "Spoon", "Matches", "Rope", "Plasters", "Soap", "Socks", "More socks", "Book", "Pencil", "Torch", "Whistle", "Chocolate", "Even more socks"];
document.getElementById("log").append(...things.map((t) => make("div", {}, make("label", { className: "tick" }, make("input", { type: "checkbox" }), " " + t))));
