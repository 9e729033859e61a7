<?php
// Tests of a till in PHP, without extensions. It looks up headers by their case, and takes each refusal for one status:
//     npx --no -- passerelle probe pos -- php till.php
declare(strict_types=1);

$base = getenv('PASSERELLE_POS_URL') ?: 'http://127.0.0.1:4010';
$credentials = ['api_key' => getenv('PASSERELLE_POS_API_KEY'), 'api_secret' => getenv('PASSERELLE_POS_API_SECRET')];

/** Makes a call. Returns the status, the headers as they were sent, and the parsed body. */
function call(string $method, string $path, ?array $body = null, ?string $token = null): array
{
    global $base;
    $headers = ['Accept: application/json', 'Connection: close'];
    if ($token !== null) {
        $headers[] = "Authorization: Bearer $token";
    }
    $options = ['method' => $method, 'ignore_errors' => true, 'timeout' => 30];
    if ($body !== null) {
        $headers[] = 'Content-Type: application/json';
        $options['content'] = json_encode($body);
    }
    $text = file_get_contents($base . $path, false, stream_context_create(['http' => $options + ['header' => $headers]]));
    $found = [];
    foreach (array_slice($http_response_header, 1) as $line) {
        [$name, $value] = explode(': ', $line, 2) + [1 => ''];
        $found[$name] = $value;
    }
    return [(int) explode(' ', $http_response_header[0])[1], $found, json_decode((string) $text, true)];
}

$tests = 0;
$failed = 0;

/** One test, reported as TAP. */
function test(string $name, bool $passed): void
{
    global $tests, $failed;
    $tests++;
    $failed += $passed ? 0 : 1;
    echo $passed ? 'ok' : 'not ok', " $tests - $name\n";
}

$sale = [
    'store_id' => 'STORE-ABJ-01',
    'items' => [['product_id' => 'PRD-0001', 'quantity' => 1, 'price' => 4500]],
    'payment_method' => 'cash',
    'total' => 4500,
];

[, , $reply] = call('POST', '/api/auth', $credentials);
$token = $reply['token'];

[$status] = call('POST', '/api/auth', ['api_secret' => 'wrong'] + $credentials);
test('asks for the password again', $status === 401);

[$status] = call('POST', '/api/v1/sales', $sale, $token);
test('sells for cash', $status < 300);

[$status] = call('POST', '/api/v1/sales', ['store_id' => 'STORE-NOWHERE'] + $sale, $token);
test('says that the store does not exist', $status === 404);

[$status, $headers] = call('GET', '/api/v1/inventory?store_id=STORE-ABJ-01', null, $token);
test('reads the inventory as JSON', $status < 300 && str_starts_with($headers['content-type'] ?? '', 'application/json'));

echo "1..$tests\n";
exit($failed === 0 ? 0 : 1);
