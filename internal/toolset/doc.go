// Package toolset answers which tools a seat sees, and how a model reads them. A View says who asks (mode, categories,
// platform, target, prefix); View.List gives the tools of a registry that it sees, in order; Trim makes of a spec what goes
// into a tools/list: without what only recordings write, with the standard hints. All of it is pure.
//
// Every exposed tool is in at least one category (CategoriesOf), so that what is not listed is one addToolCategory away, and
// Explain names the category.
//
//	v := toolset.View{Categories: toolset.DefaultCategories(), Platform: driver.WebPlatform}
//	for _, spec := range v.List(registry) {
//		l := toolset.Trim(spec)
//		fmt.Println(l.Name, l.Description, l.Input)
//	}
package toolset
