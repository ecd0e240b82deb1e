// Package agenda is a site that shows the events of a calendar, and publishes new ones.
package agenda

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
)

// Handler returns the site. It reads the events of the API at this address.
func Handler(api string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		response, err := http.Get(api + "/events?search=jazz")
		if err != nil {
			http.Error(w, "The calendar is not reachable.", http.StatusBadGateway)
			return
		}
		defer response.Body.Close()
		if response.StatusCode != http.StatusOK {
			http.Error(w, "The calendar is not available.", http.StatusBadGateway)
			return
		}
		var list struct {
			Events []struct{ Title string }
		}
		if err := json.NewDecoder(response.Body).Decode(&list); err != nil {
			http.Error(w, "The calendar is not readable.", http.StatusBadGateway)
			return
		}
		fmt.Fprintf(w, "%d events\n", len(list.Events))
		for _, event := range list.Events {
			fmt.Fprintln(w, event.Title)
		}
	})
}

// Publish creates an event as a user, and tries again once if the calendar is busy. It returns the status.
func Publish(api, user, password string, event any) (int, error) {
	text, err := json.Marshal(event)
	if err != nil {
		return 0, err
	}
	status := 0
	for i := 0; i < 2; i++ {
		request, err := http.NewRequest("POST", api+"/events", bytes.NewReader(text))
		if err != nil {
			return 0, err
		}
		request.Header.Set("Content-Type", "application/json")
		if user != "" {
			request.SetBasicAuth(user, password)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return 0, err
		}
		response.Body.Close()
		status = response.StatusCode
		if status != http.StatusServiceUnavailable {
			break
		}
	}
	return status, nil
}
