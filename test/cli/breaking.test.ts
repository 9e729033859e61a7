import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SaxesParser } from 'saxes';
import { expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { breakingCommand } from '../../cli/breaking.ts';
import { listening } from '../listening.ts';
import { passerelle, runCommand } from '../program.ts';

const pets = {
  openapi: '3.0.3',
  info: { title: 'Pets', version: '1' },
  paths: {
    '/pets/{id}': {
      get: {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: {
          '200': {
            description: 'ok',
            content: {
              'application/json': {
                schema: { type: 'object', properties: { name: { type: 'string' }, kind: { enum: ['cat', 'dog'] } } },
              },
            },
          },
        },
      },
    },
  },
};
const renamed = JSON.parse(JSON.stringify(pets).replace('"name":{', '"title":{'));
const withBirds = JSON.parse(JSON.stringify(pets).replace('"dog"', '"dog","bird"'));
const nameGone = 'GET /pets/{id}, reply 200, $.name';

/** Writes files into a new folder, and returns how to name them. */
async function folderWith(files: Record<string, string | Buffer | object>): Promise<(name: string) => string> {
  const folder = await mkdtemp(join(tmpdir(), 'passerelle-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files))
    await writeFile(
      join(folder, name),
      typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content),
    );
  return (name) => join(folder, name);
}

const breaking = (...args: string[]) => runCommand(breakingCommand(), args);

test('files in JSON and YAML, with a byte order mark or in UTF-16: the exit code says whether a change breaks', async () => {
  const at = await folderWith({
    'old.json': pets,
    'same.yaml': stringify(pets),
    'bom.json': Buffer.from(`\uFEFF${JSON.stringify(pets)}`),
    'utf16.yaml': Buffer.from(`\uFEFF${stringify(pets)}`, 'utf16le'),
    'new.yaml': stringify(renamed),
    'birds.json': withBirds,
  });
  for (const same of ['same.yaml', 'bom.json', 'utf16.yaml'])
    expect(await breaking(at('old.json'), at(same)), same).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('0 changes'),
    });
  const text = await passerelle(['breaking', at('old.json'), at('new.yaml')]);
  expect(text).toMatchObject({ code: 1, stderr: '' });
  expect(text.stdout).toContain(`breaking\n  ✗ ${nameGone}\n      The field was removed.`);
  expect(text.stdout).toContain('harmless\n  ✓ GET /pets/{id}, reply 200, $.title  The field is new. (field-added)');
  expect(text.stdout).toMatch(/2 changes from .*old\.json to .*new\.yaml: 1 breaking, 0 risky, 1 harmless/);
  expect((await breaking(at('old.json'), at('birds.json'))).code).toBe(0);
  expect((await breaking(at('old.json'), at('birds.json'), '--fail-on', 'risky')).code).toBe(1);
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`/new-${at}`, { get: { responses: {} } }]));
  await writeFile(at('many.json'), JSON.stringify({ ...pets, paths: { ...pets.paths, ...many } }));
  expect((await breaking(at('old.json'), at('many.json'))).stdout).toContain('10 more harmless changes, which --json lists.\n');
  const twice = await breaking(at('old.json'), at('old.json'));
  expect(twice).toMatchObject({ code: 0, stdout: expect.stringContaining('OLD and NEW are the same document.') });
});

test('standard input, and documents of several files', async () => {
  const at = await folderWith({
    'old.json': pets,
    'new.yaml': 'openapi: 3.1.0\ninfo: {}\npaths: { "/pets/{id}": { $ref: "paths.yaml#/one" } }\n',
    'paths.yaml': `one: { get: { responses: { 200: { content: { application/json: { schema: { $ref: 'pet%20s.json' } } } } } } }\n`,
    'pet s.json': { type: 'object', properties: { kind: { enum: ['dog', 'cat'] } } },
  });
  const many = await breaking(at('old.json'), at('new.yaml'), '--json');
  expect(JSON.parse(many.stdout).changes).toMatchObject([{ rule: 'field-removed', place: nameGone, severity: 'breaking' }]);
  const piped = await passerelle(['breaking', '-', at('new.yaml')], { input: JSON.stringify(pets) });
  expect(piped).toMatchObject({ code: 1, stdout: expect.stringContaining(nameGone) });
  expect(await breaking('-', '-')).toMatchObject({ code: 2 });
});

test('URLs: redirects are followed, and a login goes to its own origin only', async () => {
  const seen: (string | undefined)[] = [];
  const other = await listening((request, reply) => {
    seen.push(request.headers.authorization);
    reply.end(JSON.stringify(renamed));
  });
  const from = await listening((request, reply) => {
    seen.push(request.headers.authorization);
    if (request.url?.startsWith('/moved')) reply.writeHead(302, { location: `${other}/openapi.json` }).end();
    else reply.end(stringify(pets));
  });
  const withLogin = from.replace('//', '//ci:s3cret@');
  const found = await breaking(`${withLogin}/openapi.yaml`, `${withLogin}/moved?key=abc`);
  expect(found).toMatchObject({ code: 1, stdout: expect.stringContaining(nameGone) });
  expect(`${found.stdout}${found.stderr}`).not.toMatch(/s3cret|abc/);
  expect(seen).toEqual(['Basic Y2k6czNjcmV0', 'Basic Y2k6czNjcmV0', undefined]);
});

