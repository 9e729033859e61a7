import { z } from 'zod';
import { setZodMessages } from '../../../gateway/http/messages.ts';
import { CouldNotRun } from '../could-not-run.ts';
import { decoded } from '../verification/answers.ts';
import { textOf } from '../verification/sources.ts';

// Each program leaves out other fields, or fills them in another way.
const maybe = <S extends z.ZodType>(shape: S) => shape.nullish().catch(null);
const text = maybe(z.string()).transform((value) => value ?? '');
const pairs = <S extends z.ZodType>(value: S) => z.array(z.object({ name: z.string(), value }));
const headers = pairs(z.union([z.string(), z.number().transform(String)]).catch(''))
  .nullish()
  .transform((list) => list ?? []);
const held = { text: maybe(z.string()), encoding: text };
/** Fields of a form, and the name of a file that has the body, say that there was one. Neither is read. */
const postData = z.object({ ...held, _file: text, params: maybe(z.array(z.unknown())) }).nullish();
const content = maybe(z.object({ ...held, size: maybe(z.number()) }));
const entry = z.object({
  request: z.object({ method: z.string().min(1), url: z.string().min(1), headers, bodySize: maybe(z.number()), postData }),
  response: z.object({ status: maybe(z.number()), headers, content }).nullish(),
});

/** An entry of an archive. Other fields are not read. */
export type Entry = z.infer<typeof entry>;

const archive = z.object({ log: z.object({ entries: z.array(z.unknown()) }) });

const makers = 'Save it as an HTTP Archive 1.2 (.har): the network tab of a browser, Playwright and mitmproxy do so.';

/** Returns the entries of an archive. Throws `CouldNotRun` with one line if the file is none. */
export function entriesOf(bytes: Buffer, source: string): Entry[] {
  if (bytes.length === 0) throw new CouldNotRun(`${source} is empty. ${makers}`);
  const found = archive.safeParse(jsonOf(bytes, source));
  if (!found.success) throw new CouldNotRun(`${source} is no HTTP Archive: it has no list log.entries. ${makers}`);
  setZodMessages();
  return found.data.log.entries.map((one, index) => {
    const parsed = entry.safeParse(one);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const place = ['', ...(issue?.path ?? [])].join('.');
    throw new CouldNotRun(`${source}, log.entries[${index}]${place}: ${issue?.message ?? 'not valid'}.`);
  });
}

function jsonOf(bytes: Buffer, source: string): unknown {
  try {
    return JSON.parse(textOf(bytes));
  } catch (error) {
    // The parser's message quotes the file, which may be a secret.
    const at = /position \d+/.exec((error as Error).message)?.[0];
    const why = at === undefined ? 'it ends too early, or is another kind of file' : `the error is at ${at}`;
    throw new CouldNotRun(`${source} is not valid JSON: ${why}. ${makers}`);
  }
}

/** The headers by their names in lower case, without the pseudo headers of HTTP/2 and HTTP/3. */
export function headersOf(list: Entry['request']['headers'] = []): Record<string, string> {
  const headers: Record<string, string> = Object.create(null);
  for (const { name, value } of list) {
    const lower = name.toLowerCase();
    if (!lower.startsWith(':')) headers[lower] = headers[lower] === undefined ? value : `${headers[lower]}, ${value}`;
  }
  return { ...headers };
}

/** The request's body; '' if it had none, undefined if the file does not contain it. */
export function requestBodyOf({ request: { postData, bodySize } }: Entry): string | undefined {
  const isElsewhere = postData?._file || postData?.params?.length;
  return bodyOf(postData, '') || (isElsewhere || (bodySize ?? 0) > 0 ? undefined : '');
}

/** The reply's body; '' if it had none, undefined if the file does not contain it: browsers drop bodies that they no longer need. */
export function replyBodyOf({ response }: Entry): string | undefined {
  const { content, status = 0, headers } = response ?? {};
  const body = bodyOf(content, headersOf(headers)['content-encoding'] ?? '');
  if (body !== '') return isCut(body) ? undefined : body;
  // A size of -1 is unknown.
  const isEmpty = content?.size === 0 || (content?.text === '' && (content.size ?? -1) < 0) || status === 204 || status === 304;
  return isEmpty ? '' : undefined;
}

/** How a stub and a gateway end a body that was too long to keep (gateway/http/record/call.ts). */
const cutOff = /… \[cut here: \d+ characters in all\]$/;
export const isCut = (body: string): boolean => cutOff.test(body);

/** A body as text. An archive has bodies after decompression, but some programs keep the bytes of the wire, in base64. */
function bodyOf(held: Entry['request']['postData'] | z.infer<typeof content>, coding: string): string {
  if (held?.encoding.toLowerCase() !== 'base64') return held?.text ?? '';
  const bytes = Buffer.from(held.text ?? '', 'base64');
  try {
    return decoded(bytes, coding).toString();
  } catch {
    return bytes.toString();
  }
}
