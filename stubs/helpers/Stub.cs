using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Collections.Specialized;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net;
using System.Runtime.Serialization.Json;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading;
using System.Xml;
using System.Xml.Linq;

namespace Passerelle
{
    /// <summary>Says what is wrong: in the stub's own words, if it replied.</summary>
    public class StubException : Exception
    {
        public StubException(string message) : base(message) { }
    }

    /// <summary>What a call got.</summary>
    public class Reply
    {
        public int Status;
        public object Body;
    }

    /// <summary>
    /// Controls a Passerelle stub from tests in C#, with .NET or Mono. Copy this file; it needs no package.
    /// <code>
    /// using (var stub = Stub.Start("pos"))
    /// using (var world = stub.World())
    /// {
    ///     world.Fault("createSale:status=503,times=1");
    ///     ...                                      // your program calls stub.Url with world.Credentials
    ///     world.WaitForCall(new Map { ["operation"] = "createSale", ["status"] = 201 });
    /// }
    /// </code>
    /// JSON is a Map, a List of objects, a string, a double, a bool or null.
    /// </summary>
    public sealed class Stub : IDisposable
    {
        const string HowToStart = "`npx --no -- passerelle run pos -- COMMAND` starts a stub for a suite. Stub.Start does if "
            + "PASSERELLE_POS_URL is not set, by `npx --no -- passerelle` or the command in PASSERELLE_COMMAND.";
        /// <summary>How long a request may take, and a stub to start.</summary>
        static readonly TimeSpan Limit = TimeSpan.FromSeconds(
            double.Parse(Environment.GetEnvironmentVariable("PASSERELLE_TIMEOUT") ?? "30", CultureInfo.InvariantCulture));
        static readonly Regex Address =
            new Regex(@"\A(https?://(?:[\w.-]+|\[[\da-fA-F:]+\])(?::\d+)?(?:/_stub/worlds/[\w-]+)?)/*\z");
        const long ToleranceSeconds = 300;

        public readonly string Url;
        /// <summary>What it accepts: `apiKey` and `apiSecret` (pos), or `token` (cohesion).</summary>
        public readonly Map Credentials;
        /// <summary>What signs its webhooks.</summary>
        public readonly string Secret;
        /// <summary>How long WaitForCall and WaitForDelivery wait.</summary>
        public TimeSpan Timeout = TimeSpan.FromSeconds(4);
        readonly Dictionary<string, string> headers = new Dictionary<string, string>();
        Action ending = () => { };

        /// <summary>Connects to a stub that runs.</summary>
        public Stub(string url)
        {
            var address = Address.Match(url ?? "");
            if (!address.Success)
                throw new StubException('"' + url + "\" is no address of a stub: write it as http://127.0.0.1:4744, without a path");
            Url = address.Groups[1].Value;
            var about = (Map)Control("GET", "/_stub");
            Credentials = (Map)about["credentials"];
            Secret = (string)about["secret"];
            headers["Authorization"] = "Bearer " + about["operatorToken"];
        }

