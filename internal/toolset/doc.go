// Package toolset says which tools a client sees, and how: operating modes, categories, presets, and the short form of a
// schema that a model reads. It is a pure function of specs and a seat's settings; the MCP server lists what it gives, the
// desk tools change the settings.
//
//	v := toolset.View{Mode: toolset.ClientAsAgent, Categories: toolset.DefaultCategories(), Platform: driver.WebPlatform}
//	for _, spec := range v.Specs(registry) { … toolset.Trim(spec) … }
package toolset
