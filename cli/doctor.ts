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

The body is read as raw bytes: save it as it was received. Secrets are never shown.
Exit codes: 0 the signature is right, 1 it is not, 2 it could not be looked at.`;

export function doctorCommand(): Command {
  return new Command('doctor').description('Finds out why something is refused.').addCommand(signatureCommand());
}

function signatureCommand(): Command {
  return new Command('signature')
    .summary('why a webhook signature does not fit')
    .description('Verifies the signature of a webhook; where it is wrong, tries the usual mistakes and says which one it is.')
    .addOption(
      new Option(
        '--secret <secret>',
        'the signing secret (or PASSERELLE_SIGNING_SECRET); more of them are tried as mix-ups',
      ).argParser(collect),
    )
    .requiredOption('--body <file>', 'the raw body; - is standard input')
    .addOption(
      new Option('--header <value>', 'the header, as `Name: value` or the value alone; again for each').argParser(collect),
    )
    .option('--headers <file>', 'all headers of the request, a line each, or as a JSON object')
    .option('--signature-header <name>', 'the name of X-SERVICE-Signature, where the sender has another', 'X-SERVICE-Signature')
    .option('--tolerance <seconds>', 'how far webhook-timestamp may be from the present', seconds, 300)
    .option('--at <instant>', 'when the request came, such as 2026-02-02T02:40:00Z; by default now', instant)
    .option('--json', 'for programs', false)
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
  throw new InvalidArgumentError('It is a whole number of seconds.');
}

function instant(value: string): number {
  const atMs = /^\d{9,11}$/.test(value) ? Number(value) * 1000 : Date.parse(value);
  if (!Number.isNaN(atMs)) return atMs;
  throw new InvalidArgumentError('It is an instant such as 2026-02-02T02:40:00Z, or seconds since 1970.');
}

async function examine({ secret, body, header = [], headers, signatureHeader, tolerance, at }: Options): Promise<Diagnosis> {
  const { PASSERELLE_SIGNING_SECRET: fromEnvironment } = process.env;
  const secrets = secret ?? (fromEnvironment === undefined ? [] : [fromEnvironment]);
  if (secrets.length === 0) {
    throw new CouldNotRun('No secret is given: say --secret, or set PASSERELLE_SIGNING_SECRET, as it was shown with whsec_.');
  }
  if (header.length === 0 && headers === undefined) {
    throw new CouldNotRun("No header is given: say --header 'sha256=...', or --headers with a file of all of them.");
  }
  const given: HeaderLines = headers === undefined ? {} : readHeaders(await fileText(headers));
  for (const line of header) {
    const [name, value] = headerOf(line, signatureHeader);
    given[name] = [...(given[name] ?? []), value];
  }
  const rawBody = body === '-' ? await buffer(process.stdin) : await fileBytes(body);
  const options = { toleranceSeconds: tolerance, signatureHeader, ...(at === undefined ? {} : { now: () => at }) };
  return diagnose({ rawBody, headers: given, secrets, options });
}

const fileBytes = (file: string): Promise<Buffer> =>
  readFile(file).catch((error: Error) => {
    throw new CouldNotRun(`${file} cannot be read: ${error.message}.`);
  });

const fileText = async (file: string) => (await fileBytes(file)).toString('utf8');
