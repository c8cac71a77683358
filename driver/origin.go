package driver

import "net/url"

// Origin is scheme://host[:port] of an http or https URL, and "" of anything else (about:blank, data:, file:).
func Origin(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}