        /// <summary>
        /// Starts a stub of `pos` or `cohesion`. It ends with Dispose, or with this process.
        /// If PASSERELLE_POS_URL (PASSERELLE_COHESION_URL) is set, as by `passerelle run`, connects to that one.
        /// PASSERELLE_COMMAND replaces `npx --no -- passerelle`; its words are separated by spaces.
        /// </summary>
        public static Stub Start(string service)
        {
            var running = Environment.GetEnvironmentVariable("PASSERELLE_" + service.ToUpperInvariant() + "_URL");
            if (!string.IsNullOrEmpty(running)) return new Stub(running);
            var command = Environment.GetEnvironmentVariable("PASSERELLE_COMMAND") ?? "npx --no -- passerelle";
            command += " stub " + service + " --port 0 --quiet --until-input-ends";
            var words = command.Split(new[] { ' ' }, 2);
            var process = new Process
            {
                StartInfo = new ProcessStartInfo(words[0], words[1])
                {
                    UseShellExecute = false,
                    RedirectStandardInput = true,
                    RedirectStandardOutput = true,
                    RedirectStandardError = true,
                }
            };
            try { process.Start(); }
            catch (SystemException error)
            {
                throw new StubException("Cannot run " + command + ": " + error.Message + ". Is Node installed? " + HowToStart);
            }
            var lines = new BlockingCollection<string>();
            process.OutputDataReceived += (sender, one) => lines.Add(one.Data);
            process.ErrorDataReceived += (sender, one) => lines.Add(one.Data);
            process.BeginOutputReadLine();
            process.BeginErrorReadLine();
            string line, printed = "";
            // Each of the two outputs ends with null.
            var open = 2;
            for (var watch = Stopwatch.StartNew(); open > 0 && lines.TryTake(out line, Remaining(watch)); printed += line + "\n")
            {
                if (line == null) open--;
                if (line == null || !line.StartsWith("http")) continue;
                return new Stub(line)
                {
                    ending = () =>
                    {
                        process.StandardInput.Close();
                        process.WaitForExit();
                    }
                };
            }
            var why = "did not say its address within " + Word(Limit.TotalSeconds) + " s; its output so far";
            process.StandardInput.Close();
            // It may end by itself meanwhile.
            if (open > 0) try { process.Kill(); } catch (SystemException) { }
            if (open == 0)
            {
                process.WaitForExit();
                why = "ended with " + process.ExitCode + "; its output";
            }
            throw new StubException(command + " " + why + ": " + (printed.Trim() == "" ? "nothing" : printed.Trim()));
        }

        static TimeSpan Remaining(Stopwatch watch)
        {
            return watch.Elapsed < Limit ? Limit - watch.Elapsed : TimeSpan.Zero;
        }

        /// <summary>Stops the stub that Start started, or ends the world. A stub that ran before stays.</summary>
        public void Dispose()
        {
            ending();
        }

        /// <summary>Puts data, endpoints, clock, limits, faults and calls back to the start.</summary>
        public void Reset()
        {
            Control("POST", "/_stub/reset");
        }

        /// <summary>Starts a world: a stub inside this one, with its own credentials. Options: `name`, `seed`, `clock`, `faults`, `webhooks`...</summary>
        public Stub World(Map options = null)
        {
            var world = new Stub((string)((Map)Control("POST", "/_stub/worlds", options ?? new Map()))["url"]);
            world.ending = () => world.Control("DELETE", "");
            return world;
        }

        /// <summary>Adds a fault: a rule such as `createSale:status=503,times=1`, or a Map.</summary>
        public void Fault(object rule)
        {
            Control("POST", "/_stub/faults", new Map { ["rule"] = rule });
        }

        /// <summary>Advances the clock by a duration such as `72h`, and runs what falls due. Returns the new time.</summary>
        public string Advance(string by)
        {
            return (string)((Map)Control("POST", "/_stub/clock/advance", new Map { ["by"] = by }))["now"];
        }

        /// <summary>Returns the oldest call that matches, now or within Timeout. Filter: `operation`, `method`, `path`, `status`.</summary>
        public Map WaitForCall(Map filter)
        {
            return Wait("call", "/_stub/calls", filter, "method", "path", "status");
        }

        /// <summary>Returns the oldest delivery that was attempted and matches. Filter: `event_type`, `status`, `endpoint_id`, `event_id`.</summary>
        public Map WaitForDelivery(Map filter)
        {
            var found = Wait("delivery", "/manage/v1/deliveries", filter, "event_type", "status");
            return (Map)Control("GET", "/manage/v1/deliveries/" + found["id"]);
        }

