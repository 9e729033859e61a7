/**
 * The libraries of Standard Webhooks on what the gateway signs, and our receivers on what the libraries sign and on the cases of the
 * libraries' own tests. All judge the same requests. A library that must be compiled takes part as `NAME=PROGRAM` after the clone: the
 * program reads a `Task` as JSON and writes a `Verdict`, as those below.
 */
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook as OfStandardWebhooks } from 'standardwebhooks';
import { Webhook as OfSvix } from 'svix';
import { newSigningSecret, signatureHeaders } from '../../gateway/webhooks/sending/sign.ts';
import { verifySignature } from '../../receivers/verify-signature.ts';
import { compiledSamples, pastedSample, samples, startProgram } from '../../test/receivers/programs.ts';
import { byReason, type Clone, type Evidence } from './material.ts';

export const repository = 'standard-webhooks/standard-webhooks';

interface Request {
  what: string;
  isGenuine: boolean;
  headers: Record<string, string>;
  body: string;
}

/** Requests to verify with any of the secrets, and one to sign with the first. */
interface Task {
  secrets: string[];
  requests: Request[];
  sign: { id: string; timestamp: number; body: string };
}

interface Verdict {
  accepted: boolean[];
  signature: string;
}

interface Library {
  name: string;
  version: string;
  judge(task: Task): Verdict;
}

const tasks = 'task = json.load(sys.stdin)';
const programs: Record<string, { folder: string; name: string; command: string[] }> = {
  python: {
    folder: 'libraries/python',
    name: 'its library for Python',
    command: [
      'python3',
      '-c',
      `import datetime, json, sys
from standardwebhooks import Webhook
${tasks}
def accepts(secret, one):
    try:
        Webhook(secret).verify(one["body"], one["headers"], json_parse=False)
        return True
    except Exception:
        return False
sign = task["sign"]
at = datetime.datetime.fromtimestamp(sign["timestamp"], datetime.timezone.utc)
print(json.dumps({
    "accepted": [any(accepts(secret, one) for secret in task["secrets"]) for one in task["requests"]],
    "signature": Webhook(task["secrets"][0]).sign(sign["id"], at, sign["body"]),
}))`,
    ],
  },
  ruby: {
    folder: 'libraries/ruby/lib',
    name: 'its library for Ruby',
    command: [
      'ruby',
      '-I.',
      '-e',
      `require "standardwebhooks"
task = JSON.parse($stdin.read)
accepted = task["requests"].map do |one|
  task["secrets"].any? do |secret|
    StandardWebhooks::Webhook.new(secret).verify(one["body"], one["headers"])
    true
  rescue StandardError
    false
  end
end
sign = task["sign"]
puts JSON.generate(accepted:, signature: StandardWebhooks::Webhook.new(task["secrets"][0]).sign(sign["id"], sign["timestamp"], sign["body"]))`,
    ],
  },
  php: {
    folder: 'libraries/php',
    name: 'its library for PHP',
    command: [
      'php',
      '-d',
      'display_errors=stderr',
      '-r',
      `foreach (glob("src/{Exception/*,*}.php", GLOB_BRACE) as $file) require $file;
$task = json_decode(stream_get_contents(STDIN), true);
$accepts = function ($secret, $one) {
    try {
        (new StandardWebhooks\\Webhook($secret))->verify($one["body"], $one["headers"]);
        return true;
    } catch (Throwable) {
        return false;
    }
};
$any = fn($one) => in_array(true, array_map(fn($secret) => $accepts($secret, $one), $task["secrets"]));
["id" => $id, "timestamp" => $timestamp, "body" => $body] = $task["sign"];
$signature = (new StandardWebhooks\\Webhook($task["secrets"][0]))->sign($id, $timestamp, $body);
echo json_encode(["accepted" => array_map($any, $task["requests"]), "signature" => $signature]);`,
    ],
  },
};

const ofNpm = (name: string, version: string, Webhook: typeof OfStandardWebhooks | typeof OfSvix): Library => ({
  name,
  version,
  judge: ({ secrets, requests, sign }) => ({
    accepted: requests.map(({ headers, body }) =>
      secrets.some((secret) => {
        try {
          new Webhook(secret).verify(body, headers);
          return true;
        } catch {
          return false;
        }
      }),
    ),
    signature: new Webhook(secrets[0] ?? '').sign(sign.id, new Date(sign.timestamp * 1000), sign.body),
  }),
});

const runs = (name: string, version: string, command: readonly string[], cwd: string): Library => ({
  name,
  version,
  judge: (task) => {
    const [program = '', ...args] = command;
    return JSON.parse(
      execFileSync(program, args, { cwd, input: JSON.stringify(task), encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] }),
    );
  },
});

