// Light, dark, or as the system says. The choice outlives the page where the browser allows it.
import { effect, signal } from "@preact/signals";

type Theme = "auto" | "light" | "dark";
const key = "trailblaze-report-theme";

function stored(): Theme {
  try {
    const v = localStorage.getItem(key);
    return v === "light" || v === "dark" ? v : "auto";
  } catch {
    return "auto";
  }
}

export const theme = signal<Theme>(stored());

export function nextTheme() {
  theme.value = theme.value === "auto" ? "dark" : theme.value === "dark" ? "light" : "auto";
  try { localStorage.setItem(key, theme.value); } catch { /* then it is for this view only */ }
}

effect(() => { document.documentElement.dataset.theme = theme.value; });
