/**
 * Pact's compatibility suite by Cucumber: the scenarios of HTTP providers, of which each verification is a run of `passerelle verify`'s code
 * against a provider of ours. Scenarios that ask for what `verify` does otherwise on purpose fail, and are named.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verify } from '../../contracts/tools/verification/run.ts';
import { readPacts } from '../../contracts/tools/verification/sources.ts';
import { byReason, type Clone, type Evidence, serving } from './material.ts';

export const repository = 'pact-foundation/pact-compatibility-suite';

/** Why scenarios fail that ask for something else than `verify` does. */
const onPurpose: readonly [scenario: RegExp, why: string][] = [
  [/broker/, 'not run: a broker is judged in `broker-client`'],
  [/no defined provider state/, '`verify` calls no `--state-url` for an interaction without states'],
  [/callback is not configured/, '`verify` ends with exit code 2 if a state cannot be set up, and does not pass with a warning'],
  [/callback fails/, '`verify` tears down a state whose set-up failed, because a part of it may be done'],
  [/comments/, '`verify` prints no comments of pacts'],
];

export async function run(clone: Clone): Promise<Evidence[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'passerelle-evidence-'));
  try {
    clone.extract('', scratch);
    writeFileSync(join(scratch, 'package.json'), '{ "private": true, "type": "module" }');
    const quiet = { cwd: scratch, stdio: 'ignore' } as const;
    execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '@cucumber/cucumber@13.3.0'], quiet);
    const steps = `import * as cucumber from '@cucumber/cucumber';
import { defineSteps } from '${import.meta.filename}';
defineSteps(cucumber, '${join(scratch, 'fixtures')}');`;
    writeFileSync(join(scratch, 'steps.mjs'), steps);
    const rows: Evidence[] = [];
    for (const version of ['V1', 'V2', 'V3', 'V4']) {
      const report = join(scratch, `${version}.json`);
      const options = [
        '--exit',
        '--import',
        'steps.mjs',
        '--format',
        `json:${report}`,
        '--format',
        'summary',
        '--world-parameters',
        JSON.stringify({ version }),
      ];
      spawnSync('node', ['node_modules/.bin/cucumber-js', ...options, `features/${version}/http_provider.feature`], {
        cwd: scratch,
        stdio: 'ignore',
      });
      const [feature] = JSON.parse(readFileSync(report, 'utf8')) as Feature[];
      const scenarios = feature?.elements.filter(({ type }) => type === 'scenario') ?? [];
      const wrong = scenarios.flatMap(({ name, steps: all }) => {
        const failed = all.find(({ result }) => result.status !== 'passed');
        if (failed === undefined) return [];
        return [
          onPurpose.find(([scenario]) => scenario.test(name))?.[1] ??
            `${name}: ${failed.name} ${failed.result.error_message?.split('\n')[0] ?? failed.result.status}`,
        ];
      });
      rows.push({
        what: `scenarios of HTTP providers, ${version}`,
        version: clone.commit(),
        cases: scenarios.length,
        agreed: scenarios.length - wrong.length,
        others: byReason(wrong),
      });
    }
    return rows;
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

interface Feature {
  elements: { type: string; name: string; steps: { name: string; result: { status: string; error_message?: string } }[] }[];
}

interface Table {
  hashes(): Record<string, string>[];
}

type Step = (this: World, ...args: never[]) => void | Promise<void>;
interface Cucumber {
  Given(pattern: RegExp, step: Step): void;
  Then(pattern: RegExp, step: Step): void;
  When(pattern: RegExp, step: Step): void;
}

interface Body {
  contentType: string;
  bytes: Buffer;
}

interface World {
  parameters: { version: string };
  rows: Record<string, string>[];
  /** What the provider answers, by path. */
  answers: Map<string, { status: number; headers: Record<string, string>; body?: Body | undefined }>;
  pacts: object[];
  asked: Record<string, string | string[] | undefined>[];
  states?: { action: string; state: string; params: object }[];
  stateStatus: number;
  headers: Record<string, string>;
  found: Awaited<ReturnType<typeof verify>>['verification'];
}

const kinds: Record<string, string> = {
  'Response status did not match': 'status',
  'Headers had differences': 'header',
  'Body had differences': 'body',
  'State change request failed': 'state',
};

