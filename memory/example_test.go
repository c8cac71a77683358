package memory_test

import (
	"encoding/json"
	"fmt"

	"github.com/trailblaze-dev/trailblaze/memory"
)

func ExampleStore_Expand() {
	m := memory.New()
	m.Set("email", "qa@example.com")
	m.SetArgs(map[string]any{"qty": 2})
	out, warnings, err := m.Expand(json.RawMessage(`{"n":"{{args.qty}}","text":"Mail to {{email}}","x":"{{nobody}}"}`))
	fmt.Println(string(out), err)
	fmt.Println(warnings)
	// Output:
	// {"n":2,"text":"Mail to qa@example.com","x":"{{nobody}}"} <nil>
	// [token {{nobody}} names nothing that is remembered; it is left as it is]
}

func ExampleStore_Mask() {
	m := memory.New()
	m.SetSecret("password", "corr&ct horse")
	fmt.Println(m.Mask("typed corr&ct horse, sent ?pw=corr%26ct+horse"))
	// Output: typed ••••••, sent ?pw=••••••
}

func ExampleParams() {
	p := memory.Params{Declared: []string{"query", "times"}, Values: map[string]any{"query": "mug"}}
	out, err := p.Expand(json.RawMessage(`{"text":"{{params.query}}","times":"{{times}}","user":"{{memory.user}}"}`))
	fmt.Println(string(out), err)
	// Output: {"text":"mug","times":null,"user":"{{memory.user}}"} <nil>
}