        Map Wait(string what, string path, Map filter, params string[] shown)
        {
            var query = "?" + string.Join("&", filter.Select(one => one.Key + "=" + Uri.EscapeDataString(Word(one.Value))));
            for (var watch = Stopwatch.StartNew(); watch.Elapsed < Timeout; Thread.Sleep(20))
            {
                var found = ((List<object>)Control("GET", path + query)).Cast<Map>();
                // The manage API lists the newest first, also those that were not attempted yet.
                if (what == "delivery")
                    found = found.Reverse().Where(one => !one["attempts"].Equals(0.0) || !one["status"].Equals("pending"));
                if (found.Any()) return found.First();
            }
            var there = ((List<object>)Control("GET", path)).Cast<Map>()
                .Select(one => string.Join(" ", shown.Select(name => Word(one[name])))).ToArray();
            var waited = "Waited " + Word(Timeout.TotalSeconds) + " s for a " + what + " with " + query;
            throw new StubException(waited + ". There are " + (there.Any() ? there.Length + ": " + string.Join(", ", there) : "none"));
        }

        /// <summary>Throws if the signature of a webhook is not genuine. `body`: its bytes as received. Default: the stub's secret.</summary>
        public void Verify(byte[] body, NameValueCollection received, params string[] secrets)
        {
            var reason = Refusal(body, received ?? new NameValueCollection(), secrets.Length > 0 ? secrets : new[] { Secret });
            if (reason != null) throw new StubException("The webhook is not genuine: " + reason);
        }

        /// <summary>Calls another route of the control or manage API. Returns its `data`; throws with the words of a refusal.</summary>
        public object Control(string method, string path, object body = null)
        {
            var reply = Request(method, path, body, headers);
            if (reply.Status == 204) return null;
            var known = reply.Body as Map ?? new Map { ["text"] = reply.Body };
            if (known.ContainsKey("data")) return known["data"];
            var error = known.ContainsKey("error") ? known["error"] as Map : null;
            var words = error == null ? string.Concat(Written(known).Take(200)) : error["message"];
            throw new StubException(method + " " + path + " got " + reply.Status + ": " + words);
        }

        /// <summary>Makes a call, also of the API that the stub serves. Returns the status and the reply's JSON, or text.</summary>
        public Reply Request(string method, string path, object body = null, IDictionary<string, string> sent = null)
        {
            try
            {
                var request = (HttpWebRequest)WebRequest.Create(Url + path);
                request.Method = method;
                request.Timeout = request.ReadWriteTimeout = (int)Limit.TotalMilliseconds;
                foreach (var header in sent ?? new Dictionary<string, string>()) request.Headers[header.Key] = header.Value;
                if (body != null)
                {
                    var bytes = Encoding.UTF8.GetBytes(Written(body));
                    request.ContentType = "application/json";
                    using (var stream = request.GetRequestStream()) stream.Write(bytes, 0, bytes.Length);
                }
                using (var response = Answer(request))
                using (var stream = response.GetResponseStream())
                {
                    var text = new StreamReader(stream, Encoding.UTF8).ReadToEnd();
                    return new Reply { Status = (int)response.StatusCode, Body = text == "" ? null : JsonOrText(text) };
                }
            }
            catch (WebException error) when (error.Status == WebExceptionStatus.Timeout)
            {
                throw new StubException(Url + path + " did not answer within " + Word(Limit.TotalSeconds) + " s");
            }
            catch (Exception error) when (error is WebException || error is IOException || error is UriFormatException)
            {
                throw new StubException("No stub answers at " + Url + " (" + error.Message + "). " + HowToStart);
            }
        }

        static HttpWebResponse Answer(HttpWebRequest request)
        {
            try { return (HttpWebResponse)request.GetResponse(); }
            catch (WebException error) when (error.Response != null) { return (HttpWebResponse)error.Response; }
        }

        static object JsonOrText(string text)
        {
            try { return Json(text); }
            catch (XmlException) { return text; }
        }

        /// <summary>Reads JSON, such as the body of a webhook.</summary>
        public static object Json(string text)
        {
            using (var reader = JsonReaderWriterFactory.CreateJsonReader(Encoding.UTF8.GetBytes(text), XmlDictionaryReaderQuotas.Max))
                return Value(XElement.Load(reader));
        }

