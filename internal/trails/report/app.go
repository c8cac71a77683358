package report

import _ "embed"

var (
	//go:embed ui/dist/app.js
	appScript []byte

	//go:embed ui/dist/app.css
	appStyle []byte
)

// App returns a file of the viewer, which shows reports of sessions while they run.
func App(name string) (data []byte, ok bool) {
	switch name {
	case "app.js":
		return appScript, true
	case "app.css":
		return appStyle, true
	}
	return nil, false
}
