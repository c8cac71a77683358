package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// readMessage reads the message of a POST and leaves it in the body. A session may send several at once: protocol
// 2025-03-26 has such batches, and the SDK refuses them in later ones.
func (s *Server) readMessage(w http.ResponseWriter, r *http.Request, session bool) (*message, bool) {
	body, ok := s.readJSON(w, r)
	if !ok {
		return nil, false
	}
	var err error
	m := new(message)
	if why := oversize(body, s.o.MaxBody); why != "" {
		_ = m.read(body)
		refuse(w, http.StatusRequestEntityTooLarge, m.ID, jsonrpc.CodeInvalidRequest, why)
		return nil, false
	}
	switch batch := bytes.TrimLeft(body, " \t\r\n")[0] == '['; {
	case batch && session:
		var list []json.RawMessage
		_ = json.Unmarshal(body, &list) // it is valid, and a list
		for i := 0; err == nil && i < len(list); i++ {
			err = checkID(list[i])
		}
	case batch:
		refuse(w, http.StatusBadRequest, nil, jsonrpc.CodeInvalidRequest,
			"send one message per request; batches have no place here")
		return nil, false
	default:
		if err = checkID(body); err == nil && !m.read(body) {
			err = errNoMessage
		}
	}
	if err != nil {
		refuse(w, http.StatusBadRequest, m.ID, jsonrpc.CodeInvalidRequest, err.Error())
		return nil, false
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return m, true
}

// drainTime bounds how long the rest of a message that is too large is read for.
const drainTime = 5 * time.Second

// readJSON reads the body of a POST, or refuses it.
func (s *Server) readJSON(w http.ResponseWriter, r *http.Request) ([]byte, bool) {
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		refuse(w, http.StatusUnsupportedMediaType, nil, jsonrpc.CodeInvalidRequest,
			"Content-Type must be application/json")
		return nil, false
	}
	all := r.Body
	body, err := io.ReadAll(http.MaxBytesReader(w, all, s.o.MaxBody))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large): // a client that still sends when the connection ends may miss the answer
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(drainTime))
		_, _ = io.CopyN(io.Discard, all, s.o.MaxBody)
		refuse(w, http.StatusRequestEntityTooLarge, nil, jsonrpc.CodeInvalidRequest, tooLong(s.o.MaxBody))
	case err != nil:
		refuse(w, http.StatusBadRequest, nil, jsonrpc.CodeInvalidRequest, "the message could not be read")
	case !json.Valid(body):
		refuse(w, http.StatusBadRequest, nil, jsonrpc.CodeParseError, "the message is not JSON")
	default:
		return body, true
	}
	return nil, false
}

var (
	errNoMessage = errors.New("the message is not JSON-RPC 2.0")
	errID        = errors.New("the id of a request is a text, or a whole number of at most 15 digits")
)

// checkID refuses a message whose id the SDK would change, or the cancellation of one: it reads numbers as 64-bit
// integers, and 1.5 would come back as 1.
func checkID(body []byte) error {
	var m, cancelled map[string]json.RawMessage // a struct would take "ID" for "id"
	var method string
	if json.Unmarshal(body, &m) != nil || m["method"] != nil && json.Unmarshal(m["method"], &method) != nil {
		return errNoMessage
	}
	if method == "" {
		return nil // an answer has an id of ours
	}
	if method == "notifications/cancelled" && json.Unmarshal(m["params"], &cancelled) == nil &&
		!usableID(cancelled["requestId"]) {
		return errID
	}
	// programs that write null in a notification mean none
	none := bytes.Equal(m["id"], []byte("null")) && strings.HasPrefix(method, "notifications/")
	if !none && !usableID(m["id"]) {
		return errID
	}
	return nil
}

// usableID returns true for no id, a text, and a whole number that every reader of JSON keeps.
func usableID(id json.RawMessage) bool {
	n, err := strconv.ParseInt(string(id), 10, 64)
	return len(id) == 0 || id[0] == '"' || err == nil && len(id) <= 15 && strconv.FormatInt(n, 10) == string(id)
}

// refuseEnded answers a request whose session has ended, in the form of the protocol.
func refuseEnded(w http.ResponseWriter, id json.RawMessage) {
	refuse(w, http.StatusNotFound, id, codeSessionGone,
		"this MCP session has ended; send initialize again, with the same "+headerSession+" to get your settings back")
}

const codeSessionGone = -32001

func refuse(w http.ResponseWriter, status int, id json.RawMessage, code int64, text string) {
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id,
		"error": map[string]any{"code": code, "message": text}})
	if err != nil {
		body = []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"bad request"}}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

func refuseFault(w http.ResponseWriter, id json.RawMessage, err error) {
	status, code := http.StatusInternalServerError, int64(jsonrpc.CodeInternalError)
	if k := fault.KindOf(err); k == fault.Invalid || k == fault.NotFound || k == fault.Denied {
		status, code = http.StatusBadRequest, jsonrpc.CodeInvalidParams
	}
	refuse(w, status, id, code, fault.Text(err))
}
