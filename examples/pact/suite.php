<?php
// The checks of a till that is written in PHP, as a partner has them: they know no Pact. They run against a stub,
//     npx --no -- passerelle pact pos --consumer till --output pacts -- php suite.php
// and that writes the pact of what they did. No extension of PHP is needed.
declare(strict_types=1);

$base = getenv('PASSERELLE_POS_URL') ?: 'http://127.0.0.1:4010';
$credentials = ['api_key' => getenv('PASSERELLE_POS_API_KEY'), 'api_secret' => getenv('PASSERELLE_POS_API_SECRET')];

/** Makes a call. Returns the status and the parsed body. */
function call(string $method, string $path, ?array $body = null, ?string $token = null, array $more = []): array
{
    global $base;
    $headers = ['Accept: application/json', ...$more];
    if ($token !== null) {
        $headers[] = "Authorization: Bearer $token";
    }
    $options = ['method' => $method, 'ignore_errors' => true, 'timeout' => 30];
    if ($body !== null) {
        $headers[] = 'Content-Type: application/json';
        $options['content'] = json_encode($body);
    }
    $context = stream_context_create(['http' => $options + ['header' => $headers]]);
    $text = file_get_contents($base . $path, false, $context);
    if ($text === false) {
        fwrite(STDERR, "$base does not answer.\n");
        exit(1);
    }
    return [(int) explode(' ', $http_response_header[0])[1], json_decode($text, true)];
}

$checks = 0;
$failed = 0;

/** One check: its name, what was expected, and what was found. */
function check(string $name, mixed $expected, mixed $found): void
{
    global $checks, $failed;
    $checks++;
    if ($expected === $found) {
        return;
    }
    $failed++;
    echo "not ok: $name\n  expected ", json_encode($expected), "\n  got      ", json_encode($found), "\n";
}

/** A sale in the store, with these changes. */
function sale(array $changes = []): array
{
    return $changes + [
        'store_id' => 'STORE-ABJ-01',
        'items' => [['product_id' => 'PRD-0001', 'quantity' => 2, 'price' => 750]],
        'payment_method' => 'cash',
        'total' => 1500,
    ];
}

// The token
[$status, $reply] = call('POST', '/api/auth', $credentials);
check('the key gives a token', 200, $status);
check('it is a bearer token', [true, 'Bearer'], [$reply['success'], $reply['token_type']]);
check('the lifetime is a number of seconds', true, is_int($reply['expires_in']));
$token = $reply['token'];
[$status] = call('POST', '/api/auth', ['api_secret' => 'wrong'] + $credentials);
check('a wrong secret is refused', 401, $status);
[$status] = call('POST', '/api/auth', ['api_key' => $credentials['api_key']]);
check('a missing secret is refused', 400, $status);

// The inventory
[$status] = call('GET', '/api/v1/inventory?store_id=STORE-ABJ-01', null, $token);
check('the inventory of the store', 200, $status);
[$status] = call('GET', '/api/v1/inventory?store_id=STORE-NOWHERE', null, $token);
check('the inventory of an unknown store', 404, $status);
[$status] = call('GET', '/api/v1/inventory?store_id=STORE-ABJ-01');
check('the inventory without a token', 401, $status);
[$status] = call('GET', '/api/v1/inventory?store_id=STORE-ABJ-01', null, 'not-a-token');
check('the inventory with a wrong token', 401, $status);

// Sales
[$status] = call('POST', '/api/v1/sales', sale(), $token);
check('a sale in cash', 201, $status);
[$status] = call('POST', '/api/v1/sales', sale(['payment_method' => 'card']), $token);
check('a sale by card', 201, $status);
$key = ['Idempotency-Key: till-' . bin2hex(random_bytes(8))];
[$status, $first] = call('POST', '/api/v1/sales', sale(), $token, $key);
[$again, $second] = call('POST', '/api/v1/sales', sale(), $token, $key);
check('a repeated sale is one sale', [$status, $first['data']['reference']], [$again, $second['data']['reference']]);
[$status] = call('POST', '/api/v1/sales', sale(['items' => []]), $token);
check('a sale of nothing', 400, $status);
[$status] = call('POST', '/api/v1/sales', sale(['total' => 1499]), $token);
check('a sale with a wrong total', 400, $status);
[$status] = call('POST', '/api/v1/sales', sale(['payment_method' => 'cheque']), $token);
check('a sale by cheque', 400, $status);
[$status] = call('POST', '/api/v1/sales', sale());
check('a sale without a token', 401, $status);

// Mobile money
$phone = '+2250701020304';
[$status, $sold] = call('POST', '/api/v1/sales', sale(['payment_method' => 'mobile_money', 'customer_phone' => $phone]), $token);
check('a sale by mobile money', 201, $status);
$payment = ['amount' => 1500, 'phone' => $phone, 'provider' => 'orange_money', 'reference' => $sold['data']['reference']];
[$status] = call('POST', '/api/v1/payment/mobile', ['provider' => 'carrier_pigeon'] + $payment, $token);
check('a payment by an unknown operator', 400, $status);
[$status] = call('POST', '/api/v1/payment/mobile', ['reference' => 'S-20260101-000000'] + $payment, $token);
check('a payment of an unknown sale', 404, $status);
[$status] = call('POST', '/api/v1/payment/mobile', $payment, $token);
check('a payment of the whole sale', 201, $status);

// The report
$today = gmdate('Y-m-d');
[$status] = call('GET', "/api/v1/reports/sales?store_id=STORE-ABJ-01&start_date=$today&end_date=$today", null, $token);
check('the sales of today', 200, $status);
[$status] = call('GET', '/api/v1/reports/sales?store_id=STORE-ABJ-01&start_date=today&end_date=' . $today, null, $token);
check('a report with a wrong date', 400, $status);

echo $checks - $failed, " of $checks checks passed.\n";
exit($failed === 0 ? 0 : 1);
