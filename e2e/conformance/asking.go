package conformance

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// addAsking adds the tools that ask the client something: in the protocol with sessions by a request of their own, in
// the one without by ending with the question.
func addAsking(s *mcp.Server) {
	add(s, "test_sampling", "Asks the client's model.", text("prompt"),
		func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			res, err := req.Session.CreateMessage(ctx, sample(argument(req, "prompt"), 100))
			if err != nil {
				return nil, err
			}
			return says("LLM response: " + textOf(res.Content))
		})
	elicit := func(name string, question func(*mcp.CallToolRequest) *mcp.ElicitParams, input json.RawMessage) {
		add(s, name, "Asks the user.", input,
			func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				res, err := req.Session.Elicit(ctx, question(req))
				if err != nil {
					return nil, err
				}
				content, err := json.Marshal(res.Content)
				if err != nil {
					return nil, err
				}
				return says(fmt.Sprintf("User response: action=%s, content=%s", res.Action, content))
			})
	}
	fixed := func(schema string) func(*mcp.CallToolRequest) *mcp.ElicitParams {
		return func(*mcp.CallToolRequest) *mcp.ElicitParams { return form("Please answer", schema) }
	}
	elicit("test_elicitation", func(req *mcp.CallToolRequest) *mcp.ElicitParams {
		return form(argument(req, "message"),
			`{"type":"object","properties":{"username":{"type":"string","description":"Your name"},`+
				`"email":{"type":"string","description":"Your address"}},"required":["username","email"]}`)
	}, text("message"))
	elicit("test_elicitation_sep1034_defaults", fixed(defaultsForm), nil)
	elicit("test_elicitation_sep1330_enums", fixed(enumsForm), nil)
	addRounds(s)
}

const defaultsForm = `{"type":"object","properties":{
 "name":{"type":"string","description":"Name","default":"John Doe"},
 "age":{"type":"integer","description":"Age","default":30},
 "score":{"type":"number","description":"Score","default":95.5},
 "status":{"type":"string","description":"Status","enum":["active","inactive","pending"],"default":"active"},
 "verified":{"type":"boolean","description":"Verified","default":true}}}`

const enumsForm = `{"type":"object","properties":{
 "untitledSingle":{"type":"string","enum":["option1","option2","option3"]},
 "titledSingle":{"type":"string","oneOf":[
    {"const":"value1","title":"First Option"},{"const":"value2","title":"Second Option"},
    {"const":"value3","title":"Third Option"}]},
 "legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],"enumNames":["Option One","Option Two","Option Three"]},
 "untitledMulti":{"type":"array","minItems":1,"maxItems":3,
    "items":{"type":"string","enum":["option1","option2","option3"]}},
 "titledMulti":{"type":"array","minItems":1,"maxItems":3,"items":{"anyOf":[
    {"const":"value1","title":"First Choice"},{"const":"value2","title":"Second Choice"},
    {"const":"value3","title":"Third Choice"}]}}}}`

// addRounds adds the tools whose calls end with questions and are sent again with the answers.
func addRounds(s *mcp.Server) {
	for _, round := range []struct {
		name   string
		answer handler
	}{
		{"elicitation", askName}, {"sampling", askModel}, {"list_roots", askRoots}, {"request_state", askToConfirm},
		{"tampered_state", askToConfirm}, {"multiple_inputs", askSeveral}, {"multi_round", askTwice},
		{"capabilities", askWhatIsPossible},
	} {
		add(s, "test_input_required_result_"+round.name, "Ends with a question.", nil, round.answer)
	}
}

func askName(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if name := accepted(req.Params.InputResponses, "user_name", "name"); name != "" {
		return says("Hello, " + name + "!")
	}
	return asks("", mcp.InputRequestMap{"user_name": form("What is your name?", one("name", "string"))})
}

func askModel(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if answer, ok := sampled(req.Params.InputResponses, "capital_question"); ok {
		return says("The model said: " + answer)
	}
	return asks("", mcp.InputRequestMap{"capital_question": sample("What is the capital of France?", 100)})
}

func askRoots(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if roots, ok := req.Params.InputResponses["client_roots"].(*mcp.ListRootsResult); ok {
		return says(fmt.Sprintf("The client has %d roots", len(roots.Roots)))
	}
	return asks("", mcp.InputRequestMap{"client_roots": &mcp.ListRootsParams{}})
}

