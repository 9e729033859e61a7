package passerelle;

import com.sun.net.httpserver.Headers;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Controls a Passerelle stub from tests in Java 17 or newer. Copy this file to a folder passerelle; it needs no library.
 *
 * <pre>
 * try (Stub stub = Stub.start("pos"); Stub world = stub.world(Map.of())) {
 *     world.fault("createSale:status=503,times=1");
 *     ...                                             // your program calls stub.url with world.credentials
 *     world.waitForCall(Map.of("operation", "createSale", "status", 201));
 * }
 * </pre>
 *
 * JSON is a Map, a List, a String, a Double, a Boolean or null.
 */
public final class Stub implements AutoCloseable {
    /** Says what is wrong: in the stub's own words, if it replied. */
    public static final class StubException extends RuntimeException {
        StubException(String message) {
            super(message);
        }
    }

    /** What a call got. */
    public record Reply(int status, Object body) {}

    private static final String HOW_TO_START = "`npx --no -- passerelle run pos -- COMMAND` starts a stub for a suite. Stub.start does "
        + "if PASSERELLE_POS_URL is not set, by `npx --no -- passerelle` or the command in PASSERELLE_COMMAND.";
    /** How many seconds a request may take, and a stub to start. */
    private static final double LIMIT = Double.parseDouble(System.getenv().getOrDefault("PASSERELLE_TIMEOUT", "30"));
    private static final String WITHIN = (" within " + LIMIT + " s").replace(".0 ", " ");
    private static final Pattern ADDRESS =
        Pattern.compile("(https?://(?:[\\w.-]+|\\[[\\da-fA-F:]+\\])(?::\\d+)?(?:/_stub/worlds/[\\w-]+)?)/*");
    private static final long TOLERANCE_SECONDS = 300;
    private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    public final String url;
    /** What it accepts: `apiKey` and `apiSecret` (pos), or `token` (cohesion). */
    public final Map<String, Object> credentials;
    /** What signs its webhooks. */
    public final String secret;
    /** How long `waitForCall` and `waitForDelivery` wait. */
    public Duration timeout = Duration.ofSeconds(4);
    private Map<String, String> headers = Map.of();
    private Runnable ending = () -> {};

    /** Connects to a stub that runs. */
    public Stub(String url) {
        Matcher address = ADDRESS.matcher(String.valueOf(url));
        if (!address.matches()) {
            throw new StubException('"' + url + "\" is no address of a stub: write it as http://127.0.0.1:4744, without a path");
        }
        this.url = address.group(1);
        Map<String, Object> about = object(control("GET", "/_stub", null));
        credentials = object(about.get("credentials"));
        secret = (String) about.get("secret");
        headers = Map.of("Authorization", "Bearer " + about.get("operatorToken"));
    }

    /**
     * Starts a stub of `pos` or `cohesion`. It ends with `close`, or with this process.
     *
     * If PASSERELLE_POS_URL (PASSERELLE_COHESION_URL) is set, as by `passerelle run`, connects to that one.
     * PASSERELLE_COMMAND replaces `npx --no -- passerelle`; its words are separated by spaces.
     */
    public static Stub start(String service) {
        String running = System.getenv("PASSERELLE_" + service.toUpperCase() + "_URL");
        if (running != null && !running.isEmpty()) return new Stub(running);
        String command = System.getenv().getOrDefault("PASSERELLE_COMMAND", "npx --no -- passerelle")
            + " stub " + service + " --port 0 --quiet --until-input-ends";
        try {
            Process process = new ProcessBuilder(command.split(" +")).redirectErrorStream(true).start();
            StringBuffer printed = new StringBuffer();
            Stream<String> lines = process.inputReader().lines().peek(line -> printed.append(line).append('\n'));
            String why;
            try {
                Optional<String> address = in(CompletableFuture.supplyAsync(() -> lines.filter(line -> line.startsWith("http")).findFirst()));
                if (address.isPresent()) {
                    Stub stub = new Stub(address.get());
                    stub.ending = () -> stop(process);
                    return stub;
                }
                why = "ended with " + process.waitFor() + "; its output";
            } catch (TimeoutException error) {
                process.destroyForcibly();
                why = "did not say its address" + WITHIN + "; its output so far";
            }
            throw new StubException(command + " " + why + ": " + (printed.isEmpty() ? "nothing" : printed.toString().trim()));
        } catch (IOException | InterruptedException error) {
            throw new StubException("Cannot run " + command + ": " + error.getMessage() + ". Is Node installed? " + HOW_TO_START);
        }
    }

