// The keyboard: everything can be reached without a pointer.
import { failedOnly, help, move, nextFailure, openStep, openTrail, position, query, steps, trails } from "./state";

export const keys: [string, string][] = [
  ["j  k  ↓  ↑", "next, previous step"], ["]  [", "next, previous trail"], ["n  N", "next, previous failure"],
  ["f", "failed only"], ["/", "search"], ["Home  End", "first, last step"], ["?", "these keys"], ["Esc", "close, clear"],
];

// listen begins to take keys; the function that it returns ends that.
export function listen(): () => void {
  const take = (e: KeyboardEvent) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const typing = e.target instanceof HTMLInputElement;
    if (e.key === "Escape") {
      help.value = false;
      if (typing) { query.value = ""; e.target.blur(); }
      return;
    }
    if (typing && e.key !== "ArrowDown" && e.key !== "ArrowUp") return;
    const inTrails = document.activeElement?.id === "trails";
    const inDetail = document.activeElement?.id === "detail";
    const go = (by: number) => (inTrails ? move(trails.value, position.value.trail, by, (i) => openTrail(i)) : move(steps.value, position.value.step, by, openStep));
    if (inDetail && e.key.startsWith("Arrow")) return; // let it scroll
    switch (e.key) {
      case "j": case "ArrowDown": go(1); break;
      case "k": case "ArrowUp": go(-1); break;
      case "PageDown": if (inDetail) return; go(10); break;
      case "PageUp": if (inDetail) return; go(-10); break;
      case "Home": if (inDetail) return; go(-Infinity); break;
      case "End": if (inDetail) return; go(Infinity); break;
      case "]": move(trails.value, position.value.trail, 1, (i) => openTrail(i)); break;
      case "[": move(trails.value, position.value.trail, -1, (i) => openTrail(i)); break;
      case "n": nextFailure(1); break;
      case "N": nextFailure(-1); break;
      case "f": failedOnly.value = !failedOnly.value; break;
      case "/": document.getElementById("search")?.focus(); break;
      case "?": help.value = !help.value; break;
      default: return;
    }
    e.preventDefault();
  };
  document.addEventListener("keydown", take);
  return () => document.removeEventListener("keydown", take);
}
