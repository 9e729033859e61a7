<?php
/**
 * Controls a Passerelle stub from tests in PHP 8.1 or newer. Copy this file; it needs no package.
 *
 *     $stub = Stub::start('pos');                        // in the bootstrap, or in setUpBeforeClass
 *     $world = $stub->world();
 *     $world->fault('createSale:status=503,times=1');
 *     ...                                                // your program calls $stub->url with $world->credentials
 *     $world->waitForCall(['operation' => 'createSale', 'status' => 201]);
 *     $world->close();
 */
declare(strict_types=1);

namespace Passerelle;

use RuntimeException;

/** Says what is wrong: in the stub's own words, if it replied. */
final class StubError extends RuntimeException
{
}

/** A stub, or a world of one. */
final class Stub
{
    private const HOW_TO_START = '`npx --no -- passerelle run pos -- COMMAND` starts a stub for a suite. Stub::start does if '
        . 'PASSERELLE_POS_URL is not set, by `npx --no -- passerelle` or the command in PASSERELLE_COMMAND.';

    private const ADDRESS = '~^(https?://(?:[\w.-]+|\[[\da-fA-F:]+\])(?::\d+)?(?:/_stub/worlds/[\w-]+)?)/*$~D';

    public readonly string $url;
    /** What it accepts: `apiKey` and `apiSecret` (pos), or `token` (cohesion). */
    public readonly array $credentials;
    /** What signs its webhooks. */
    public readonly string $secret;
    private array $headers = [];
    private bool $isWorld = false;
    /** @var resource|null */
    private $process = null;
    /** @var resource[] */
    private array $pipes = [];

    /** Connects to a stub that runs. */
    public function __construct(string $url)
    {
        if (!preg_match(self::ADDRESS, $url, $address)) {
            throw new StubError("\"$url\" is no address of a stub: write it as http://127.0.0.1:4744, without a path");
        }
        $this->url = $address[1];
        $about = $this->control('GET', '/_stub');
        $this->credentials = $about['credentials'];
        $this->secret = $about['secret'];
        $this->headers = ['Authorization' => 'Bearer ' . $about['operatorToken']];
    }

    /**
     * Starts a stub of `pos` or `cohesion`. It ends with `close`, or with this process.
     *
     * If PASSERELLE_POS_URL (PASSERELLE_COHESION_URL) is set, as by `passerelle run`, connects to that one.
     * PASSERELLE_COMMAND replaces `npx --no -- passerelle`; its words are separated by spaces.
     */
    public static function start(string $service): self
    {
        $running = getenv('PASSERELLE_' . strtoupper($service) . '_URL');
        if ($running) {
            return new self($running);
        }
        $command = explode(' ', getenv('PASSERELLE_COMMAND') ?: 'npx --no -- passerelle');
        array_push($command, 'stub', $service, '--port', '0', '--quiet', '--until-input-ends');
        $process = @proc_open($command, [['pipe', 'r'], ['pipe', 'w'], ['redirect', 1]], $pipes);
        $end = microtime(true) + self::limit();
        $printed = '';
        while ($process && !feof($pipes[1]) && ($left = $end - microtime(true)) > 0) {
            [$read, $none] = [[$pipes[1]], null];
            // On Windows there is no wait for a pipe with a limit: this fails, and the reading waits.
            if (@stream_select($read, $none, $none, 0, (int) ceil($left * 1e6)) !== 0) {
                $printed .= fread($pipes[1], 8192);
            }
            if (preg_match('/^(http\S+)\R/m', $printed, $found)) {
                $stub = new self($found[1]);
                [$stub->process, $stub->pipes] = [$process, $pipes];
                return $stub;
            }
        }
        if ($process && !feof($pipes[1])) {
            proc_terminate($process, 9);
            $why = 'did not say its address within ' . self::limit() . ' s; its output so far';
        } else {
            $why = 'ended with ' . ($process ? proc_close($process) : 127) . '; its output';
        }
        throw new StubError(implode(' ', $command) . " $why: " . (trim($printed) ?: 'nothing') . "\n" . self::HOW_TO_START);
    }

    /** How many seconds a request may take, and a stub to start. */
    private static function limit(): float
    {
        return (float) (getenv('PASSERELLE_TIMEOUT') ?: 30);
    }

    /** Stops the stub that `start` started, or ends the world. A stub that ran before stays. */
    public function close(): void
    {
        if ($this->isWorld) {
            $this->control('DELETE', '');
        }
        if ($this->process) {
            array_map('fclose', $this->pipes);
            proc_close($this->process);
            $this->process = null;
        }
    }

    /** Puts data, endpoints, clock, limits, faults and calls back to the start. */
    public function reset(): void
    {
        $this->control('POST', '/_stub/reset');
    }

    /** Starts a world: a stub inside this one, with its own credentials. Options: `name`, `seed`, `clock`, `faults`, `webhooks`... */
    public function world(array $options = []): self
    {
        $world = new self($this->control('POST', '/_stub/worlds', (object) $options)['url']);
        $world->isWorld = true;
        return $world;
    }

    /** Adds a fault: a rule such as `createSale:status=503,times=1`, or an array. */
    public function fault(string|array $rule): void
    {
        $this->control('POST', '/_stub/faults', ['rule' => $rule]);
    }

    /** Advances the clock by a duration such as `72h`, and runs what falls due. Returns the new time. */
    public function advance(string $by): string
    {
        return $this->control('POST', '/_stub/clock/advance', ['by' => $by])['now'];
    }

    /** Returns the oldest call that matches, now or within `$timeout` seconds. Filter: `operation`, `method`, `path`, `status`. */
    public function waitForCall(array $filter = [], float $timeout = 4): array
    {
        return $this->wait('call', '/_stub/calls', $filter, $timeout, ['method', 'path', 'status']);
    }

