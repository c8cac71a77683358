package record

import "testing"

// TestLift: values of arguments and memory become tokens where they stand as whole words, and never in what finds an
// element or in what is a token already.
func TestLift(t *testing.T) {
	tokens := map[string]string{"Cedar Mug": "{{args.product}}", "2": "{{args.count}}", "12": "{{args.size}}",
		"http://shop.test": "{{memory.baseUrl}}", "http://shop.test/cart": "{{memory.cart}}"}
	for in, want := range map[string]string{
		`{"text":"Cedar Mug"}`:                               `{"text":"{{args.product}}"}`,
		`{"text":"Added Cedar Mug to your cart"}`:            `{"text":"Added {{args.product}} to your cart"}`,
		`{"text":"Cedar Mugs"}`:                              `{"text":"Cedar Mugs"}`,
		`{"text":"2"}`:                                       `{"text":"2"}`,
		`{"text":"12","a":1}`:                                `{"text":"{{args.size}}","a":1}`,
		`{"text":"12 of 20"}`:                                `{"text":"12 of 20"}`,
		`{"url":"http://shop.test/a?b&c"}`:                   `{"url":"{{memory.baseUrl}}/a?b&c"}`,
		`{"url":"http://shop.test/cart"}`:                    `{"url":"{{memory.cart}}"}`,
		`{"url":"http://shop.testing/"}`:                     `{"url":"http://shop.testing/"}`,
		`{"text":"{{x}} Cedar Mug"}`:                         `{"text":"{{x}} Cedar Mug"}`,
		`{"z":["Cedar Mug","b"],"a":true}`:                   `{"z":["{{args.product}}","b"],"a":true}`,
		`{"nodeSelector":{"web":{"nameRegex":"Cedar Mug"}}}`: `{"nodeSelector":{"web":{"nameRegex":"Cedar Mug"}}}`,
		`{"fingerprint":{"name":"Cedar Mug"}}`:               `{"fingerprint":{"name":"Cedar Mug"}}`,
		`7`:                                                  `7`, ``: ``,
	} {
		if got := string(lift([]byte(in), tokens)); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}
