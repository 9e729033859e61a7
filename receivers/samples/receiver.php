<?php
// SECRET='whsec_...' php -S 127.0.0.1:9000 receiver.php   (during a rotation: both secrets, a space between)
declare(strict_types=1);

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

$secrets = preg_split('/\s+/', getenv('SECRET') ?: '', -1, PREG_SPLIT_NO_EMPTY);
if ($secrets === []) {
    http_response_code(500);
    exit('Set SECRET to the signing secret of the endpoint.');
}
$body = file_get_contents('php://input');
$reason = refusal($body, $_SERVER, $secrets);
if ($reason !== null) {
    http_response_code(401);
    exit($reason);
}
// An ordered endpoint names the event before. If your database does not have it, ask for it.
if (isset($_SERVER['HTTP_WEBHOOK_PREVIOUS_ID'])) {
    error_log('after ' . $_SERVER['HTTP_WEBHOOK_PREVIOUS_ID']);
}
// Answer at once and work afterwards; the same webhook-id may come again.
error_log('genuine ' . ($_SERVER['HTTP_WEBHOOK_ID'] ?? '') . ' ' . json_decode($body, true)['event']);
http_response_code(204);
