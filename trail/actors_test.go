package trail

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const chat = `
config:
  actors: {alice: {device: web}, bob: {device: android/p1}}
trail:
  - step: Write
    on: alice
    recording:
      web: [{a: {}}]
  - step: Open
    on: bob
    together: true
    recording:
      android-phone: [{b: {}}]
      android: [{c: {}}]
  - verify: Read
    on: bob
    recording:
      android: []
`

// TestActors proves that a trail with actors is read and written, and that each step has the recording of its actor's
// device, whatever the classifiers of the run are.
func TestActors(t *testing.T) {
	tr := mustParse(t, chat)
	calls := func(tr *Trail) (out string) {
		for _, s := range tr.Resolve([]string{"web"}) {
			out += s.On + ":" + s.Classifier + " "
		}
		return out
	}
	if got, want := calls(tr), "alice:web bob:android bob:android "; got != want {
		t.Errorf("steps are %s, want %s", got, want)
	}
	on := tr.On(map[string][]string{"alice": {"web"}, "bob": {"android", "phone"}})
	if got, want := calls(on), "alice:web bob:android-phone bob:android "; got != want {
		t.Errorf("on a phone the steps are %s, want %s", got, want)
	}
	if calls(tr) == calls(on) {
		t.Error("On changed the trail itself")
	}
	data, err := Encode(tr)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(tr, mustParse(t, string(data)), sameTrail); diff != "" {
		t.Errorf("written and read again (-want +got):\n%s\n%s", diff, data)
	}
}

// TestActorMistakes proves that what a trail with actors cannot mean is an error at its place.
func TestActorMistakes(t *testing.T) {
	for _, test := range []struct{ name, from, to, want string }{
		{"a step without an actor", "    on: alice\n", "", "a step of a trail with actors has no on"},
		{"an unknown actor", "on: alice", "on: alise", `"alise" is no actor of this trail`},
		{"no actors", "  actors: {alice: {device: web}, bob: {device: android/p1}}\n", "  id: x\n", `"alice" is no actor of this trail`},
		{"an actor twice at once", "on: bob\n    together", "on: alice\n    together", "alice already has a step of those that run together"},
		{"the first with the one before it", "on: alice", "on: alice\n    together: true", "together is for a step with one before it"},
		{"a name that tokens use", "alice: {device: web}", "args: {device: web}", `"args" cannot name an actor`},
		{"a device without its key", "{device: web}", "web", `actor "alice" must be a mapping with device`},
		{"no device", "{device: web}", "{}", `actor "alice" has no device`},
		{"a trailhead", "trail:\n", "trailhead: {step: x, recording: {web: {a: {}}}}\ntrail:\n", "a trail with actors has no trailhead"},
		{"requires", "  actors:", "  requires: {api: 30}\n  actors:", "a trail with actors has no requires"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, problems := Parse("x", []byte(strings.Replace(chat, test.from, test.to, 1)), Strict)
			if err := problems.Err(); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}

// TestMergeActors proves that what the actors of a trail did is merged for the class of each actor's device, and that the
// recordings of the others stay.
func TestMergeActors(t *testing.T) {
	fresh := mustParse(t, strings.NewReplacer("a: {}", "a: {n: 1}", "c: {}", "c: {n: 2}").Replace(chat))
	out, notes, err := Merge([]byte(chat), fresh, fresh.Config.Classes("web")...)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(fresh, mustParse(t, string(out)), sameTrail); diff != "" || len(notes) > 0 {
		t.Errorf("merged (-want +got):\n%s\n%s%q", diff, out, notes)
	}
	if got := (&Config{}).Classes("web"); len(got) != 1 || got[0] != "web" || fresh.Config.Class("bob", "web") != "android" {
		t.Errorf("the classes are %q and that of bob %q", got, fresh.Config.Class("bob", "web"))
	}
}
