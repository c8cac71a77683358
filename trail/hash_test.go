package trail

import (
	"strings"
	"testing"
)

// R186: the hash of a tool's content stands beside its call, and survives reading and writing.
func TestToolHash(t *testing.T) {
	const text = `trailhead:
  step: Log in
  recording:
    web:
      shop_login:
        user: ann
      toolHash: 00aa11bb22cc33dd

trail:
  - step: Buy
    recording:
      web:
        - shop_buy:
            sku: mug
          toolHash: aa00bb11cc22dd33
        - web_click:
            ref: Pay
`
	tr, problems := Parse("a.trail.yaml", []byte(text), Strict)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	calls := tr.Steps[0].Recordings["web"]
	if tr.Trailhead.Recordings["web"][0].Hash != "00aa11bb22cc33dd" || calls[0].Hash != "aa00bb11cc22dd33" || calls[1].Hash != "" {
		t.Errorf("trailhead %+v, calls %+v", tr.Trailhead.Recordings, calls)
	}
	out, err := Encode(tr)
	if err != nil || string(out) != text {
		t.Errorf("written as\n%s%v", out, err)
	}
	_, problems = Parse("a.trail.yaml", []byte(strings.Replace(text, "toolHash: aa", "toolhash: aa", 1)), Strict)
	if len(problems.Errors()) == 0 {
		t.Error("a second tool in one call is no problem")
	}
}
