<?php
// Written from docs/spec/social-cohesion.md, section 6, alone: it knows no webhook-* header.
$body = file_get_contents('php://input');
$expected = 'sha256=' . hash_hmac('sha256', $body, getenv('SECRET'));
http_response_code(hash_equals($expected, $_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? '') ? 200 : 401);