/** Ten times what the anchor before stands for. */
const laugh = (at: number) => `x-${at}: &a${at} [${Array.from({ length: 10 }, () => `*a${at - 1}`).join(', ')}]\n`;

test('an anchor may be used more than a hundred times', async () => {
  const schema = 'type: object, properties: { id: { type: string } }';
  const reply = (required: string) => `content: { application/json: { schema: { ${schema}${required} } } }`;
  const uses = Array.from({ length: 150 }, (_, at) => `  /pets${at}: { get: { responses: { 200: *reply } } }\n`).join('');
  const document = (required: string) => `openapi: 3.1.0\ninfo: {}\nx-reply: &reply { ${reply(required)} }\npaths:\n${uses}`;
  const at = await folderWith({ 'old.yaml': document(', required: [id]'), 'new.yaml': document('') });
  const { code, stderr, stdout } = await passerelle(['breaking', at('old.yaml'), at('new.yaml')]);
  expect([code, stderr]).toEqual([1, '']);
  expect(stdout).toContain('150 breaking');
});

test('what cannot be compared is one line and exit code 2', async () => {
  const at = await folderWith({
    'old.json': pets,
    'swagger.json': { swagger: '2.0', paths: {} },
    'page.html': '<!doctype html><html></html>',
    'empty.yaml': '',
    'broken.json': '{"openapi": "3.0.0", "paths": {',
    'broken.yaml': 'openapi: 3.0.0\n  paths: [',
    'other.yaml': 'name: CI',
    'text.txt': 'hello',
    'new.json': { openapi: '4.0.0', paths: {} },
    'list.json': { openapi: '3.0.0', paths: [] },
    'dangling.json': { openapi: '3.0.0', paths: { '/a': { get: { parameters: [{ $ref: '#/components/parameters/No' }] } } } },
    'missing.json': { openapi: '3.0.0', paths: { '/a': { $ref: 'no-such-file.yaml' } } },
    'odd.json': {
      openapi: '3.0.0',
      paths: {
        '/a': { get: { responses: { 200: { content: { 'a/b': { schema: { allOf: 5, properties: 'x', enum: {} } } } } } } },
      },
    },
    'laughs.yaml': `openapi: 3.0.0\nx-0: &a0 [1]\n${Array.from({ length: 9 }, (_, at) => laugh(at + 1)).join('')}`,
    'circle.yaml': 'openapi: 3.0.0\npaths: &a { "/a": *a }\n',
  });
  const web = await listening((request, reply) => {
    if (request.url === '/page') reply.end('<html>log in</html>');
    else if (request.url === '/silent') return;
    else if (request.url === '/loop') reply.writeHead(302, { location: '/loop' }).end();
    else if (request.url === '/reads-files')
      reply.end(JSON.stringify({ openapi: '3.0.0', paths: { '/a': { $ref: 'file:///etc/passwd' } } }));
    else reply.writeHead(404).end();
  });
  const wrong: [string, RegExp][] = [
    [at('no-such.json'), /There is no file .*no-such\.json\./],
    [tmpdir(), /is a folder: name the file/],
    [at('swagger.json'), /is a Swagger 2\.0 document\. Convert it to OpenAPI 3\.0 or 3\.1 first\./],
    [at('page.html'), /is HTML or XML, not an OpenAPI document/],
    [at('empty.yaml'), /is empty/],
    [at('broken.json'), /is not valid JSON/],
    [at('broken.yaml'), /is not valid YAML/],
    [at('other.yaml'), /no field "openapi"/],
    [at('text.txt'), /no field "openapi"/],
    [at('laughs.yaml'), /laughs\.yaml is not valid YAML: it has more than 5000000 values\./],
    [at('circle.yaml'), /it has more than 5000000 values\./],
    [at('new.json'), /OpenAPI 4\.0\.0\. This command reads OpenAPI 3\.0 and 3\.1/],
    [at('list.json'), /paths must be an object/],
    [
      at('dangling.json'),
      /no component #\/components\/parameters\/No\. .*dangling\.json names it at paths, \/a, get, parameters, 0\./,
    ],
    [at('missing.json'), /There is no file .*no-such-file\.yaml/],
    [`${web}/page`, /is HTML or XML/],
    [`${web}/missing`, /answered 404 instead of an OpenAPI document/],
    [`${web}/silent`, /did not answer within 0\.3 s/],
    [`${web}/loop`, /did not answer: .*redirect/],
    [`${web}/reads-files`, /refers to file:\/\/\/etc\/passwd, which is not read/],
    ['http://127.0.0.1:1/', /did not answer/],
    ['https://', /is no address/],
  ];
  for (const [place, message] of wrong) {
    const { code, stdout, stderr } = await breaking(
      at('old.json'),
      place,
      ...(place.endsWith('/silent') ? ['--timeout', '0.3'] : []),
    );
    expect([code, stdout], place).toEqual([2, '']);
    expect(stderr, place).toMatch(message);
    expect(stderr.trim().split('\n'), place).toHaveLength(1);
  }
  // What no rule foresees is no verdict either.
  const odd = await breaking(at('odd.json'), at('odd.json'));
  expect(odd).toMatchObject({ code: 2, stderr: expect.stringContaining('could not be compared') });
  const misspelt = await passerelle(['breaking', at('old.json'), at('old.json'), '--outptu', 'x']);
  expect(misspelt).toMatchObject({ code: 2, stderr: expect.stringContaining('--output') });
  expect((await passerelle(['breaking', at('old.json')])).code).toBe(2);
});

