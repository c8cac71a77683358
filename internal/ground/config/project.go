package config

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"github.com/trailblaze-dev/trailblaze/internal/ground/yaml"
)

// Project holds the declarations of a workspace's files beside settings.
type Project struct {
	Servers     []Server       // external MCP servers, in the order of the files
	Targets     []string       // ids of the targets to load; none: all that are found
	Toolsets    []Entry        // files of toolsets, or toolsets themselves
	Tools       []Entry        // files or folders of tools
	LLM         map[string]any // of models; its providers hold those of the root "providers", too
	FromProject []string       // providers that a project's file declares, and not the user's own
}

// Server is an external MCP server.
type Server struct {
	Name      string            `json:"name"`
	Transport string            `json:"transport"` // stdio or http
	Command   string            `json:"command,omitempty"`
	Args      []string          `json:"args,omitempty"`
	Dir       string            `json:"workingDir,omitempty"` // relative to the workspace
	Env       map[string]string `json:"env,omitempty"`
	URL       string            `json:"url,omitempty"`
	Headers   map[string]string `json:"headers,omitempty"`
	Sampling  bool              `json:"sampling,omitempty"`
	Secrets   []string          `json:"secrets,omitempty"`
	Timeout   time.Duration     `json:"timeout,omitempty"`
	Names     Names             `json:"names,omitzero"`
	Listed    string            `json:"listed,omitempty"` // always or demand; "": as many tools as it has decide
	Place     string            `json:"place"`            // file and line
}

// Names choose the tools of a server, and their names here, by the names of the server.
type Names struct {
	Prefix  string            `json:"prefix,omitempty"`
	Plain   bool              `json:"plain,omitempty"` // prefix: ""
	Include []string          `json:"include,omitempty"`
	Exclude []string          `json:"exclude,omitempty"`
	Rename  map[string]string `json:"rename,omitempty"`
}

// Entry is an item of a list, with its place.
type Entry struct {
	Value any    `json:"value"`
	Place string `json:"place"` // file and line
	Dir   string `json:"-"`     // that file names in it are relative to: the folder of the file
}

// serverKeys are the keys of a server, in the list form and in the map form alike. The second spelling of some is
// that of other clients' configuration files.
var serverKeys = []string{
	"name", "transport", "type", "command", "args", "workingDir", "cwd", "env", "url", "headers", "sampling", "secrets",
	"timeout", "prefix", "tools", "listed",
}

// toolsKeys are those of tools in a server's entry.
var toolsKeys = []string{"include", "exclude", "rename"}

// declarations reads the declarations of one file. Wrong ones are left out and reported.
type declarations struct {
	path  string
	lines map[string]int // of top keys, and of "key/index" or "key/name" below them
	named []string       // files of providers
	out   Project
	warn  []string
}

func (d *declarations) place(key string) string {
	if n := d.lines[key]; n > 0 {
		return fmt.Sprintf("%s:%d", d.path, n)
	}
	return d.path
}

func (d *declarations) wrong(key, format string, args ...any) {
	d.warn = append(d.warn, d.place(key)+": "+fmt.Sprintf(format, args...))
}

// declared reads the declarations of a file's document.
func declared(path, text string, doc map[string]any) *declarations {
	d := &declarations{path: path, lines: linesOf(text)}
	for _, key := range []string{"mcpServers", "mcp_servers"} {
		d.servers(key, doc[key])
	}
	for _, e := range d.entries("targets", doc["targets"]) {
		if id, ok := e.Value.(string); ok {
			d.out.Targets = append(d.out.Targets, id)
			continue
		}
		d.warn = append(d.warn, e.Place+": targets: an item is the id of a target, such as shop")
	}
	d.out.Toolsets = d.entries("toolsets", doc["toolsets"])
	d.out.Tools = d.entries("tools", doc["tools"])
	d.out.LLM = d.models(doc["llm"], doc["providers"])
	return d
}

