// Package passerelle controls a Passerelle stub from tests in Go 1.19 or newer. Copy this file to a folder passerelle; it needs no module.
//
//	stub, err := passerelle.Start("pos") // in TestMain; stub.Close() after m.Run()
//	world, err := stub.World(nil)
//	err = world.Fault("createSale:status=503,times=1")
//	// your program calls stub.URL with world.Credentials
//	call, err := world.WaitForCall(passerelle.Map{"operation": "createSale", "status": 201})
//	err = world.Close()
package passerelle

import (
	"bufio"
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const howToStart = "`npx --no -- passerelle run pos -- COMMAND` starts a stub for a suite. Start does if PASSERELLE_POS_URL is not set, " +
	"by `npx --no -- passerelle` or the command in PASSERELLE_COMMAND."
const toleranceSeconds = 300

// limit is how long a request may take, and a stub to start.
var limit = limitOf(os.Getenv("PASSERELLE_TIMEOUT"))
var client = &http.Client{Timeout: limit}
var addressForm = regexp.MustCompile(`^(https?://([\w.-]+|\[[\da-fA-F:]+\])(:\d+)?(/_stub/worlds/[\w-]+)?)/*$`)
var idForm = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)
var timestampForm = regexp.MustCompile(`^[0-9]{1,12}$`)

// Map is a JSON object.
type Map = map[string]any

// Stub is a stub, or a world of one.
type Stub struct {
	URL string
	// Credentials are what it accepts: apiKey and apiSecret (pos), or token (cohesion).
	Credentials Map
	// Secret signs its webhooks.
	Secret string
	// Timeout is how long WaitForCall and WaitForDelivery wait: 4 s.
	Timeout time.Duration

	operatorToken string
	ending        func() error
}

// Start starts a stub of pos or cohesion. It ends with Close, or with this process.
//
// If PASSERELLE_POS_URL (PASSERELLE_COHESION_URL) is set, as by `passerelle run`, Start connects to that one.
// PASSERELLE_COMMAND replaces `npx --no -- passerelle`; its words are separated by spaces.
func Start(service string) (*Stub, error) {
	if running := os.Getenv("PASSERELLE_" + strings.ToUpper(service) + "_URL"); running != "" {
		return Connect(running)
	}
	words := strings.Fields(os.Getenv("PASSERELLE_COMMAND"))
	if len(words) == 0 {
		words = []string{"npx", "--no", "--", "passerelle"}
	}
	words = append(words, "stub", service, "--port", "0", "--quiet", "--until-input-ends")
	process := exec.Command(words[0], words[1:]...)
	input, _ := process.StdinPipe()
	output, _ := process.StdoutPipe()
	process.Stderr = process.Stdout
	if err := process.Start(); err != nil {
		return nil, fmt.Errorf("cannot run %s: %w. Is Node installed? %s", strings.Join(words, " "), err, howToStart)
	}
	lines := make(chan string)
	go func() {
		for scanner := bufio.NewScanner(output); scanner.Scan(); {
			lines <- scanner.Text()
		}
		close(lines)
	}()
	printed, why := []string{}, ""
	for late := time.After(limit); why == ""; {
		select {
		case line, is := <-lines:
			if strings.HasPrefix(line, "http") {
				stub, err := Connect(line)
				if err == nil {
					stub.ending = func() error { input.Close(); return process.Wait() }
				}
				return stub, err
			}
			printed = append(printed, line)
			if !is {
				process.Wait()
				why = fmt.Sprintf("ended with %v; its output", process.ProcessState)
			}
		case <-late:
			why = fmt.Sprintf("did not say its address within %v s; its output so far", limit.Seconds())
			process.Process.Kill()
			process.Wait()
		}
	}
	said := strings.TrimSpace(strings.Join(printed, "\n"))
	if said == "" {
		said = "nothing"
	}
	return nil, fmt.Errorf("%s %s: %s", strings.Join(words, " "), why, said)
}

func limitOf(text string) time.Duration {
	if seconds, err := strconv.ParseFloat(text, 64); err == nil {
		return time.Duration(seconds * float64(time.Second))
	}
	return 30 * time.Second
}

