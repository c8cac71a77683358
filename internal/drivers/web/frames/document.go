package frames

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/runtime"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/page"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/sight"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// Document is one loaded document with the isolated world of our script in it. Everything but what
// captures have shown of it is immutable.
type Document struct {
	Frame  *Frame
	Host   *Host
	serial int64 // grows with every document of the device session; the upper half of its NodeIDs
	World  runtime.ExecutionContextID
	uid    string
	gone   chan struct{} // closed when the document is replaced, its frame removed or its process dead

	Sight *sight.State

	owners map[*Frame]int64 // inner frames by the element that shows them; guarded by the lock
}

// ErrGone is the error of a call into a document that has ended. Callers look for the frame's new
// document.
var ErrGone = errors.New("the document is gone")

// elementBits counts the low bits of a NodeID that hold the element's number in its document.
const elementBits = 32

// NodeID names an element of this document for the whole session.
func (doc *Document) NodeID(element int64) screen.NodeID {
	return screen.NodeID(doc.serial<<elementBits | element)
}

func splitID(id screen.NodeID) (serial, element int64) {
	return int64(id) >> elementBits, int64(id) & (1<<elementBits - 1)
}

// Call runs fn, one of the functions our page script exports (see page.Global), in the document's
// isolated world, and decodes what it returns (after awaiting it) into out, which may be nil.
// Arguments are anything JSON can say.
func (doc *Document) Call(ctx context.Context, out any, fn string, args ...any) error {
	list, err := arguments(fn, args)
	if err != nil {
		return err
	}
	raw, err := doc.Invoke(ctx, exported(fn), list)
	if err != nil || out == nil {
		return err
	}
	if r, ok := out.(*json.RawMessage); ok {
		*r = json.RawMessage(raw)
		return nil
	}
	if len(raw) == 0 {
		return nil // undefined
	}
	if err := json.Unmarshal(raw, out); err != nil {
		return fault.New(fault.Internal, "call page script", "decode what %s returned: %w", fn, err)
	}
	return nil
}

// exported is a function declaration that calls one of our page script's functions.
func exported(fn string) string { return "(...a)=>" + page.Global + "." + fn + "(...a)" }

func arguments(fn string, args []any) ([]*runtime.CallArgument, error) {
	list := make([]*runtime.CallArgument, len(args))
	for i, a := range args {
		raw, err := jsonv2.Marshal(a)
		if err != nil {
			return nil, fault.New(fault.Internal, "call page script", "encode argument %d of %s: %w", i, fn, err)
		}
		list[i] = &runtime.CallArgument{Value: raw}
	}
	return list, nil
}

// callParams are runtime.CallFunctionOnParams, except that an argument may be empty: the generated
// type leaves "" and [] out, and the page would see undefined.
type callParams struct {
	FunctionDeclaration string                     `json:"functionDeclaration"`
	ExecutionContextID  runtime.ExecutionContextID `json:"executionContextId"`
	Arguments           []callArgument             `json:"arguments"`
	ReturnByValue       bool                       `json:"returnByValue"`
	AwaitPromise        bool                       `json:"awaitPromise"`
	Silent              bool                       `json:"silent"`
	ObjectGroup         string                     `json:"objectGroup,omitempty"`
}

type callArgument struct {
	Value    jsonv2.Value           `json:"value,omitzero"`
	ObjectID runtime.RemoteObjectID `json:"objectId,omitempty"`
}

// Invoke runs a function declaration in the document's isolated world and returns its JSON value.
func (doc *Document) Invoke(ctx context.Context, declaration string, args []*runtime.CallArgument) (jsonv2.Value,
	error) {
	res, err := doc.run(ctx, callParams{FunctionDeclaration: declaration, Arguments: plain(args), ReturnByValue: true})
	if err != nil || res == nil {
		return nil, err
	}
	return res.Value, nil
}

// Handle is call for a result that is an object of the page. The caller releases the handle.
func (doc *Document) Handle(ctx context.Context, fn string, args ...any) (runtime.RemoteObjectID, error) {
	list, err := arguments(fn, args)
	if err != nil {
		return "", err
	}
	res, err := doc.run(ctx,
		callParams{FunctionDeclaration: exported(fn), Arguments: plain(list), ObjectGroup: objectGroup})
	if err != nil || res == nil {
		return "", err
	}
	return res.ObjectID, nil
}

func plain(args []*runtime.CallArgument) []callArgument {
	out := make([]callArgument, len(args))
	for i, a := range args {
		out[i] = callArgument{Value: a.Value, ObjectID: a.ObjectID}
	}
	return out
}

func (doc *Document) run(ctx context.Context, p callParams) (*runtime.RemoteObject, error) {
	p.ExecutionContextID, p.AwaitPromise, p.Silent = doc.World, true, true
	var res runtime.CallFunctionOnResult
	if err := doc.Host.Session.Call(ctx, runtime.CallFunctionOn.Method, p, &res); err != nil {
		return nil, doc.CallError(err)
	}
	if x := res.ExceptionDetails; x != nil {
		return nil, fault.New(fault.Internal, "call page script", "%s", cdp.ExceptionText(x))
	}
	return res.Result, nil
}

// objectGroup is the name under which handles live in the browser.
const objectGroup = "trailblaze"

// Ended is errGone once the document has ended.
func (doc *Document) Ended() error {
	select {
	case <-doc.gone:
		return ErrGone
	default:
		return nil
	}
}

var goneMessages = []string{
	"Cannot find context", "context was destroyed", "uniqueContextId not found", "navigated or closed",
}

// CallError distinguishes the end of the document from other failures.
func (doc *Document) CallError(err error) error {
	if gone := doc.Ended(); gone != nil {
		return gone
	}
	if errors.Is(err, cdp.ErrDetached) {
		return ErrGone
	}
	if e, ok := errors.AsType[*cdp.Error](err); ok {
		for _, s := range goneMessages {
			if strings.Contains(e.Message, s) {
				return ErrGone
			}
		}
	}
	return err
}

// Tell calls a function of the page script and waits for nothing.
func (doc *Document) Tell(fn string, args ...any) {
	list := make([]*runtime.CallArgument, len(args))
	for i, x := range args {
		raw, err := jsonv2.Marshal(x)
		if err != nil {
			return
		}
		list[i] = &runtime.CallArgument{Value: raw}
	}
	doc.Host.Session.Tell(runtime.CallFunctionOn.Method, runtime.CallFunctionOnParams{
		FunctionDeclaration: "(...a)=>{" + page.Global + ".act." + fn + "(...a)}", ExecutionContextID: doc.World,
		Arguments:     list,
		ReturnByValue: new(true), Silent: new(true),
	})
}
