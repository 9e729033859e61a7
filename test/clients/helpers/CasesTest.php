<?php
/** Interprets cases.json with passerelle.php: phpunit CasesTest.php. */
declare(strict_types=1);

require __DIR__ . '/passerelle.php';

use Passerelle\Stub;
use Passerelle\StubError;
use PHPUnit\Framework\TestCase;

/** A case starts with `stub`, and a new `world` of it. A step calls a method, and compares what it gives or how it fails. */
final class CasesTest extends TestCase
{
    private static Stub $stub;
    private array $named;

    public static function setUpBeforeClass(): void
    {
        self::$stub = Stub::start('cohesion');
    }

    protected function setUp(): void
    {
        $this->named = ['stub' => self::$stub, 'world' => self::$stub->world()];
    }

    protected function tearDown(): void
    {
        $this->named['world']->close();
    }

    public static function cases(): iterable
    {
        foreach (json_decode(file_get_contents(__DIR__ . '/cases.json'), true) as $case) {
            yield $case['name'] => [$case['steps']];
        }
    }

    /** @dataProvider cases */
    public function testCase(array $steps): void
    {
        foreach ($steps as $step) {
            [$target, $verb] = explode('.', $step['do']);
            try {
                $given = $this->call($this->named[$target], $verb, $this->filled($step['with'] ?? []));
            } catch (StubError $error) {
                foreach ($step['fails'] ?? throw $error as $words) {
                    $this->assertStringContainsString($this->filled($words), $error->getMessage());
                }
                continue;
            }
            $this->assertArrayNotHasKey('fails', $step);
            $this->assertShows($this->plain($given), $this->filled($step['gives'] ?? null));
            $this->named[$step['as'] ?? ''] = $given;
        }
    }

    private function call(Stub $target, string $verb, array $with): mixed
    {
        return match ($verb) {
            'start' => Stub::start(...$with),
            'connect' => new Stub(...$with),
            default => $target->$verb(...$with),
        };
    }

    private function assertShows(mixed $given, mixed $expected): void
    {
        if (!is_array($expected)) {
            $expected === null || $this->assertEquals($expected, $given);
            return;
        }
        if (array_is_list($expected)) {
            $this->assertCount(count($expected), $given);
        }
        foreach ($expected as $name => $value) {
            $this->assertArrayHasKey($name, $given);
            $this->assertShows($given[$name], $value);
        }
    }

    private function plain(mixed $value): mixed
    {
        return $value instanceof Stub ? ['url' => $value->url, 'credentials' => $value->credentials, 'secret' => $value->secret] : $value;
    }

    /** Replaces `{stub.url}` in texts; alone, by the value itself. */
    private function filled(mixed $value): mixed
    {
        if (is_array($value)) {
            return array_map($this->filled(...), $value);
        }
        if (!is_string($value)) {
            return $value;
        }
        if (preg_match('/^\{([\w.-]+)\}$/', $value, $alone)) {
            return $this->found($alone[1]);
        }
        return preg_replace_callback('/\{([\w.-]+)\}/', fn($match) => $this->found($match[1]), $value);
    }

    private function found(string $path): mixed
    {
        [$name, $steps] = explode('.', $path, 2);
        return array_reduce(explode('.', $steps), fn($value, $step) => $value[$step], $this->plain($this->named[$name]));
    }
}