// Connect takes the address of a stub that runs.
func Connect(address string) (*Stub, error) {
	found := addressForm.FindStringSubmatch(address)
	if found == nil {
		return nil, fmt.Errorf("%q is no address of a stub: write it as http://127.0.0.1:4744, without a path", address)
	}
	stub := &Stub{URL: found[1], Timeout: 4 * time.Second, ending: func() error { return nil }}
	about, err := stub.Control("GET", "/_stub", nil)
	if err != nil {
		return nil, err
	}
	known := about.(Map)
	stub.Credentials, stub.Secret = known["credentials"].(Map), known["secret"].(string)
	stub.operatorToken = known["operatorToken"].(string)
	return stub, nil
}

// Close stops the stub that Start started, or ends the world. A stub that ran before stays.
func (stub *Stub) Close() error { return stub.ending() }

// Reset puts data, endpoints, clock, limits, faults and calls back to the start.
func (stub *Stub) Reset() error {
	_, err := stub.Control("POST", "/_stub/reset", nil)
	return err
}

// World starts a world: a stub inside this one, with its own credentials. Options: name, seed, clock, faults, webhooks...
func (stub *Stub) World(options Map) (*Stub, error) {
	if options == nil {
		options = Map{}
	}
	made, err := stub.Control("POST", "/_stub/worlds", options)
	if err != nil {
		return nil, err
	}
	world, err := Connect(made.(Map)["url"].(string))
	if err == nil {
		world.ending = func() error { _, err := world.Control("DELETE", "", nil); return err }
	}
	return world, err
}

// Fault adds a fault: a rule such as "createSale:status=503,times=1", or a Map.
func (stub *Stub) Fault(rule any) error {
	_, err := stub.Control("POST", "/_stub/faults", Map{"rule": rule})
	return err
}

// Advance moves the clock by a duration such as "72h", and runs what falls due. It returns the new time.
func (stub *Stub) Advance(by string) (string, error) {
	now, err := stub.Control("POST", "/_stub/clock/advance", Map{"by": by})
	if err != nil {
		return "", err
	}
	return now.(Map)["now"].(string), nil
}

// WaitForCall returns the oldest call that matches, now or until Timeout. Filter: operation, method, path, status.
func (stub *Stub) WaitForCall(filter Map) (Map, error) {
	all := func(Map) bool { return true }
	return stub.wait("call", "/_stub/calls", filter, all, "method", "path", "status")
}

// WaitForDelivery returns the oldest delivery that was attempted and matches. Filter: event_type, status, endpoint_id, event_id.
func (stub *Stub) WaitForDelivery(filter Map) (Map, error) {
	isOver := func(one Map) bool { return one["attempts"] != 0.0 || one["status"] != "pending" }
	found, err := stub.wait("delivery", "/manage/v1/deliveries", filter, isOver, "event_type", "status")
	if err != nil {
		return nil, err
	}
	delivery, err := stub.Control("GET", fmt.Sprint("/manage/v1/deliveries/", found["id"]), nil)
	if err != nil {
		return nil, err
	}
	return delivery.(Map), nil
}

func (stub *Stub) wait(what, path string, filter Map, fits func(Map) bool, shown ...string) (Map, error) {
	query := url.Values{}
	for name, value := range filter {
		query.Set(name, fmt.Sprint(value))
	}
	for end := time.Now().Add(stub.Timeout); ; time.Sleep(20 * time.Millisecond) {
		found, err := stub.Control("GET", path+"?"+query.Encode(), nil)
		if err != nil {
			return nil, err
		}
		list := found.([]any)
		for at := range list {
			// The manage API lists the newest first, also those that were not attempted yet.
			if what == "delivery" {
				at = len(list) - 1 - at
			}
			if one := list[at].(Map); fits(one) {
				return one, nil
			}
		}
		if time.Now().After(end) {
			break
		}
	}
	all, err := stub.Control("GET", path, nil)
	if err != nil {
		return nil, err
	}
	there := []string{}
	for _, one := range all.([]any) {
		words := []string{}
		for _, name := range shown {
			words = append(words, fmt.Sprint(one.(Map)[name]))
		}
		there = append(there, strings.Join(words, " "))
	}
	listed := "none"
	if len(there) > 0 {
		listed = fmt.Sprintf("%d: %s", len(there), strings.Join(there, ", "))
	}
	return nil, fmt.Errorf("waited %v s for a %s with ?%s. There are %s", stub.Timeout.Seconds(), what, query.Encode(), listed)
}

