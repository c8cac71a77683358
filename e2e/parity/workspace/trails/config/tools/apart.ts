import { basename } from "node:path";
import { trailblaze } from "@trailblaze/scripting";

/** Saves the form, from a process of its own. */
export const apart_save = trailblaze.tool<{}, { saved: string }>({ runtime: "subprocess" }, async (_, ctx) => {
  await ctx.tools.web_click({ ref: 'button "Save"' });
  return { saved: basename("/forms/save") };
});

/** Fails. */
export const apart_throws = trailblaze.tool<{}>({ runtime: "subprocess", kind: "query" }, async () => {
  throw new Error("the process has had enough");
});

/** Calls another tool, and tells what a process sees of it. */
export const apart_call = trailblaze.tool<{ tool: string; args: Record<string, unknown> }>(
  { runtime: "subprocess" },
  async ({ tool, args }, ctx) => {
    try {
      return { value: (await ctx.callTool(tool, args)) ?? null };
    } catch (e) {
      return { failed: true, message: e.message };
    }
  },
);