export function defineSteps({ Given, When, Then }: Cucumber, fixtures: string): void {
  const fixture = (name: string) => readFileSync(join(fixtures, name));

  const bodyOf = (text: string | undefined, contentType = ''): Body | undefined => {
    const [, kind, rest = ''] = /^(file|JSON|XML): (.*)$/s.exec(text ?? '') ?? [];
    if (!text) return undefined;
    if (kind === 'JSON') return { contentType: 'application/json', bytes: Buffer.from(rest) };
    if (kind === 'XML') return { contentType: 'application/xml', bytes: Buffer.from(rest) };
    if (kind === undefined) return { contentType, bytes: Buffer.from(text) };
    const bytes = fixture(rest);
    if (rest.endsWith('.json')) return { contentType: 'application/json', bytes };
    if (!rest.endsWith('.xml')) return { contentType: 'image/jpeg', bytes };
    const xml = bytes.toString();
    const [, type = ''] = /<contentType>(.*?)<\/contentType>/s.exec(xml) ?? [];
    const [, plain, data] = /<contents[^>]*>\s*(?:<!\[CDATA\[(?<data>.*?)\]\]>|(.*?))\s*<\/contents>/s.exec(xml) ?? [];
    const content = (plain ?? data ?? '').replace(/^\n/, '');
    return { contentType: type, bytes: Buffer.from(xml.includes('eol="CRLF"') ? content.replaceAll('\n', '\r\n') : content) };
  };

  const headersOf = (text = '') =>
    Object.fromEntries([...text.matchAll(/'([^:]+): ([^']*)'/g)].map(([, name, value]) => [name ?? '', value ?? '']));
  const responseOf = (row: Record<string, string>) => {
    const body = bodyOf(row['response body'], row['response content']);
    const headers = { ...(body && { 'Content-Type': body.contentType || 'text/plain' }), ...headersOf(row['response headers']) };
    return { status: Number(row.response || 200), headers, body };
  };

  const interactionOf = (world: World, row: Record<string, string>, more: object) => {
    const { status, headers, body } = responseOf(row);
    const [asked, isV4] = [bodyOf(row.body), world.parameters.version === 'V4' || row['response body']?.endsWith('.jpg')];
    const written = (one: Body | undefined) => {
      if (one === undefined) return {};
      const text = one.bytes.toString();
      const content = one.contentType === 'application/json' ? JSON.parse(text) : text;
      if (!isV4) return { body: content };
      const isText = one.contentType !== 'image/jpeg';
      return {
        body: {
          contentType: one.contentType,
          encoded: isText ? false : 'base64',
          content: isText ? content : one.bytes.toString('base64'),
        },
      };
    };
    const rules = row['response matching rules'];
    const query = isV4
      ? Object.fromEntries([...new URLSearchParams(row.query)].map(([name, value]) => [name, [value]]))
      : row.query;
    return {
      isV4,
      description: `interaction ${row.No}`,
      ...(isV4 && { type: 'Synchronous/HTTP' }),
      request: {
        method: row.method,
        path: row.path,
        ...(row.query && { query }),
        headers: { ...(asked && { 'Content-Type': asked.contentType }), ...headersOf(row.headers) },
        ...written(asked),
      },
      response: { status, headers, ...written(body), ...(rules && { matchingRules: JSON.parse(fixture(rules).toString()) }) },
      ...more,
    };
  };

  const start = (world: World, numbers: string, changes: Record<string, string> = {}) => {
    for (const number of String(numbers).split(', ')) {
      const row = world.rows.find(({ No }) => No === number);
      // A mistaken request gets an answer too.
      world.answers.set(row?.path ?? '', responseOf({ ...row, ...changes }));
    }
  };

  const pact = (world: World, number: string, more: object = {}) => {
    const { isV4, ...interaction } = interactionOf(world, world.rows.find(({ No }) => No === String(number)) ?? {}, more);
    const version = isV4 ? '4.0' : `${world.parameters.version.slice(1)}.0.0`;
    world.pacts.push({
      consumer: { name: 'c' },
      provider: { name: 'pos' },
      interactions: [interaction],
      metadata: { pactSpecification: { version } },
    });
  };

  Given(/^the following HTTP interactions have been defined:$/, function (table: Table) {
    Object.assign(this, { rows: table.hashes(), answers: new Map(), pacts: [], asked: [], headers: {}, stateStatus: 200 });
  });
  Given(/^a provider is started that returns the responses? from interactions? "?([\d, ]+)"?$/, function (numbers: string) {
    start(this, numbers);
  });
  Given(
    /^a provider is started that returns the response from interaction (\d+), with the following changes:$/,
    function (number: string, table: Table) {
      start(this, number, table.hashes()[0]);
    },
  );
  Given(/^a Pact file for interaction (\d+) is to be verified$/, function (number: string) {
    pact(this, number);
  });
  Given(/^a Pact file for interaction (\d+) is to be verified, but is marked pending$/, function (number: string) {
    pact(this, number, { pending: true });
  });
  Given(
    /^a Pact file for interaction (\d+) is to be verified with a provider state "(.*)" defined$/,
    function (number: string, state: string) {
      pact(this, number, { providerState: state });
    },
  );
  Given(
    /^a Pact file for interaction (\d+) is to be verified with the following provider states defined:$/,
    function (number: string, table: Table) {
      const states = table.hashes().map((row) => ({ name: row['State Name'], params: JSON.parse(row.Parameters ?? '{}') }));
      pact(this, number, { providerStates: states });
    },
  );
  Given(/^a provider state callback is configured(, but will return a failure)?$/, function (failure: string | null) {
    this.states = [];
    this.stateStatus = failure ? 500 : 200;
  });
  Given(/^a request filter is configured to make the following changes:$/, function (table: Table) {
    this.headers = headersOf(table.hashes()[0]?.headers);
  });

  When(/^the verification is run$/, async function () {
    const provider = await serving((request, response) => {
      this.asked.push(request.headers);
      const answer = this.answers.get(request.url?.split('?')[0] ?? '');
      if (answer === undefined) return response.writeHead(404).end();
      return response.writeHead(answer.status, answer.headers).end(answer.body?.bytes);
    });
    const states = await serving(async (request, response) => {
      this.states?.push(JSON.parse(Buffer.concat(await request.toArray()).toString()));
      response.writeHead(this.stateStatus).end('{}');
    });
    const folder = mkdtempSync(join(tmpdir(), 'passerelle-evidence-'));
    for (const [index, one] of this.pacts.entries()) writeFileSync(join(folder, `${index}.json`), JSON.stringify(one));
    const { pacts, close } = await readPacts([folder]);
    const at = { baseUrl: provider.url, headers: this.headers, ...(this.states && { stateUrl: states.url }) };
    this.found = (await verify({ provider: 'pos', from: pacts, at })).verification;
    await close();
    rmSync(folder, { recursive: true });
    provider.close();
    states.close();
  });

  const problems = ({ found }: World) => found.interactions.flatMap((one) => one.problems);
  Then(/^the verification will (NOT )?be successful$/, function (not: string | null) {
    assert.equal(
      this.found.interactions.some(({ outcome }) => outcome === 'failed'),
      not !== null,
      JSON.stringify(problems(this)),
    );
  });
  Then(/^(?:the verification results will contain a|there will be a pending) "(.*)" error$/, function (error: string) {
    assert.ok(
      problems(this).some(({ kind }) => kind === kinds[error]),
      JSON.stringify(problems(this)),
    );
  });
  Then(/^the request to the provider will contain the header "(.*): (.*)"$/, function (name: string, value: string) {
    assert.equal(this.asked[0]?.[name.toLowerCase()], value);
  });
  Then(/^the provider state callback will be called (before|after) the verification is run$/, function (when: string) {
    assert.ok(this.states?.some(({ action }) => action === (when === 'before' ? 'setup' : 'teardown')));
  });
  Then(/^the provider state callback will NOT receive a teardown call$/, function () {
    assert.ok(!this.states?.some(({ action }) => action === 'teardown'));
  });
  const calls = (world: World, action: string, state: string) =>
    world.states?.filter((one) => one.action === action && one.state === state) ?? [];
  Then(
    /^the provider state callback will receive a (setup|teardown) call (?:with )?"(.*)" as the provider state parameter$/,
    function (action: string, state: string) {
      assert.equal(calls(this, action, state).length, 1);
    },
  );
  Then(
    /^the provider state callback will receive a (setup|teardown) call (?:with )?"(.*)" and the following parameters:$/,
    function (action: string, state: string, table: Table) {
      const expected = Object.fromEntries(
        Object.entries(table.hashes()[0] ?? {}).map(([name, value]) => [name, JSON.parse(value)]),
      );
      assert.deepEqual(calls(this, action, state)[0]?.params, expected);
    },
  );
}
