<?php
// A till in PHP with Guzzle: token, a sale that is retried with one Idempotency-Key, and the sale in the report.
// The address and the credentials are those that `npx --no -- passerelle stub pos` prints.
declare(strict_types=1);

use GuzzleHttp\Client;
use GuzzleHttp\Exception\BadResponseException;

// Debian's package php-guzzlehttp-guzzle; with Composer: vendor/autoload.php.
require 'GuzzleHttp/autoload.php';

$client = new Client(['base_uri' => getenv('PASSERELLE_POS_URL'), 'timeout' => 30]);
$json = fn($reply) => json_decode((string) $reply->getBody(), true, flags: JSON_THROW_ON_ERROR);

$credentials = ['api_key' => getenv('PASSERELLE_POS_API_KEY'), 'api_secret' => getenv('PASSERELLE_POS_API_SECRET')];
$token = $json($client->post('/api/auth', ['json' => $credentials]))['token'];
$headers = ['Authorization' => "Bearer $token", 'Idempotency-Key' => 'till-php-' . bin2hex(random_bytes(8))];
$sale = [
    'store_id' => 'STORE-ABJ-01',
    'items' => [['product_id' => 'PRD-0001', 'quantity' => 1, 'price' => 2500]],
    'payment_method' => 'cash',
    'total' => 2500,
];

/** Sends the sale again, with the same key, for as long as the service is unavailable. `$prefer` asks a stub for its replies. */
$sell = function (array $prefer) use ($client, $headers, $sale, $json): array {
    for ($attempt = 0; ; $attempt++) {
        $asked = isset($prefer[$attempt]) ? ['Prefer' => $prefer[$attempt]] : [];
        try {
            return $json($client->post('/api/v1/sales', ['headers' => $headers + $asked, 'json' => $sale]))['data'];
        } catch (BadResponseException $refused) {
            $status = $refused->getResponse()->getStatusCode();
            echo "sale: $status\n";
            if ($status !== 503 || $attempt === 4) {
                throw $refused;
            }
            usleep(100_000);
        }
    }
};
$query = ['store_id' => $sale['store_id']];
$sales = fn(): int => $json($client->get('/api/v1/reports/sales', ['headers' => $headers, 'query' => $query]))['data']['totals']['sales'];

$before = $sales();
$sold = $sell(['code=503', 'code=503']);
$again = $sell([]);
if ($again['id'] !== $sold['id']) {
    throw new RuntimeException("One key made two sales: {$sold['id']} and {$again['id']}.");
}

if ($sales() !== $before + 1) {
    throw new RuntimeException("The report has {$sales()} sales, not one more than $before.");
}
echo "sale: {$sold['id']}, {$sold['status']}, in the report\n";
