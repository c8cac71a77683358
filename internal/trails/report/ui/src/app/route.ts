// Where a person is in the viewer: the fragment of the address, so that it can be kept and shared on this machine.
import { signal } from "@preact/signals";

const parts = () => location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
export const route = signal(parts());

// codeIn is the code that signs a page in.
export const codeIn = (fragment: string) => /^#([A-Z2-7]{20,})$/.exec(fragment)?.[1];

addEventListener("hashchange", () => {
  if (codeIn(location.hash)) return location.reload(); // the address was opened in this tab
  const now = parts();
  if (now.slice(0, 2).join("/") !== route.value.slice(0, 2).join("/")) route.value = now;
});

export const to = (...names: string[]) => `#/${names.map(encodeURIComponent).join("/")}`;
export const go = (...names: string[]) => { location.hash = to(...names); };
