package script_test

import (
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/makers/script"
)

// A tool does what is due on a screen that may be there, and its test says with a queue what the screen shows.
func TestConditionalActions(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"tools/banner.ts": head + `
import { captureViewHierarchy, runConditionalActions, selectors } from "@trailblaze/scripting";
const CLOSE = selectors.web({ ariaRole: "button", ariaNameRegex: "Close" });
export const shop_closeBanner = trailblaze.tool(async (_, ctx) => runConditionalActions(ctx, [{
  id: "banner", description: "close it",
  condition: (view) => view.visible(CLOSE),
  action: async () => { await ctx.tools.web_click({ ref: "css=.close" }); },
  postcondition: (view) => !view.visible(CLOSE),
}], await captureViewHierarchy(ctx, [CLOSE])));
`, "tools/banner.test.ts": `
import { expect, test } from "bun:test";
import { createMockContext, createQueuedFindMatchesClient } from "@trailblaze/scripting/testing";
import { shop_closeBanner } from "./banner";
const run = (...screens) => {
  const client = createQueuedFindMatchesClient();
  client.queueFindMatches(screens);
  return [client, shop_closeBanner({}, createMockContext({ platform: "web" }), client)];
};
const shown = [{ indexPath: [0] }];
test("closes it", async () => {
  const [client, done] = run(shown, []);
  expect(await done).toEqual({ handled: ["banner"] });
  expect(client.calls.map((c) => c.tool)).toEqual(["findMatches", "web_click", "findMatches"]);
});
test("leaves a page without one alone", async () => {
  const [client, done] = run([]);
  expect(await done).toEqual({ handled: [] });
  expect(client.calls).toHaveLength(1);
});
test("says that it stays", async () => {
  const [, done] = run(shown, shown);
  await expect(done).rejects.toThrow("banner was done, and its postcondition does not hold");
});
test("an empty queue is a mistake of the test", async () => {
  const [, done] = run();
  await expect(done).rejects.toThrow("no answer of findMatches is left");
});
`})
	list, err := script.Test(t.Context(), dir, []string{"tools"})
	if err != nil || len(list) != 4 {
		t.Fatalf("%v %v", list, err)
	}
	for _, one := range list {
		if one.Err != nil {
			t.Errorf("%s: %v", one.Name, one.Err)
		}
	}
}