func askToConfirm(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	state := req.Params.RequestState
	if _, ok := unseal(state); state != "" && !ok {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "requestState is not one of ours"}
	}
	if res, ok := req.Params.InputResponses["confirm"].(*mcp.ElicitResult); ok && res.Action == "accept" &&
		state != "" {
		return says("state-ok: confirmed")
	}
	return asks(seal("confirm"), mcp.InputRequestMap{"confirm": form("Please confirm", one("ok", "boolean"))})
}

func askSeveral(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	in := req.Params.InputResponses
	name := accepted(in, "user_name", "name")
	greeting, greeted := sampled(in, "greeting")
	roots, rooted := in["client_roots"].(*mcp.ListRootsResult)
	if name != "" && greeted && rooted {
		return says(fmt.Sprintf("%s %s, %d roots", greeting, name, len(roots.Roots)))
	}
	return asks(seal("several"), mcp.InputRequestMap{
		"user_name": form("What is your name?", one("name", "string")),
		"greeting":  sample("Write a greeting", 50), "client_roots": &mcp.ListRootsParams{},
	})
}

func askTwice(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	state, _ := unseal(req.Params.RequestState)
	switch name, second := strings.CutPrefix(state, "2:"); {
	case second:
		return says(name + " likes " + accepted(req.Params.InputResponses, "step2", "color"))
	case state == "1":
		return asks(seal("2:"+accepted(req.Params.InputResponses, "step1", "name")),
			mcp.InputRequestMap{"step2": form("Which color?", one("color", "string"))})
	}
	return asks(seal("1"), mcp.InputRequestMap{"step1": form("What is your name?", one("name", "string"))})
}

func askWhatIsPossible(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if len(req.Params.InputResponses) > 0 {
		return says("answered")
	}
	want := mcp.InputRequestMap{}
	if caps := req.ClientCapabilities(); caps != nil {
		if caps.Elicitation != nil {
			want["user_name"] = form("What is your name?", one("name", "string"))
		}
		if caps.Sampling != nil {
			want["greeting"] = sample("Write a greeting", 50)
		}
		if caps.RootsV2 != nil {
			want["client_roots"] = &mcp.ListRootsParams{}
		}
	}
	if len(want) == 0 {
		return says("this client cannot be asked anything")
	}
	return asks("", want)
}

func asks(state string, questions mcp.InputRequestMap) (*mcp.CallToolResult, error) {
	return &mcp.CallToolResult{InputRequests: questions, RequestState: state}, nil
}

func form(message, schema string) *mcp.ElicitParams {
	return &mcp.ElicitParams{Message: message, RequestedSchema: json.RawMessage(schema)}
}

func one(name, kind string) string {
	return fmt.Sprintf(`{"type":"object","properties":{%q:{"type":%q}},"required":[%q]}`, name, kind, name)
}

func text(name string) json.RawMessage { return json.RawMessage(one(name, "string")) }

func sample(prompt string, most int64) *mcp.CreateMessageParams {
	return &mcp.CreateMessageParams{
		Messages:  []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: prompt}}},
		MaxTokens: most,
	}
}

func textOf(c mcp.Content) string {
	if t, ok := c.(*mcp.TextContent); ok {
		return t.Text
	}
	return "(no text)"
}

func accepted(in mcp.InputResponseMap, key, field string) string {
	res, ok := in[key].(*mcp.ElicitResult)
	if !ok || res.Action != "accept" {
		return ""
	}
	value, _ := res.Content[field].(string)
	return value
}

func sampled(in mcp.InputResponseMap, key string) (string, bool) {
	switch res := in[key].(type) {
	case *mcp.CreateMessageWithToolsResult:
		for _, c := range res.Content {
			return textOf(c), true
		}
	case *mcp.CreateMessageResult:
		return textOf(res.Content), true
	}
	return "", false
}

// sealKey guards states for as long as the test build runs.
var sealKey = []byte("conformance fixtures")

func seal(state string) string {
	mac := hmac.New(sha256.New, sealKey)
	mac.Write([]byte(state))
	return state + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

func unseal(sealed string) (string, bool) {
	i := strings.LastIndexByte(sealed, '.')
	if i < 0 || !hmac.Equal([]byte(seal(sealed[:i])), []byte(sealed)) {
		return "", false
	}
	return sealed[:i], true
}
