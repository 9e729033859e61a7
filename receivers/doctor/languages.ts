/** The languages in which the doctor shows lines of code. */
export const languages = ['node', 'php', 'python', 'go', 'java', 'csharp', 'ruby'] as const;
export type Language = (typeof languages)[number];

/** Lines of code for the fixes. Names such as `rawBody` and `refusal` are those of the samples in receivers/samples. */
export const lines = {
  /** Reads the body before any parser. */
  rawBody: {
    node: 'const rawBody = Buffer.concat(await request.toArray()); // Express: express.raw({ type: "application/json" })',
    php: "$body = file_get_contents('php://input'); // Laravel: $request->getContent(). Never $_POST, never json_encode",
    python: 'body = request.get_data()  # Flask. Django: request.body. Never json.dumps(request.json)',
    go: 'body, err := io.ReadAll(request.Body)',
    java: 'byte[] body = exchange.getRequestBody().readAllBytes(); // Spring: @RequestBody byte[] body',
    csharp: 'var body = new MemoryStream(); await request.Body.CopyToAsync(body); // then body.ToArray()',
    ruby: 'body = request.body.read # Rails: request.raw_post',
  },
  /** Decodes the body of a platform that passes it in base64. */
  base64Body: {
    node: "const rawBody = Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8');",
    php: "$body = $event['isBase64Encoded'] ? base64_decode($event['body']) : $event['body'];",
    python: 'body = base64.b64decode(event["body"]) if event["isBase64Encoded"] else event["body"].encode()',
    go: 'body, err := base64.StdEncoding.DecodeString(event.Body) // if event.IsBase64Encoded',
    java: 'byte[] body = Base64.getDecoder().decode(event.getBody()); // if event.getIsBase64Encoded()',
    csharp: 'byte[] body = Convert.FromBase64String(request.Body); // if request.IsBase64Encoded',
    ruby: "body = event['isBase64Encoded'] ? Base64.strict_decode64(event['body']) : event['body']",
  },
  /** Verifies a request, as the sample of the language does. */
  verify: {
    node: 'const { valid } = verifySignature(rawBody, request.headers, secret); // the secret as it was shown',
    php: '$reason = refusal($body, $_SERVER, [$secret]); // receivers/samples/receiver.php',
    python: 'reason = refusal(body, headers, [secret])  # receivers/samples/receiver.py',
    go: 'reason := refusal(body, request.Header, []string{secret}) // receivers/samples/receiver.go',
    java: 'String reason = refusal(body, exchange.getRequestHeaders(), List.of(secret)); // receivers/samples/Receiver.java',
    csharp: 'var reason = Refusal(body, request.Headers, new[] { secret }); // receivers/samples/Receiver.cs',
    ruby: 'reason = refusal(body, headers, [secret]) # receivers/samples/receiver.rb',
  },
  bothSecrets: {
    node: 'const { valid } = verifySignature(rawBody, request.headers, [newSecret, oldSecret]);',
    php: '$reason = refusal($body, $_SERVER, [$newSecret, $oldSecret]);',
    python: 'reason = refusal(body, headers, [new_secret, old_secret])',
    go: 'reason := refusal(body, request.Header, []string{newSecret, oldSecret})',
    java: 'String reason = refusal(body, exchange.getRequestHeaders(), List.of(newSecret, oldSecret));',
    csharp: 'var reason = Refusal(body, request.Headers, new[] { newSecret, oldSecret });',
    ruby: 'reason = refusal(body, headers, [new_secret, old_secret])',
  },
  /** The value of X-SERVICE-Signature. */
  service: {
    node: "const expected = 'sha256=' + createHmac('sha256', secret).update(rawBody).digest('hex');",
    php: "$expected = 'sha256=' . hash_hmac('sha256', $body, $secret); // data first, then the key",
    python: 'expected = "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()',
    go: 'mac := hmac.New(sha256.New, []byte(secret)); mac.Write(body); expected := "sha256=" + hex.EncodeToString(mac.Sum(nil))',
    java: 'String expected = "sha256=" + HexFormat.of().formatHex(hmac(secret.getBytes(UTF_8), body)); // Mac "HmacSHA256"',
    csharp:
      'var expected = "sha256=" + Convert.ToHexString(new HMACSHA256(Encoding.UTF8.GetBytes(secret)).ComputeHash(body)).ToLower();',
    ruby: "expected = 'sha256=' + OpenSSL::HMAC.hexdigest('SHA256', secret, body)",
  },
  /** A signature of webhook-signature. */
  standard: {
    node: "const expected = 'v1,' + createHmac('sha256', key).update(id + '.' + timestamp + '.').update(rawBody).digest('base64');",
    php: "$expected = 'v1,' . base64_encode(hash_hmac('sha256', \"$id.$timestamp.$body\", $key, true));",
    python: 'expected = "v1," + base64.b64encode(hmac.digest(key, f"{id}.{timestamp}.".encode() + body, "sha256")).decode()',
    go: 'mac := hmac.New(sha256.New, key); mac.Write([]byte(id + "." + timestamp + ".")); mac.Write(body) // then base64.StdEncoding',
    java: 'mac.update((id + "." + timestamp + ".").getBytes(UTF_8)); String expected = "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));',
    csharp:
      'var expected = "v1," + Convert.ToBase64String(new HMACSHA256(key).ComputeHash(signed)); // id + "." + timestamp + "." + body',
    ruby: "expected = 'v1,' + [OpenSSL::HMAC.digest('SHA256', key, \"#{id}.#{timestamp}.#{body}\")].pack('m0')",
  },
  /** The key of webhook-signature. */
  decodedKey: {
    node: "const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');",
    php: "$key = base64_decode(preg_replace('/^whsec_/', '', $secret), true);",
    python: 'key = base64.b64decode(secret.removeprefix("whsec_"))',
    go: 'key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))',
    java: 'byte[] key = Base64.getDecoder().decode(secret.replaceFirst("^whsec_", ""));',
    csharp: 'byte[] key = Convert.FromBase64String(Regex.Replace(secret, "^whsec_", ""));',
    ruby: "key = secret.delete_prefix('whsec_').unpack1('m0')",
  },
  trimmedSecret: {
    node: "const secret = process.env.SECRET?.trim().replace(/^([\"'])(.*)\\1$/, '$2');",
    php: "$secret = trim(getenv('SECRET') ?: '', \" \\n\\r\\t\\\"'\");",
    python: 'secret = os.environ["SECRET"].strip().strip("\\"\'")',
    go: 'secret := strings.Trim(os.Getenv("SECRET"), " \\r\\n\\t\\"\'")',
    java: 'String secret = System.getenv("SECRET").strip().replaceAll("^[\\"\']|[\\"\']$", "");',
    csharp: "var secret = Environment.GetEnvironmentVariable(\"SECRET\")?.Trim(' ', '\\r', '\\n', '\\t', '\"', '\\'');",
    ruby: "secret = ENV.fetch('SECRET').strip.delete(%q('\"))",
  },
  requiredSecret: {
    node: "if (!process.env.SECRET) throw new Error('Set SECRET.');",
    php: "if (!getenv('SECRET')) { http_response_code(500); exit('Set SECRET.'); }",
    python: 'if not os.environ.get("SECRET"): sys.exit("Set SECRET.")',
    go: 'if os.Getenv("SECRET") == "" { log.Fatal("Set SECRET.") }',
    java: 'if (System.getenv().getOrDefault("SECRET", "").isEmpty()) throw new IllegalStateException("Set SECRET.");',
    csharp: 'if (string.IsNullOrEmpty(Environment.GetEnvironmentVariable("SECRET"))) throw new Exception("Set SECRET.");',
    ruby: "abort 'Set SECRET.' if ENV.fetch('SECRET', '').empty?",
  },
  seconds: {
    node: 'const timestamp = String(Math.floor(Date.now() / 1000));',
    php: '$timestamp = (string) time();',
    python: 'timestamp = str(int(time.time()))',
    go: 'timestamp := strconv.FormatInt(time.Now().Unix(), 10)',
    java: 'String timestamp = Long.toString(Instant.now().getEpochSecond());',
    csharp: 'var timestamp = DateTimeOffset.UtcNow.ToUnixTimeSeconds().ToString();',
    ruby: 'timestamp = Time.now.to_i.to_s',
  },
  /** Reads the header as it was sent. */
  header: {
    node: "const given = request.headers['x-service-signature'] ?? '';",
    php: "$given = $_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? '';",
    python: 'given = request.headers.get("X-SERVICE-Signature", "")',
    go: 'given := request.Header.Get("X-SERVICE-Signature")',
    java: 'String given = exchange.getRequestHeaders().getFirst("X-SERVICE-Signature");',
    csharp: 'var given = request.Headers["X-SERVICE-Signature"];',
    ruby: "given = request.get_header('HTTP_X_SERVICE_SIGNATURE').to_s",
  },
  /** The signatures of webhook-signature. */
  list: {
    node: "const signatures = request.headers['webhook-signature'].split(' ');",
    php: "$signatures = explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE']);",
    python: 'signatures = request.headers["webhook-signature"].split(" ")',
    go: 'signatures := strings.Split(request.Header.Get("webhook-signature"), " ")',
    java: 'String[] signatures = exchange.getRequestHeaders().getFirst("webhook-signature").split(" ");',
    csharp: 'var signatures = request.Headers["webhook-signature"].ToString().Split(\' \');',
    ruby: "signatures = request.get_header('HTTP_WEBHOOK_SIGNATURE').split(' ')",
  },
} as const satisfies Record<string, Record<Language, string>>;

export type LineId = keyof typeof lines;
