import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

/** The calendar of one test: a world of the server in CALENDAR_URL, or of one that is started for this process. */
final class TestCalendar implements AutoCloseable {
    private static final List<String> OPTIONS = List.of("--seed", "shapes", "--users", "roles", "--now", "2027-03-01T09:00:00Z");
    private static final HttpClient client = HttpClient.newHttpClient();
    private static final String token = System.getenv("CALENDAR_CONTROL_TOKEN");
    /** The server that this process has started. Its stdin closes with this process, however that ends. */
    private static Process process;
    private static String serverUrl = System.getenv("CALENDAR_URL");
    private static String serverControl = System.getenv("CALENDAR_CONTROL_URL");

    /** The addresses of the API and of the control API of this test's calendar. */
    final String url;
    final String control;
    private final String world;

    TestCalendar(String name) throws IOException, InterruptedException {
        startServer();
        String created = operate("POST", serverControl + "/worlds", "{\"name\": " + quoted(name) + ", \"required\": true}");
        url = member(created, "url");
        control = member(created, "control");
        world = serverControl + "/worlds/" + member(created, "id");
    }

    @Override
    public void close() throws IOException, InterruptedException {
        operate("DELETE", world, "{}");
    }

    private static synchronized void startServer() throws IOException {
        if (serverUrl == null) {
            String program = System.getenv().getOrDefault("CALENDAR_BIN", "calendar"); // an executable, or the single file calendar.js
            List<String> command = new ArrayList<>(program.endsWith(".js") ? List.of("node", program) : List.of(program));
            command.addAll(List.of("serve", "--memory", "--port", "0", "--json", "--quiet", "--until-stdin-closes"));
            command.addAll(OPTIONS);
            process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
            String ready = new BufferedReader(new InputStreamReader(process.getInputStream())).readLine();
            if (ready == null) throw new IOException(program + " did not start");
            serverUrl = member(ready, "url");
            serverControl = member(ready, "control");
        } else if (serverControl == null) serverControl = URI.create(serverUrl).resolve("/_calendar").toString();
    }

    /** Creates a record as the administrator. This is not a request of the app: it meets no fault and is not logged. */
    String create(String resource, String record) throws IOException, InterruptedException {
        var request = request("POST", url + "/" + resource, record)
            .header("X-Calendar-Page", token == null ? "api" : "api " + token)
            .header("Authorization", "Basic " + Base64.getEncoder().encodeToString("administrator:administrator".getBytes()));
        return send(request);
    }

    void reset() throws IOException, InterruptedException {
        operate("POST", control + "/reset", "{}");
    }

    void setClock(String now) throws IOException, InterruptedException {
        operate("PUT", control + "/clock", "{\"now\": " + quoted(now) + "}");
    }

    /** Injects a fault, like {"match": {"path": "/events"}, "then": 503, "times": 1}. */
    void fault(String fault) throws IOException, InterruptedException {
        operate("POST", control + "/faults", fault);
    }

    /** Fails unless the app sent these requests, like {"match": {"method": "POST"}, "exactly": 1} or {"match": …, "never": true}. */
    void verify(String expected) throws IOException, InterruptedException {
        operate("POST", control + "/requests/verify", expected);
    }

    /** Sends any operation of a control API. Returns the JSON of the response. */
    static String operate(String method, String url, String body) throws IOException, InterruptedException {
        var request = request(method, url, body);
        return send(token == null ? request : request.header("Authorization", "Bearer " + token));
    }

    private static HttpRequest.Builder request(String method, String url, String body) {
        return HttpRequest.newBuilder(URI.create(url)).header("Content-Type", "application/json").method(method, BodyPublishers.ofString(body));
    }

    private static String send(HttpRequest.Builder request) throws IOException, InterruptedException {
        var response = client.send(request.build(), BodyHandlers.ofString());
        if (response.statusCode() >= 400) throw new AssertionError(response.uri() + ": " + response.body());
        return response.body();
    }

    /** A text member of JSON, without a library. */
    private static String member(String json, String name) {
        var match = Pattern.compile("\"" + name + "\": ?\"([^\"]*)\"").matcher(json);
        if (!match.find()) throw new AssertionError("No " + name + " in " + json);
        return match.group(1);
    }

    private static String quoted(String text) {
        return "\"" + text.replaceAll("[\"\\\\\\p{Cntrl}]", " ") + "\"";
    }
}
