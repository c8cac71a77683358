package e2e

import (
	"strings"
	"testing"
)

// R6: one trail starts an app by its id on every platform. In a browser that is the address which its target has there, unless
// the run says another; a setting that says another is told.
func TestLaunchAppByID(t *testing.T) {
	t.Parallel()
	s := newSitting(t)
	s.save("trails/config/trailblaze.yaml", "target: shop\n")
	target := func(id, app, url string) {
		s.save("trails/config/trailmaps/"+id+"/trailmap.yaml", "id: "+id+"\ntarget:\n  display_name: "+id+
			"\n  platforms:\n    web: { base_url: \""+url+"\" }\n    android: { app_ids: ["+app+"] }\n")
	}
	target("shop", "com.acme.shop", s.shop)
	target("bank", "com.acme.bank", s.shop+"/cart")
	s.save("trails/login.trail.yaml", `config: { title: Start the apps }
trail:
  - step: Start the shop
    recording:
      web:
        - launchApp: { appId: com.acme.shop }
        - web_navigate: { url: "{{baseUrl}}/account" }
        - web_verifyElementVisible: { ref: 'textbox "Email"' }
  - step: Start the bank
    recording:
      web:
        - launchApp: { appId: bank, launchMode: FORCE_RESTART }
        - web_waitForUrl: { pattern: "/cart$" }
`)
	s.shell("trailblaze run trails", 0)
	if !strings.Contains(s.last, "1 passed") || strings.Contains(s.last, "in place of") {
		t.Errorf("run: %s", s.last)
	}
	s.shell("trailblaze tool launchApp appId=com.acme.shop", 0)
	s.shell("trailblaze tool web_currentUrl", 0)
	if !strings.Contains(s.last, s.shop) {
		t.Errorf("opened %s", s.last)
	}
	s.shell("trailblaze config set --workspace base-url http://127.0.0.1:1", 0)
	s.shell("trailblaze check trails", 0)
	if !strings.Contains(s.last, "base-url http://127.0.0.1:1 is used in place of base_url "+s.shop+" of the target shop") {
		t.Errorf("check: %s", s.last)
	}
	s.shell("trailblaze run trails --base-url "+s.shop, 0)
	if !strings.Contains(s.last, "1 passed") || strings.Contains(s.last, "in place of") {
		t.Errorf("run: %s", s.last)
	}
}
