// Command gen is a plug-in of buf that makes the typed parts of the SDKs for Python, TypeScript and Go of the contract
// in proto/trailblaze/v1. `make proto` runs it.
package main

import (
	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/types/pluginpb"
)

func main() {
	protogen.Options{}.Run(func(p *protogen.Plugin) error {
		p.SupportedFeatures = uint64(pluginpb.CodeGeneratorResponse_FEATURE_PROTO3_OPTIONAL)
		c := read(p)
		if err := checkKinds(c.messages); err != nil {
			return err
		}
		for name, text := range map[string]string{
			"sdk/python/src/trailblaze/_connect.py": pythonConnect, "sdk/typescript/client/src/connect.ts": scriptConnect,
			"sdk/typescript/client/src/errors.ts": scriptErrors,
		} {
			if err := writeConnect(p.NewGeneratedFile(name, ""), text, c); err != nil {
				return err
			}
		}
		for name, text := range map[string]string{
			"sdk/python/src/trailblaze/_locators.py": pythonLocators, "sdk/typescript/client/src/locators.ts": scriptLocators,
		} {
			if err := writeLocators(p.NewGeneratedFile(name, ""), text); err != nil {
				return err
			}
		}
		if err := writeLocators(p.NewGeneratedFile("client/locators.go", clientPath), goLocators); err != nil {
			return err
		}
		writePython(p.NewGeneratedFile("sdk/python/src/trailblaze/_commands.py", ""), c)
		writeTypeScript(p.NewGeneratedFile("sdk/typescript/client/src/commands.ts", ""), c)
		writeGo(p.NewGeneratedFile("client/device.go", clientPath), c)
		return writeSync(p.NewGeneratedFile("sdk/python/src/trailblaze/_sync.py", ""))
	})
}
