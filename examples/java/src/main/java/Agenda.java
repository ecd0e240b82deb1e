import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Base64;

/** The app under test: publishes events, and lists them. */
public final class Agenda {
    private final HttpClient client = HttpClient.newHttpClient();
    private final String api;
    private final String authorization;

    /** Signs in as a user; without a name, it does not. */
    public Agenda(String api, String user, String password) {
        this.api = api;
        // An Authenticator would send nothing: the API does not ask for credentials, and neither does a site.
        authorization = user == null ? null : "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes());
    }

    /** Publishes an event, and tries again once if the calendar is busy. Returns the status. */
    public int publish(String event) throws IOException, InterruptedException {
        int status = 0;
        for (int i = 0; i < 2; i++) {
            var request = request("/events").header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(event));
            status = client.send(request.build(), BodyHandlers.discarding()).statusCode();
            if (status != 503) break;
        }
        return status;
    }

    /** The list of events with a word, as JSON. */
    public String search(String word) throws IOException, InterruptedException {
        return client.send(request("/events?search=" + word).build(), BodyHandlers.ofString()).body();
    }

    private HttpRequest.Builder request(String path) {
        var request = HttpRequest.newBuilder(URI.create(api + path));
        return authorization == null ? request : request.header("Authorization", authorization);
    }
}
