package auth

import (
	"encoding/json"
	"net/http"
	"time"
)

// refuseTime limits the time in which a refused client may still send the body it announced.
const refuseTime = 2 * time.Second

// Refuse answers with an error that says what to do: {"error": {"kind", "message", "hint"}}.
func Refuse(w http.ResponseWriter, status int, kind, message, hint string) {
	type text struct {
		Kind    string `json:"kind"`
		Message string `json:"message"`
		Hint    string `json:"hint,omitempty"`
	}
	body, err := json.Marshal(map[string]text{"error": {kind, message, hint}})
	if err != nil {
		body = []byte(`{"error":{"kind":"internal","message":"refused"}}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n'))
}
