// The frame around every view: where one is, and whether the daemon is there.
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { nextTheme, theme } from "../theme";
import { link, workspace } from "./api";
import { CompareView } from "./compareview";
import { Devices, DeviceView } from "./devices";
import { go, route, to } from "./route";
import { SessionView } from "./session";
import { Sessions } from "./sessions";
import { Settings } from "./settings";
import { Tools } from "./tools";
import { Trails, TrailView } from "./trails";

const places: [path: string, name: string, key: string, icon: string][] = [
  ["sessions", "Sessions", "1", "M3 5h14M3 10h14M3 15h9"],
  ["devices", "Devices", "2", "M3 4h14v9H3zM7 17h6M10 13v4"],
  ["trails", "Trails", "3", "M5 16V4l9 3-9 3"],
  ["tools", "Tools", "4", "M12 4a4 4 0 0 0 4 5l-8 8-3-3 8-8"],
  ["settings", "Settings", "5", "M3 6h8m4 0h2M3 14h2m4 0h8M13 4v4M7 12v4"],
];

export function Frame({ problem }: { problem: string }) {
  useEffect(() => {
    const take = (e: KeyboardEvent) => {
      if (e.ctrlKey || e.metaKey || !e.altKey) return;
      const place = places.find((p) => p[2] === e.key);
      if (place) { go(place[0]); e.preventDefault(); }
    };
    document.addEventListener("keydown", take);
    return () => document.removeEventListener("keydown", take);
  }, []);
  const [at = "", id = ""] = route.value;
  const Main = at === "session" ? "div" : "main"; // a report has a main part of its own
  return (
    <div class="viewer">
      <a class="skip" href="#main" onClick={(e) => { e.preventDefault(); document.getElementById("main")?.focus(); }}>Skip to the content</a>
      <nav class="rail" aria-label="Views">
        <svg class="logo" viewBox="0 0 32 32" aria-hidden="true"><path d="M4 27 13 9l5 9 3-5 7 14z" /><circle cx="23" cy="7" r="3" /></svg>
        {places.map(([path, name, key, icon]) => (
          <a key={path} href={to(path)} aria-current={at === path || at === path.slice(0, -1) || (at === "compare" && path === "sessions") ? "page" : undefined} title={`${name}  Alt+${key}`}>
            <svg viewBox="0 0 20 20" aria-hidden="true"><path d={icon} /></svg><span>{name}</span>
          </a>
        ))}
        <button type="button" class="icon" aria-label={`Colours: ${theme.value}`} title={`Colours: ${theme.value}`} onClick={nextTheme}>{{ auto: "◐", light: "☀", dark: "☾" }[theme.value]}</button>
      </nav>
      <Main class="main" id="main" tabIndex={-1}>
        <Connection problem={problem} />
        {link.value === "signedOut" ? <SignedOut problem={problem} /> : <View at={at} id={id} />}
      </Main>
    </div>
  );
}

function View({ at, id }: { at: string; id: string }) {
  switch (at) {
    case "trails": return <Trails />;
    case "trail": return <TrailView key={id} path={id} />;
    case "settings": return <Settings />;
    case "tools": return <Tools />;
    case "devices": return <Devices />;
    case "device": return <DeviceView key={id} id={id} />;
    case "compare": return <CompareView key={id} ids={id} />;
    case "session": return <SessionView key={id} id={id} />;
    default: return <Sessions />;
  }
}

// Connection says that the daemon is lost, and that it is back.
function Connection({ problem }: { problem: string }) {
  return (
    <p class="connection" role="status" hidden={link.value !== "lost" && !problem}>
      {link.value === "lost" && <>The daemon does not answer. What you see is from before; any command that drives a device starts a daemon, and this page goes on with it.</>}
    </p>
  );
}

function SignedOut({ problem }: { problem: string }) {
  return (
    <section class="empty">
      <h1>This page is not signed in</h1>
      {problem && <p class="said bad">{problem}</p>}
      <p>Run this in a terminal of your project. It opens the viewer here:</p>
      <pre class="args">trailblaze app</pre>
    </section>
  );
}

// Head is the top of a view.
export function Head({ title, children }: { title: string; children?: ComponentChildren }) {
  return <header class="view-head"><h1 dir="auto">{title}</h1><span class="facts" title={workspace.value}><bdi>{workspace.value}</bdi></span><div class="tools">{children}</div></header>;
}
