// Package tstype reads the types of a TypeScript file as JSON schemas: the type arguments of trailblaze.tool<Input,
// Output>, with the interfaces, aliases and enums that they name, also those of imported files. It reads data types
// alone; a type that JSON cannot carry, or that has to be computed, becomes "anything", with a note that says where.
//
// It also reads the calls of tools that a file makes, as far as they are written out, for `trailblaze check`.
//
// internal/makers/script calls it when it loads a file. It has no state.
//
//	list, notes, err := tstype.Read("tools/shop.ts", func(name string) ([]byte, error) { … })
package tstype
