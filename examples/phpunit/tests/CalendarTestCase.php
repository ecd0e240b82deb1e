<?php

use PHPUnit\Framework\TestCase;

/** Gives each test its own calendar: a world of the server in CALENDAR_URL, or of one that is started for this process. */
abstract class CalendarTestCase extends TestCase
{
    private const OPTIONS = ['--seed', 'shapes', '--users', 'roles', '--now', '2027-03-01T09:00:00Z'];
    /** The server that this process has started, with its pipes. */
    private static ?array $server = null;
    /** The address of the API of this test's calendar. */
    protected string $api;
    /** The address of its control API. */
    protected string $control;
    private string $world;

    protected function setUp(): void
    {
        self::startServer();
        $world = $this->operate('POST', '', ['name' => substr($this->toString(), -200), 'required' => true], self::worlds());
        $this->world = self::worlds() . "/$world->id";
        $this->api = $world->url;
        $this->control = $world->control;
    }

    protected function tearDown(): void
    {
        $this->operate('DELETE', '', null, $this->world);
    }

    /** Starts a server, unless CALENDAR_URL names one. Its stdin closes with this process, however that ends. */
    private static function startServer(): void
    {
        if (getenv('CALENDAR_URL')) {
            return;
        }
        $program = getenv('CALENDAR_BIN') ?: 'calendar'; // an executable, or the single file calendar.js
        $command = [...(str_ends_with($program, '.js') ? ['node', $program] : [$program]), 'serve', '--memory', '--port', '0',
            '--json', '--quiet', '--until-stdin-closes', ...self::OPTIONS];
        $process = proc_open($command, [['pipe', 'r'], ['pipe', 'w'], STDERR], $pipes);
        $ready = $process ? json_decode(fgets($pipes[1]) ?: 'null') : null;
        if ($ready === null) {
            throw new RuntimeException("$program did not start");
        }
        self::$server = [$process, $pipes];
        foreach (['CALENDAR_URL' => 'url', 'CALENDAR_CONTROL_URL' => 'control', 'CALENDAR_ROOT_URL' => 'root'] as $name => $member) {
            putenv("$name={$ready->$member}");
        }
    }

    /** Creates a record as a user. This is not a request of the app: it meets no fault and is not logged. */
    protected function create(string $resource, array $record, string $user = 'administrator'): object
    {
        $token = getenv('CALENDAR_CONTROL_TOKEN');
        $mark = 'X-Calendar-Page: api' . ($token ? " $token" : '');
        return $this->accepted($this->send('POST', "$this->api/$resource", $record, [$mark, self::signIn($user)]));
    }

    protected function reset(): void
    {
        $this->operate('POST', '/reset');
    }

    protected function setClock(string $now): void
    {
        $this->operate('PUT', '/clock', ['now' => $now]);
    }

    protected function fault(array $match, $then, array $options = []): void
    {
        $this->operate('POST', '/faults', ['match' => $match, 'then' => $then] + $options);
    }

    /** Fails unless the app sent these requests: ['exactly' => 1], ['atLeast' => 1], ['never' => true]. */
    protected function verify(array $match, array $expected): void
    {
        $this->operate('POST', '/requests/verify', ['match' => $match] + $expected);
    }

    /** Any other operation of the control API. */
    protected function operate(string $method, string $path, ?array $body = null, ?string $root = null)
    {
        $token = getenv('CALENDAR_CONTROL_TOKEN');
        $headers = $token ? ["Authorization: Bearer $token"] : [];
        return $this->accepted($this->send($method, ($root ?? $this->control) . $path, $body ?? [], $headers));
    }

    private function accepted(object $response)
    {
        $this->assertLessThan(400, $response->status, $response->body->message ?? (string) $response->status);
        return $response->body;
    }

    /** The header of a user. The passwords of `--users roles` are their names. */
    protected static function signIn(string $name, ?string $password = null): string
    {
        return 'Authorization: Basic ' . base64_encode($name . ':' . ($password ?? $name));
    }

    /** Sends JSON. Returns status and body of the response, also of an error. The body is null if it is not JSON, like the page of a proxy. */
    protected function send(string $method, string $url, ?array $body = null, array $headers = []): object
    {
        $http = ['method' => $method, 'header' => ['Content-Type: application/json', ...$headers], 'ignore_errors' => true];
        $content = $body === null || $method === 'GET' ? [] : ['content' => json_encode((object) $body)];
        $text = file_get_contents($url, false, stream_context_create(['http' => $http + $content]));
        return (object) ['status' => (int) explode(' ', $http_response_header[0])[1], 'body' => json_decode($text)];
    }

    private static function worlds(): string
    {
        $server = preg_replace('~^(\w+://[^/]+).*~', '$1', getenv('CALENDAR_URL'));
        return (getenv('CALENDAR_CONTROL_URL') ?: "$server/_calendar") . '/worlds';
    }
}
