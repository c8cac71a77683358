package run

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/trails/replay"
)

func TestTagged(t *testing.T) {
	have := []string{"smoke", "shop"}
	tests := []struct {
		name string
		want []string
		ok   bool
	}{
		{"nothing asked", nil, true},
		{"one", []string{"smoke"}, true},
		{"alternatives", []string{"slow, shop"}, true},
		{"all must hold", []string{"smoke", "slow"}, false},
		{"excluded", []string{"!shop"}, false},
		{"excluding what it lacks", []string{"!slow"}, true},
		{"part of a tag", []string{"sho"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tagged(have, tt.want); got != tt.ok {
				t.Errorf("tagged(%v, %v) = %t, want %t", have, tt.want, got, tt.ok)
			}
		})
	}
}

// TestShardsPlayEverythingOnce proves that n machines play all repeats of all trails between them, none twice.
func TestShardsPlayEverythingOnce(t *testing.T) {
	jobs := []chosen{{Job: replay.Job{Path: "a"}}, {Job: replay.Job{Path: "b"}}, {Job: replay.Job{Path: "c"}}}
	type played struct {
		Path   string
		Repeat int
	}
	got := map[played]int{}
	for _, shard := range []string{"1/4", "2/4", "3/4", "4/4"} {
		mine, err := spread(jobs, selection{repeat: 2, shard: shard})
		if err != nil {
			t.Fatal(err)
		}
		for _, j := range mine {
			got[played{j.Path, j.Repeat}]++
		}
	}
	want := map[played]int{{"a", 1}: 1, {"b", 1}: 1, {"c", 1}: 1, {"a", 2}: 1, {"b", 2}: 1, {"c", 2}: 1}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("played (-want +got):\n%s", d)
	}
}

func TestSecretsFromTheEnvironment(t *testing.T) {
	a := &shell.Shell{Streams: shell.Streams{Environ: func() []string {
		return []string{"TRAILBLAZE_SECRET_CARD_CODE=123", "TRAILBLAZE_SECRET_pin=1=2", "PATH=/bin"}
	}}}
	got, err := a.ReadSecrets([]string{"pin=3"})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(map[string]string{"CARD_CODE": "123", "cardCode": "123", "pin": "3"}, got); d != "" {
		t.Errorf("secrets (-want +got):\n%s", d)
	}
}
