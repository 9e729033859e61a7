/**
 * The replies of Pact's specification, versions 1 to 4: each case has what a pact expects, what came, and whether that matches. They are
 * verified by Pact's verifier alone and by `passerelle verify`, which must not differ, and every form of report is written of the result.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SaxesParser } from 'saxes';
import { htmlReport } from '../../contracts/tools/reports/html.ts';
import { jsonReport } from '../../contracts/tools/reports/json.ts';
import { junitReport } from '../../contracts/tools/reports/junit.ts';
import { markdownReport } from '../../contracts/tools/reports/markdown.ts';
import { textReport } from '../../contracts/tools/reports/text.ts';
import { answerWithMessage } from '../../contracts/tools/verification/answers.ts';
import { verificationReport } from '../../contracts/tools/verification/reports/report.ts';
import type { Verification } from '../../contracts/tools/verification/result.ts';
import { verify } from '../../contracts/tools/verification/run.ts';
import { readPacts } from '../../contracts/tools/verification/sources.ts';
import { byReason, type Clone, type Evidence, serving } from './material.ts';
import { numbered, verifiedBy } from './verifier.ts';

export const repository = 'pact-foundation/pact-specification';

interface Content {
  content?: unknown;
}

interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

interface Case {
  match: boolean;
  expected: Reply;
  actual: Reply;
}

export async function run(clone: Clone): Promise<Evidence[]> {
  const rows: Evidence[] = [];
  const broken: string[] = [];
  for (const version of versions) {
    const branch = `version-${version}`;
    const paths = clone.list('testcases/response', branch).filter((path) => path.endsWith('.json'));
    const cases = paths.map((path) => JSON.parse(clone.read(path, branch).replace(/^\uFEFF/, '')) as Case);
    const verdicts = await compared(version, paths, cases);
    broken.push(...verdicts.broken);
    rows.push({
      what: `the verdict of \`verify\` on replies of version ${version}, beside Pact’s verifier alone, which contradicts the specification ${verdicts.unlike} times`,
      version: clone.commit(branch),
      cases: cases.length,
      agreed: cases.length - verdicts.wrong.length,
      others: byReason(verdicts.wrong),
    });
  }
  for (const version of ['3', '4']) rows.push(await messages(clone, version));
  const reports = versions.length * forms.length;
  const what = `reports of these: ${forms.join(', ')}`;
  return [...rows, { what, version: clone.commit(), cases: reports, agreed: reports - broken.length, others: byReason(broken) }];
}

const versions = ['1', '1.1', '2', '3', '4'];
const forms = ['JSON', 'JUnit', 'HTML', 'Markdown', 'text'] as const;

interface Verdicts {
  /** The cases in which our verdict is another one than that of Pact's verifier alone. */
  wrong: string[];
  /** How often Pact's verifier contradicts its specification. */
  unlike: number;
  /** The reports that could not be written. */
  broken: string[];
}

async function compared(version: string, names: string[], cases: Case[]): Promise<Verdicts> {
  let actual: Reply = {};
  const provider = await serving((_request, response) => {
    // Node writes no folded lines.
    const headers = Object.entries(actual.headers ?? {}).map(([name, value]) => [name, value.replaceAll(/\n\s+/g, ' ')]);
    response.writeHead(actual.status ?? 200, Object.fromEntries(headers)).end(bytesOf(actual.body, version));
  });
  const prepare = (index: number) => {
    actual = cases[index]?.actual ?? {};
  };
  const request = { method: 'GET', path: '/api/v1/anything' };
  const type = version === '4' ? { type: 'Synchronous/HTTP' } : {};
  const interactions = cases.map(({ expected }, index) => {
    const one = numbered({ ...type, request, response: expected }, index);
    return version < '3' ? one : { ...one, providerStates: [{ name: String(index) }] };
  });
  const metadata = { pactSpecification: { version: version.includes('.') ? `${version}.0` : `${version}.0.0` } };
  const pact = { consumer: { name: 'stranger' }, provider: { name: 'pos' }, interactions, metadata };
  const alone = await verifiedBy({ url: provider.url, prepare }, pact);
  const { verification, broken } = await ours(pact, provider.url, prepare);
  provider.close();
  const wrong = cases.flatMap((_, index) => {
    const found = verification.interactions.find(({ description }) => description === String(index));
    const isVerified = found?.outcome === 'verified';
    if (isVerified === (alone[index] === undefined)) return [];
    return [
      `${names[index]}: alone ${alone[index] ?? 'verified'}; ours ${found?.problems[0]?.message ?? found?.outcome ?? 'nothing'}`,
    ];
  });
  const unlike = cases.filter(({ match }, index) => match !== (alone[index] === undefined)).length;
  return { wrong, unlike, broken };
}

