// Where the page gets its report from. A file has it inside; the viewer gets it from the daemon, which goes on telling.
import type { Attempt, Report, Screen } from "./model";

export interface Source {
  report(): Promise<Report>;
  picture(s: Screen, a: Attempt): string | undefined | null; // a URL that an img element may show; null: it comes later
}

// Embedded reads the script elements that the report writer put into the page.
export class Embedded implements Source {
  async report(): Promise<Report> {
    const el = document.getElementById("report-data");
    if (!el) throw new Error("This page holds no report.");
    const text = el.textContent ?? "";
    if (el.dataset.encoding !== "gzip") return JSON.parse(text);
    const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).json();
  }

  picture({ blob }: Screen): string | undefined {
    const el = document.querySelector<HTMLElement>(`script[data-picture="${CSS.escape(blob)}"]`);
    return el ? `data:${el.dataset.mime};base64,${el.textContent}` : undefined;
  }
}
