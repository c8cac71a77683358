package llm

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// The providers that are known by name. Any other name needs a base URL and speaks OpenAI's wire.
const (
	OpenAI     = "openai"
	OpenRouter = "openrouter"
	Anthropic  = "anthropic"
	Google     = "google"
	Ollama     = "ollama"
	NoModel    = "none"
)

// Settings say which model to ask, and how.
type Settings struct {
	Provider  string
	Model     string
	Key       string // never printed, never in an address
	BaseURL   string // "": the provider's own
	Wire      string // openai, anthropic or google; "": the provider's own
	PerMinute int    // requests; 0: no limit of ours
	Price     Price
	Params    Params
}

// Price is the price of a million tokens, in US dollars. Nothing is built in: prices change.
type Price struct {
	Input       float64 `json:"input"`
	CachedInput float64 `json:"cachedInput"`
	Output      float64 `json:"output"`
}

// provider holds the known facts of a provider.
type provider struct {
	name, wire, base string
	keys             []string // variables that hold its key
	model            string   // used when none is named
}

// providers in the order in which the first with a key is taken.
var providers = []provider{
	{OpenAI, OpenAI, "https://api.openai.com/v1", []string{"OPENAI_API_KEY"}, "gpt-4.1"},
	{OpenRouter, OpenAI, "https://openrouter.ai/api/v1", []string{"OPENROUTER_API_KEY"}, "openai/gpt-4.1"},
	{Anthropic, Anthropic, "https://api.anthropic.com", []string{"ANTHROPIC_API_KEY"}, "claude-sonnet-4-6"},
	{Google, Google, "https://generativelanguage.googleapis.com/v1beta", []string{"GOOGLE_API_KEY", "GEMINI_API_KEY"},
		"gemini-2.5-pro"},
	{Ollama, OpenAI, "http://127.0.0.1:11434/v1", nil, ""},
}

// KeyVariables are the environment variables that hold keys of providers.
func KeyVariables() []string {
	var out []string
	for _, p := range providers {
		out = append(out, p.keys...)
	}
	return out
}

// Variables are the environment variables that may hold keys: of the providers, and those that the llm mapping of
// trailblaze.yaml names.
func Variables(config map[string]any) []string {
	out := KeyVariables()
	own, _ := at(config, "providers").(map[string]any)
	for name := range own {
		if v := text(own, name, "auth", "env_var"); v != "" {
			out = append(out, v)
		}
	}
	return out
}

// Address returns the address of a provider in an llm mapping, and the variables of its key; "" where nothing of that
// takes trust: at the provider's own address with its own key, and on this machine without any.
func Address(config map[string]any, name string) (address string, keys []string) {
	p, _ := known(name)
	address = strings.TrimRight(cmp.Or(text(config, "providers", name, "base_url"), p.base), "/")
	keys = Choosing{Config: config}.variables(name)
	u, err := url.Parse(address)
	here := err == nil && loopback(u.Hostname())
	foreign := slices.ContainsFunc(keys, func(k string) bool { return !slices.Contains(p.keys, k) })
	if address == p.base && !foreign || here && len(keys) == 0 {
		return "", nil
	}
	return address, keys
}

func known(name string) (provider, bool) {
	i := slices.IndexFunc(providers, func(p provider) bool { return p.name == name })
	if i < 0 {
		return provider{name: name, wire: OpenAI}, false
	}
	return providers[i], true
}

// New makes the model that the settings name. It sends no request.
func New(s Settings) (Model, error) {
	const op = "choose model"
	p, isKnown := known(s.Provider)
	s.Wire, s.BaseURL = cmp.Or(s.Wire, p.wire), strings.TrimRight(cmp.Or(s.BaseURL, p.base), "/")
	s.Model = cmp.Or(s.Model, p.model)
	if err := s.usable(p, isKnown); err != nil {
		return nil, err
	}
	switch s.Wire {
	case OpenAI:
		return newOpenAI(s), nil
	case Anthropic:
		return newAnthropic(s), nil
	case Google:
		return newGemini(s), nil
	}
	return nil, fault.New(fault.Invalid, op, "%q is not a type of provider", s.Wire).
		WithHint("It is openai, anthropic or google.")
}

// usable says what is wrong before anything is sent.
func (s Settings) usable(p provider, isKnown bool) error {
	const op = "choose model"
	u, err := url.Parse(s.BaseURL)
	switch {
	case !isKnown && s.BaseURL == "":
		return unknownProvider(s.Provider)
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return fault.New(fault.Invalid, op, "the base_url of %s, %q, is not an http address", s.Provider, s.BaseURL).
			WithHint("Write it with its scheme, such as http://127.0.0.1:11434/v1.")
	case u.Scheme == "http" && s.Key != "" && !loopback(u.Hostname()):
		return fault.New(fault.Denied, op, "the key of %s would go over the network in the clear", s.Provider).
			WithHint("Give its base_url with https.")
	case s.Model == "":
		return fault.New(fault.Invalid, op, "no model of %s is named", s.Provider).
			WithHint("trailblaze config set llm %s/<model>", s.Provider)
	case s.Key == "" && len(p.keys) > 0 && s.BaseURL == p.base:
		return fault.New(fault.Unavailable, op, "%s needs a key", s.Provider).
			WithHint("Set %s in the environment of this command, or keep one in the keyring: trailblaze config llm --keep %s.",
				strings.Join(p.keys, " or "), s.Provider)
	}
	return s.Params.usable()
}