// Verify returns an error if the signature of a webhook is not genuine. body: its bytes as received. Default: the stub's secret.
func (stub *Stub) Verify(body []byte, header http.Header, secrets ...string) error {
	if len(secrets) == 0 {
		secrets = []string{stub.Secret}
	}
	if reason := refusal(body, header, secrets); reason != "" {
		return fmt.Errorf("the webhook is not genuine: %s", reason)
	}
	return nil
}

// Control calls another route of the control or manage API. It returns its data, or an error with the words of a refusal.
func (stub *Stub) Control(method, path string, body any) (any, error) {
	header := http.Header{"Authorization": {"Bearer " + stub.operatorToken}}
	status, reply, err := stub.Request(method, path, body, header)
	if err != nil {
		return nil, err
	}
	known, _ := reply.(Map)
	if data, has := known["data"]; has || status == http.StatusNoContent {
		return data, nil
	}
	words := any(fmt.Sprintf("%.200v", reply))
	if refused, is := known["error"].(Map); is {
		words = refused["message"]
	}
	return nil, fmt.Errorf("%s %s got %d: %v", method, path, status, words)
}

// Request makes a call, also of the API that the stub serves. It returns the status and the reply's JSON, or text.
func (stub *Stub) Request(method, path string, body any, header http.Header) (int, any, error) {
	var sent io.Reader
	header = header.Clone()
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return 0, nil, err
		}
		sent = bytes.NewReader(text)
		if header == nil {
			header = http.Header{}
		}
		header.Set("Content-Type", "application/json")
	}
	request, err := http.NewRequest(method, stub.URL+path, sent)
	if err != nil {
		return 0, nil, err
	}
	if header != nil {
		request.Header = header
	}
	response, err := client.Do(request)
	var text []byte
	if err == nil {
		defer response.Body.Close()
		text, err = io.ReadAll(response.Body)
	}
	if os.IsTimeout(err) {
		return 0, nil, fmt.Errorf("%s%s did not answer within %v s", stub.URL, path, limit.Seconds())
	}
	if err != nil {
		return 0, nil, fmt.Errorf("no stub answers at %s (%w). %s", stub.URL, err, howToStart)
	}
	var reply any
	if len(text) > 0 && json.Unmarshal(text, &reply) != nil {
		reply = string(text)
	}
	return response.StatusCode, reply, nil
}

// From receivers/samples/receiver.go:
// refusal returns why this body must be rejected; "" if it is genuine.
func refusal(body []byte, header http.Header, secrets []string) string {
	id, timestamp, signatures := only(header, "Webhook-Id"), only(header, "Webhook-Timestamp"), only(header, "Webhook-Signature")
	if id == "" && timestamp == "" && signatures == "" {
		if only(header, "X-Service-Signature") == "" {
			return "no signature header: neither webhook-* nor x-service-signature"
		}
		for _, secret := range secrets {
			expected := "sha256=" + hex.EncodeToString(digest([]byte(secret), body))
			if hmac.Equal([]byte(only(header, "X-Service-Signature")), []byte(expected)) {
				return ""
			}
		}
		return "wrong x-service-signature"
	}
	// Without a dot in the id, the signed text can be cut in one way only.
	if !idForm.MatchString(id) || !timestampForm.MatchString(timestamp) {
		return "missing or malformed webhook-* header"
	}
	if !anySigned(signatures, secrets, []byte(id+"."+timestamp+"."), body) {
		return "wrong webhook-signature"
	}
	seconds, _ := strconv.ParseInt(timestamp, 10, 64)
	age := time.Now().Unix() - seconds
	if age > toleranceSeconds || -age > toleranceSeconds {
		return "webhook-timestamp too old or too new"
	}
	return ""
}

func anySigned(signatures string, secrets []string, parts ...[]byte) bool {
	found := false
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		// Anyone can sign with an empty key.
		if err != nil || len(key) == 0 {
			continue
		}
		expected := "v1," + base64.StdEncoding.EncodeToString(digest(key, parts...))
		for _, given := range strings.Split(signatures, " ") {
			found = hmac.Equal([]byte(given), []byte(expected)) || found
		}
	}
	return found
}

func digest(key []byte, parts ...[]byte) []byte {
	mac := hmac.New(sha256.New, key)
	for _, part := range parts {
		mac.Write(part)
	}
	return mac.Sum(nil)
}

// only returns a header's value. A repeated header is joined into one value, which matches nothing.
func only(header http.Header, name string) string { return strings.Join(header.Values(name), ", ") }

// Until here.