export async function run(clone: Clone, compiled: readonly string[]): Promise<Evidence[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'passerelle-evidence-'));
  const folders = Object.values(programs).map(({ folder, name, command }) => {
    const cwd = mkdtempSync(join(scratch, 'library-'));
    clone.extract(folder, cwd);
    return runs(name, clone.commit(), command, cwd);
  });
  const libraries = [
    ofNpm('`standardwebhooks` of npm', '1.1.1', OfStandardWebhooks),
    ofNpm('`svix` of npm', '2.5.0', OfSvix),
    ...folders,
    ...compiled.map((one) => {
      const [name = '', program = ''] = one.split('=');
      return runs(`its library for ${name}`, clone.commit(), [program], scratch);
    }),
  ];
  try {
    const [newest, old] = [newSigningSecret(), newSigningSecret()];
    const task: Task = { secrets: [newest], requests: [], sign: { id: 'evt_1', timestamp: Math.floor(Date.now() / 1000), body } };
    const bySender = ofGateway(newest, old);
    const byLibrary = libraries.flatMap(({ name, judge }) => ofLibrary(name, task, judge(task).signature));
    const requests = [...bySender, ...byLibrary, ...ofTheirTests(newest)];
    const judged = libraries.map(({ name, version, judge }) => {
      const { accepted } = judge({ ...task, secrets: [newest, old], requests });
      return rowOf(`${name}`, version, requests, accepted);
    });
    const accepted = requests.map(({ headers, body: sent }) => verifySignature(sent, headers, [newest, old]).valid);
    return [...judged, rowOf('our `verifySignature`', '', requests, accepted), await judgedBySamples([newest, old], requests)];
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

function rowOf(what: string, version: string, requests: readonly Request[], accepted: readonly boolean[]): Evidence {
  const wrong = requests.filter(({ isGenuine }, index) => accepted[index] !== isGenuine);
  return {
    what,
    version,
    cases: requests.length,
    agreed: requests.length - wrong.length,
    others: byReason(wrong.map(({ what: of, isGenuine }) => `${isGenuine ? 'refuses' : 'accepts'} ${of}`)),
  };
}

const body = '{"event":"sale.completed","ville":"Bouaké","total":1500.00}';
const foreign = '{"event":"sale.completed","ville":"\\ud83d\\ude00 😀 \\u0000 日本"}';
const genuine = (what: string, headers: Record<string, string>, sent = body): Request => ({
  what,
  isGenuine: true,
  headers,
  body: sent,
});
const forged = (what: string, headers: Record<string, string>, sent = body): Request => ({
  what,
  isGenuine: false,
  headers,
  body: sent,
});

/** What the gateway signs with `v1`, `v1a` and both, with one secret and during a rotation; and what is made of it. */
function ofGateway(newest: string, old: string): Request[] {
  const privateKeys = [generateKeyPairSync('ed25519').privateKey];
  const sign = (secrets: string[], more: Partial<Parameters<typeof signatureHeaders>[0]> = {}) =>
    signatureHeaders({ eventId: 'evt_1', body, atMs: Date.now(), secrets, headerName: 'X-SERVICE-Signature', ...more });
  return [
    genuine('a signature', sign([newest])),
    genuine('a rotation, newest first', sign([newest, old])),
    genuine('a rotation, oldest first', sign([old, newest])),
    genuine('the old secret alone, which the receiver still knows', sign([old])),
    genuine('a rotation with one secret that the receiver does not know yet', sign([newSigningSecret(), newest])),
    genuine('`v1` and `v1a`', sign([newest], { privateKeys })),
    genuine('a text of other languages', sign([newest], { body: foreign }), foreign),
    forged('a secret that was rotated out', sign([newSigningSecret()])),
    forged('`v1a` alone, by an unknown key', sign([], { privateKeys, documented: newest })),
    forged('a changed byte', sign([newest]), body.replace('é', 'e')),
    forged('a newline more', sign([newest]), `${body}\n`),
    forged('another event’s id', { ...sign([newest]), 'webhook-id': 'evt_2' }),
    forged('another timestamp', { ...sign([newest]), 'webhook-timestamp': String(Math.floor(Date.now() / 1000) - 60) }),
    forged('a signature of ten minutes ago', sign([newest], { atMs: Date.now() - 600_000 })),
    forged('a signature of ten minutes from now', sign([newest], { atMs: Date.now() + 600_000 })),
  ];
}

function ofLibrary(name: string, { sign }: Task, signature: string): Request[] {
  const headers = { 'webhook-id': sign.id, 'webhook-timestamp': String(sign.timestamp), 'webhook-signature': signature };
  return [
    genuine(`what ${name} signs`, headers),
    forged(`what ${name} signs, with a changed byte`, headers, body.replace('1500', '1501')),
  ];
}

/** The requests of the libraries' own tests. */
function ofTheirTests(secret: string): Request[] {
  const headers = signatureHeaders({
    eventId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    body,
    atMs: Date.now(),
    secrets: [secret],
    headerName: 'x',
  });
  const { x: _, ...signed } = headers as { x: string } & Record<string, string>;
  const wrong = 'v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=';
  const several = [wrong, wrong.replace('v1', 'v2'), signed['webhook-signature'], wrong].join(' ');
  const without = (name: string) => Object.fromEntries(Object.entries(signed).filter(([one]) => one !== name));
  return [
    genuine('several signatures', { ...signed, 'webhook-signature': several }),
    forged('no webhook-id', without('webhook-id')),
    forged('no webhook-timestamp', without('webhook-timestamp')),
    forged('no webhook-signature', without('webhook-signature')),
    forged('a timestamp that is no number', { ...signed, 'webhook-timestamp': 'hello' }),
    forged('a wrong signature', { ...signed, 'webhook-signature': wrong }),
    forged('a part of the signature', { ...signed, 'webhook-signature': 'v1,' }),
  ];
}

/** All samples in one row: each judges every request. */
async function judgedBySamples(secrets: string[], requests: readonly Request[]): Promise<Evidence> {
  const present = [...samples, pastedSample, ...compiledSamples].filter((sample) => sample.present);
  const asked: Request[] = [];
  const accepted: boolean[] = [];
  for (const sample of present) {
    const running = await startProgram(sample, secrets);
    for (const request of requests) {
      const headers = { 'content-type': 'application/json', ...request.headers };
      const reply = await fetch(running.url, { method: 'POST', headers, body: request.body });
      await reply.arrayBuffer();
      asked.push({ ...request, what: `${request.what} (${sample.name})` });
      accepted.push(reply.ok);
    }
    await running.stop();
  }
  return rowOf(`our ${present.length} samples in 7 languages`, '', asked, accepted);
}