// entries reads a list. A single text is a list of one.
func (d *declarations) entries(key string, v any) []Entry {
	var list []any
	switch v := v.(type) {
	case nil:
		return nil
	case []any:
		list = v
	case string:
		return []Entry{{v, d.place(key), filepath.Dir(d.path)}}
	default:
		d.wrong(key, "%s: must be a list", key)
		return nil
	}
	out := make([]Entry, len(list))
	for i, item := range list {
		out[i] = Entry{item, d.place(fmt.Sprint(key, "/", i)), filepath.Dir(d.path)}
	}
	return out
}

// servers reads both forms of the servers: a list of entries with a name, and a mapping of names to entries (R246).
func (d *declarations) servers(key string, v any) {
	switch v := v.(type) {
	case nil:
	case []any:
		for i, item := range v {
			d.server(fmt.Sprint(key, "/", i), "", item)
		}
	case map[string]any:
		for _, name := range slices.SortedFunc(maps.Keys(v), func(a, b string) int {
			return cmp.Or(cmp.Compare(d.lines[key+"/"+a], d.lines[key+"/"+b]), cmp.Compare(a, b))
		}) {
			d.server(key+"/"+name, name, v[name])
		}
	default:
		d.wrong(key, "%s: must be a list of servers, or a mapping of names to servers", key)
	}
}

func (d *declarations) server(key, name string, v any) {
	in, ok := v.(map[string]any)
	if !ok {
		d.wrong(key, "a server is a mapping with name and command, or with name, transport: http and url")
		return
	}
	f := &fields{of: in}
	s := Server{
		Name: cmp.Or(name, f.text("name")), Transport: strings.ToLower(cmp.Or(f.text("transport"), f.text("type"))),
		Command: f.text("command"), Args: f.texts("args"), Dir: cmp.Or(f.text("workingDir"), f.text("cwd")),
		Env: f.pairs("env"), URL: f.text("url"), Headers: f.pairs("headers"), Sampling: f.flag("sampling"),
		Secrets: f.texts("secrets"), Timeout: f.duration("timeout"), Place: d.place(key),
		Names: f.names(), Listed: f.text("listed"),
	}
	for _, k := range sorted(in) {
		if !slices.Contains(serverKeys, k) {
			d.wrong(key, "server %q: unknown key %q", s.Name, k)
		}
	}
	if f.bad == "" {
		f.bad = s.complete()
	}
	if f.bad == "" && slices.ContainsFunc(d.out.Servers, func(o Server) bool { return o.Name == s.Name }) {
		f.bad = "there is another server with this name"
	}
	if f.bad != "" {
		d.wrong(key, "server %q is left out: %s", s.Name, f.bad)
		return
	}
	d.out.Servers = append(d.out.Servers, s)
}

// complete fills in the transport, and returns a text about missing fields.
func (s *Server) complete() string {
	if s.Transport == "" && s.Command == "" && s.URL != "" {
		s.Transport = "http"
	}
	switch s.Transport {
	case "":
		s.Transport = "stdio"
	case "streamable-http", "streamablehttp":
		s.Transport = "http"
	}
	switch {
	case s.Name == "":
		return "it has no name"
	case s.Transport != "stdio" && s.Transport != "http":
		return fmt.Sprintf("transport %q is not stdio or http", s.Transport)
	case !slices.Contains([]string{"", "always", "demand"}, s.Listed):
		return fmt.Sprintf("listed %q is not always or demand", s.Listed)
	}
	if bad := s.checkEndpoint(); bad != "" {
		return bad
	}
	if s.Dir != "" && !filepath.IsLocal(filepath.FromSlash(s.Dir)) {
		return fmt.Sprintf("workingDir %q is not below the workspace", s.Dir)
	}
	return ""
}

// checkEndpoint describes the mistake in the command or the URL of a server.
func (s *Server) checkEndpoint() string {
	switch {
	case s.Transport == "http" && s.URL == "":
		return "it has no url"
	case s.Transport == "http" && s.Command != "":
		return "a server with transport: http runs already, so it takes no command"
	case s.Transport == "http":
		return ""
	case s.Command == "":
		return "it has no command; a server that runs already has transport: http and url"
	case s.URL != "":
		return "it has both a command and a url; write transport: http to connect to the url"
	}
	return ""
}

