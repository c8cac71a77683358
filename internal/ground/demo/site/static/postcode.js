const form = document.getElementById("find"), said = document.getElementById("found");
form.addEventListener("submit", async (e) => {
  e.preventDefault();
  said.textContent = "Looking…";
  const answer = await fetch("/api/postcode?" + new URLSearchParams(new FormData(form)));
  const body = await answer.json();
  said.textContent = answer.ok ? `That is ${body.town}.` : body.error;
  if (answer.ok) parent.postMessage({ town: body.town }, location.origin);
});
