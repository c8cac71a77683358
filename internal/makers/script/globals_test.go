package script_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// R222: a script has the globals of the web that need nothing from outside of it. The answers are those of Node.
func TestGlobalsOfTheWeb(t *testing.T) {
	source, err := os.ReadFile("testdata/globals.txt")
	if err != nil {
		t.Fatal(err)
	}
	answers, err := os.ReadFile("testdata/globals.want")
	if err != nil {
		t.Fatal(err)
	}
	cases, want := strings.Split(strings.TrimSpace(string(source)), "\n"), strings.Split(strings.TrimSpace(string(answers)), "\n")
	var all strings.Builder
	for _, c := range cases {
		fmt.Fprintf(&all, "    await tried(async () => (%s)),\n", c)
	}
	r := setup(t, map[string]string{"tools/a.js": head + `
const tried = async (fn) => { try { return JSON.stringify(await fn()); } catch (e) { return String(e); } };
export const shop_globals = trailblaze.tool({ kind: "query" }, async () => [
` + all.String() + `]);`})
	var got []string
	if err := json.Unmarshal(r.must("shop_globals", `{}`).Value, &got); err != nil || len(got) != len(want) {
		t.Fatalf("%d answers, want %d (%v)", len(got), len(want), err)
	}
	for i, c := range cases {
		if d := cmp.Diff(want[i], got[i]); d != "" {
			t.Errorf("%s (-want +got):\n%s", c, d)
		}
	}
}

// What of Intl is missing is an error that says so and what to do, never an answer in another language.
func TestMissingIntlIsTold(t *testing.T) {
	for code, want := range map[string]string{
		`new Intl.Collator("en")`:                                      "Intl.Collator is missing here",
		`new Intl.NumberFormat("de").format(1)`:                        "writes English (en, en-US) alone here, not de",
		`(1).toLocaleString("fr")`:                                     "not fr",
		`new Intl.NumberFormat("en", { notation: "compact" })`:         "knows no notation",
		`new Intl.DateTimeFormat("en", { timeZone: "Europe/Vienna" })`: "knows no timeZone",
		`new URL("https://ü.test")`:                                    "in its ASCII form",
		`new TextDecoder("latin1")`:                                    "decodes utf-8 alone",
		`crypto.getRandomValues(new Uint8Array(65537))`:                "at most 65536 bytes",
	} {
		r := setup(t, map[string]string{"tools/a.js": head +
			"export const shop_try = trailblaze.tool({ kind: \"query\" }, async () => " + code + ");"})
		if said := r.fails("shop_try", `{}`); !strings.Contains(said, want) || !strings.Contains(said, "tools/a.js:2:") {
			t.Errorf("%s says %q, want %q at its line", code, said, want)
		}
	}
}
