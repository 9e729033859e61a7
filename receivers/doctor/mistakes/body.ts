import { codes, type Mistake } from './mistake.ts';

/** What happens to a body between the socket and the check. */
export const bodyMistakes = {
  // The body.
  body_rewritten: {
    says: 'The signature fits the body as JSON.stringify writes it: it was parsed and written again.',
    fix: 'Verify the bytes as they were received, and parse them after that.',
    code: codes.rawBody,
  },
  body_spaced: {
    says: "The signature fits the body with other spaces between its tokens, such as Python's json.dumps writes: it was parsed and written again.",
    fix: 'Verify the bytes as they were received. In Flask that is request.get_data(), in Django request.body.',
    code: codes.rawBody,
  },
  body_indented: {
    says: 'The signature fits the body with other indentation: something pretty-printed it.',
    fix: 'Verify the bytes as they were received; an editor or a log may have formatted what you look at.',
    code: codes.rawBody,
  },
  body_sorted: {
    says: 'The signature fits the body with its keys sorted: it was parsed and written again.',
    fix: 'Verify the bytes as they were received, and parse them after that.',
    code: codes.rawBody,
  },
  body_escaped: {
    says: 'The signature fits the body with other escapes (slashes, characters beyond ASCII, < > &): it was parsed and written again, as by json_encode of PHP.',
    fix: "Verify the bytes as they were received. In PHP that is file_get_contents('php://input'), in Laravel $request->getContent().",
    code: codes.rawBody,
  },
  body_quoted: {
    says: 'The signature fits the body inside, or as, a JSON text: JSON.stringify was applied to what was text already.',
    fix: 'Pass the body as it is; it needs no JSON.stringify.',
    code: codes.bytes,
  },
  body_base64: {
    says: 'The signature fits what the body stands for in base64: a platform such as AWS Lambda hands bodies over encoded.',
    fix: 'Decode the body before the check (isBase64Encoded says whether).',
    code: "const rawBody = Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8');",
  },
  newline_extra: {
    says: 'The signature fits the body without the newline at its end: something added one, such as an editor or echo.',
    fix: 'Verify the bytes as they were received (printf %s instead of echo, where a file is made by hand).',
    code: codes.bytes,
  },
  newline_missing: {
    says: 'The signature fits the body with a newline at its end: something stripped it.',
    fix: 'Verify the bytes as they were received; do not trim.',
    code: codes.bytes,
  },
  white_space: {
    says: 'The signature fits the body without the white space around it: something added it.',
    fix: 'Verify the bytes as they were received.',
    code: codes.bytes,
  },
  line_ends: {
    says: 'The signature fits the body with other line ends (CRLF instead of LF, or the reverse).',
    fix: 'Verify bytes; a file opened in text mode on Windows, or git, changes line ends.',
    code: codes.bytes,
  },
  bom_extra: {
    says: 'The signature fits the body without the byte order mark at its start: an editor or a writer of UTF-8 with BOM added it.',
    fix: 'Verify the bytes as they were received, or save the file as UTF-8 without BOM.',
    code: codes.bytes,
  },
  bom_missing: {
    says: 'The signature fits the body with a byte order mark at its start: something stripped it.',
    fix: 'Verify the bytes as they were received.',
    code: codes.bytes,
  },
  encoding: {
    says: 'The signature fits the body in another encoding: it was read or written as Latin-1 or UTF-16 instead of UTF-8.',
    fix: 'Stay with bytes, or say utf8 wherever text becomes bytes.',
    code: "createHmac('sha256', secret).update(rawBody) // a Buffer; never .toString('latin1') or 'binary'",
  },
  // What can only be suspected.
  body_empty: {
    says: 'The body is empty: it was most likely read before, by a parser or a logger.',
    fix: 'Read the raw body first, and give it to whoever else needs it.',
    code: codes.rawBody,
  },
  body_object: {
    says: 'The body is [object Object]: an object was made text.',
    fix: 'Pass the raw bytes, not the parsed object.',
    code: codes.rawBody,
  },
  body_replaced: {
    says: 'The body holds U+FFFD: bytes were read in a wrong encoding and are lost.',
    fix: 'Stay with bytes from the socket to the check.',
    code: codes.bytes,
  },
  body_looks_rewritten: {
    says: 'The body looks as if it was parsed and written again: its spaces, escapes or the order of its keys are not the sender’s.',
    fix: 'Verify the bytes as they were received, and parse them after that.',
    code: codes.rawBody,
  },
  secret_looks_cut: {
    says: 'The secret is not whsec_ and the base64 of 32 bytes, as this sender makes them: it may be cut off or another thing.',
    fix: 'Copy the secret again, all of it, as it was shown once.',
    code: codes.helper,
  },
} as const satisfies Record<string, Mistake>;
