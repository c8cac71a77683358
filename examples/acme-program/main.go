// Acme's build of Trailblaze: the whole program with a tool in Go in it, which needs no process and no server.
package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/trailblaze-dev/trailblaze"
	"github.com/trailblaze-dev/trailblaze/tool"
)

func main() { trailblaze.Main(addToCart()) }

type addIn struct {
	Product string `json:"product" jsonschema:"name of the product, such as Cedar Mug"`
	Count   int    `json:"count,omitempty" default:"1" minimum:"1" maximum:"9" jsonschema:"how many"`
}

type addOut struct {
	Added int `json:"added"`
}

func addToCart() tool.Tool {
	return tool.Define(tool.Spec{
		Name: "acme_addToCart", Title: "Add to cart",
		Description: "Puts a product into the cart, as often as it is asked to.",
		Kind:        tool.Action, ExposedToLLM: true, Recordable: true,
	}, func(ctx context.Context, env tool.Env, in addIn) (addOut, error) {
		call := func(name string, args map[string]any) error {
			raw, err := json.Marshal(args)
			if err != nil {
				return err
			}
			res, err := env.Call(ctx, tool.Call{Name: name, Args: raw})
			if err != nil {
				return err
			}
			return res.Err()
		}
		if err := call("web_navigate", map[string]any{"url": "{{baseUrl}}/"}); err != nil {
			return addOut{}, err
		}
		for i := range in.Count {
			button := fmt.Sprintf("button %q in article %q", "Add to cart", in.Product)
			if err := call("web_click", map[string]any{"ref": button}); err != nil {
				return addOut{i}, err
			}
		}
		return addOut{in.Count}, nil
	})
}
