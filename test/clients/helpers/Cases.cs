using System;
using System.Collections.Generic;
using System.Collections.Specialized;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.RegularExpressions;
using NUnit.Framework;
using Passerelle;

/// <summary>
/// Interprets cases.json with Stub.cs: nunit-console Cases.dll. A case starts with `stub`, and a new `world` of it. A step calls a method,
/// and compares what it gives or how it fails.
/// </summary>
[TestFixture]
public class Cases
{
    Stub stub;
    Dictionary<string, object> named;

    public static IEnumerable<TestCaseData> All()
    {
        var cases = (List<object>)Stub.Json(File.ReadAllText("cases.json"));
        return cases.Cast<Map>().Select(one => new TestCaseData(one["steps"]).SetName((string)one["name"]));
    }

    [TestFixtureSetUp]
    public void Start()
    {
        stub = Stub.Start("cohesion");
    }

    [TestFixtureTearDown]
    public void Stop()
    {
        stub.Dispose();
    }

    [TestCaseSource("All")]
    public void Passes(List<object> steps)
    {
        using (var world = stub.World())
        {
            named = new Dictionary<string, object> { ["stub"] = stub, ["world"] = world };
            foreach (Map step in steps) Play(step);
        }
    }

    void Play(Map step)
    {
        var call = ((string)step["do"]).Split('.');
        object given;
        try
        {
            given = Call((Stub)named[call[0]], call[1], step.ContainsKey("with") ? (List<object>)Filled(step["with"]) : new List<object>());
        }
        catch (StubException error) when (step.ContainsKey("fails"))
        {
            foreach (string words in (List<object>)Filled(step["fails"])) StringAssert.Contains(words, error.Message);
            return;
        }
        Assert.IsFalse(step.ContainsKey("fails"), step["do"] + " did not fail");
        if (step.ContainsKey("gives")) AssertShows(Plain(given), Filled(step["gives"]));
        if (step.ContainsKey("as")) named[(string)step["as"]] = given;
    }

    static object Call(Stub target, string verb, List<object> with)
    {
        var first = with.FirstOrDefault();
        var second = with.ElementAtOrDefault(1);
        target.Timeout = TimeSpan.FromSeconds(second is double ? (double)second : 4);
        switch (verb)
        {
            case "start": return Stub.Start((string)first);
            case "connect": return new Stub((string)first);
            case "close": target.Dispose(); return null;
            case "reset": target.Reset(); return null;
            case "world": return target.World((Map)first);
            case "fault": target.Fault(first); return null;
            case "advance": return target.Advance((string)first);
            case "waitForCall": return target.WaitForCall((Map)first);
            case "waitForDelivery": return target.WaitForDelivery((Map)first);
            case "control": return target.Control((string)first, (string)second, with.ElementAtOrDefault(2));
            case "verify":
                var received = second == null ? null : new NameValueCollection();
                foreach (var header in (Map)second ?? new Map()) received[header.Key] = (string)header.Value;
                target.Verify(Encoding.UTF8.GetBytes((string)first), received, with.Skip(2).Cast<string>().ToArray());
                return null;
            case "request":
                var headers = ((Map)with.ElementAtOrDefault(3) ?? new Map()).ToDictionary(one => one.Key, one => (string)one.Value);
                var reply = target.Request((string)first, (string)second, with.ElementAtOrDefault(2), headers);
                return new Map { ["status"] = (double)reply.Status, ["body"] = reply.Body };
            default: throw new ArgumentException(verb);
        }
    }

    static void AssertShows(object given, object expected)
    {
        if (expected is Map)
            foreach (var one in (Map)expected) AssertShows(((Map)given)[one.Key], one.Value);
        else if (expected is List<object>)
        {
            var pairs = ((List<object>)given).Zip((List<object>)expected, Tuple.Create).ToList();
            Assert.AreEqual(((List<object>)expected).Count, ((List<object>)given).Count);
            foreach (var pair in pairs) AssertShows(pair.Item1, pair.Item2);
        }
        else Assert.AreEqual(expected, given);
    }

    static object Plain(object value)
    {
        var stub = value as Stub;
        return stub == null ? value : new Map { ["url"] = stub.Url, ["credentials"] = stub.Credentials, ["secret"] = stub.Secret };
    }

    /// <summary>Replaces `{stub.url}` in texts; alone, by the value itself.</summary>
    object Filled(object value)
    {
        var made = new Map();
        if (value is Map) foreach (var one in (Map)value) made[one.Key] = Filled(one.Value);
        if (value is Map) return made;
        if (value is List<object>) return ((List<object>)value).Select(Filled).ToList();
        if (!(value is string)) return value;
        var alone = Regex.Match((string)value, @"^\{([\w.-]+)\}$");
        return alone.Success ? Found(alone.Groups[1].Value) : Regex.Replace((string)value, @"\{([\w.-]+)\}", part => (string)Found(part.Groups[1].Value));
    }

    object Found(string path)
    {
        var steps = path.Split('.');
        return steps.Skip(1).Aggregate(
            Plain(named[steps[0]]),
            (value, step) => value is List<object> ? ((List<object>)value)[int.Parse(step)] : ((Map)value)[step]);
    }
}
