package web

import (
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
)

func TestIllegible(t *testing.T) {
	t.Parallel()
	srv := serve(t, map[string]string{"/": `<h1>Paid in <b>full</b></h1><p style="color:transparent">Paid</p><script>
		getComputedStyle = () => ({}); // what the page does to itself is not believed
		</script>`})
	d := newDevice(t, DeviceOptions{})
	open(t, d, srv.URL+"/")
	s := snapshot(t, d)
	tests := []struct {
		role, name, text string
		want             string
	}{
		{"heading", "Paid in full", "Paid in full", ""},
		{"heading", "Paid in full", "", ""},
		{"paragraph", "", "Paid", "its text is transparent"},
	}
	for _, tt := range tests {
		n := byName(t, s, tt.role, tt.name)
		sess := d.frames.Active.Session
		before := sess.CommandsSent()
		why, err := d.Illegible(deadline(t), n.ID, tt.text)
		if err != nil || why != tt.want {
			t.Errorf("Illegible(%s, %q) = %q, %v, want %q", n.Descriptor(), tt.text, why, err, tt.want)
		}
		if asked := sess.CommandsSent() - before; asked != 1 {
			t.Errorf("Illegible(%s, %q) cost %d questions, want one: every text assertion pays for them", n.Descriptor(), tt.text, asked)
		}
	}
	heading := byName(t, s, "heading", "Paid in full")
	eval[any](t, d, "document.querySelector('h1').remove()")
	_, err := d.Illegible(deadline(t), heading.ID, "Paid")
	wantFault(t, err, fault.NotFound, "no longer on the page")
}
