import { createMockClient, createMockContext, describe, expect, test } from "@trailblaze/scripting/testing";
import { shop_search } from "./shop_search";

describe("shop_search", () => {
  const ctx = () => createMockContext({ target: { resolvedBaseUrl: "http://shop.test" } });

  test("stops at the first word that finds something", async () => {
    const client = createMockClient();
    expect(await shop_search({ words: ["Mug", "Lamp"] }, ctx())).toEqual({ found: "Mug", tries: 1 });
    expect(client.calls[0]).toEqual({ tool: "web_navigate", args: { url: "http://shop.test/" } });
  });

  test("goes on when a word finds nothing", async () => {
    const client = createMockClient();
    client.stub("web_verifyElementVisible", ({ ref }) => (ref.includes("Nope") ? { errorMessage: "it is not there" } : {}));
    expect(await shop_search({ words: ["Nope", "Lamp"] }, ctx())).toEqual({ found: "Lamp", tries: 2 });
  });

  test("says what it looked for when nothing finds anything", async () => {
    const client = createMockClient();
    client.stub("web_verifyElementVisible", { errorMessage: "it is not there" });
    await expect(shop_search({ words: ["Nope", "Never"] }, ctx())).rejects.toThrow("nothing is called Nope or Never");
  });
});
