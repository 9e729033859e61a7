// SECRET='whsec_...' PORT=9000 go run receiver.go   (during a rotation: both secrets, a space between)
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

const maxBytes = 1 << 20
const toleranceSeconds = 300

var idForm = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)
var timestampForm = regexp.MustCompile(`^[0-9]{1,12}$`)

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

// known has the ids of the events that came. Keep them in your database.
var known = map[string]bool{}
var knownLock sync.Mutex

// note returns the event before this one if it never came, or "".
func note(id, previous string) string {
	knownLock.Lock()
	defer knownLock.Unlock()
	isMissing := previous != "" && len(known) > 0 && !known[previous]
	known[id] = true
	if isMissing {
		return previous
	}
	return ""
}

func main() {
	secrets := strings.Fields(os.Getenv("SECRET"))
	usable := len(secrets) > 0
	for _, secret := range secrets {
		usable = usable && secret != "whsec_"
	}
	if !usable {
		fmt.Fprintln(os.Stderr, "Set SECRET to the signing secret of the endpoint.")
		os.Exit(1)
	}
	http.HandleFunc("/hook", func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, maxBytes))
		if err != nil {
			http.Error(response, "the body is too big or incomplete", http.StatusRequestEntityTooLarge)
			return
		}
		if reason := refusal(body, request.Header, secrets); reason != "" {
			http.Error(response, reason, http.StatusUnauthorized)
			return
		}
		var event struct{ Event string }
		json.Unmarshal(body, &event)
		// An ordered endpoint names the event before. If that never came, ask for it.
		if missing := note(only(request.Header, "Webhook-Id"), only(request.Header, "Webhook-Previous-Id")); missing != "" {
			fmt.Println("missing", missing)
		}
		// Answer at once and work afterwards; the same webhook-id may come again.
		fmt.Println("genuine", only(request.Header, "Webhook-Id"), event.Event)
		response.WriteHeader(http.StatusNoContent)
	})
	listener, err := net.Listen("tcp", "127.0.0.1:"+os.Getenv("PORT"))
	if err != nil {
		fmt.Fprintln(os.Stderr, "Set PORT to a free port, such as 9000:", err)
		os.Exit(1)
	}
	fmt.Println("listening", listener.Addr())
	panic((&http.Server{ReadTimeout: 10 * time.Second}).Serve(listener))
}
