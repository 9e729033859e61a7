// SECRET='whsec_...' PORT=9000 java Receiver.java   (during a rotation: both secrets, a space between)
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Receiver {
    static final int MAX_BYTES = 1_048_576;
    static final long TOLERANCE_SECONDS = 300;
    /** Keep these in your database: the ids of the events that came. */
    static final Set<String> KNOWN = ConcurrentHashMap.newKeySet();

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

    static void receive(HttpExchange exchange, List<String> secrets) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readNBytes(MAX_BYTES + 1);
            if (body.length > MAX_BYTES) {
                exchange.sendResponseHeaders(413, -1);
                return;
            }
            String reason = refusal(body, exchange.getRequestHeaders(), secrets);
            // Answer at once and work afterwards; the same webhook-id may come again.
            exchange.sendResponseHeaders(reason == null ? 204 : 401, -1);
            if (reason != null) return;
            // An ordered endpoint names the event before. If that never came, ask for it.
            String previous = only(exchange.getRequestHeaders(), "webhook-previous-id");
            if (previous != null && !KNOWN.isEmpty() && !KNOWN.contains(previous)) System.out.println("missing " + previous);
            KNOWN.add(text(only(exchange.getRequestHeaders(), "webhook-id")));
            Matcher event = Pattern.compile("\"event\"\\s*:\\s*\"([^\"]*)\"").matcher(new String(body, StandardCharsets.UTF_8));
            System.out.println("genuine " + only(exchange.getRequestHeaders(), "webhook-id") + " " + (event.find() ? event.group(1) : "?"));
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }

    static HttpServer listen(String port) {
        try {
            return HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(port)), 0);
        } catch (IOException | IllegalArgumentException error) {
            throw new IllegalStateException("Set PORT to a free port, such as 9000: " + error.getMessage());
        }
    }

    public static void main(String[] arguments) {
        String given = System.getenv().getOrDefault("SECRET", "").strip();
        if (given.replaceFirst("^whsec_", "").isEmpty()) throw new IllegalStateException("Set SECRET to the signing secret of the endpoint.");
        List<String> secrets = List.of(given.split("\\s+"));
        HttpServer server = listen(System.getenv().getOrDefault("PORT", "9000"));
        server.createContext("/hook", exchange -> receive(exchange, secrets));
        server.setExecutor(Executors.newFixedThreadPool(8));
        server.start();
        System.out.println("listening " + server.getAddress());
    }
}
