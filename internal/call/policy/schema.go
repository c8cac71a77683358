package policy

import "github.com/google/jsonschema-go/jsonschema"

// FileSchema describes policy files, for editors.
func FileSchema() *jsonschema.Schema {
	texts := func(about string) *jsonschema.Schema {
		return &jsonschema.Schema{Description: about, AnyOf: []*jsonschema.Schema{{Type: "string"}, {Type: "null"},
			{Type: "array", Items: &jsonschema.Schema{Types: []string{"string", "number"}}}}}
	}
	word := func(about string, of ...any) *jsonschema.Schema {
		return &jsonschema.Schema{Description: about, Type: "string", Enum: of}
	}
	verdicts := func(about string) *jsonschema.Schema { return word(about, string(yes), string(no)) }
	lists := func(about, what string) *jsonschema.Schema {
		return keys(about, map[string]*jsonschema.Schema{
			"allow": texts(what + " that are allowed; with this list, no others are"),
			"deny":  texts(what + " that are denied; a denial wins"),
		})
	}
	hosts := lists("what is reached on the network", "hosts: shop.test, *.shop.test, 127.0.0.1:8080 or https://shop.test")
	hosts.Properties["ports"] = texts("the only ports")
	hosts.Properties["schemes"] = texts("the only schemes: http, https")
	hosts.Properties["private"] = verdicts("deny: no 10.*, 192.168.*, localhost, unless hosts.allow lists one exactly")
	sources := map[string]*jsonschema.Schema{}
	for _, w := range ways {
		sources[w.name] = verdicts("tools of a project that are carried out by a " + w.name)
	}
	root := keys("", map[string]*jsonschema.Schema{
		"profile": word("what holds where this file says nothing", string(Explore), string(Test), string(CI)),
		"actions": lists("which tools may be called",
			"tools: a name with * for anything, kind:query, group:navigation, effect:shell"),
		"hosts": hosts,
		"files": keys("folders", map[string]*jsonschema.Schema{
			"read":  texts("for uploads, login states and file: URLs; default: the workspace"),
			"write": texts("for trails; default: the workspace, in profile ci nothing")}),
		"evaluate":    verdicts("scripts in pages"),
		"sources":     keys("tools that a project adds, by the way in which they are carried out", sources),
		"permissions": lists("what pages may do beyond showing themselves", "permissions, such as clipboard-read,"),
		"secrets": {Type: "object", Description: "where a secret may be typed, and which variable holds it",
			AdditionalProperties: keys("", map[string]*jsonschema.Schema{
				"origin": {Type: "string", Description: "such as https://shop.test"},
				"env":    {Type: "string", Description: "default: TRAILBLAZE_SECRET_<name>"}})},
	})
	root.Schema, root.Title = "http://json-schema.org/draft-07/schema#", "A Trailblaze policy"
	return root
}

// keys describes a mapping that has no other keys.
func keys(about string, of map[string]*jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{Description: about, Types: []string{"object", "null"}, Properties: of,
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}}
}