interface Message {
  contents?: unknown;
  metaData?: Record<string, string>;
}

/** The messages of a version, sent as the harness sends ours, and judged by Pact's verifier. */
async function messages(clone: Clone, version: string): Promise<Evidence> {
  const branch = `version-${version}`;
  const paths = clone.list('testcases/message', branch).filter((path) => path.endsWith('.json'));
  const cases = paths.map(
    (path) => JSON.parse(clone.read(path, branch)) as { match: boolean; expected: Message; actual: Message },
  );
  let actual: Message = {};
  const provider = await serving((_request, response) => {
    answerWithMessage(response, actual.metaData ?? {}, bytesOf(actual.contents, version));
  });
  const prepare = (index: number) => {
    actual = cases[index]?.actual ?? {};
  };
  const written = cases.map(({ expected }, index) => ({
    ...(version === '4' && { type: 'Asynchronous/Messages' }),
    ...expected,
    description: String(index),
    providerStates: [{ name: String(index) }],
  }));
  const pact = {
    consumer: { name: 'stranger' },
    provider: { name: 'pos' },
    ...(version === '4' ? { interactions: written } : { messages: written }),
    metadata: { pactSpecification: { version: `${version}.0.0` } },
  };
  const verdicts = await verifiedBy({ url: provider.url, prepare }, pact);
  provider.close();
  const wrong = cases.flatMap(({ match }, index) =>
    match === (verdicts[index] === undefined)
      ? []
      : [
          `${paths[index]?.replace('testcases/message/', '')}: ${match ? 'must match' : 'must not match'}; ${verdicts[index] ?? 'verified'}`,
        ],
  );
  return {
    what: `messages of version ${version}, sent as \`verify\` sends ours to Pact’s verifier, beside the specification`,
    version: clone.commit(branch),
    cases: cases.length,
    agreed: cases.length - wrong.length,
    others: byReason(wrong),
  };
}

/** The bytes of a body: version 4 wraps it, and what is no text is JSON. */
function bytesOf(body: unknown, version: string): string {
  const value =
    version === '4' && typeof body === 'object' && body !== null && 'content' in body ? (body as Content).content : body;
  return value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
}

async function ours(
  pact: object,
  baseUrl: string,
  prepare: (index: number) => void,
): Promise<{ verification: Verification; broken: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'passerelle-evidence-'));
  const states = await serving(async (request, response) => {
    const { action, state } = JSON.parse(Buffer.concat(await request.toArray()).toString());
    if (action === 'setup') prepare(Number(state));
    response.end('{}');
  });
  writeFileSync(join(folder, 'pact.json'), JSON.stringify(pact));
  const { pacts, close } = await readPacts([join(folder, 'pact.json')]);
  const { verification } = await verify({ provider: 'pos', from: pacts, at: { baseUrl, stateUrl: states.url } });
  await close();
  states.close();
  rmSync(folder, { recursive: true });
  return { verification, broken: brokenReports(verification) };
}

/** Returns why reports are broken: none may be, whatever the bodies have in them. */
function brokenReports(verification: Verification): string[] {
  const report = verificationReport(verification);
  const attempts: Record<(typeof forms)[number], () => unknown> = {
    JSON: () => JSON.parse(jsonReport(verification)),
    JUnit: () => new SaxesParser().write(junitReport([report])).close(),
    HTML: () => htmlReport([report]),
    Markdown: () => markdownReport(report),
    text: () => textReport(report, { width: 100, colors: false }),
  };
  return Object.entries(attempts).flatMap(([form, attempt]) => {
    try {
      attempt();
      return [];
    } catch (error) {
      return [`${form}: ${(error as Error).message}`];
    }
  });
}
