package page

import _ "embed"

//go:generate go run ./gen

// Source is the bundled script. Evaluating it twice in one world is harmless: the second time does
// nothing.
//
//go:embed dist/page.js
var Source string

// Global is the name under which the script keeps its functions in its isolated world.
const Global = "__trailblaze"

// World is the name of the isolated world the script runs in.
const World = "trailblaze"

// Handlers is the part that runs in the page's own world, before any script of the page and with
// the command line API: only there can event listeners be read. It answers the script of Source.
//
//go:embed handlers.js
var Handlers string
