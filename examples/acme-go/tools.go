package main

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type loginIn struct {
	Email    string `json:"email" jsonschema:"address of the account"`
	Password string `json:"password" jsonschema:"password of the account"`
}

type done struct {
	Success bool `json:"success"`
}

// login is five calls in a row. An error that a tool returns fails the call.
func login(ctx context.Context, req *mcp.CallToolRequest, in loginIn) (*mcp.CallToolResult, done, error) {
	tb, err := sessionOf(req)
	if err != nil {
		return nil, done{}, err
	}
	for _, step := range []struct {
		tool string
		in   args
	}{
		{"web_navigate", args{"url": tb.page("/account")}},
		{"web_type", args{"ref": `textbox "Email"`, "text": in.Email}},
		{"web_type", args{"ref": `textbox "Password"`, "text": in.Password}},
		{"web_click", args{"ref": `button "Sign in"`}},
		{"web_verifyTextVisible", args{"text": "Good to see you"}},
	} {
		if err := tb.call(ctx, step.tool, step.in, nil); err != nil {
			return nil, done{}, err
		}
	}
	return nil, done{Success: true}, nil
}

type signOutOut struct {
	Success     bool `json:"success"`
	WasSignedIn bool `json:"wasSignedIn"`
}

// signOut is a condition: it looks first, and acts only when there is something to do.
func signOut(ctx context.Context, req *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, signOutOut, error) {
	tb, err := sessionOf(req)
	if err != nil {
		return nil, signOutOut{}, err
	}
	if err := tb.call(ctx, "web_navigate", args{"url": tb.page("/account")}, nil); err != nil {
		return nil, signOutOut{}, err
	}
	const button = `button "Sign out"`
	var look struct{ Visible bool }
	if err := tb.call(ctx, "isVisible", args{"ref": button}, &look); err != nil {
		return nil, signOutOut{}, err
	}
	if !look.Visible {
		return nil, signOutOut{Success: true}, nil
	}
	if err := tb.call(ctx, "web_click", args{"ref": button}, nil); err != nil {
		return nil, signOutOut{}, err
	}
	return nil, signOutOut{Success: true, WasSignedIn: true}, nil
}

type addIn struct {
	Product  string `json:"product" jsonschema:"name of the product, such as Cedar Mug"`
	Attempts int    `json:"attempts,omitempty" jsonschema:"how often to try; 3 if it is left out"`
}

type addOut struct {
	Success  bool `json:"success"`
	Attempts int  `json:"attempts"`
}

// addToCart is a retry: a call that failed is made again.
func addToCart(ctx context.Context, req *mcp.CallToolRequest, in addIn) (*mcp.CallToolResult, addOut, error) {
	tb, err := sessionOf(req)
	if err != nil {
		return nil, addOut{}, err
	}
	if err := tb.call(ctx, "web_navigate", args{"url": tb.page("/")}, nil); err != nil {
		return nil, addOut{}, err
	}
	if in.Attempts < 1 {
		in.Attempts = 3
	}
	for n := 1; n <= in.Attempts; n++ {
		err = tb.call(ctx, "web_click", args{"ref": fmt.Sprintf(`button "Add to cart" in article %q`, in.Product)}, nil)
		if err == nil {
			return nil, addOut{Success: true, Attempts: n}, nil
		}
	}
	return nil, addOut{}, fmt.Errorf("%s cannot be added: %w", in.Product, err)
}

type delegate struct {
	Tool string `json:"tool"`
	Args args   `json:"args"`
}

type openOut struct {
	Success   bool       `json:"success"`
	Delegates []delegate `json:"_trailblaze_delegates"`
}

// openCart is a delegate: it makes no call, but says which to make.
func openCart(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, openOut, error) {
	return nil, openOut{Success: true, Delegates: []delegate{
		{Tool: "web_click", Args: args{"ref": `link "Cart, 1 item"`}},
	}}, nil
}
