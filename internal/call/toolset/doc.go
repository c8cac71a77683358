// Package toolset answers which tools a client sees, and how a model reads them: operating modes, categories, presets,
// and the short form of a schema. It is a pure function of specs and a client's settings; transports list its result,
// management tools change the settings.
//
// Every exposed tool is in at least one category (Of), so that an unlisted tool is one addToolCategory away, and
// View.Explain names the category.
//
//	v := toolset.View{Categories: toolset.DefaultCategories(), Platform: driver.WebPlatform}
//	for _, spec := range v.Specs(registry) {
//		fmt.Println(spec.Name, toolset.Trim(spec), toolset.HintsOf(spec))
//	}
package toolset
