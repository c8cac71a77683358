// The couriers' app. It is made for the documents' examples: it leads from field to field by itself, as apps on phones do.
// ?first shows what a new user sees, and says "Sign In" as another of the examples does; ?shaky loses the first request.
const ask = new URLSearchParams(location.search), form = document.getElementById("sign-in");
let lost = !ask.has("shaky");

for (const id of ["cookies", "tutorial"]) {
  const note = document.getElementById(id);
  note.hidden = !ask.has("first");
  note.querySelector("button").addEventListener("click", () => { note.hidden = true; });
}
const begin = document.getElementById("begin");
begin.textContent = ask.has("first") ? "Sign In" : "Sign in";
begin.addEventListener("click", () => {
  form.reset();
  form.hidden = false;
  form.email.focus();
});
form.email.addEventListener("input", () => { if (/@.+\.com$/.test(form.email.value)) form.password.focus(); });
form.addEventListener("submit", async (e) => {
  e.preventDefault();
  const wrong = document.getElementById("wrong");
  wrong.textContent = "";
  if (!lost) {
    lost = true;
    wrong.textContent = "No connection. Try again.";
    return;
  }
  const answer = await fetch("/api/sign-in", { method: "POST", body: JSON.stringify({ email: form.email.value, password: form.password.value }) });
  if (!answer.ok) {
    wrong.textContent = "Invalid credentials";
    return;
  }
  document.getElementById("hello").textContent = `Welcome back, ${(await answer.json()).name}`;
  document.getElementById("inside").hidden = false;
});
