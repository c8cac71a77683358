import { ToolError, trailblaze } from "@trailblaze/scripting";
import { at } from "./cart";

export interface SearchArgs {
  /** Words to look for; the first that finds something counts. */
  words: string[];
  /**
   * How long to wait for each, in milliseconds.
   * @integer
   * @minimum 100
   * @default 3000
   */
  timeoutMs?: number;
}

/** Searches the shop for one word after the other until something is found. */
export const shop_search = trailblaze.tool<SearchArgs, { found: string; tries: number }>(
  { supportedPlatforms: ["web"] },
  async ({ words, timeoutMs }, ctx) => {
    await ctx.tools.web_navigate({ url: at(ctx, "/") });
    for (const [i, word] of words.entries()) {
      await ctx.tools.web_type({ ref: 'searchbox "Search"', text: word });
      try {
        await ctx.tools.web_verifyElementVisible({ ref: `article "${word}"`, timeoutMs });
        return { found: word, tries: i + 1 };
      } catch (e) {
        if (!(e instanceof ToolError)) throw e; // a mistake of ours, not of the shop's
        ctx.log(`nothing is called ${word}`);
      }
    }
    throw new Error(`nothing is called ${words.join(" or ")}`);
  },
);
