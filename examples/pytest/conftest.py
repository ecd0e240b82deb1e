import json
import os
import urllib.request

import pytest

API = os.environ["CALENDAR_URL"]
WORLDS = os.environ["CALENDAR_CONTROL_URL"] + "/worlds"


def send(method, url, body=None):
    """Sends JSON and returns the JSON of the response."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)
    with urllib.request.urlopen(request) as response:
        return json.load(response)


@pytest.fixture(autouse=True)
def world(request, monkeypatch):
    """The calendar of this test alone. CALENDAR_URL is the address of its API."""
    world = send("POST", WORLDS, {"name": request.node.name, "required": True})
    monkeypatch.setenv("CALENDAR_URL", world["url"])
    yield world
    send("DELETE", f"{WORLDS}/{world['id']}")


@pytest.fixture
def calendar(world):
    """The address of its API."""
    return world["url"]


@pytest.fixture
def control(world):
    """The address of its control API."""
    return world["control"]
