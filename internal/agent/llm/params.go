package llm

import (
	"cmp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// Params control how a model chooses its words, and how long it may take for the next one. They are texts of the
// settings, so that settings can be compared.
type Params struct {
	Temperature string // "": 0, for answers that come again; none: that of the provider
	Seed        string // a whole number; "": none
	Parallel    string // true or false: whether one answer may have several calls; "": as the provider does
	MaxTokens   string // of an answer; "": as the question says
	MaxSilence  string // for which an answer may stop, such as 5m; "": 90 s
}

// The names of the parameters, in the settings and in what providers say of them.
const (
	temperature = "temperature"
	seed        = "seed"
	parallel    = "parallel_tool_calls"
	maxTokens   = "max_tokens"
	maxSilence  = "max_silence"
)

// paramsOf reads the parameters of a provider, and where it has none those of all.
func paramsOf(own, all map[string]any) (p Params) {
	for name, field := range map[string]*string{temperature: &p.Temperature, seed: &p.Seed, parallel: &p.Parallel,
		maxTokens: &p.MaxTokens, maxSilence: &p.MaxSilence} {
		*field = cmp.Or(text(own, name), text(all, name))
	}
	return p
}

// usable says what is wrong with the parameters.
func (p Params) usable() error {
	for _, c := range []struct {
		name, value string
		read        func(string) error
		takes       string
	}{
		{temperature, p.Temperature, func(v string) error {
			_, err := strconv.ParseFloat(v, 64)
			if v == "none" {
				err = nil
			}
			return err
		}, "a number, or none"},
		{seed, p.Seed, func(v string) error { _, err := strconv.ParseInt(v, 10, 64); return err }, "a whole number"},
		{parallel, p.Parallel, func(v string) error { _, err := strconv.ParseBool(v); return err }, "true or false"},
		{maxTokens, p.MaxTokens, func(v string) error { _, err := strconv.ParseUint(v, 10, 31); return err },
			"a whole number"},
		{maxSilence, p.MaxSilence, func(v string) error {
			if d, err := time.ParseDuration(v); err != nil || d <= 0 {
				return errCut
			}
			return nil
		}, "a time such as 90s or 5m"},
	} {
		if c.value != "" && c.read(c.value) != nil {
			return fault.New(fault.Invalid, "choose model", "%s of llm is %q, and takes %s", c.name, c.value, c.takes)
		}
	}
	return nil
}

// sent are the parameters that a model still takes. Newer models refuse some of them, such as any temperature: a
// refused parameter is not sent again.
type sent struct {
	Params
	mu      sync.Mutex
	refused map[string]bool
}

// drops says whether a provider refused a request for a parameter, which is left out from then on.
func (s *sent) drops(err error) bool {
	if err == nil || !strings.Contains(err.Error(), refusedRequest) {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range []string{temperature, seed, parallel} {
		if strings.Contains(err.Error(), name) && !s.refused[name] {
			if s.refused == nil {
				s.refused = map[string]bool{}
			}
			s.refused[name] = true
			return true
		}
	}
	return false
}

func (s *sent) takes(name, value string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return value != "" && !s.refused[name]
}

// temperature returns the temperature to send; ok is false for none.
func (s *sent) temperature() (t float64, ok bool) {
	v := cmp.Or(s.Temperature, "0")
	t, err := strconv.ParseFloat(v, 64)
	return t, err == nil && s.takes(temperature, v)
}

func (s *sent) seed() (n int64, ok bool) {
	n, err := strconv.ParseInt(s.Seed, 10, 64)
	return n, err == nil && s.takes(seed, s.Seed)
}

func (s *sent) parallel() (yes, ok bool) {
	yes, err := strconv.ParseBool(s.Parallel)
	return yes, err == nil && s.takes(parallel, s.Parallel)
}

// limit returns the largest length of an answer to r, in tokens.
func (s *sent) limit(r Request) int {
	if n, err := strconv.Atoi(s.MaxTokens); err == nil && n > 0 {
		return n
	}
	return r.limit()
}
