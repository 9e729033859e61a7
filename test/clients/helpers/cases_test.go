// Interprets cases.json with passerelle.go: go test.
package cases

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"cases/passerelle"
)

type step struct {
	Do, As string
	With   []any
	Gives  any
	Fails  []string
}

var whole = regexp.MustCompile(`^\{([\w.-]+)\}$`)
var part = regexp.MustCompile(`\{([\w.-]+)\}`)

// A case starts with `stub`, and a new `world` of it. A step calls a method, and compares what it gives or how it fails.
func TestCases(t *testing.T) {
	text, err := os.ReadFile("cases.json")
	cases := []struct {
		Name  string
		Steps []step
	}{}
	if err != nil || json.Unmarshal(text, &cases) != nil {
		t.Fatal("cases.json cannot be read", err)
	}
	stub, err := passerelle.Start("cohesion")
	if err != nil {
		t.Fatal(err)
	}
	defer stub.Close()
	for _, one := range cases {
		t.Run(one.Name, func(t *testing.T) {
			world, err := stub.World(nil)
			if err != nil {
				t.Fatal(err)
			}
			defer world.Close()
			named := map[string]any{"stub": stub, "world": world}
			for _, step := range one.Steps {
				play(t, step, named)
			}
		})
	}
}

func play(t *testing.T, step step, named map[string]any) {
	target, verb, _ := strings.Cut(step.Do, ".")
	with := []any{}
	for _, one := range step.With {
		with = append(with, filled(one, named))
	}
	given, err := call(named[target].(*passerelle.Stub), verb, with)
	if (err != nil) != (step.Fails != nil) {
		t.Fatalf("%s: unexpected error %v", step.Do, err)
	}
	for _, words := range step.Fails {
		if wanted := filled(words, named).(string); !strings.Contains(strings.ToLower(err.Error()), strings.ToLower(wanted)) {
			t.Fatalf("%s: %q is not in %q", step.Do, wanted, err)
		}
	}
	if err == nil {
		show(t, step.Do, plain(given), filled(step.Gives, named))
		named[step.As] = given
	}
}

func call(target *passerelle.Stub, verb string, with []any) (any, error) {
	at := func(index int) any {
		if index < len(with) {
			return with[index]
		}
		return nil
	}
	text := func(index int) string { return at(index).(string) }
	object := func(index int) passerelle.Map { found, _ := at(index).(passerelle.Map); return found }
	header := func(index int) http.Header {
		made := http.Header{}
		for name, value := range object(index) {
			made.Set(name, value.(string))
		}
		return made
	}
	target.Timeout = 4 * time.Second
	if seconds, given := at(1).(float64); given {
		target.Timeout = time.Duration(seconds * float64(time.Second))
	}
	switch verb {
	case "start":
		return passerelle.Start(text(0))
	case "connect":
		return passerelle.Connect(text(0))
	case "close":
		return nil, target.Close()
	case "reset":
		return nil, target.Reset()
	case "world":
		return target.World(object(0))
	case "fault":
		return nil, target.Fault(at(0))
	case "advance":
		return target.Advance(text(0))
	case "waitForCall":
		return target.WaitForCall(object(0))
	case "waitForDelivery":
		return target.WaitForDelivery(object(0))
	case "verify":
		secrets := []string{}
		for index := 2; index < len(with); index++ {
			secrets = append(secrets, text(index))
		}
		return nil, target.Verify([]byte(text(0)), header(1), secrets...)
	case "control":
		return target.Control(text(0), text(1), at(2))
	case "request":
		status, body, err := target.Request(text(0), text(1), at(2), header(3))
		return passerelle.Map{"status": float64(status), "body": body}, err
	}
	return nil, fmt.Errorf("no step %s", verb)
}

func show(t *testing.T, what string, given, expected any) {
	switch expected := expected.(type) {
	case passerelle.Map:
		for name, value := range expected {
			show(t, what+"."+name, given.(passerelle.Map)[name], value)
		}
	case []any:
		if len(given.([]any)) != len(expected) {
			t.Fatalf("%s gave %v", what, given)
		}
		for at, value := range expected {
			show(t, what, given.([]any)[at], value)
		}
	case nil:
	default:
		if !reflect.DeepEqual(given, expected) {
			t.Fatalf("%s gave %v, not %v", what, given, expected)
		}
	}
}

func plain(value any) any {
	if stub, is := value.(*passerelle.Stub); is {
		return passerelle.Map{"url": stub.URL, "credentials": stub.Credentials, "secret": stub.Secret}
	}
	return value
}

// filled replaces `{stub.url}` in texts; alone, by the value itself.
func filled(value any, named map[string]any) any {
	switch value := value.(type) {
	case passerelle.Map:
		made := passerelle.Map{}
		for name, one := range value {
			made[name] = filled(one, named)
		}
		return made
	case []any:
		made := []any{}
		for _, one := range value {
			made = append(made, filled(one, named))
		}
		return made
	case string:
		if alone := whole.FindStringSubmatch(value); alone != nil {
			return found(alone[1], named)
		}
		return part.ReplaceAllStringFunc(value, func(path string) string { return fmt.Sprint(found(path[1:len(path)-1], named)) })
	}
	return value
}

func found(path string, named map[string]any) any {
	steps := strings.Split(path, ".")
	value := plain(named[steps[0]])
	for _, step := range steps[1:] {
		if list, is := value.([]any); is {
			at, _ := strconv.Atoi(step)
			value = list[at]
		} else {
			value = value.(passerelle.Map)[step]
		}
	}
	return value
}
