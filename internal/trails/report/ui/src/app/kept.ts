// The pictures of kept sessions.
import { signal } from "@preact/signals";
import type { Attempt, Report, Screen } from "../model";
import type { Source } from "../source";
import { sessions } from "./api";

// Kept reads pictures of sessions when they are first shown.
export class Kept implements Source {
  private pictures = new Map<string, ReturnType<typeof signal<string | undefined | null>>>();

  async report(): Promise<Report> { throw new Error("the report comes as a stream"); }

  picture(s: Screen, a: Attempt): string | undefined | null {
    const key = `${a.session}/${s.blob}`;
    let url = this.pictures.get(key);
    if (!url) {
      url = signal<string | undefined | null>(null);
      this.pictures.set(key, url);
      void this.load(a.session, s, url);
    }
    return url.value;
  }

  private async load(session: string, s: Screen, url: { value: string | undefined | null }) {
    try {
      const parts: BlobPart[] = [];
      for await (const m of sessions.readArtifact({ sessionId: session, hash: s.blob })) parts.push(m.data as BlobPart);
      url.value = /^image\/(png|jpeg|webp|gif)$/.test(s.mime) ? URL.createObjectURL(new Blob(parts, { type: s.mime })) : undefined;
    } catch {
      url.value = undefined;
    }
  }

  close() {
    for (const url of this.pictures.values()) if (url.value) URL.revokeObjectURL(url.value);
  }
}
