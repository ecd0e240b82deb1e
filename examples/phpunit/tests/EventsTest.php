<?php

final class EventsTest extends CalendarTestCase
{
    private function total(string $api): int
    {
        return $this->send('GET', "$api/events?search=jazz")->total;
    }

    public function testCreatesAnEvent(): void
    {
        $this->createAnEvent();
    }

    public function testSeesNoEventOfAnotherTest(): void
    {
        $this->createAnEvent();
    }

    private function createAnEvent(): void
    {
        $this->assertSame(7, $this->total($this->api));
        $event = ['title' => 'More jazz', 'start_date' => '2027-03-02 20:00', 'end_date' => '2027-03-02 23:00'];
        $this->send('POST', "$this->api/events", $event);
        $this->assertSame(8, $this->total($this->api));
    }

    public function testMeetsAnError(): void
    {
        $this->send('POST', "$this->control/faults", ['match' => ['path' => '/events'], 'then' => ['status' => 503], 'times' => 1]);
        $this->assertStringContainsString(' 503 ', get_headers("$this->api/events")[0]);
        $this->assertSame(7, $this->total($this->api));
    }

    public function testRequiresTheCalendarOfTheTest(): void
    {
        $this->assertSame('world-required', $this->send('GET', getenv('CALENDAR_URL') . '/events')->code);
    }
}
