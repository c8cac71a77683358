// The viewer: the daemon's page for a person. `trailblaze app` opens it.
import { render } from "preact";
import { link, said, signIn } from "./app/api";
import { Frame } from "./app/frame";
import "./theme";

async function start() {
  const root = document.getElementById("app")!;
  root.replaceChildren();
  let problem = "";
  try {
    await signIn();
  } catch (err) {
    problem = said(err);
    link.value = "signedOut";
  }
  render(<Frame problem={problem} />, root);
}

void start();
