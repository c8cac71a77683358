import { readFile } from "node:fs/promises";
import { trailblaze } from "@trailblaze/scripting";

/** Remembers under `words` what the shop calls a thing, from the word list of the team. */
export const shop_words = trailblaze.tool<{ thing: string }, { words: string[] }>(
  { runtime: "subprocess", kind: "query" },
  async ({ thing }, ctx) => {
    const list: Record<string, string[]> = JSON.parse(await readFile("words.json", "utf8"));
    const words = list[thing];
    if (!words) throw new Error(`words.json has no ${thing}: it has ${Object.keys(list).join(", ")}`);
    ctx.memory.set("words", words);
    return { words };
  },
);
