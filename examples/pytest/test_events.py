import urllib.error

import pytest
from conftest import API, send


def titles(api):
    return [event["title"] for event in send("GET", f"{api}/events?search=jazz")["events"]]


@pytest.mark.parametrize("number", [1, 2])
def test_creates_an_event(calendar, number):
    assert len(titles(calendar)) == 7
    event = {"title": "More jazz", "start_date": "2027-03-02 20:00", "end_date": "2027-03-02 23:00"}
    send("POST", f"{calendar}/events", event)
    assert "More jazz" in titles(calendar)


def test_meets_an_error(calendar, control):
    send("POST", f"{control}/faults", {"match": {"path": "/events"}, "then": {"status": 503}, "times": 1})
    with pytest.raises(urllib.error.HTTPError, match="503"):
        titles(calendar)
    assert len(titles(calendar)) == 7


def test_requires_the_calendar_of_the_test():
    with pytest.raises(urllib.error.HTTPError, match="400"):
        titles(API)
