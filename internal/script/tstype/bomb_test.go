package tstype

import (
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/testtime"
)

// TestBombs: types that are nested without end are read in bounded time and stack; they are read in our own process.
func TestBombs(t *testing.T) {
	for _, part := range []string{"[", "(", "{a:", "A<", "(a:", "a|", "a&", "|", "&", "keyof ", "readonly ", "a[", "[]", "{[k:",
		"`${", "\"a\"|", "typeof ", "a extends b?", "new ", "a=>", "{{", "<", "/*", "/**", "//", "}", "a.", "infer ", "\n",
		"import(", "Array<", "Record<a,", "Partial<", "-", "Pick<A,", "?", "...", "enum A{a=", "trailblaze.tool<", "trailblaze.tool("} {
		bomb := strings.Repeat(part, (1<<20-100)/len(part))
		for _, text := range []string{
			"type A = " + bomb, "interface A extends " + bomb, "interface A { a: " + bomb, "enum A { a = " + bomb, bomb,
			"import {A} from './a'; export const x = trailblaze.tool<" + bomb, "type A<T> = " + bomb, "export {" + bomb,
		} {
			text = "export const y = trailblaze.tool<A, A>(async () => 1);\n" + text
			began := time.Now()
			_, _, err := Read("a.ts", func(string) ([]byte, error) { return []byte(text), nil })
			if took := time.Since(began); took > testtime.Within(2*time.Second) {
				t.Errorf("%.70q takes %v: %v", text[55:], took, err)
			}
		}
	}
}