    /** Returns the oldest delivery that was attempted and matches. Filter: `event_type`, `status`, `endpoint_id`, `event_id`. */
    public function waitForDelivery(array $filter = [], float $timeout = 4): array
    {
        $found = $this->wait('delivery', '/manage/v1/deliveries', $filter, $timeout, ['event_type', 'status']);
        return $this->control('GET', "/manage/v1/deliveries/{$found['id']}");
    }

    /** Throws if the signature of a webhook is not genuine. `$body`: its bytes as received. Default: the stub's secret. */
    public function verify(string $body, ?array $headers, string ...$secrets): void
    {
        $server = [];
        foreach ($headers ?? [] as $name => $value) {
            $server['HTTP_' . strtoupper(strtr($name, '-', '_'))] = $value;
        }
        $reason = refusal($body, $server, $secrets ?: [$this->secret]);
        if ($reason !== null) {
            throw new StubError("The webhook is not genuine: $reason");
        }
    }

    /** Calls another route of the control or manage API. Returns its `data`; throws with the words of a refusal. */
    public function control(string $method, string $path, array|object|null $body = null): mixed
    {
        ['status' => $status, 'body' => $reply] = $this->request($method, $path, $body, $this->headers);
        if ($status !== 204 && !isset($reply['data'])) {
            $words = $reply['error']['message'] ?? substr(json_encode($reply), 0, 200);
            throw new StubError("$method $path got $status: $words");
        }
        return $reply['data'] ?? null;
    }

    /**
     * Makes a call, also of the API that the stub serves. Returns the status and the reply's JSON, or text.
     *
     * @return array{status: int, body: mixed}
     */
    public function request(string $method, string $path, array|object|null $body = null, array $headers = []): array
    {
        $http = ['method' => $method, 'timeout' => self::limit(), 'ignore_errors' => true, 'follow_location' => 0];
        if ($body !== null) {
            $http['content'] = json_encode($body, JSON_THROW_ON_ERROR);
            $headers['Content-Type'] = 'application/json';
        }
        $http['header'] = array_map(fn($name, $value) => "$name: $value", array_keys($headers), $headers);
        $start = microtime(true);
        $text = @file_get_contents($this->url . $path, false, stream_context_create(['http' => $http]));
        if (microtime(true) - $start >= self::limit()) {
            throw new StubError("$this->url$path did not answer within " . self::limit() . ' s');
        }
        if ($text === false) {
            $why = error_get_last()['message'] ?? '';
            throw new StubError("No stub answers at $this->url ($why). " . self::HOW_TO_START);
        }
        $status = (int) explode(' ', $http_response_header[0])[1];
        return ['status' => $status, 'body' => $text === '' ? null : json_decode($text, true) ?? $text];
    }

    private function wait(string $what, string $path, array $filter, float $timeout, array $shown): array
    {
        [$query, $end] = ['?' . http_build_query($filter), microtime(true) + $timeout];
        do {
            $found = $this->control('GET', $path . $query);
            if ($what === 'delivery') {
                // The manage API lists the newest first, also those that were not attempted yet.
                $isOver = fn($one) => $one['attempts'] > 0 || $one['status'] !== 'pending';
                $found = array_values(array_filter(array_reverse($found), $isOver));
            }
            if ($found) {
                return $found[0];
            }
            usleep(20_000);
        } while (microtime(true) < $end);
        $all = $this->control('GET', $path);
        $there = implode(', ', array_map(fn($one) => implode(' ', array_map(fn($name) => $one[$name], $shown)), $all));
        throw new StubError("Waited $timeout s for a $what with $query. There are " . ($all ? count($all) . ": $there" : 'none'));
    }
}

// From receivers/samples/receiver.php:
/** Returns why this body must be rejected; null if it is genuine. */
function refusal(string $body, array $server, array $secrets, int $toleranceSeconds = 300): ?string
{
    $id = $server['HTTP_WEBHOOK_ID'] ?? null;
    $timestamp = $server['HTTP_WEBHOOK_TIMESTAMP'] ?? null;
    $signatures = $server['HTTP_WEBHOOK_SIGNATURE'] ?? null;
    if ($id === null && $timestamp === null && $signatures === null) {
        if (!isset($server['HTTP_X_SERVICE_SIGNATURE'])) {
            return 'no signature header: neither webhook-* nor x-service-signature';
        }
        $expected = array_map(fn($secret) => 'sha256=' . hash_hmac('sha256', $body, $secret), $secrets);
        return anyEqual([$server['HTTP_X_SERVICE_SIGNATURE']], $expected) ? null : 'wrong x-service-signature';
    }
    // Without a dot in the id, the signed text can be cut in one way only.
    if (!preg_match('/^[A-Za-z0-9_-]+$/D', $id ?? '') || !preg_match('/^[0-9]{1,12}$/D', $timestamp ?? '')) {
        return 'missing or malformed webhook-* header';
    }
    $expected = array_map(
        fn($secret) => 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", keyOf($secret), true)),
        $secrets,
    );
    if (!anyEqual(explode(' ', $signatures ?? ''), $expected)) {
        return 'wrong webhook-signature';
    }
    return abs(time() - (int) $timestamp) > $toleranceSeconds ? 'webhook-timestamp too old or too new' : null;
}

function keyOf(string $secret): string
{
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret), true);
    // Anyone can sign with an empty key.
    if ($key === false || $key === '') {
        throw new RuntimeException('SECRET is not whsec_ and base64.');
    }
    return $key;
}

function anyEqual(array $given, array $expected): bool
{
    $found = false;
    foreach ($given as $one) {
        foreach ($expected as $other) {
            $found = hash_equals($other, $one) || $found;
        }
    }
    return $found;
}

// Until here.
