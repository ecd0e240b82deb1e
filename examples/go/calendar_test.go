package agenda

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

var options = []string{"--seed", "shapes", "--users", "roles", "--now", "2027-03-01T09:00:00Z"}

// addresses are those of the server, or of a world of it.
type addresses struct{ ID, URL, Control, Root string }

var (
	server  addresses
	started error
	start   sync.Once
	// The server that this process has started: its stdin closes with this process, however that ends.
	stdin io.WriteCloser
)

// serve starts a server for this package, unless CALENDAR_URL names one.
func serve() {
	server = addresses{URL: os.Getenv("CALENDAR_URL"), Control: os.Getenv("CALENDAR_CONTROL_URL")}
	if server.URL != "" {
		if api, err := url.Parse(server.URL); err == nil && server.Control == "" {
			server.Control = api.Scheme + "://" + api.Host + "/_calendar"
		}
		return
	}
	program := os.Getenv("CALENDAR_BIN") // an executable, or the single file calendar.js
	if program == "" {
		program = "calendar"
	}
	arguments := append([]string{"serve", "--memory", "--port", "0", "--json", "--quiet", "--until-stdin-closes"}, options...)
	if strings.HasSuffix(program, ".js") {
		program, arguments = "node", append([]string{program}, arguments...)
	}
	command := exec.Command(program, arguments...)
	command.Stderr = os.Stderr
	if stdin, started = command.StdinPipe(); started != nil {
		return
	}
	stdout, err := command.StdoutPipe()
	if started = err; started != nil {
		return
	}
	if started = command.Start(); started != nil {
		return
	}
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	if started = err; started == nil {
		started = json.Unmarshal(line, &server)
	}
}

// calendar is a world: a separate calendar on the server.
type calendar struct {
	t *testing.T
	addresses
}

// newCalendar returns the calendar of this test alone.
func newCalendar(t *testing.T) calendar {
	t.Helper()
	start.Do(serve)
	if started != nil {
		t.Fatalf("the calendar did not start: %v", started)
	}
	own := calendar{t: t}
	own.operate("POST", server.Control+"/worlds", map[string]any{"name": t.Name(), "required": true}, &own.addresses)
	t.Cleanup(func() { own.operate("DELETE", server.Control+"/worlds/"+own.ID, map[string]any{}, nil) })
	return own
}

// create creates a record as the administrator. This is not a request of the app: it meets no fault and is not logged.
func (c calendar) create(resource string, record any) {
	c.t.Helper()
	mark := strings.TrimSpace("api " + os.Getenv("CALENDAR_CONTROL_TOKEN"))
	request := newRequest(c.t, "POST", c.URL+"/"+resource, record)
	request.Header.Set("X-Calendar-Page", mark)
	request.SetBasicAuth("administrator", "administrator")
	c.do(request, nil)
}

func (c calendar) reset() {
	c.t.Helper()
	c.operate("POST", c.Control+"/reset", map[string]any{}, nil)
}

func (c calendar) setClock(now string) {
	c.t.Helper()
	c.operate("PUT", c.Control+"/clock", map[string]any{"now": now}, nil)
}

// fault injects a fault, like {"match": …, "then": 503, "times": 1}.
func (c calendar) fault(fault map[string]any) {
	c.t.Helper()
	c.operate("POST", c.Control+"/faults", fault, nil)
}

// verify fails unless the app sent these requests, like {"match": …, "exactly": 1} or {"match": …, "never": true}.
func (c calendar) verify(expected map[string]any) {
	c.t.Helper()
	c.operate("POST", c.Control+"/requests/verify", expected, nil)
}

// operate is any operation of the control API.
func (c calendar) operate(method, url string, body, result any) {
	c.t.Helper()
	request := newRequest(c.t, method, url, body)
	if token := os.Getenv("CALENDAR_CONTROL_TOKEN"); token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	c.do(request, result)
}

// do sends a request that has to succeed, and decodes the JSON of the response into result if it is not nil.
func (c calendar) do(request *http.Request, result any) {
	c.t.Helper()
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		c.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	if response.StatusCode >= 400 {
		c.t.Fatalf("%s %s: %s", request.Method, request.URL, text)
	}
	if result != nil {
		if err := json.Unmarshal(text, result); err != nil {
			c.t.Fatal(err)
		}
	}
}

func newRequest(t *testing.T, method, url string, body any) *http.Request {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequest(method, url, bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	return request
}
