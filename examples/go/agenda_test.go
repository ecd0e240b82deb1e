package agenda

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

var api = os.Getenv("CALENDAR_URL")

// send sends JSON, and decodes the JSON of the response into result if it is not nil. It returns the status.
func send(t *testing.T, method, url string, body, result any) int {
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
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if result != nil {
		if err := json.NewDecoder(response.Body).Decode(result); err != nil {
			t.Fatal(err)
		}
	}
	return response.StatusCode
}

// world is a calendar of one test: the addresses of its API and of its control API.
type world struct{ ID, URL, Control string }

// calendar returns this test's own calendar.
func calendar(t *testing.T) world {
	t.Helper()
	worlds := os.Getenv("CALENDAR_CONTROL_URL") + "/worlds"
	var world world
	send(t, "POST", worlds, map[string]any{"name": t.Name(), "required": true}, &world)
	t.Cleanup(func() { send(t, "DELETE", worlds+"/"+world.ID, nil, nil) })
	return world
}

// get returns the status and body of the site's page, for a calendar.
func get(t *testing.T, calendar string) (int, string) {
	t.Helper()
	site := httptest.NewServer(Handler(calendar))
	defer site.Close()
	response, err := http.Get(site.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(body)
}

func TestShowsANewEvent(t *testing.T) {
	for _, name := range []string{"first", "second"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			calendar := calendar(t).URL
			if _, body := get(t, calendar); !strings.HasPrefix(body, "7 events\n") {
				t.Fatalf("another test has changed this calendar: %s", body)
			}
			event := map[string]any{"title": "More jazz", "start_date": "2027-03-02 20:00", "end_date": "2027-03-02 23:00"}
			if status := send(t, "POST", calendar+"/events", event, nil); status != http.StatusCreated {
				t.Fatalf("the calendar returned %d", status)
			}
			if _, body := get(t, calendar); !strings.Contains(body, "More jazz\n") {
				t.Fatalf("the page lacks the event: %s", body)
			}
		})
	}
}

func TestMeetsAnError(t *testing.T) {
	t.Parallel()
	world := calendar(t)
	fault := map[string]any{"match": map[string]any{"path": "/events"}, "then": map[string]any{"status": 503}, "times": 1}
	send(t, "POST", world.Control+"/faults", fault, nil)
	if status, body := get(t, world.URL); status != http.StatusBadGateway {
		t.Fatalf("the page returned %d: %s", status, body)
	}
	if status, body := get(t, world.URL); status != http.StatusOK {
		t.Fatalf("the page returned %d: %s", status, body)
	}
}

func TestRequiresTheCalendarOfTheTest(t *testing.T) {
	calendar(t)
	if status, body := get(t, api); status != http.StatusBadGateway {
		t.Fatalf("the page returned %d: %s", status, body)
	}
}
