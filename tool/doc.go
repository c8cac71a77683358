// Package tool defines tools: a tool is a named function with a schema (Spec), arguments (Call) and a result
// (Result).
//
// Makers of tools implement Tool, usually with Define; all others call them through the dispatcher, which is the
// only code that calls Run. Specs are immutable; a Registry is safe for concurrent use.
//
//	greet := tool.Define(tool.Spec{Name: "demo_greet", Kind: tool.Query},
//		func(ctx context.Context, env tool.Env, in struct{ Who string `json:"who"` }) (string, error) {
//			return "hello " + in.Who, nil
//		})
package tool
