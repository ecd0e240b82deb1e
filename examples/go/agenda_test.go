package agenda

import (
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

var concert = map[string]any{"title": "More jazz", "start_date": "2027-03-02 20:00", "end_date": "2027-03-02 23:00"}

var posts = map[string]any{"method": "POST", "path": "/events"}

// get returns the status and body of the site's page, for the address of an API.
func get(t *testing.T, api string) (int, string) {
	t.Helper()
	site := httptest.NewServer(Handler(api))
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

// publish publishes the concert, and fails unless the calendar returns this status.
func publish(t *testing.T, calendar calendar, user string, expected int) {
	t.Helper()
	if status, err := Publish(calendar.URL, user, user, concert); err != nil || status != expected {
		t.Fatalf("the calendar returned %d, %v", status, err)
	}
}

// shows fails unless the page begins with this line.
func shows(t *testing.T, calendar calendar, line string) {
	t.Helper()
	if status, body := get(t, calendar.URL); status != http.StatusOK || !strings.HasPrefix(body, line+"\n") {
		t.Fatalf("the page is %d: %s", status, body)
	}
}

func TestShowsANewEvent(t *testing.T) {
	for _, name := range []string{"first", "second"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			calendar := newCalendar(t)
			shows(t, calendar, "0 events")
			publish(t, calendar, "editor", http.StatusCreated)
			shows(t, calendar, "1 events")
		})
	}
}

func TestPublishesNothingWithoutCredentials(t *testing.T) {
	t.Parallel()
	calendar := newCalendar(t)
	publish(t, calendar, "", http.StatusUnauthorized)
	shows(t, calendar, "0 events")
}

func TestTriesAgainIfTheCalendarIsBusy(t *testing.T) {
	t.Parallel()
	calendar := newCalendar(t)
	calendar.fault(map[string]any{"match": posts, "then": 503, "times": 1})
	publish(t, calendar, "editor", http.StatusCreated)
	calendar.verify(map[string]any{"match": posts, "exactly": 2})
}

func TestMeetsAnError(t *testing.T) {
	t.Parallel()
	calendar := newCalendar(t)
	calendar.fault(map[string]any{"match": map[string]any{"path": "/events"}, "then": 503, "times": 1})
	if status, body := get(t, calendar.URL); status != http.StatusBadGateway {
		t.Fatalf("the page returned %d: %s", status, body)
	}
	shows(t, calendar, "0 events")
}

func TestShowsWhatIsThereAlreadyUntilItIsOver(t *testing.T) {
	t.Parallel()
	calendar := newCalendar(t)
	calendar.create("events", concert)
	calendar.verify(map[string]any{"match": posts, "never": true})
	shows(t, calendar, "1 events")
	calendar.setClock("2027-03-03T09:00:00Z")
	shows(t, calendar, "0 events")
	calendar.reset()
	shows(t, calendar, "0 events")
}

func TestRequiresTheCalendarOfTheTest(t *testing.T) {
	server := regexp.MustCompile("/_worlds/[^/]+").ReplaceAllString(newCalendar(t).URL, "")
	if status, body := get(t, server); status != http.StatusBadGateway {
		t.Fatalf("the page returned %d: %s", status, body)
	}
}
