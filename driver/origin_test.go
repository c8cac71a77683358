package driver

import "testing"

// The origins are those that Chromium gives as new URL(…).origin; see also TestOriginAgrees in drivers/web.
func TestOrigin(t *testing.T) {
	for in, want := range map[string]string{
		"http://a.test":                   "http://a.test",
		"http://a.test:80/x?y#z":          "http://a.test",
		"https://a.test:443":              "https://a.test",
		"https://a.test:0443/":            "https://a.test",
		"https://a.test:80":               "https://a.test:80",
		"http://a.test:443/":              "http://a.test:443",
		"HTTPS://Shop.Example:443/login":  "https://shop.example",
		"  https://a.test/ \n":            "https://a.test",
		"https://user:pass@a.test/":       "https://a.test",
		"https://a.test@b.test/":          "https://b.test",
		"https://a.test./":                "https://a.test.", // another origin, for browsers too
		"http://[::1]:3000/x":             "http://[::1]:3000",
		"http://[0:0:0:0:0:0:0:1]/":       "http://[::1]",
		"http://[::FFFF:127.0.0.1]:80/":   "http://[::ffff:7f00:1]",
		"http://[::ffff:10.0.0.1]/":       "http://[::ffff:a00:1]",
		"blob:https://a.test/0b1c":        "https://a.test",
		"blob:null/0b1c":                  "",
		"blob:blob:https://a.test/x":      "",
		"https://bücher.test/":            "", // to be written as xn--…
		"https://xn--bcher-kva.test/":     "https://xn--bcher-kva.test",
		"https://a%2etest/":               "",
		"https://a.test%20b.test/":        "",
		"https:///x":                      "",
		"https:a.test":                    "",
		"//a.test/x":                      "",
		"about:blank":                     "",
		"about:srcdoc":                    "",
		"data:text/html,http://a.test":    "",
		"file:///etc/passwd":              "",
		"ws://a.test/":                    "",
		"javascript://a.test/%0aalert(1)": "",
		"null":                            "",
		"":                                "",
		"http://[::1":                     "",
		"http://a.test:port/":             "",
	} {
		if got := Origin(in); got != want {
			t.Errorf("Origin(%q) = %q, want %q", in, got, want)
		}
	}
}

// FuzzOrigin: an origin is its own origin, and holds nothing but scheme, host and port.
func FuzzOrigin(f *testing.F) {
	for _, s := range []string{"http://a.test:80/", "https://u:p@A.test:8443/x?y", "http://[::ffff:1.2.3.4%25eth0]/", "blob:https://a.test/x", "null"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		o := Origin(raw)
		if again := Origin(o); again != o {
			t.Errorf("Origin(%q) = %q, whose origin is %q", raw, o, again)
		}
		for _, c := range o {
			if c <= ' ' || c > 0x7e || c == '@' || c == '?' || c == '#' {
				t.Errorf("Origin(%q) = %q", raw, o)
			}
		}
	})
}
