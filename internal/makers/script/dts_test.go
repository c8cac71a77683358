package script_test

import (
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/makers/script"
)

// R57, R222: every tool is a typed method of ctx.tools, with what it says of itself.
func TestDeclarations(t *testing.T) {
	r := setup(t, map[string]string{"tools/a.ts": head + `
/** Adds. */
export const shop_add = trailblaze.tool<{ /** Stock number. */ sku: string; size?: "s" | "m"; at?: { x: number }[]; "odd-key"?: string | null },
  { total: number; by: Record<string, number> }>({}, async () => ({ total: 1, by: {} }));
export const shop_none = trailblaze.tool(async () => {});`})
	got := script.Declarations(r.reg.All())
	for _, want := range []string{
		"    shop_add(args: {\n      at?: Array<{\n        x: number;\n      }>;\n      \"odd-key\"?: string | null;\n" +
			"      size?: \"s\" | \"m\";\n      /** Stock number. */\n      sku: string;\n    }): Promise<{\n      by: Record<string, " +
			"number>;\n      total: number;\n    }>;\n",
		"shop_none(args?: Record<string, any>): Promise<any>;", "demo_echo(args: {\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in:\n%s", want, got[strings.Index(got, "interface Tools"):])
		}
	}
}

// The tests beside a tool run each in a machine of its own; a failure says what was expected and where.
func TestTestsOfTools(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"tools/a.ts": head + `
export let count = 0;
export const shop_add = trailblaze.tool<{ sku: string }>({}, async (args, ctx) => {
  count++;
  await ctx.sleep(1);
  ctx.memory.set("sku", args.sku);
  return { ...(await ctx.tools.web_click({ ref: args.sku })), platform: ctx.device.platform };
});`,
		"tools/a.test.ts": `
import { beforeEach, describe, expect, test } from "bun:test";
import { createMockClient, createMockContext } from "@trailblaze/scripting/testing";
import { count, shop_add } from "./a";
describe("adding", () => {
  let client: any;
  beforeEach(() => { client = createMockClient(); client.stub("web_click", { structuredContent: { ok: true } }); });
  test("clicks", async () => {
    const ctx = createMockContext({ platform: "ios" });
    expect(await shop_add({ sku: "a" }, ctx)).toEqual({ ok: true, platform: "ios" });
    expect(client.calls).toEqual([{ tool: "web_click", args: { ref: "a" } }]);
    expect(ctx.memory.get("sku")).toBe("a");
    expect([1, 2]).not.toContain(3);
    expect(() => { throw new TypeError("no"); }).toThrow(/no/);
  });
  test("passes failures on", async () => {
    client.stub("web_click", { errorMessage: "gone" });
    await expect(shop_add({ sku: "a" }, createMockContext())).rejects.toThrow(/tool failed: gone/);
  });
  test("sees nothing of others", () => expect(count).toBe(0));
  test("fails", () => { console.log("here"); expect({ a: 1 }).toEqual({ a: 2 }); });
  test("hangs", () => new Promise(() => {}));
});`,
		"tools/apart.ts":      "import os from 'node:os'; export const it = os;",
		"tools/apart.test.ts": "import './apart';",
		"tools/bad.test.ts":   "import './nowhere';",
	})
	list, err := script.Test(t.Context(), dir, []string{"tools"})
	if err != nil || len(list) != 7 {
		t.Fatalf("%v %v", list, err)
	}
	for i, want := range []string{"", "", "", `tools/a.test.ts:21:63: expected {"a":1} toEqual({"a":2})`, "never comes",
		`tools/apart.ts:1:16: there is no module "node:os": tests run in the sandbox`, "there is no file tools/nowhere"} {
		got := ""
		if list[i].Err != nil {
			got = list[i].Err.Error()
		}
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s %s: got %q, want %q", list[i].File, list[i].Name, got, want)
		}
	}
	if list[0].Name != "adding › clicks" || len(list[3].Log) != 1 {
		t.Errorf("%+v", list)
	}
}
