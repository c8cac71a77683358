package frames

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
)

// WorldOf waits for a frame that is between two documents to have the page's own world again.
func (set *Set) WorldOf(ctx context.Context, f *Frame) (World, error) {
	wait, cancel := context.WithTimeout(ctx, WorldGrace)
	defer cancel()
	var w World
	err := set.Await(wait, "page", func() (bool, error) {
		w = f.World
		return w.Session != nil || f.Tab.Closed() || f.Tab.Crashed, nil
	})
	if ctx.Err() == nil && (err != nil || w.Session == nil) {
		return w, fault.New(fault.NotActed, "find page", "the page is between two documents").
			WithHint("Wait for the navigation to end.")
	}
	return w, err
}

// Evaluate runs a script and brings over as JSON what it gives, calling it when that is a function.
func (w World) Evaluate(ctx context.Context, script string, arg runtime.RemoteObjectID) (json.RawMessage, error) {
	obj, err := w.eval(ctx, script)
	if err != nil {
		return nil, err
	}
	if obj.ObjectID == "" {
		return primitive(obj), nil
	}
	defer w.Drop(obj.ObjectID)
	return w.finish(ctx, obj, arg)
}

// Drop releases a handle, or the page could not free what it names.
func (w World) Drop(id runtime.RemoteObjectID) {
	cdp.Send(w.Session, runtime.ReleaseObject, runtime.ReleaseObjectParams{ObjectID: id})
}

// readings are the ways to read a script, tried in order until one parses: an expression (so that
// an object literal is no block), statements whose last value counts, the body of a function.
var readings = []func(string) string{
	func(s string) string { return "(" + strings.TrimRight(s, "; \t\n") + "\n)" },
	func(s string) string { return s },
	func(s string) string { return "(async()=>{" + s + "\n})()" },
}

// eval evaluates a script the way a console does, which no content security policy of the page can
// forbid.
func (w World) eval(ctx context.Context, script string) (*runtime.RemoteObject, error) {
	var first *runtime.ExceptionDetails
	for _, reading := range readings {
		res, err := cdp.Call(ctx, w.Session, runtime.Evaluate, runtime.EvaluateParams{
			Expression: reading(script), ContextID: w.ID, AwaitPromise: new(true), ReplMode: new(true),
			UserGesture: new(true), ObjectGroup: objectGroup,
		})
		if err != nil {
			return nil, err
		}
		x := res.ExceptionDetails
		if x == nil {
			return res.Result, nil
		}
		if first == nil {
			first = x
		}
		if !unparsable(x) { // it ran, so it must not run again
			first = x
			break
		}
	}
	return nil, thrown(first)
}

func thrown(x *runtime.ExceptionDetails) error {
	return fault.New(fault.NotActed, "", "%s", cdp.ExceptionText(x))
}

// unparsable distinguishes a script that did not compile from one that threw a SyntaxError, as JSON.parse does:
// only the latter has a stack.
func unparsable(x *runtime.ExceptionDetails) bool {
	return x.Exception != nil && x.Exception.ClassName == "SyntaxError" && x.StackTrace == nil &&
		!strings.Contains(x.Exception.Description, "\n    at ")
}

// finish calls what a script evaluated to when that is a function, and brings the result over as
// JSON.
func (w World) finish(
	ctx context.Context, obj *runtime.RemoteObject, arg runtime.RemoteObjectID,
) (json.RawMessage, error) {
	params := runtime.CallFunctionOnParams{
		FunctionDeclaration: "function(){return this}", ObjectID: obj.ObjectID, ReturnByValue: new(true),
		AwaitPromise: new(true), UserGesture: new(true),
	}
	if obj.Type == "function" {
		params.FunctionDeclaration = "function(...a){return this(...a)}"
		if arg != "" {
			params.Arguments = []*runtime.CallArgument{{ObjectID: arg}}
		}
	}
	res, err := cdp.Call(ctx, w.Session, runtime.CallFunctionOn, params)
	if err != nil {
		return nil, err
	}
	if res.ExceptionDetails != nil {
		return nil, thrown(res.ExceptionDetails)
	}
	return primitive(res.Result), nil
}

// primitive is a value as JSON. A value that JSON cannot say (NaN, a bigint) is given as a string.
func primitive(o *runtime.RemoteObject) json.RawMessage {
	switch {
	case o == nil:
	case len(o.Value) > 0:
		return json.RawMessage(o.Value)
	case o.UnserializableValue != "":
		quoted, err := json.Marshal(string(o.UnserializableValue))
		if err == nil {
			return quoted
		}
	}
	return json.RawMessage("null")
}

// MainWorldElement turns an element of ours into a handle of the page's own world.
func (set *Set) MainWorldElement(ctx context.Context, doc *Document, element int64) (runtime.RemoteObjectID, error) {
	ours, err := doc.Handle(ctx, "node", element)
	if err != nil {
		return "", err
	}
	if ours == "" {
		return "", fault.New(fault.NotFound, "find element", "it is no longer on the page").
			WithHint("Take a new snapshot.")
	}
	defer cdp.Send(doc.Host.Session, runtime.ReleaseObject, runtime.ReleaseObjectParams{ObjectID: ours})
	n, err := cdp.Call(ctx, doc.Host.Session, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: ours})
	if err != nil {
		return "", doc.CallError(err)
	}
	set.Lock()
	world := doc.Frame.World
	set.Unlock()
	res, err := cdp.Call(ctx, doc.Host.Session, dom.ResolveNode, dom.ResolveNodeParams{
		BackendNodeID: n.Node.BackendNodeID, ExecutionContextID: world.ID, ObjectGroup: objectGroup,
	})
	if err != nil {
		return "", doc.CallError(err)
	}
	return res.Object.ObjectID, nil
}

// Text calls a function and returns the string it gives.
func (w World) Text(ctx context.Context, fn string, args []string) (string, error) {
	params := runtime.CallFunctionOnParams{
		FunctionDeclaration: fn, ExecutionContextID: w.ID, ReturnByValue: new(true), AwaitPromise: new(true),
		UserGesture: new(true),
	}
	for _, a := range args {
		params.Arguments = append(params.Arguments, &runtime.CallArgument{Value: cdp.String(a)})
	}
	res, err := cdp.Call(ctx, w.Session, runtime.CallFunctionOn, params)
	if err != nil {
		return "", err
	}
	if res.ExceptionDetails != nil {
		return "", fault.New(fault.NotActed, "call page", "%s", cdp.ExceptionText(res.ExceptionDetails))
	}
	return cdp.Text(res.Result), nil
}

// World is the page's own execution context in a frame.
type World struct {
	Session *cdp.Session
	ID      runtime.ExecutionContextID
	uid     string
}