    private static <T> T in(CompletableFuture<T> future) throws IOException, InterruptedException, TimeoutException {
        try {
            return future.get((long) (LIMIT * 1000), TimeUnit.MILLISECONDS);
        } catch (ExecutionException error) {
            throw new IOException(error.getCause());
        }
    }

    private static void stop(Process process) {
        try {
            process.getOutputStream().close();
            process.waitFor();
        } catch (IOException | InterruptedException error) {
            process.destroy();
        }
    }

    /** Stops the stub that `start` started, or ends the world. A stub that ran before stays. */
    @Override
    public void close() {
        ending.run();
    }

    /** Puts data, endpoints, clock, limits, faults and calls back to the start. */
    public void reset() {
        control("POST", "/_stub/reset", null);
    }

    /** Starts a world: a stub inside this one, with its own credentials. Options: `name`, `seed`, `clock`, `faults`, `webhooks`... */
    public Stub world(Map<String, ?> options) {
        Stub world = new Stub((String) object(control("POST", "/_stub/worlds", options)).get("url"));
        world.ending = () -> world.control("DELETE", "", null);
        return world;
    }

    /** Adds a fault: a rule such as `createSale:status=503,times=1`, or a Map. */
    public void fault(Object rule) {
        control("POST", "/_stub/faults", Map.of("rule", rule));
    }

    /** Advances the clock by a duration such as `72h`, and runs what falls due. Returns the new time. */
    public String advance(String by) {
        return (String) object(control("POST", "/_stub/clock/advance", Map.of("by", by))).get("now");
    }

    /** Returns the oldest call that matches, now or within `timeout`. Filter: `operation`, `method`, `path`, `status`. */
    public Map<String, Object> waitForCall(Map<String, ?> filter) {
        return await("call", "/_stub/calls", filter, one -> true, List.of("method", "path", "status"));
    }

    /** Returns the oldest delivery that was attempted and matches. Filter: `event_type`, `status`, `endpoint_id`, `event_id`. */
    public Map<String, Object> waitForDelivery(Map<String, ?> filter) {
        Predicate<Map<String, Object>> isOver = one -> !one.get("attempts").equals(0.0) || !one.get("status").equals("pending");
        Map<String, Object> found = await("delivery", "/manage/v1/deliveries", filter, isOver, List.of("event_type", "status"));
        return object(control("GET", "/manage/v1/deliveries/" + found.get("id"), null));
    }

    private Map<String, Object> await(String what, String path, Map<String, ?> filter, Predicate<Map<String, Object>> fits, List<String> shown) {
        String query = filter.entrySet().stream()
            .map(one -> one.getKey() + "=" + URLEncoder.encode(word(one.getValue()), StandardCharsets.UTF_8))
            .collect(Collectors.joining("&", "?", ""));
        for (Instant end = Instant.now().plus(timeout); ; ) {
            List<Map<String, Object>> found = objects(control("GET", path + query, null));
            // The manage API lists the newest first, also those that were not attempted yet.
            if (what.equals("delivery")) Collections.reverse(found);
            for (Map<String, Object> one : found) if (fits.test(one)) return one;
            if (Instant.now().isAfter(end)) break;
            try {
                Thread.sleep(20);
            } catch (InterruptedException error) {
                throw new StubException("Interrupted while it waited for a " + what);
            }
        }
        List<String> there = new ArrayList<>();
        for (Map<String, Object> one : objects(control("GET", path, null))) {
            there.add(shown.stream().map(name -> word(one.get(name))).collect(Collectors.joining(" ")));
        }
        String waited = "Waited " + timeout.toMillis() / 1000.0 + " s for a " + what + " with " + query;
        throw new StubException(waited + ". There are " + (there.isEmpty() ? "none" : there.size() + ": " + String.join(", ", there)));
    }

