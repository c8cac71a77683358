package page

import _ "embed"

//go:generate go run ./gen

// Source is the bundled script. Evaluating it twice in one world is harmless: the second time does nothing.
//
//go:embed dist/page.js
var Source string

// Global is the name under which the script keeps its functions in its isolated world.
const Global = "__trailblaze"

// World is the name of the isolated world the script runs in.
const World = "trailblaze"
