package trail_test

import (
	"fmt"

	"github.com/trailblaze-dev/trailblaze/trail"
)

const shop = `
config:
  args:
    qty: { type: integer, default: 1 }
trail:
  - step: Put a mug in the basket   # any mug
    recording:
      android: [ { tap: { x: 10, y: 20 } } ]
      web: []
  - verify: The basket shows one item
`

func ExampleParse() {
	_, problems := trail.Parse("shop.trail.yaml", []byte("trail:\n  - step: Pay\n    recordng: {}\n"), trail.Strict)
	for _, p := range problems {
		fmt.Println(p)
	}
	// Output:
	// shop.trail.yaml:3:5: error: unknown key "recordng"
	//     3 |     recordng: {}
	//       |     ^
	//   hint: Did you mean "recording"?
}

func ExampleTrail_Resolve() {
	t, problems := trail.Parse("shop.trail.yaml", []byte(shop), trail.Strict)
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	for _, device := range [][]string{{"android", "phone"}, {"web"}, {"ios"}} {
		s := t.Resolve(device)[0]
		fmt.Printf("%v: %s %q, %d calls\n", device, s.State, s.Classifier, len(s.Calls))
	}
	// Output:
	// [android phone]: recorded "android", 1 calls
	// [web]: noop "web", 0 calls
	// [ios]: undeclared "", 0 calls
}

func ExampleTrail_BindArgs() {
	t, _ := trail.Parse("shop.trail.yaml", []byte(shop), trail.Strict)
	args, err := t.BindArgs(map[string]string{"qty": "2"}, nil)
	fmt.Println(args, err)
	_, err = t.BindArgs(map[string]string{"qty": "two", "qtty": "2"}, nil)
	fmt.Println(err)
	// Output:
	// map[qty:2] <nil>
	// bind arguments: argument "qty": "two" is not an integer; the trail declares no argument "qtty" (did you mean "qty"?)
}

func ExampleMerge() {
	const file = "# Mine.\ntrail:\n  - step: Open   # the shop\n"
	recorded, _ := trail.Parse("run", []byte("trail:\n  - step: Open\n    recording: { web: [ { web_navigate: { url: /shop } } ] }\n"), trail.Strict)
	out, _, err := trail.Merge([]byte(file), recorded, "web")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(string(out))
	// Output:
	// # Mine.
	// trail:
	//   - step: Open   # the shop
	//     recording:
	//       web:
	//         - web_navigate:
	//             url: /shop
}
