// What the pages of a device or a session have asked for, logged and saved, from the daemon.
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { signal } from "@preact/signals";
import type { ReadActivityResponse } from "../gen/trailblaze/v1/view_service_pb";
import { kinds, PagesList } from "../pages";
import { view } from "./api";

export const panels = ["Elements", ...kinds] as const;
export const panel = signal<(typeof panels)[number]>("Elements");
const activity = signal<ReadActivityResponse | null>(null);

export async function readActivity(of: { deviceId: string } | { sessionId: string }) {
  activity.value = await view.readActivity(of);
}

export function Activity({ words }: { words: string }) {
  return panel.value === "Elements" ? null : <PagesList of={activity.value} kind={panel.value} date={timestampDate} words={words} />;
}
