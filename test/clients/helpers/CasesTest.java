import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.AfterClass;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import passerelle.Stub;

/**
 * Interprets cases.json with Stub.java: java org.junit.runner.JUnitCore CasesTest. A case starts with `stub`, and a new `world` of it.
 * A step calls a method, and compares what it gives or how it fails.
 */
@RunWith(Parameterized.class)
public class CasesTest {
    private static final Stub STUB = Stub.start("cohesion");

    @Parameterized.Parameters(name = "{0}")
    public static List<Object[]> cases() throws Exception {
        String text = Files.readString(Path.of("cases.json"));
        return list(Stub.json(text)).stream().map(one -> new Object[] {map(one).get("name"), map(one).get("steps")}).toList();
    }

    @Parameterized.Parameter(0)
    public String name;

    @Parameterized.Parameter(1)
    public Object steps;

    private final Map<String, Object> named = new HashMap<>(Map.of("stub", STUB));

    @AfterClass
    public static void close() {
        STUB.close();
    }

    @Test
    public void passes() {
        try (Stub world = STUB.world(Map.of())) {
            named.put("world", world);
            for (Object step : list(steps)) play(map(step));
        }
    }

    private void play(Map<String, Object> step) {
        String[] call = ((String) step.get("do")).split("\\.");
        Object given;
        try {
            given = call((Stub) named.get(call[0]), call[1], list(filled(step.getOrDefault("with", List.of()))));
        } catch (Stub.StubException error) {
            if (!step.containsKey("fails")) throw error;
            for (Object words : list(filled(step.get("fails")))) {
                assertTrue(words + " is not in: " + error.getMessage(), error.getMessage().contains((String) words));
            }
            return;
        }
        assertFalse(step.get("do") + " did not fail", step.containsKey("fails"));
        assertShows(plain(given), filled(step.get("gives")));
        named.put((String) step.get("as"), given);
    }

    private Object call(Stub target, String verb, List<Object> with) {
        Object first = with.isEmpty() ? null : with.get(0);
        String second = with.size() > 1 ? String.valueOf(with.get(1)) : null;
        target.timeout = Duration.ofMillis(verb.startsWith("waitFor") && second != null ? (long) (Double.parseDouble(second) * 1000) : 4000);
        switch (verb) {
            case "start": return Stub.start((String) first);
            case "connect": return new Stub((String) first);
            case "close": target.close(); return null;
            case "reset": target.reset(); return null;
            case "world": return target.world(map(first));
            case "fault": target.fault(first); return null;
            case "advance": return target.advance((String) first);
            case "waitForCall": return target.waitForCall(map(first));
            case "waitForDelivery": return target.waitForDelivery(map(first));
            case "control": return target.control((String) first, second, with.size() > 2 ? with.get(2) : null);
            case "verify":
                String[] secrets = with.stream().skip(2).toArray(String[]::new);
                target.verify(((String) first).getBytes(StandardCharsets.UTF_8), with.get(1) == null ? null : texts(with.get(1)), secrets);
                return null;
            case "request":
                Map<String, String> headers = with.size() > 3 ? texts(with.get(3)) : Map.of();
                Stub.Reply reply = target.request((String) first, second, with.size() > 2 ? with.get(2) : null, headers);
                Map<String, Object> shown = new HashMap<>(Map.of("status", (double) reply.status()));
                shown.put("body", reply.body());
                return shown;
            default: throw new IllegalArgumentException(verb);
        }
    }

    private static void assertShows(Object given, Object expected) {
        if (expected instanceof Map<?, ?> fields) {
            fields.forEach((name, value) -> assertShows(map(given).get(name), value));
        } else if (expected instanceof List<?> items) {
            assertEquals(items.size(), list(given).size());
            for (int at = 0; at < items.size(); at++) assertShows(list(given).get(at), items.get(at));
        } else if (expected != null) {
            assertEquals(expected, given);
        }
    }

    private static Object plain(Object value) {
        return value instanceof Stub stub ? Map.of("url", stub.url, "credentials", stub.credentials, "secret", stub.secret) : value;
    }

    /** Replaces `{stub.url}` in texts; alone, by the value itself. */
    private Object filled(Object value) {
        if (value instanceof Map<?, ?> fields) {
            Map<Object, Object> made = new LinkedHashMap<>();
            fields.forEach((name, one) -> made.put(name, filled(one)));
            return made;
        }
        if (value instanceof List<?> items) {
            List<Object> made = new ArrayList<>();
            for (Object one : items) made.add(filled(one));
            return made;
        }
        if (!(value instanceof String text)) return value;
        if (text.matches("\\{[\\w.-]+\\}")) return found(text.substring(1, text.length() - 1));
        Matcher parts = Pattern.compile("\\{([\\w.-]+)\\}").matcher(text);
        return parts.replaceAll(part -> Matcher.quoteReplacement((String) found(part.group(1))));
    }

    private Object found(String path) {
        String[] steps = path.split("\\.");
        Object value = plain(named.get(steps[0]));
        for (int at = 1; at < steps.length; at++) {
            value = value instanceof List<?> items ? items.get(Integer.parseInt(steps[at])) : map(value).get(steps[at]);
        }
        return value;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, String> texts(Object value) {
        return (Map<String, String>) value;
    }

    @SuppressWarnings("unchecked")
    private static List<Object> list(Object value) {
        return (List<Object>) value;
    }
}
