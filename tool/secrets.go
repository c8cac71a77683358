package tool

import (
	"fmt"
	"slices"

	"github.com/trailblaze-dev/trailblaze/driver"
)

// Secrecy is the use of a secret in an argument.
type Secrecy int

// Where a secret goes.
const (
	Nowhere Secrecy = iota // it may not stand there
	Typed                  // into a field, whose document is asked
	Sent                   // with a request, which must go to the origin that the secret is bound to
	Passed                 // to calls that are decided on their own, or to a program that declares the argument
)

// Takes returns the use of a secret in an argument.
func (s *Spec) Takes(argument string) Secrecy {
	e := s.Effects
	switch {
	case e != nil && slices.Contains(e.Types, argument):
		return Typed
	case e != nil && (slices.Contains(e.Opens, argument) || slices.Contains(e.Sends, argument)):
		return Sent
	case s.Secret(argument), e != nil && e.CallsTools && !e.Server && !e.Process:
		return Passed
	}
	return Nowhere
}

// Admits reports whether a secret that is bound to an origin, "" for none, is allowed in an argument of a call.
func (s *Spec) Admits(argument, bound string, args Args) bool {
	takes := s.Takes(argument)
	if takes != Sent {
		return takes != Nowhere
	}
	opens := args.Texts(s.Effects.Opens...)
	return bound != "" && len(opens) > 0 &&
		!slices.ContainsFunc(opens, func(url string) bool { return driver.Origin(url) != bound })
}

// Where returns the places for a secret that an argument does not admit.
func (s *Spec) Where(argument, name, bound string) string {
	switch {
	case s.Takes(argument) == Sent && bound == "":
		return fmt.Sprintf("Bind it to an origin under secrets.%s of the policy, or with --secret-origin: requests take "+
			"it there. Into fields it is typed anyway.", name)
	case s.Takes(argument) == Sent:
		return "It is bound to " + bound + ": write a whole address there, or type it into a field."
	case s.Origin != "":
		return fmt.Sprintf("A secret goes into a field. If %s should get it, declare it: secretArguments: [%q].", s.Name,
			argument)
	}
	return "A secret is typed into a field, or goes with a request to the origin that it is bound to."
}
