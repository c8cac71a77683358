import { make, toast } from "./shop.js";

const form = document.getElementById("return"), drop = document.getElementById("drop"), preview = document.getElementById("preview");
form.photo.addEventListener("change", () => {
  const [file] = form.photo.files;
  if (!file) return;
  preview.src = URL.createObjectURL(file);
  preview.alt = "Preview of " + file.name;
  preview.hidden = false;
  drop.querySelector("span").textContent = file.name;
});
drop.addEventListener("dragover", (e) => { e.preventDefault(); drop.classList.add("over"); });
drop.addEventListener("dragleave", () => drop.classList.remove("over"));
drop.addEventListener("drop", (e) => {
  e.preventDefault();
  drop.classList.remove("over");
  if (e.dataTransfer.files.length) { form.photo.files = e.dataTransfer.files; form.photo.dispatchEvent(new Event("change")); }
});
form.addEventListener("submit", (e) => {
  e.preventDefault();
  const wish = form.wish.value === "repair" ? "mend it" : "send your money back";
  form.replaceWith(make("section", { className: "panel narrow" }, make("h2", { textContent: "It is in good hands" }), make("p", { textContent: `We look at ${form.number.value} and ${wish} within a week.` })));
  toast("Return sent");
});