// fields reads typed fields of a mapping, and remembers the first that is of another type.
type fields struct {
	of  map[string]any
	bad string
}

func (f *fields) wrong(key, want string) {
	if f.bad == "" {
		f.bad = key + " must be " + want
	}
}

func (f *fields) text(key string) string {
	v, there := f.of[key]
	if !there || v == nil {
		return ""
	}
	if !scalar(v) {
		f.wrong(key, "a text")
		return ""
	}
	return fmt.Sprint(v)
}

func (f *fields) texts(key string) []string {
	v, there := f.of[key]
	if !there || v == nil {
		return nil
	}
	list, ok := v.([]any)
	if !ok || slices.ContainsFunc(list, func(v any) bool { return !scalar(v) }) {
		f.wrong(key, "a list of texts")
		return nil
	}
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = fmt.Sprint(v)
	}
	return out
}

func (f *fields) pairs(key string) map[string]string {
	v, there := f.of[key]
	if !there || v == nil {
		return nil
	}
	m, ok := v.(map[string]any)
	out := map[string]string{}
	for k, v := range m {
		ok = ok && scalar(v)
		out[k] = fmt.Sprint(v)
	}
	if !ok {
		f.wrong(key, "a mapping of names to texts")
		return nil
	}
	return out
}

// names reads prefix and tools of a server.
func (f *fields) names() Names {
	prefix, there := f.of["prefix"]
	out := Names{Prefix: f.text("prefix")}
	out.Plain = there && prefix != nil && out.Prefix == "" && f.bad == ""
	v, there := f.of["tools"]
	if !there || v == nil {
		return out
	}
	in, ok := v.(map[string]any)
	for k := range in {
		ok = ok && slices.Contains(toolsKeys, k)
	}
	if !ok {
		f.wrong("tools", "a mapping with some of "+strings.Join(toolsKeys, ", "))
		return out
	}
	t := &fields{of: in}
	out.Include, out.Exclude, out.Rename = t.texts("include"), t.texts("exclude"), t.pairs("rename")
	if t.bad != "" && f.bad == "" {
		f.bad = "tools: " + t.bad
	}
	return out
}

func (f *fields) flag(key string) bool {
	v, there := f.of[key]
	b, ok := v.(bool)
	if there && !ok {
		f.wrong(key, "true or false")
	}
	return b
}

func (f *fields) duration(key string) time.Duration {
	text := f.text(key)
	if text == "" {
		return 0
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		f.wrong(key, "a time such as 30s")
		return 0
	}
	return d
}

// linesOf finds the lines of the top keys of a text and of the keys directly below them.
func linesOf(text string) map[string]int {
	out := map[string]int{}
	file, err := yaml.Parse(text)
	if err != nil || len(file.Docs) == 0 {
		return out
	}
	keys, _ := yaml.Entries(file.Docs[0].Body)
	for _, k := range keys {
		out[k.Key] = k.Pos.Line
		if list, ok := k.Value.(*ast.SequenceNode); ok {
			for i, item := range list.Values {
				out[fmt.Sprint(k.Key, "/", i)] = yaml.Start(item).Line
			}
		}
		below, _ := yaml.Entries(k.Value)
		for _, b := range below {
			out[k.Key+"/"+b.Key] = b.Pos.Line
		}
	}
	return out
}

// join adds what a stronger file declares. Of two servers with one name the stronger file's stays.
func (p Project) join(o Project) Project {
	p.Servers = slices.DeleteFunc(slices.Clone(p.Servers), func(s Server) bool {
		return slices.ContainsFunc(o.Servers, func(t Server) bool { return t.Name == s.Name })
	})
	p.Servers = append(p.Servers, o.Servers...)
	if len(o.Targets) > 0 {
		p.Targets = o.Targets
	}
	p.Toolsets = append(slices.Clone(p.Toolsets), o.Toolsets...)
	p.Tools = append(slices.Clone(p.Tools), o.Tools...)
	p.LLM, p.FromProject = over(p.LLM, o.LLM), append(slices.Clone(p.FromProject), o.FromProject...)
	return p
}
