<?php

use PHPUnit\Framework\TestCase;

/** Gives each test its own calendar. */
abstract class CalendarTestCase extends TestCase
{
    /** The address of the API of this test's calendar. */
    protected string $api;
    /** The address of its control API. */
    protected string $control;
    private string $worlds;
    private string $world;

    protected function setUp(): void
    {
        $this->worlds = getenv('CALENDAR_CONTROL_URL') . '/worlds';
        $world = $this->send('POST', $this->worlds, ['name' => $this->toString(), 'required' => true]);
        $this->world = $world->id;
        $this->api = $world->url;
        $this->control = $world->control;
    }

    protected function tearDown(): void
    {
        $this->send('DELETE', "$this->worlds/$this->world");
    }

    /** Sends JSON and returns the JSON of the response, also of an error. */
    protected function send(string $method, string $url, ?array $body = null): object
    {
        $http = ['method' => $method, 'header' => 'Content-Type: application/json', 'ignore_errors' => true];
        $content = $body === null ? [] : ['content' => json_encode($body)];
        return json_decode(file_get_contents($url, false, stream_context_create(['http' => $http + $content])));
    }
}
