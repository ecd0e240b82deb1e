import os

import pytest
from conftest import send, sign_in

CONCERT = {"title": "More jazz", "start_date": "2027-03-02 20:00", "end_date": "2027-03-02 23:00"}


def publish(event, headers={}):
    """The app under test: publishes an event, and tries again once if the calendar is busy."""
    for _ in range(2):
        status, _body = send("POST", os.environ["CALENDAR_URL"] + "/events", event, headers)
        if status != 503:
            break
    return status


def titles(api):
    _status, page = send("GET", f"{api}/events?search=jazz")
    return [event["title"] for event in page["events"]]


@pytest.mark.parametrize("number", [1, 2])
def test_publishes_an_event_as_an_editor(calendar, number):
    assert titles(calendar.url) == []
    assert publish(CONCERT, sign_in("editor")) == 201
    assert titles(calendar.url) == ["More jazz"]


def test_publishes_nothing_without_credentials(calendar):
    assert publish(CONCERT) == 401
    assert titles(calendar.url) == []


def test_tries_again_if_the_calendar_is_busy(calendar):
    calendar.fault({"method": "POST", "path": "/events"}, 503, times=1)
    assert publish(CONCERT, sign_in("editor")) == 201
    calendar.verify({"method": "POST", "path": "/events"}, exactly=2)


def test_shows_what_is_there_already_until_it_is_over(calendar):
    calendar.create("events", CONCERT)
    calendar.verify({"method": "POST"}, never=True)
    assert titles(calendar.url) == ["More jazz"]
    calendar.set_clock("2027-03-03T09:00:00Z")
    assert titles(calendar.url) == []
    calendar.reset()
    assert titles(calendar.url) == []


def test_requires_the_calendar_of_the_test(calendar):
    server = calendar.url.replace(f"/_worlds/{calendar.id}", "")
    assert send("GET", f"{server}/events")[0] == 400
