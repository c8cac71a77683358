package api_test

import (
	"context"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// TestNamedTool (R228, R231): a tool is called with nothing but its arguments.
func TestNamedTool(t *testing.T) {
	phone := tool.Spec{Name: "acme_phone", Description: "Calls.", Kind: tool.Action, Platforms: []driver.Platform{driver.AndroidPlatform}}
	d := open(t, hub.Options{}, tool.Define(phone, func(context.Context, tool.Env, struct{}) (string, error) { return "", nil }))
	at := "/v1/tools/web_click?client=curl&workspace=" + d.rig.Workspace
	status, doc, text := d.answer("POST", at, `{"ref":"e2"}`)
	if status != 200 || doc["schema"] != "trailblaze.reply/1" || doc["fault"] != nil || doc["device"] != "web" {
		t.Fatalf("%d %s", status, text)
	}
	for _, c := range []struct {
		path, body, says string
		status           int
	}{
		{at, `{"ref":"e2","nonsense":1}`, "nonsense", 400},
		{at, `[]`, "JSON object", 400},
		{at, `{"ref":`, "invalid", 400},
		{"/v1/tools/web_clik", `{}`, "web_click", 404},
		{at + "&session=none", `{}`, "none", 404},
		{"/v1/tools/acme_phone?workspace=" + d.rig.Workspace, `{}`, "It runs on android", 501},
	} {
		if status, _, text := d.answer("POST", c.path, c.body); status != c.status || !strings.Contains(text, c.says) {
			t.Errorf("%s %s: %d %s", c.path, c.body, status, text)
		}
	}
}

// TestOpenAPI: the document describes each tool that can be called, with its own schema.
func TestOpenAPI(t *testing.T) {
	d := open(t, hub.Options{})
	status, doc, text := d.answer("GET", "/v1/openapi.json?workspace="+d.rig.Workspace, "")
	if status != 200 || doc["openapi"] != "3.1.0" {
		t.Fatalf("%d %.300s", status, text)
	}
	paths, _ := doc["paths"].(map[string]any)
	if len(paths) < 60 || !strings.Contains(text, `"operationId":"web_click"`) ||
		!strings.Contains(text, `"fingerprint"`) {
		t.Errorf("%d paths", len(paths))
	}
	for _, want := range []string{
		`"data":{"type":"string","contentEncoding":"base64"}`, `"Refusal":{"properties":{"error":`, `{"$ref":"#/components/schemas/Refusal"}`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s", want)
		}
	}
}
