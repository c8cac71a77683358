// Package contract makes the typed contract of the API from the specs of tools: the services of proto/trailblaze/v1
// and the OpenAPI document. A fact about a tool lives in its Spec; nothing here knows a tool by its name.
//
//	text, err := contract.Proto(specs, lock) // commands.proto; lock keeps the numbers of the fields and the names
package contract
