// SECRET='whsec_...' PORT=9000 dotnet run   (during a rotation: both secrets, a space between)
using System;
using System.Collections.Concurrent;
using System.Collections.Specialized;
using System.IO;
using System.Linq;
using System.Net;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading.Tasks;

public static class Receiver
{
    const int MaxBytes = 1048576;
    const long ToleranceSeconds = 300;
    /// <summary>Keep these in your database: the ids of the events that came.</summary>
    static readonly ConcurrentDictionary<string, bool> Known = new ConcurrentDictionary<string, bool>();

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

    static void Receive(HttpListenerContext context, string[] secrets)
    {
        var request = context.Request;
        var status = 413;
        if (request.ContentLength64 >= 0 && request.ContentLength64 <= MaxBytes)
        {
            var body = new MemoryStream();
            request.InputStream.CopyTo(body);
            var complete = body.Length == request.ContentLength64;
            status = complete && Refusal(body.ToArray(), request.Headers, secrets) == null ? 204 : 401;
            var found = Regex.Match(Encoding.UTF8.GetString(body.ToArray()), "\"event\"\\s*:\\s*\"([^\"]*)\"");
            // An ordered endpoint names the event before. If that never came, ask for it.
            var previous = request.Headers["webhook-previous-id"];
            if (status == 204 && previous != null && !Known.IsEmpty && !Known.ContainsKey(previous))
                Console.WriteLine("missing " + previous);
            if (status == 204) Known[request.Headers["webhook-id"] ?? ""] = true;
            // Answer at once and work afterwards; the same webhook-id may come again.
            if (status == 204) Console.WriteLine("genuine " + request.Headers["webhook-id"] + " " + found.Groups[1].Value);
        }
        context.Response.StatusCode = status;
        context.Response.Close();
    }

    public static void Main()
    {
        var secrets = (Environment.GetEnvironmentVariable("SECRET") ?? "").Split(new[] { ' ' }, StringSplitOptions.RemoveEmptyEntries);
        if (secrets.Length == 0 || secrets.Any(secret => KeyOf(secret).Length == 0))
            throw new InvalidOperationException("Set SECRET to the signing secret of the endpoint.");
        var server = new HttpListener();
        try
        {
            server.Prefixes.Add("http://127.0.0.1:" + (Environment.GetEnvironmentVariable("PORT") ?? "9000") + "/");
            server.Start();
        }
        catch (Exception error) { throw new InvalidOperationException("Set PORT to a free port, such as 9000: " + error.Message); }
        Console.WriteLine("listening");
        while (true)
        {
            var context = server.GetContext();
            Task.Run(() =>
            {
                // A sender that disconnects must not stop the receiver.
                try { Receive(context, secrets); }
                catch (Exception error) { Console.Error.WriteLine(error.Message); context.Response.Abort(); }
            });
        }
    }
}
