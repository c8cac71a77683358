import { make, money } from "./shop.js";

const order = JSON.parse(sessionStorage.getItem("order") ?? "null");
if (order) {
  document.getElementById("who").textContent = order.name.split(" ")[0];
  document.getElementById("number").textContent = order.number;
  document.getElementById("how").textContent = order.speed === "bike" ? "by bike" : "on foot";
  document.getElementById("mini").replaceChildren(...order.lines.map((l) => make("li", {}, make("span", { textContent: `${l.count} × ${l.name}` }))));
  document.getElementById("paid").textContent = `${money(order.total)} paid with the card that ends in ${order.card}.`;
  document.getElementById("invoice").href = "/invoice/" + order.number;
}
