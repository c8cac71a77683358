package app_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/internal/api/contract"
	"github.com/trailblaze-dev/trailblaze/internal/app"
	"github.com/trailblaze-dev/trailblaze/tool"
)

var updateContract = flag.Bool("contract", false, "write commands.proto and its field numbers anew")

// TestContract (R38): commands.proto is what the specs of the tools say, and no field has changed its number. Run with
// -contract to write it, then `make proto`.
func TestContract(t *testing.T) {
	dir := filepath.Join("..", "..", "proto", "trailblaze", "v1")
	reg, err := app.Catalog()
	if err != nil {
		t.Fatal(err)
	}
	var specs []*tool.Spec
	for _, x := range reg.All() {
		specs = append(specs, x.Spec())
	}
	lock := contract.Lock{}
	if data, err := os.ReadFile(filepath.Join(dir, "fields.json")); err == nil {
		if err := json.Unmarshal(data, &lock); err != nil {
			t.Fatal(err)
		}
	}
	text, err := contract.Proto(specs, lock)
	if err != nil {
		t.Fatal(err)
	}
	numbers, err := json.MarshalIndent(lock, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"commands.proto": text, "fields.json": string(numbers) + "\n"} {
		path := filepath.Join(dir, name)
		if *updateContract {
			if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("%s is not what the tools are; run make proto (-want +got):\n%s", name, diff)
		}
	}
}
