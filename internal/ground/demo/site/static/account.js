const form = document.getElementById("sign-in"), inside = document.getElementById("inside"), hello = document.getElementById("hello");

function show(name) {
  form.hidden = Boolean(name);
  inside.hidden = !name;
  hello.textContent = name ? `Good to see you, ${name}` : "Your account";
}

form.addEventListener("submit", async (e) => {
  e.preventDefault();
  const answer = await fetch("/api/sign-in", { method: "POST", body: JSON.stringify({ email: form.email.value, password: form.password.value }) });
  const body = await answer.json();
  document.getElementById("wrong").textContent = answer.ok ? "" : body.error;
  if (answer.ok) { sessionStorage.setItem("name", body.name); show(body.name); }
});
document.getElementById("sign-out").addEventListener("click", () => { sessionStorage.removeItem("name"); show(""); });

const tabs = document.querySelectorAll("[role=tab]");
tabs.forEach((t) => t.addEventListener("click", () => tabs.forEach((o) => {
  o.setAttribute("aria-selected", String(o === t));
  document.getElementById(o.getAttribute("aria-controls")).hidden = o !== t;
})));
document.getElementById("news").addEventListener("change", (e) => {
  document.getElementById("news-state").textContent = e.target.checked ? "You get four letters a year." : "You get no letters.";
});
show(sessionStorage.getItem("name"));
