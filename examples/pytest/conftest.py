"""A calendar for each test: a world of the server in CALENDAR_URL, or of one that is started for the whole run."""

import base64
import json
import os
import subprocess
import urllib.error
import urllib.parse
import urllib.request

import pytest

PROGRAM = os.environ.get("CALENDAR_BIN", "calendar")  # an executable, or the single file calendar.js
OPTIONS = ["--seed", "shapes", "--users", "roles", "--now", "2027-03-01T09:00:00Z"]
# A calendar on this machine is not behind a proxy.
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def pytest_configure(config):
    """Starts a server, unless CALENDAR_URL names one. The workers of pytest-xdist inherit its addresses."""
    if "CALENDAR_URL" in os.environ:
        return
    command = ["node", PROGRAM] if PROGRAM.endswith(".js") else [PROGRAM]
    serve = ["serve", "--memory", "--port", "0", "--json", "--quiet", "--until-stdin-closes", *OPTIONS]
    # Its stdin closes with this process, however that ends.
    try:
        config.calendar_server = subprocess.Popen([*command, *serve], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        ready = json.loads(config.calendar_server.stdout.readline())
    except (OSError, ValueError) as error:
        pytest.exit(f"{PROGRAM} did not start: {error}", returncode=3)
    os.environ.update(CALENDAR_URL=ready["url"], CALENDAR_CONTROL_URL=ready["control"], CALENDAR_ROOT_URL=ready["root"])


def pytest_unconfigure(config):
    server = getattr(config, "calendar_server", None)
    if server:
        server.stdin.close()
        server.wait()


def send(method, url, body=None, headers={}):
    """Sends JSON. Returns the status and the JSON of the response, also of an error."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json", **headers}, method=method)
    try:
        with opener.open(request) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        text = error.read()
        return error.code, json.loads(text) if error.headers.get_content_type() == "application/json" else text


def sign_in(name, password=None):
    """The header of a user. The passwords of `--users roles` are their names."""
    credentials = f"{name}:{password or name}".encode()
    return {"Authorization": "Basic " + base64.b64encode(credentials).decode()}


class Calendar:
    """A world: a separate calendar on the server."""

    token = os.environ.get("CALENDAR_CONTROL_TOKEN")

    def __init__(self, name):
        self.server = os.environ.get("CALENDAR_CONTROL_URL") or urllib.parse.urljoin(os.environ["CALENDAR_URL"], "/_calendar")
        world = self._control("POST", f"{self.server}/worlds", {"name": name[-200:], "required": True})
        self.id, self.url, self.control = world["id"], world["url"], world["control"]

    def create(self, resource, record, user="administrator"):
        """Creates a record as a user. This is not a request of the app: it meets no fault and is not logged."""
        mark = {"X-Calendar-Page": "api" if self.token is None else f"api {self.token}"}
        return self._ok(*send("POST", f"{self.url}/{resource}", record, {**mark, **sign_in(user)}))

    def reset(self):
        return self.operation("POST", "/reset")

    def set_clock(self, now):
        return self.operation("PUT", "/clock", {"now": now})

    def fault(self, match, then, **options):
        return self.operation("POST", "/faults", {"match": match, "then": then, **options})

    def verify(self, match, **expected):
        """Fails unless the app sent these requests: `exactly=1`, `at_least=1`, `never=True`."""
        return self.operation("POST", "/requests/verify", {"match": match, **{camel(name): value for name, value in expected.items()}})

    def operation(self, method, path, body=None):
        """Any other operation of the control API."""
        return self._control(method, f"{self.control}{path}", body)

    def delete(self):
        self._control("DELETE", f"{self.server}/worlds/{self.id}")

    def _control(self, method, url, body=None):
        headers = {} if self.token is None else {"Authorization": f"Bearer {self.token}"}
        return self._ok(*send(method, url, {} if body is None and method != "GET" else body, headers))

    @staticmethod
    def _ok(status, body):
        if status >= 400:
            pytest.fail(body["message"] if isinstance(body, dict) else str(body))
        return body


def camel(name):
    first, *others = name.split("_")
    return first + "".join(word.title() for word in others)


@pytest.fixture(autouse=True)
def calendar(request, monkeypatch):
    """The calendar of this test alone. In the test, CALENDAR_URL is the address of its API."""
    calendar = Calendar(request.node.name)
    monkeypatch.setenv("CALENDAR_URL", calendar.url)
    yield calendar
    calendar.delete()