        static object Value(XElement json)
        {
            switch ((string)json.Attribute("type"))
            {
                case "object":
                    var map = new Map();
                    // A name that XML does not allow is in the attribute `item`.
                    foreach (var one in json.Elements()) map[(string)one.Attribute("item") ?? one.Name.LocalName] = Value(one);
                    return map;
                case "array": return json.Elements().Select(Value).ToList();
                case "number": return double.Parse(json.Value, CultureInfo.InvariantCulture);
                case "boolean": return json.Value == "true";
                case "null": return null;
                default: return json.Value;
            }
        }

        static string Word(object value)
        {
            return value as string ?? Written(value);
        }

        static string Written(object value)
        {
            if (value == null) return "null";
            if (value is bool) return (bool)value ? "true" : "false";
            var map = value as IDictionary<string, object>;
            if (map != null) return "{" + string.Join(",", map.Select(one => Written(one.Key) + ":" + Written(one.Value))) + "}";
            var text = value as string;
            if (text != null) return '"' + Regex.Replace(text, "[\0-\x1f\"\\\\]", one => "\\u" + ((int)one.Value[0]).ToString("x4")) + '"';
            var list = value as System.Collections.IEnumerable;
            if (list != null) return "[" + string.Join(",", list.Cast<object>().Select(Written)) + "]";
            return Convert.ToString(value, CultureInfo.InvariantCulture);
        }

        // From receivers/samples/Receiver.cs:
        /// <summary>Returns why this body must be rejected; null if it is genuine.</summary>
        public static string Refusal(byte[] body, NameValueCollection headers, string[] secrets)
        {
            string id = headers["webhook-id"], timestamp = headers["webhook-timestamp"], signatures = headers["webhook-signature"];
            if (id == null && timestamp == null && signatures == null)
            {
                if (headers["X-SERVICE-Signature"] == null) return "no signature header: neither webhook-* nor x-service-signature";
                var documented = secrets.Select(secret => "sha256=" + Hex(Hmac(Encoding.UTF8.GetBytes(secret), body))).ToArray();
                return AnyEqual(new[] { headers["X-SERVICE-Signature"] }, documented) ? null : "wrong x-service-signature";
            }
            // Without a dot in the id, the signed text can be cut in one way only.
            if (!Regex.IsMatch(id ?? "", @"\A[A-Za-z0-9_-]+\z") || !Regex.IsMatch(timestamp ?? "", @"\A[0-9]{1,12}\z"))
                return "missing or malformed webhook-* header";
            var signed = Encoding.UTF8.GetBytes(id + "." + timestamp + ".").Concat(body).ToArray();
            var expected = secrets.Select(secret => "v1," + Convert.ToBase64String(Hmac(KeyOf(secret), signed))).ToArray();
            if (!AnyEqual((signatures ?? "").Split(' '), expected)) return "wrong webhook-signature";
            var age = DateTimeOffset.UtcNow.ToUnixTimeSeconds() - long.Parse(timestamp);
            return Math.Abs(age) > ToleranceSeconds ? "webhook-timestamp too old or too new" : null;
        }

        static byte[] KeyOf(string secret)
        {
            return Convert.FromBase64String(Regex.Replace(secret, "^whsec_", ""));
        }

        static byte[] Hmac(byte[] key, byte[] text)
        {
            using (var hmac = new HMACSHA256(key)) return hmac.ComputeHash(text);
        }

        static string Hex(byte[] bytes)
        {
            return BitConverter.ToString(bytes).Replace("-", "").ToLowerInvariant();
        }

        /// <summary>In constant time. With .NET 5 or newer, use CryptographicOperations.FixedTimeEquals.</summary>
        static bool AnyEqual(string[] given, string[] expected)
        {
            var found = false;
            foreach (var one in given)
                foreach (var other in expected)
                {
                    var difference = one.Length ^ other.Length;
                    for (var at = 0; at < other.Length; at++) difference |= other[at] ^ (at < one.Length ? one[at] : 0);
                    found |= difference == 0;
                }
            return found;
        }

        // Until here.
    }

    /// <summary>A JSON object.</summary>
    public class Map : Dictionary<string, object> { }
}