func names() (out []string) {
	for _, p := range providers {
		out = append(out, p.name)
	}
	return out
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Name is the name of the model, as Model gives it.
func (s Settings) Name() string { return s.Provider + "/" + s.Model }

// priced puts the price on an answer.
func (s Settings) priced(r *Response) *Response {
	u := &r.Usage
	full := max(u.Input-u.CachedInput, 0)
	u.Cost = (float64(full)*s.Price.Input + float64(u.CachedInput)*cmp.Or(s.Price.CachedInput, s.Price.Input) +
		float64(u.Output)*s.Price.Output) / 1e6
	return r
}

// Choosing is the choice of a model: a person's request ("" lets the keys decide), the llm mapping of trailblaze.yaml,
// and the environment.
type Choosing struct {
	Asked   string                       // provider/model, provider, none, or ""
	Tier    string                       // inner or outer; "" is inner
	Config  map[string]any               // the mapping llm of trailblaze.yaml
	Env     func(name string) string     // nil: no variables
	Keyring func(provider string) string // asked for the key of a provider that somebody named; nil: there is none
	Local   func(context.Context) string // the model of a server on this machine; nil: nobody looks
	Named   bool                         // what nobody named does not count: neither keys nor a server
}

// named returns the provider in the name of the model, if there is one.
func (c Choosing) named() (provider string, ok bool) {
	provider, _, _ = strings.Cut(c.name(), "/")
	return provider, provider != "" && !strings.EqualFold(provider, NoModel)
}

// name returns the configured name of the model: in the call, or in a file for the tier or for all.
func (c Choosing) name() string {
	return strings.TrimSpace(cmp.Or(c.Asked, c.tier(), text(c.Config, "defaults", "model")))
}

// variables are those that may hold the key of a provider.
func (c Choosing) variables(provider string) []string {
	if v := text(c.Config, "providers", provider, "auth", "env_var"); v != "" {
		return []string{v}
	}
	p, _ := known(provider)
	return p.keys
}

// Choose finds the settings. A provider of "none", or one that nothing names and no key or running server shows, is
// no model: ok is false.
func Choose(ctx context.Context, c Choosing) (s Settings, ok bool) {
	if c.Env == nil {
		c.Env = func(string) string { return "" }
	}
	asked := c.name()
	if strings.EqualFold(asked, NoModel) {
		return Settings{}, false
	}
	name, model, _ := strings.Cut(asked, "/")
	isNamed := name != ""
	if !isNamed {
		if c.Named {
			return Settings{}, false
		}
		if name, model = c.detect(ctx); name == "" {
			return Settings{}, false
		}
	}
	p, _ := known(name)
	own, _ := at(c.Config, "providers", name).(map[string]any)
	s = Settings{
		Provider: name, Model: model, BaseURL: text(own, "base_url"), Wire: wireOf(text(own, "type")),
		PerMinute: int(number(own, "requests_per_minute")), Params: paramsOf(own, c.Config),
	}
	s.Key = c.key(name, isNamed)
	s.Model = cmp.Or(s.Model, text(own, "default_model"), p.model)
	if s.Model == "" && name == Ollama && c.Local != nil {
		s.Model = c.Local(ctx)
	}
	for _, m := range list(own, "models") {
		if text(m, "id") == s.Model {
			s.Price = Price{number(m, "cost", "input_per_million"), number(m, "cost", "cached_input_per_million"),
				number(m, "cost", "output_per_million")}
		}
	}
	return s, true
}

// key is the key of a provider, "" when there is none.
func (c Choosing) key(provider string, isNamed bool) string {
	vars := c.variables(provider)
	for _, v := range vars {
		if key := c.Env(v); key != "" {
			return key
		}
	}
	if !isNamed || len(vars) == 0 || c.Keyring == nil {
		return ""
	}
	return c.Keyring(provider)
}

// tier is the model that the settings name for a tier.
func (c Choosing) tier() string { return text(c.Config, "tiers", cmp.Or(c.Tier, "inner")) }

// detect finds the first provider that can be used.
func (c Choosing) detect(ctx context.Context) (name, model string) {
	for _, p := range providers {
		for _, v := range p.keys {
			if c.Env(v) != "" {
				return p.name, ""
			}
		}
	}
	if c.Local != nil {
		if model = c.Local(ctx); model != "" {
			return Ollama, model
		}
	}
	return "", ""
}

func wireOf(t string) string {
	switch t {
	case "openai_compatible", "ollama", "openrouter":
		return OpenAI
	}
	return t
}

// LocalModel asks the Ollama of this machine which models it has, and names the first; "" when none runs.
func LocalModel(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://127.0.0.1:11434/v1/models", nil)
	if err != nil {
		return ""
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return ""
	}
	defer func() { _ = resp.Body.Close() }()
	var doc struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	err = json.NewDecoder(io.LimitReader(resp.Body, 1<<20)).Decode(&doc)
	if err != nil || resp.StatusCode != http.StatusOK || len(doc.Data) == 0 {
		return ""
	}
	return doc.Data[0].ID
}

// at is a value inside of mappings, nil when it is not there.
func at(m map[string]any, path ...string) any {
	var v any = m
	for _, key := range path {
		inner, _ := v.(map[string]any)
		if inner == nil {
			return nil
		}
		v = inner[key]
	}
	return v
}

func text(m map[string]any, path ...string) string {
	if v := at(m, path...); v != nil {
		return fmt.Sprint(v)
	}
	return ""
}

// Number is a number inside of mappings, 0 when it is not there.
func Number(m map[string]any, path ...string) float64 { return number(m, path...) }

func number(m map[string]any, path ...string) float64 {
	switch v := at(m, path...).(type) {
	case float64:
		return v
	case int:
		return float64(v)
	case int64:
		return float64(v)
	case uint64:
		return float64(v)
	}
	return 0
}

func list(m map[string]any, path ...string) (out []map[string]any) {
	items, _ := at(m, path...).([]any)
	for _, item := range items {
		if one, ok := item.(map[string]any); ok {
			out = append(out, one)
		}
	}
	return out
}
