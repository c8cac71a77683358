// What is open at the daemon, as its stream tells it.
import { signal } from "@preact/signals";
import type { WatchStatusResponse } from "../gen/trailblaze/v1/view_service_pb";
import { follow, view } from "./api";

export const status = signal<WatchStatusResponse | null>(null);

export const watchStatus = () => follow((signal) => view.watchStatus({}, { signal }), (m) => { status.value = m; });
