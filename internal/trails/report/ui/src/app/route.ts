// Where a person is in the viewer: the fragment of the address, so that it can be kept and shared on this machine.
import { signal } from "@preact/signals";

const parts = () => location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
export const route = signal(parts());

addEventListener("hashchange", () => {
  const now = parts();
  if (now.slice(0, 2).join("/") !== route.value.slice(0, 2).join("/")) route.value = now;
});

export const to = (...names: string[]) => `#/${names.map(encodeURIComponent).join("/")}`;
export const go = (...names: string[]) => { location.hash = to(...names); };