test('accepted changes: reason and expiry count, unknown names are refused, entries without a change are listed', async () => {
  const at = await folderWith({ 'old.json': pets, 'new.json': renamed });
  const entry = { rule: 'field-removed', place: nameGone, reason: 'nobody reads it', expiry: '2999-12-31' };
  const accepting = async (...accepted: object[]) => {
    await writeFile(at('accepted.json'), JSON.stringify({ accepted }));
    return breaking(at('old.json'), at('new.json'), '--accept', at('accepted.json'));
  };
  expect(await accepting(entry)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('accepted until 2999-12-31: nobody reads it'),
  });
  expect(await accepting({ ...entry, place: 'GET *, $.name' })).toMatchObject({ code: 0 });
  const expired = await accepting({ ...entry, expiry: '2020-01-31' });
  expect(expired).toMatchObject({ code: 1, stdout: expect.stringContaining('was accepted until 2020-01-31: nobody reads it') });
  const unneeded = await accepting(entry, { ...entry, place: 'POST /other' });
  expect(unneeded).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('No longer needed in the file of accepted changes: field-removed at POST /other'),
  });
  const refused: [object, string][] = [
    [{ ...entry, rule: 'field-removd' }, 'there is no rule "field-removd". Did you mean "field-removed"?'],
    [{ ...entry, rule: 'field-added' }, 'there is no rule "field-added"'],
    [{ ...entry, expires: '2999-12-31' }, 'there is no field "expires". Did you mean "expiry"?'],
    [
      { ...entry, expiry: undefined, expires: '2999-12-31' },
      'accepted.0: there is no field "expires". Did you mean "expiry"? Expected',
    ],
    [{ ...entry, expiry: undefined }, 'accepted.0.expiry: it is missing. Expected'],
    [{ ...entry, reason: ' ' }, 'accepted.0.reason: it is empty. Expected'],
    [{ ...entry, place: 5 }, 'accepted.0.place: it is no text. Expected'],
    [{ ...entry, rule: 5 }, 'accepted.0.rule: it is no text. Expected'],
    [{ ...entry, expiry: '31.12.2999' }, 'accepted.0.expiry: it is no date. Expected'],
    [{ ...entry, place: nameGone.replace('pets', 'petz') }, `Did you mean "${nameGone}"?`],
  ];
  for (const [wrong, message] of refused)
    expect(await accepting(wrong), message).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  const files: [unknown, string][] = [
    [{}, 'accepted: it is missing. Expected'],
    [[], ', it is no object. Expected'],
    [{ accepted: {} }, 'accepted: it is no list. Expected'],
    [{ accepted: ['a'] }, 'accepted.0: it is no object. Expected'],
    [{ acepted: [] }, 'there is no field "acepted". Did you mean "accepted"? Expected'],
  ];
  for (const [content, message] of files) {
    await writeFile(at('accepted.json'), JSON.stringify(content));
    expect(await breaking(at('old.json'), at('new.json'), '--accept', at('accepted.json')), message).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message),
    });
  }
});

test('reports: JUnit has a failure for each breaking change, Markdown a row for each change', async () => {
  const at = await folderWith({
    'old.json': pets,
    'new.json': JSON.parse(JSON.stringify(withBirds).replace('"name":{', '"<na|me>":{')),
  });
  const { code } = await breaking(at('old.json'), at('new.json'), '--output', at('j.xml'), '--output', at('m.md'));
  expect(code).toBe(1);
  const xml = await readFile(at('j.xml'), 'utf8');
  const tags: string[] = [];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name }) => void tags.push(name));
  parser.write(xml).close();
  expect(tags).toEqual(['testsuites', 'testsuite', 'testcase', 'testcase', 'failure', 'testcase', 'skipped', 'system-out']);
  expect(xml).toContain('failures="1"');
  const markdown = await readFile(at('m.md'), 'utf8');
  expect(markdown.split('\n').filter((line) => /^\| [✗~✓] \| .* \| (breaking|risky|harmless) /.test(line))).toHaveLength(3);
  expect(markdown).not.toContain('<na|me>');
  expect(await breaking(at('old.json'), at('new.json'), '--output', at('no/folder.xml'))).toMatchObject({ code: 2 });
});
