import { art, cart, make, money, toast } from "./shop.js";

const list = document.getElementById("lines");
let discount = 0;

function draw() {
  const lines = cart.lines();
  list.replaceChildren(...lines.map(row));
  document.getElementById("empty").hidden = lines.length > 0;
  document.getElementById("go").hidden = lines.length === 0;
  document.getElementById("goods-sum").textContent = money(cart.total());
  document.getElementById("discount").textContent = discount ? "−" + money(cart.total() * discount) : "–";
  document.getElementById("total").textContent = money(cart.total() * (1 - discount));
}

function row(line, i) {
  const remove = make("button", { className: "button quiet small", textContent: "Remove" });
  remove.addEventListener("click", () => {
    if (!confirm(`Remove ${line.name} from your cart?`)) return;
    cart.save(cart.lines().filter((_, j) => j !== i));
    toast(`${line.name} removed`);
    draw();
  });
  const li = make("li", { ariaLabel: line.name }, art(line),
    make("div", {}, make("b", { textContent: line.name }), make("small", { textContent: [line.options, `${line.count} × ${money(line.price)}`].filter(Boolean).join(" · ") })),
    make("span", { className: "price", textContent: money(line.price * line.count) }), remove);
  return li;
}

document.getElementById("voucher").addEventListener("click", () => {
  const word = prompt("What does the voucher say?");
  if (word === null) return;
  if (word.trim().toUpperCase() !== "SLOWDOWN") { alert("That voucher is not one of ours."); return; }
  discount = 0.1;
  toast("Ten per cent off");
  draw();
});
draw();
