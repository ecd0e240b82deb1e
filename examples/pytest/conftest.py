import json
import os
import urllib.request

import pytest

API = os.environ["CALENDAR_URL"]
SERVER = API.split("/calendar/")[0]


def send(method, url, body=None):
    """Sends JSON and returns the JSON of the response."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)
    with urllib.request.urlopen(request) as response:
        return json.load(response)


@pytest.fixture(autouse=True)
def calendar(request, monkeypatch):
    """The address of the API of this test's own calendar. CALENDAR_URL is that address, too."""
    world = send("POST", f"{SERVER}/_calendar/worlds", {"name": request.node.name, "required": True})
    monkeypatch.setenv("CALENDAR_URL", world["url"])
    yield world["url"]
    send("DELETE", f"{SERVER}/_calendar/worlds/{world['id']}")
