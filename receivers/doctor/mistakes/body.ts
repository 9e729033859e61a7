import { codes, type Mistake } from './mistake.ts';

/** Mistakes that change a body between the socket and the verification. */
export const bodyMistakes = {
  // The body.
  body_rewritten: {
    says: 'The signature matches the body as JSON.stringify writes it: it was parsed and written again.',
    fix: 'Verify the bytes as they were received, and parse them after that.',
    code: codes.rawBody,
  },
  body_spaced: {
    says: "The signature matches the body with other spaces between its tokens, such as Python's json.dumps writes: it was parsed and written again.",
    fix: 'Verify the bytes as they were received. In Flask that is request.get_data(), in Django request.body.',
    code: codes.rawBody,
  },
  body_indented: {
    says: 'The signature matches the body with other indentation: it was pretty-printed.',
    fix: 'Verify the bytes as they were received; an editor or a log may have formatted your copy.',
    code: codes.rawBody,
  },
  body_sorted: {
    says: 'The signature matches the body with its keys sorted: it was parsed and written again.',
    fix: 'Verify the bytes as they were received, and parse them after that.',
    code: codes.rawBody,
  },
  body_escaped: {
    says: 'The signature matches the body with other escapes (slashes, characters beyond ASCII, < > &): it was parsed and written again, as by json_encode of PHP.',
    fix: "Verify the bytes as they were received. In PHP that is file_get_contents('php://input'), in Laravel $request->getContent().",
    code: codes.rawBody,
  },
  body_quoted: {
    says: 'The signature matches the body wrapped in, or unwrapped from, a JSON string: JSON.stringify was applied to a text.',
    fix: 'Pass the body unchanged, without JSON.stringify.',
    code: codes.bytes,
  },
  body_base64: {
    says: 'The signature matches the body decoded from base64: a platform such as AWS Lambda passes encoded bodies.',
    fix: 'Decode the body before the verification, if isBase64Encoded is true.',
    code: "const rawBody = Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8');",
  },
  newline_extra: {
    says: 'The signature matches the body without the newline at its end: something added one, such as an editor or echo.',
    fix: 'Verify the bytes as they were received (to create a file by hand, use printf %s instead of echo).',
    code: codes.bytes,
  },
  newline_missing: {
    says: 'The signature matches the body with a newline at its end: something stripped it.',
    fix: 'Verify the bytes as they were received; do not trim.',
    code: codes.bytes,
  },
  white_space: {
    says: 'The signature matches the body without the white space around it: something added it.',
    fix: 'Verify the bytes as they were received.',
    code: codes.bytes,
  },
  line_ends: {
    says: 'The signature matches the body with other line ends (CRLF instead of LF, or the reverse).',
    fix: 'Verify the raw bytes. Git, and text mode on Windows, change line ends.',
    code: codes.bytes,
  },
  bom_extra: {
    says: 'The signature matches the body without the byte order mark at its start: an editor or a writer of UTF-8 with BOM added it.',
    fix: 'Verify the bytes as they were received, or save the file as UTF-8 without BOM.',
    code: codes.bytes,
  },
  bom_missing: {
    says: 'The signature matches the body with a byte order mark at its start: something stripped it.',
    fix: 'Verify the bytes as they were received.',
    code: codes.bytes,
  },
  encoding: {
    says: 'The signature matches the body in another encoding: it was read or written as Latin-1 or UTF-16 instead of UTF-8.',
    fix: 'Use bytes throughout, or encode text as utf8.',
    code: "createHmac('sha256', secret).update(rawBody) // a Buffer; never .toString('latin1') or 'binary'",
  },
  // Mistakes that can only be suspected.
  body_empty: {
    says: 'The body is empty: a parser or a logger has probably read it before.',
    fix: 'Read the raw body first, and pass it on from there.',
    code: codes.rawBody,
  },
  body_object: {
    says: 'The body is [object Object]: an object was converted to text.',
    fix: 'Pass the raw bytes, not the parsed object.',
    code: codes.rawBody,
  },
  body_replaced: {
    says: 'The body contains U+FFFD: bytes were read in a wrong encoding and are lost.',
    fix: 'Use bytes from the socket to the verification.',
    code: codes.bytes,
  },
  body_looks_rewritten: {
    says: 'The body looks as if it was parsed and written again: its spaces, escapes or key order differ from the sender’s.',
    fix: 'Verify the bytes as they were received, and parse them after that.',
    code: codes.rawBody,
  },
  secret_looks_cut: {
    says: 'The secret is not whsec_ followed by the base64 of 32 bytes: it may be cut off, or not a secret of this sender.',
    fix: 'Copy the whole secret again, including whsec_.',
    code: codes.helper,
  },
} as const satisfies Record<string, Mistake>;