    /** Throws if the signature of a webhook is not genuine. `body`: its bytes as received. Default: the stub's secret. */
    public void verify(byte[] body, Map<String, String> received, String... secrets) {
        Headers given = new Headers();
        if (received != null) received.forEach(given::set);
        try {
            String reason = refusal(body, given, secrets.length > 0 ? List.of(secrets) : List.of(secret));
            if (reason != null) throw new StubException("The webhook is not genuine: " + reason);
        } catch (GeneralSecurityException error) {
            throw new StubException("The signature cannot be checked: " + error.getMessage());
        }
    }

    /** Calls another route of the control or manage API. Returns its `data`; throws with the words of a refusal. */
    public Object control(String method, String path, Object body) {
        Reply reply = request(method, path, body, headers);
        if (reply.status == 204) return null;
        if (reply.body instanceof Map<?, ?> known && known.containsKey("data")) return known.get("data");
        boolean refused = reply.body instanceof Map<?, ?> known && known.get("error") instanceof Map<?, ?>;
        Object words = refused ? object(object(reply.body).get("error")).get("message") : String.format("%.200s", written(reply.body));
        throw new StubException(method + " " + path + " got " + reply.status + ": " + words);
    }

    /** Makes a call, also of the API that the stub serves. Returns the status and the reply's JSON, or text. */
    public Reply request(String method, String path, Object body, Map<String, String> sent) {
        try {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path));
            sent.forEach(request::header);
            if (body != null) request.header("Content-Type", "application/json");
            request.method(method, body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(written(body)));
            HttpResponse<String> reply = in(CLIENT.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString()));
            return new Reply(reply.statusCode(), reply.body().isEmpty() ? null : jsonOrText(reply.body()));
        } catch (TimeoutException error) {
            throw new StubException(url + path + " did not answer" + WITHIN);
        } catch (IOException | InterruptedException | IllegalArgumentException error) {
            throw new StubException("No stub answers at " + url + " (" + error + "). " + HOW_TO_START);
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> object(Object value) {
        return (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> objects(Object value) {
        return (List<Map<String, Object>>) value;
    }

    private static String word(Object value) {
        return value instanceof String text ? text : written(value);
    }

    /** Writes JSON, which Java's own library does not. */
    private static String written(Object value) {
        if (value instanceof Map<?, ?> map) {
            Stream<String> fields = map.entrySet().stream().map(one -> written(one.getKey()) + ":" + written(one.getValue()));
            return fields.collect(Collectors.joining(",", "{", "}"));
        }
        if (value instanceof List<?> list) return list.stream().map(Stub::written).collect(Collectors.joining(",", "[", "]"));
        if (value instanceof Double number && number == Math.rint(number)) return String.valueOf(number.longValue());
        if (!(value instanceof String text)) return String.valueOf(value);
        StringBuilder quoted = new StringBuilder("\"");
        for (char one : text.toCharArray()) {
            quoted.append(one < ' ' || one == '"' || one == '\\' ? String.format("\\u%04x", (int) one) : one);
        }
        return quoted.append('"').toString();
    }

    private static Object jsonOrText(String text) {
        try {
            return json(text);
        } catch (NumberFormatException | IndexOutOfBoundsException error) {
            return text;
        }
    }

    /** Reads JSON, such as the body of a webhook. */
    public static Object json(String text) {
        return new Json(text).value();
    }

    private static final class Json {
        private final String text;
        private int at = 0;

        Json(String text) {
            this.text = text;
        }

        Object value() {
            switch (next()) {
                case '{': {
                    Map<String, Object> map = new LinkedHashMap<>();
                    for (at++; next() != '}'; skip(',')) {
                        String name = (String) value();
                        skip(':');
                        map.put(name, value());
                    }
                    at++;
                    return map;
                }
                case '[': {
                    List<Object> list = new ArrayList<>();
                    for (at++; next() != ']'; skip(',')) list.add(value());
                    at++;
                    return list;
                }
                case '"':
                    return string();
                default: {
                    int from = at;
                    while (at < text.length() && ",]} ".indexOf(text.charAt(at)) < 0) at++;
                    String word = text.substring(from, at);
                    if (word.equals("null")) return null;
                    return word.equals("true") || word.equals("false") ? (Object) word.equals("true") : Double.valueOf(word);
                }
            }
        }

        /** Skips spaces, and returns the character there. */
        private char next() {
            while (Character.isWhitespace(text.charAt(at))) at++;
            return text.charAt(at);
        }

        private void skip(char separator) {
            if (next() == separator) at++;
        }

        private String string() {
            StringBuilder made = new StringBuilder();
            for (at++; text.charAt(at) != '"'; at++) {
                char one = text.charAt(at);
                if (one == '\\') {
                    one = text.charAt(++at);
                    int known = "bfnrt".indexOf(one);
                    if (known >= 0) one = "\b\f\n\r\t".charAt(known);
                    if (one == 'u') {
                        one = (char) Integer.parseInt(text.substring(at + 1, at + 5), 16);
                        at += 4;
                    }
                }
                made.append(one);
            }
            at++;
            return made.toString();
        }
    }

    // From receivers/samples/Receiver.java:
    /** Returns why this body must be rejected; null if it is genuine. */
    static String refusal(byte[] body, Headers headers, List<String> secrets) throws GeneralSecurityException {
        String id = only(headers, "webhook-id");
        String timestamp = only(headers, "webhook-timestamp");
        String signatures = only(headers, "webhook-signature");
        List<String> expected = new ArrayList<>();
        if (id == null && timestamp == null && signatures == null) {
            if (only(headers, "X-SERVICE-Signature") == null) return "no signature header: neither webhook-* nor x-service-signature";
            for (String secret : secrets) expected.add("sha256=" + HexFormat.of().formatHex(hmac(bytes(secret), body)));
            return anyEqual(new String[] {only(headers, "X-SERVICE-Signature")}, expected) ? null : "wrong x-service-signature";
        }
        // Without a dot in the id, the signed text can be cut in one way only.
        if (!text(id).matches("[A-Za-z0-9_-]+") || !text(timestamp).matches("[0-9]{1,12}")) {
            return "missing or malformed webhook-* header";
        }
        for (String secret : secrets) {
            byte[] key = Base64.getDecoder().decode(secret.replaceFirst("^whsec_", ""));
            expected.add("v1," + Base64.getEncoder().encodeToString(hmac(key, bytes(id + "." + timestamp + "."), body)));
        }
        if (!anyEqual(text(signatures).split(" "), expected)) return "wrong webhook-signature";
        long age = Instant.now().getEpochSecond() - Long.parseLong(timestamp);
        return Math.abs(age) > TOLERANCE_SECONDS ? "webhook-timestamp too old or too new" : null;
    }

    static byte[] hmac(byte[] key, byte[]... parts) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        for (byte[] part : parts) mac.update(part);
        return mac.doFinal();
    }

    /** In constant time. */
    static boolean anyEqual(String[] given, List<String> expected) {
        boolean found = false;
        for (String one : given) for (String other : expected) found |= MessageDigest.isEqual(bytes(one), bytes(other));
        return found;
    }

    /** A repeated header is joined into one value, which matches nothing. */
    static String only(Headers headers, String name) {
        List<String> values = headers.get(name);
        return values == null ? null : String.join(", ", values);
    }

    static String text(String value) {
        return value == null ? "" : value;
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    // Until here.
}
