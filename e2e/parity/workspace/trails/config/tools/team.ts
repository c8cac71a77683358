import { trailblaze } from "@trailblaze/scripting";

/** Saves the form. */
export const team_save = trailblaze.tool<{}, { saved: boolean }>(async (_, ctx) => {
  await ctx.tools.web_click({ ref: 'button "Save"' });
  return { saved: true };
});

/** Adds to the total that the page shows. */
export const team_total = trailblaze.tool<{ add: number }, { total: number }>({ kind: "query" }, async ({ add }, ctx) => {
  const text = String(await ctx.tools.getElementText({ ref: "css=#total" }));
  return { total: Number(/\d+/.exec(text)?.[0]) + add };
});

/** Fails. */
export const team_throws = trailblaze.tool<{}>({ kind: "query" }, async () => {
  throw new Error("the team is away");
});

/** Calls another tool, and tells what a script sees of it. */
export const team_call = trailblaze.tool<{ tool: string; args: Record<string, unknown> }>({}, async ({ tool, args }, ctx) => {
  try {
    return { value: (await ctx.callTool(tool, args)) ?? null };
  } catch (e) {
    return { failed: true, message: e.message, kind: e.kind, hint: e.hint };
  }
});
