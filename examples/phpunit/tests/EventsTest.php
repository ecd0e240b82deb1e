<?php

final class EventsTest extends CalendarTestCase
{
    private const CONCERT = ['title' => 'More jazz', 'start_date' => '2027-03-02 20:00', 'end_date' => '2027-03-02 23:00'];

    /** The app under test: publishes an event, and tries again once if the calendar is busy. */
    private function publish(array $event, array $headers = []): int
    {
        for ($i = 0; $i < 2; $i++) {
            $status = $this->send('POST', "$this->api/events", $event, $headers)->status;
            if ($status !== 503) {
                break;
            }
        }
        return $status;
    }

    private function total(): int
    {
        return $this->send('GET', "$this->api/events?search=jazz")->body->total;
    }

    /** @dataProvider numbers */
    public function testPublishesAnEventAsAnEditor(int $number): void
    {
        $this->assertSame(0, $this->total());
        $this->assertSame(201, $this->publish(self::CONCERT, [self::signIn('editor')]));
        $this->assertSame(1, $this->total());
    }

    public static function numbers(): array
    {
        return [[1], [2]];
    }

    public function testPublishesNothingWithoutCredentials(): void
    {
        $this->assertSame(401, $this->publish(self::CONCERT));
        $this->assertSame(0, $this->total());
    }

    public function testTriesAgainIfTheCalendarIsBusy(): void
    {
        $this->fault(['method' => 'POST', 'path' => '/events'], 503, ['times' => 1]);
        $this->assertSame(201, $this->publish(self::CONCERT, [self::signIn('editor')]));
        $this->verify(['method' => 'POST', 'path' => '/events'], ['exactly' => 2]);
    }

    public function testShowsWhatIsThereAlreadyUntilItIsOver(): void
    {
        $this->create('events', self::CONCERT);
        $this->verify(['method' => 'POST'], ['never' => true]);
        $this->assertSame(1, $this->total());
        $this->setClock('2027-03-03T09:00:00Z');
        $this->assertSame(0, $this->total());
        $this->reset();
        $this->assertSame(0, $this->total());
    }

    public function testRequiresTheCalendarOfTheTest(): void
    {
        $server = preg_replace('~/_worlds/[^/]+~', '', $this->api);
        $this->assertSame('world-required', $this->send('GET', "$server/events")->body->code);
    }
}
