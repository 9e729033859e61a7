import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { Command, InvalidArgumentError, Option } from 'commander';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { type Diagnosis, diagnose } from '../receivers/doctor/diagnose.ts';
import { exitCodes, onStandardOutput, say } from './command.ts';
import { diagnosisText } from './doctor-report.ts';
import { type HeaderLines, headerOf, readHeaders } from './header-lines.ts';

interface Options {
  secret?: string[];
  body: string;
  header?: string[];
  headers?: string;
  signatureHeader: string;
  tolerance: number;
  at?: number;
  json: boolean;
}

const examples = `
Examples:
  $ passerelle doctor signature --secret "$SECRET" --body body.json --header 'sha256=5d41...'
  $ passerelle doctor signature --body body.json --headers headers.txt          # PASSERELLE_SIGNING_SECRET is set
  $ pbpaste | passerelle doctor signature --secret "$SECRET" --secret "$OLD" --body - --header 'webhook-id: evt_1' \\
      --header 'webhook-timestamp: 1770000000' --header 'webhook-signature: v1,K5oZ...' --at 2026-02-02T02:40:00Z

The body must be the raw bytes, saved as received. Secrets are never printed.
Exit codes: 0 the signature is valid, 1 it is not, 2 could not run.`;

export function doctorCommand(): Command {
  return new Command('doctor')
    .summary('find out why a signature does not match')
    .description('Finds out why a request is rejected.')
    .addCommand(signatureCommand());
}

function signatureCommand(): Command {
  return new Command('signature')
    .summary('explain why a webhook signature is invalid')
    .description(
      'Verifies the signature of a webhook. If it is invalid, tries common mistakes and names the one that explains it.',
    )
    .addOption(
      new Option(
        '--secret <secret>',
        'the signing secret (default: PASSERELLE_SIGNING_SECRET); repeat it to check for mixed-up secrets',
      ).argParser(collect),
    )
    .requiredOption('--body <file>', 'the file with the raw body; - reads standard input')
    .addOption(new Option('--header <value>', 'a header, as `Name: value` or only its value; can be repeated').argParser(collect))
    .option('--headers <file>', 'a file with all headers, one per line or as a JSON object')
    .option('--signature-header <name>', "the sender's name for X-SERVICE-Signature", 'X-SERVICE-Signature')
    .option('--tolerance <seconds>', 'the largest accepted difference between webhook-timestamp and now', seconds, 300)
    .option('--at <time>', 'when the request arrived, such as 2026-02-02T02:40:00Z (default: now)', time)
    .option('--json', 'print JSON', false)
    .addHelpText('after', examples)
    .action(async (options: Options) => {
      const diagnosis = await examine(options);
      say(options.json ? JSON.stringify(diagnosis, null, 2) : diagnosisText(diagnosis, onStandardOutput()));
      process.exitCode = diagnosis.valid ? exitCodes.ok : exitCodes.failed;
    });
}

function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}

function seconds(value: string): number {
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw new InvalidArgumentError('It must be a whole number of seconds.');
}

function time(value: string): number {
  const atMs = /^\d{9,11}$/.test(value) ? Number(value) * 1000 : Date.parse(value);
  if (!Number.isNaN(atMs)) return atMs;
  throw new InvalidArgumentError('It must be a time such as 2026-02-02T02:40:00Z, or seconds since 1970.');
}

async function examine({ secret, body, header = [], headers, signatureHeader, tolerance, at }: Options): Promise<Diagnosis> {
  const { PASSERELLE_SIGNING_SECRET: fromEnvironment } = process.env;
  const secrets = secret ?? (fromEnvironment === undefined ? [] : [fromEnvironment]);
  if (secrets.length === 0) {
    throw new CouldNotRun('No secret is given: pass --secret or set PASSERELLE_SIGNING_SECRET, including whsec_.');
  }
  if (header.length === 0 && headers === undefined) {
    throw new CouldNotRun("No header is given: pass --header 'sha256=...', or --headers with a file of all headers.");
  }
  const headerLines: HeaderLines = headers === undefined ? {} : readHeaders(await fileText(headers));
  for (const line of header) {
    const [name, value] = headerOf(line, signatureHeader);
    headerLines[name] = [...(headerLines[name] ?? []), value];
  }
  const rawBody = body === '-' ? await buffer(process.stdin) : await fileBytes(body);
  const options = { toleranceSeconds: tolerance, signatureHeader, ...(at === undefined ? {} : { now: () => at }) };
  return diagnose({ rawBody, headers: headerLines, secrets, options });
}

const fileBytes = (file: string): Promise<Buffer> =>
  readFile(file).catch((error: Error) => {
    throw new CouldNotRun(`${file} cannot be read: ${error.message}.`);
  });

const fileText = async (file: string) => (await fileBytes(file)).toString('utf8');
