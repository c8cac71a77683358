package attend_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/trailblaze-dev/trailblaze/screen"
)

// libraries is the variable that names the folder of e2e/apps with its packages from npm.
const libraries = "RECORD_LIBRARIES"

// says has a person type a text into the bar that they see in the page, with which a trail checks what came of it.
func (p *person) says(text string) {
	p.t.Helper()
	p.shows(text)
	p.bar.press(`textbox "Text that you see in the page"`)
	p.write(text)
	p.key("Return")
	p.recorded()
}

// widgetFlows are on libraries of others.
var widgetFlows = []flow{
	{"flatpickr", "/flatpickr.html", func(p *person) {
		p.press(`textbox "From and to"`)
		p.recorded()
		p.press(`css=.flatpickr-calendar.open [aria-label="March 20, 2026"]`)
		p.recorded()
		p.press(`css=.flatpickr-calendar.open [aria-label="March 24, 2026"]`)
		p.recorded()
		p.click(`button "Book"`)
		p.says("2026-03-20 to 2026-03-24")
	}, []string{
		"Click “From and to”", "Click the element “March 20, 2026”", "Click the element “March 24, 2026”", "Click the button “Book”",
		"“2026-03-20 to 2026-03-24” is visible",
	}},
	{"choices.js", "/choices.html", func(p *person) {
		p.press(`css=.choices[data-type=select-multiple] input`)
		p.write("Hall")
		p.shows("Halldis")
		p.key("Return")
		p.recorded()
		p.key("Escape")
		p.click(`button "Form the team"`)
		p.says("nobody leads halldis")
	}, []string{
		"Click “People”", "Type “Hall” into “People”", "Press Enter in “People”", "Press Escape in “People”",
		"Click the button “Form the team”", "“nobody leads halldis” is visible",
	}},
	{"tom-select", "/tomselect.html", func(p *person) {
		p.to(`heading "Library"`)
		p.focus()
		p.key("Tab")
		p.write("Music")
		p.key("Return")
		p.shows("Music")
		p.click(`heading "Library"`) // closes the list, which lies over the button
		p.click(`button "Keep"`)
		p.says("on shelf nowhere")
	}, []string{
		"Type “Music” into “Subjects”", "Press Enter in “Subjects”", "Click the heading “Library”", "Click the button “Keep”",
		"“on shelf nowhere” is visible",
	}},
	{"quill", "/quill.html", func(p *person) {
		p.press(`css=.ql-editor`)
		p.write("Bread and")
		p.key("ctrl+b")
		p.write(" milk")
		p.click(`button "Keep the note"`)
		p.says("milk</strong>")
	}, []string{
		"Click the editor", "Type “Bread and” into the editor", "Press Control+b in the editor", "Type “milk” into the editor",
		"Click the button “Keep the note”", "“milk</strong>” is visible",
	}},
	{"shoelace", "/shoelace.html", func(p *person) {
		p.press(`css=sl-input[name=traveller]`)
		p.write("Ada")
		p.press(`css=sl-select`)
		p.recorded()
		p.press(`css=sl-option[value=boat]`)
		p.recorded()
		p.press(`css=sl-checkbox[name=insured]`)
		p.press(`css=#review`)
		p.says("Your trip")
	}, []string{
		"Click “Traveller *”", "Type “Ada” into “Traveller *”", "Click the element", "Click the option “Boat”",
		"Check the checkbox “Travel insurance”", "Click the button “Review trip”", "“Your trip” is visible",
	}},
	{"sortablejs", "/sortablejs.html", func(p *person) {
		from, to := p.find(`css=li:has-text("Write")`).Bounds, p.find(`css=li:has-text("Plan")`).Bounds
		p.drag(from.Center(), screen.Point{X: to.X + 40, Y: to.Y + 6}, "css=li.sortable-chosen")
		p.says("Write is now in Done")
	}, []string{
		"Drag the item “Write” onto the item “Plan”", "“Write is now in Done” is visible",
	}},
	{"select2", "/select2.html", func(p *person) {
		p.press(`css=.select2-selection--single`)
		p.recorded()
		p.press(`css=.select2-results__option:has-text("Medium")`)
		p.recorded()
		p.click(`button "Bake it"`)
		p.says("A Medium pizza with nothing")
	}, []string{
		"Click the field", "Click the option “Medium”", "Click the button “Bake it”", "“A Medium pizza with nothing” is visible",
	}},
	{"jQuery UI", "/datepicker.html", func(p *person) {
		p.press(`textbox "Leave on"`)
		p.recorded()
		p.press(`css=.ui-datepicker-next`)
		p.recorded()
		p.press(`css=.ui-datepicker-calendar a:has-text("15")`)
		p.recorded()
		p.says("Leaving 04/15/2026")
	}, []string{
		"Click “Leave on”", "Click the element “Next”", "Click the link “15”", "“Leaving 04/15/2026” is visible",
	}},
	{"AG Grid", "/aggrid.html", func(p *person) {
		p.to(`css=[row-index="3"] [col-id=price]`)
		p.xdotool("click", "--repeat", "2", "--delay", "40", "1")
		p.find(`css=[row-index="3"] [col-id=price] input`)
		p.key("ctrl+a")
		p.write("9500")
		p.key("Return")
		p.says("Panda now costs 9500")
	}, []string{
		"Double-click the cell “9000”", "Type “9500” into “Input Editor”", "Press Enter in “Input Editor”",
		"“Panda now costs 9500” is visible",
	}},
}

// TestLibraries is TestShop for widgets that other people made.
func TestLibraries(t *testing.T) {
	browser(t)
	dir := os.Getenv(libraries)
	if dir == "" {
		t.Skip("needs packages of npm: make record")
	}
	mux := http.NewServeMux()
	mux.Handle("/lib/", http.StripPrefix("/lib/", http.FileServer(http.Dir(filepath.Join(dir, "node_modules")))))
	mux.Handle("/", http.FileServer(http.Dir(filepath.Join(dir, "pages"))))
	s := httptest.NewServer(mux)
	defer s.Close()
	for _, f := range widgetFlows {
		t.Run(f.name, func(t *testing.T) { f.check(t, s.URL) })
	}
}
