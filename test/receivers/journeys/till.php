<?php
// php till.php STUB_URL: a till that sells once, although the API fails twice, and sells the same sale only once.
declare(strict_types=1);

/** Makes a call. Waits and repeats it if the API is down. Returns the status and the parsed body. */
function call(string $url, array $body, array $headers = []): array
{
    for ($attempt = 1; ; $attempt++) {
        $headers_sent = array_merge(['Content-Type: application/json'], $headers);
        $options = ['method' => 'POST', 'header' => $headers_sent, 'content' => json_encode($body), 'ignore_errors' => true];
        $text = file_get_contents($url, false, stream_context_create(['http' => $options]));
        $status = (int) explode(' ', $http_response_header[0])[1];
        if ($status < 500 || $attempt === 5) {
            return [$status, json_decode($text, true)];
        }
        usleep(10_000 * $attempt);
    }
}

$base = $argv[1];
[, $reply] = call("$base/api/auth", ['api_key' => getenv('API_KEY'), 'api_secret' => getenv('API_SECRET')]);
$sale = [
    'store_id' => 'STORE-ABJ-01',
    'items' => [['product_id' => 'PRD-0001', 'quantity' => 2, 'price' => 750]],
    'payment_method' => 'cash',
    'total' => 1500,
];
[$status, $sold] = call("$base/api/v1/sales", $sale, ["Authorization: Bearer {$reply['token']}", 'Idempotency-Key: till-1']);
echo "$status {$sold['data']['status']}\n";
