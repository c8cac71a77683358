import { trailblaze } from "@trailblaze/scripting";

/** Writes into the field of the controls. */
export const demos_write = trailblaze.tool<{ /** What to write. */ text: string }>(
  { supportedPlatforms: ["android"] },
  async ({ text }, ctx) => {
    await ctx.tools.tap({ id: "edit" });
    await ctx.tools.inputText({ text });
    return `wrote ${text} for ${ctx.target?.id}`;
  },
);
