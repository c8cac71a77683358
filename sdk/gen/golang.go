package main

import (
	"strconv"
	"strings"

	"google.golang.org/protobuf/compiler/protogen"
)

// writeGo writes the device of the SDK for Go. Its methods are those of the clients that buf makes.
func writeGo(g *protogen.GeneratedFile, c contract) {
	g.P("// Code generated from proto/trailblaze/v1 by sdk/gen. DO NOT EDIT.\n")
	g.P("package client\n")
	g.P("// Device has the commands for devices of every kind. A backend is nil when the device is of another platform.")
	g.P("type Device struct {")
	for _, s := range c.services {
		g.P(goField(s.attribute()), " ", g.QualifiedGoIdent(s.connect(s.name+"Client")))
	}
	g.P("\nPlatform ", g.QualifiedGoIdent(driver.Ident("Platform")))
	g.P("}\n")
	g.P("func (o *Options) deviceOf(by ...", g.QualifiedGoIdent(connect.Ident("Interceptor")), ") Device {")
	g.P("http := ", g.QualifiedGoIdent(daemon.Ident("Signed")), "{Token: o.Token, By: o.HTTP}")
	g.P("with := ", g.QualifiedGoIdent(connect.Ident("WithInterceptors")), "(by...)")
	lower := g.QualifiedGoIdent(protogen.GoImportPath("strings").Ident("ToLower"))
	g.P("d := Device{Platform: ", g.QualifiedGoIdent(driver.Ident("Platform")), "(", lower, "(string(o.Platform)))}")
	for _, s := range c.services {
		field := goField(s.attribute())
		if field == "" {
			field = s.name + "Client"
		}
		set := "d." + field + " = " + g.QualifiedGoIdent(s.connect("New"+s.name+"Client")) + "(http, o.URL, with)"
		on := s.platforms()
		if on == nil {
			g.P(set)
			continue
		}
		for i, name := range on {
			on[i] = "d.Platform == " + strconv.Quote(name)
		}
		g.P("if ", strings.Join(on, " || "), " {")
		g.P(set)
		g.P("}")
	}
	g.P("return d")
	g.P("}")
	for _, f := range founds {
		if f.Params("") != "" { // why no daemon is found or answers, which is said in internal/
			continue
		}
		g.P("\nfunc ", f.Script().Name, "() error {")
		g.P("return ", g.QualifiedGoIdent(fault.Ident("New")), "(", strconv.Quote(f.Kind), `, "", `,
			strconv.Quote(f.Message), ").")
		g.P("WithHint(", strconv.Quote(f.Hint), ")")
		g.P("}")
	}
}

const (
	daemon  protogen.GoImportPath = "github.com/trailblaze-dev/trailblaze/internal/serve/daemon/dial"
	driver  protogen.GoImportPath = "github.com/trailblaze-dev/trailblaze/driver"
	fault   protogen.GoImportPath = "github.com/trailblaze-dev/trailblaze/fault"
	connect protogen.GoImportPath = "connectrpc.com/connect"
)

// goField is the name of an attribute in Go, empty for what is embedded.
func goField(attribute string) string {
	if attribute == "" {
		return ""
	}
	return strings.ToUpper(attribute[:1]) + attribute[1:]
}
