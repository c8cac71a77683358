package e2e

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/client"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1/commands"
)

// rowsPage has two rows with a button of one name each; a row goes a moment after its button was pressed.
const rowsPage = `<!doctype html><title>Rows</title><label>Name <input></label><table>
<tr><td>Mug (blue)</td><td><button onclick="setTimeout(() => this.closest('tr').remove(), 300)">Delete</button></td></tr>
<tr><td>Lamp</td><td><button onclick="setTimeout(() => this.closest('tr').remove(), 300)">Delete</button></td></tr>
</table><p data-testid=note>Two things</p>`

// serveRows serves the page, and gives its address.
func serveRows(t *testing.T) string {
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(rowsPage))
	}))
	t.Cleanup(page.Close)
	return page.URL
}

// setEnv has clients in this process find the sitting's home and not the user's.
func (s *sitting) setEnv() {
	for _, kv := range s.env {
		if name, value, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "TRAILBLAZE_") {
			s.t.Setenv(name, value)
		}
	}
}

// newClient is a client of the sitting's daemon in Go.
func (s *sitting) newClient() *client.Client {
	s.setEnv()
	s.t.Setenv(client.EnvBinary, binary)
	tb, err := client.Dial(s.t.Context(), &client.Options{Workspace: s.work, Timeout: time.Minute})
	if err != nil {
		s.t.Fatal(err)
	}
	return tb
}

// TestLocators: an element is a value whose selector each call resolves anew, within a row or by what it has in it; what
// is expected of one is looked for again until it holds, or does not.
func TestLocators(t *testing.T) {
	page := serveRows(t)
	tb := newSitting(t).newClient()
	ctx := t.Context()
	must := func(what string, err error) {
		t.Helper()
		if err != nil {
			t.Errorf("%s: %v\n%s", what, err, fault.HintOf(err))
		}
	}
	_, err := tb.Web.Navigate(ctx, &commandsv1.NavigateRequest{Url: &page})
	must("navigate", err)
	deletes, mug := tb.GetByRole("button", "Delete"), tb.GetByRole("row").Containing(tb.GetByText("Mug (blue)"))
	if n, err := deletes.Count(ctx); n != 2 || err != nil {
		t.Errorf("%d buttons, %v", n, err)
	}
	must("before", client.Expect(mug).ToBeVisible(ctx))
	if err := deletes.Click(ctx); fault.KindOf(err) != fault.Conflict {
		t.Error("one of two was clicked")
	}
	must("click in a row", deletes.Within(mug).Click(ctx))
	must("the row goes", client.Expect(mug).Not().ToBeVisible(ctx))
	must("one is left", client.Expect(deletes).ToHaveCount(ctx, 1))
	must("not two", client.Expect(deletes).Not().ToHaveCount(ctx, 2))
	must("fill", tb.GetByRole("textbox", "Name").Fill(ctx, "Ada"))
	must("the value", client.Expect(tb.GetByRole("textbox")).ToHaveText(ctx, "Ada"))
	must("by label", client.Expect(tb.GetByLabel("Name")).ToHaveText(ctx, "Ada"))
	must("by test id", client.Expect(tb.GetByTestID("note")).ToHaveText(ctx, "Two things"))
	must("nth", client.Expect(tb.GetByRole("cell").Nth(0).Within(tb.GetByRole("row"))).ToHaveText(ctx, "Lamp"))
	soon := client.Expect(tb.GetByTestID("note"))
	soon.Timeout = 200 * time.Millisecond
	if err := soon.ToHaveText(ctx, "Three"); fault.KindOf(err) != fault.Assertion || !strings.Contains(err.Error(), "Two things") {
		t.Errorf("what does not hold: %v", err)
	}
	if err := soon.Not().ToBeVisible(ctx); fault.KindOf(err) != fault.Assertion {
		t.Errorf("what is there: %v", err)
	}
	gone, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
	defer cancel()
	if err := client.Expect(deletes).ToHaveCount(gone, 9); fault.KindOf(err) != fault.Timeout {
		t.Errorf("the deadline of a call: %v", err)
	}
	older, err := client.FromMeta(map[string]any{"_trailblaze": map[string]any{"deviceId": "web", "platform": "WEB"}})
	must("an older context", err)
	must("the device that it names", client.Expect(older.GetByTestID("note")).ToBeVisible(ctx))
	picture, err := tb.Screenshot(ctx)
	if err != nil || !bytes.HasPrefix(picture, []byte("\x89PNG")) {
		t.Errorf("a picture of %d bytes, %v", len(picture), err)
	}
}
