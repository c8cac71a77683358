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
	carrier, option := g.QualifiedGoIdent(connect.Ident("HTTPClient")), g.QualifiedGoIdent(connect.Ident("ClientOption"))
	g.P("func newDevice(platform ", g.QualifiedGoIdent(driver.Ident("Platform")), ", http ", carrier, ", url string, o ",
		option, ") Device {")
	g.P("d := Device{Platform: platform}")
	for _, s := range c.services {
		field := goField(s.attribute())
		if field == "" {
			field = s.name + "Client"
		}
		set := "d." + field + " = " + g.QualifiedGoIdent(s.connect("New"+s.name+"Client")) + "(http, url, o)"
		on := s.platforms()
		if on == nil {
			g.P(set)
			continue
		}
		for i, name := range on {
			on[i] = "platform == " + strconv.Quote(name)
		}
		g.P("if ", strings.Join(on, " || "), " {")
		g.P(set)
		g.P("}")
	}
	g.P("return d")
	g.P("}")
}

const (
	driver  protogen.GoImportPath = "github.com/trailblaze-dev/trailblaze/driver"
	connect protogen.GoImportPath = "connectrpc.com/connect"
)

// goField is the name of an attribute in Go, empty for what is embedded.
func goField(attribute string) string {
	if attribute == "" {
		return ""
	}
	return strings.ToUpper(attribute[:1]) + attribute[1:]
}
