package demo

import (
	"fmt"
	"html"
	"net/http"
	"strconv"
	"strings"
)

// show writes a page of the site: its file, in the layout unless it is a whole page, with a value in place of each
// {{name}}. A template engine would make the whole program a tenth larger: the linker keeps every exported method for
// one.
func (s *Shop) show(w http.ResponseWriter, name, title string, values map[string]string) {
	text, err := site.ReadFile("site/" + name + ".html")
	if err == nil && !strings.HasPrefix(string(text), "<!doctype html>") {
		var layout []byte
		layout, err = site.ReadFile("site/layout.html")
		text = []byte(strings.Replace(string(layout), "{{main}}", string(text), 1))
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	pairs := []string{
		"{{title}}", html.EscapeString(title), "{{origin}}", s.URL, "{{bank}}", s.Bank,
		"{{at " + name + "}}", `aria-current="page"`, // the first of two equal names holds
	}
	for _, other := range []string{"home", "packing", "returns", "account"} {
		pairs = append(pairs, "{{at "+other+"}}", "")
	}
	for key, value := range values {
		pairs = append(pairs, "{{"+key+"}}", value)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = strings.NewReplacer(pairs...).WriteString(w, string(text))
}

// values returns what the page of a product is filled in with, as HTML.
func (p product) values() map[string]string {
	values := map[string]string{
		"category": p.Category, "slug": p.Slug, "art": p.Art, "name": p.Name, "blurb": p.Blurb,
	}
	for key, text := range values {
		values[key] = html.EscapeString(text)
	}
	values["hue"], values["price"] = strconv.Itoa(p.Hue), strconv.Itoa(p.Price)
	values["sizes"] = choices("size", "Size", p.Sizes,
		"\n      "+`<a href="/sizes" target="_blank" class="quiet">Size guide</a>`)
	values["colours"] = choices("colour", "Colour", p.Colours, "")
	values["buy"] = `<button class="button wide" >Add to cart</button>`
	if p.Stock == 0 {
		values["buy"] = `<button class="button wide" disabled>Sold out</button>`
	}
	return values
}

// choices returns radio buttons, the first of them checked, and "" when there is nothing to choose.
func choices(name, legend string, of []string, after string) string {
	if len(of) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<fieldset><legend>%s</legend><div class="chips">`, legend)
	for i, value := range of {
		checked := ""
		if i == 0 {
			checked = "checked"
		}
		value = html.EscapeString(value)
		fmt.Fprintf(&b, `<label><input type="radio" name="%s" value="%s" %s><span>%[2]s</span></label>`, name, value, checked)
	}
	return b.String() + "</div>" + after + "</fieldset>"
}
