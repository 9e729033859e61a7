import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { Command, InvalidArgumentError, Option } from 'commander';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { type Diagnosis, diagnose } from '../receivers/doctor/diagnose.ts';
import { type Language, languages } from '../receivers/doctor/languages.ts';
import { ManageClient } from '../stubs/listen/manage.ts';
import { collected, exitCodes, onStandardOutput, say } from './command.ts';
import { diagnosisText, type Examination, examinationText } from './doctor-report.ts';
import { type HeaderLines, headerOf, readHeaders } from './header-lines.ts';
import { atOption, tokenOption } from './running.ts';

interface Options {
  secret?: string[];
  language?: Language;
  body: string;
  header?: string[];
  headers?: string;
  signatureHeader: string;
  tolerance: number;
  receivedAt?: number;
  json: boolean;
}

const examples = `
Examples:
  $ passerelle doctor signature --secret "$SECRET" --body body.json --header 'sha256=5d41...'
  $ passerelle doctor signature --body body.json --headers headers.txt          # PASSERELLE_SIGNING_SECRET is set
  $ passerelle doctor signature --secret "$SECRET" --body body.json --headers headers.txt --language php
  $ pbpaste | passerelle doctor signature --secret "$SECRET" --secret "$OLD" --body - --header 'webhook-id: evt_1' \\
      --header 'webhook-timestamp: 1770000000' --header 'webhook-signature: v1,K5oZ...' --received-at 2026-02-02T02:40:00Z

The body must be the raw bytes, saved as received. Secrets are never printed.
Exit codes: 0 the signature is valid, 1 it is not, 2 could not run.`;

export const doctorCommand = (): Command =>
  new Command('doctor')
    .summary('find out why a signature does not match')
    .description('Finds out why a request is rejected.')
    .addCommand(signatureCommand())
    .addCommand(deliveryCommand());

const languageOption = () =>
  new Option('--language <name>', 'the language of the lines of code (default: advice in words only)').choices(languages);

const signatureCommand = (): Command =>
  new Command('signature')
    .summary('explain why a webhook signature is invalid')
    .description(
      'Verifies the signature of a webhook. If it is invalid, tries common mistakes and names the one that explains it.',
    )
    .addOption(
      new Option(
        '--secret <secret>',
        'the signing secret (default: PASSERELLE_SIGNING_SECRET); repeat it to check for mixed-up secrets',
      ).argParser(collected),
    )
    .requiredOption('--body <file>', 'the file with the raw body; - reads standard input')
    .addOption(
      new Option('--header <header>', 'a header, as `Name: value` or only its value; can be repeated').argParser(collected),
    )
    .option('--headers <file>', 'a file with all headers, one per line or as a JSON object')
    .option('--signature-header <name>', "the sender's name for X-SERVICE-Signature", 'X-SERVICE-Signature')
    .addOption(languageOption())
    .option('--tolerance <seconds>', 'the largest accepted difference between webhook-timestamp and now', seconds, 300)
    .option('--received-at <time>', 'when the request arrived, such as 2026-02-02T02:40:00Z (default: now)', time)
    .option('--json', 'print JSON', false)
    .addHelpText('after', examples)
    .action(async (options: Options) => {
      const diagnosis = await examine(options);
      say(options.json ? JSON.stringify(diagnosis, null, 2) : diagnosisText(diagnosis, onStandardOutput()));
      process.exitCode = diagnosis.valid ? exitCodes.ok : exitCodes.failed;
    });

function seconds(value: string): number {
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw new InvalidArgumentError('It must be a whole number of seconds.');
}

function time(value: string): number {
  const atMs = /^\d{9,11}$/.test(value) ? Number(value) * 1000 : Date.parse(value);
  if (!Number.isNaN(atMs)) return atMs;
  throw new InvalidArgumentError('It must be a time such as 2026-02-02T02:40:00Z, or seconds since 1970.');
}

async function examine({
  secret,
  body,
  header = [],
  headers,
  signatureHeader,
  tolerance,
  receivedAt,
  language,
}: Options): Promise<Diagnosis> {
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
  const rawBody = await bodyOf(body);
  const options = {
    toleranceSeconds: tolerance,
    signatureHeader,
    ...(receivedAt === undefined ? {} : { now: () => receivedAt }),
  };
  return diagnose({ rawBody, headers: headerLines, secrets, options, language });
}

const fileBytes = (file: string): Promise<Buffer> =>
  readFile(file).catch((error: Error) => {
    throw new CouldNotRun(`${file} cannot be read: ${error.message}.`);
  });

const fileText = async (file: string) => (await fileBytes(file)).toString('utf8');

interface DeliveryOptions {
  at: string;
  token?: string;
  attempt?: number;
  secret?: string;
  body?: string;
  headers?: string;
  language?: Language;
  json: boolean;
}

const deliveryExamples = `
Examples:
  $ passerelle doctor delivery dlv_0198... --token "$PASSERELLE_OPERATOR_TOKEN"
  $ passerelle doctor delivery dlv_0198... --secret "$RECEIVERS_SECRET" --language php
  $ passerelle doctor delivery dlv_0198... --at http://127.0.0.1:4010 --body body.json --headers headers.txt

Exit codes: 0 the signature is valid, 1 it is not, 2 could not run.`;

const deliveryCommand = (): Command =>
  new Command('delivery')
    .summary('explain why a receiver refuses a delivery of a gateway')
    .description(
      "Asks a running gateway or stub, as its operator, why a receiver refuses a delivery's signature. Pass the body, headers and secret that the receiver has; what is left out is as it was sent.",
    )
    .argument('<id>', "the delivery's id")
    .addOption(atOption('the gateway or stub').default('http://127.0.0.1:8080'))
    .addOption(tokenOption())
    .option('--attempt <number>', 'the number of the attempt (default: the last one)', seconds)
    .option('--secret <secret>', 'the secret that the receiver uses')
    .option('--body <file>', 'the raw body that the receiver got; - reads standard input')
    .option('--headers <file>', 'the headers that the receiver got, one per line or as a JSON object')
    .addOption(languageOption())
    .option('--json', 'print JSON', false)
    .addHelpText('after', deliveryExamples)
    .action(async (id: string, options: DeliveryOptions) => {
      const examination = await examineDelivery(id, options);
      say(options.json ? JSON.stringify(examination, null, 2) : examinationText(examination, onStandardOutput()));
      process.exitCode = examination.genuine ? exitCodes.ok : exitCodes.failed;
    });

async function examineDelivery(id: string, { at, token, body, headers, attempt, secret, language }: DeliveryOptions) {
  if (token === undefined)
    throw new CouldNotRun(
      "No operator token is given: pass --token or set PASSERELLE_OPERATOR_TOKEN. The gateway's start prints it.",
    );
  const examination = await new ManageClient({ at, token }).diagnose(id, {
    attempt,
    secret,
    language,
    body: body === undefined ? undefined : (await bodyOf(body)).toString('utf8'),
    headers: headers === undefined ? undefined : readHeaders(await fileText(headers)),
  });
  return language === undefined ? inWords(examination) : examination;
}

/** Removes the lines of code from the advice, because the manage API always sends those of one language. */
function inWords(examination: Examination): Examination {
  const { finding } = examination;
  return { ...examination, finding: { ...finding, mistakes: finding.mistakes.map((one) => ({ ...one, code: null })) } };
}

const bodyOf = (file: string) => (file === '-' ? buffer(process.stdin) : fileBytes(file));
