// Package agenda is a site that shows the events of a calendar.
package agenda

import (
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
