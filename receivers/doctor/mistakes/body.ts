import type { Mistake } from './mistake.ts';

/** Mistakes that change a body between the socket and the verification. */
export const bodyMistakes = {
  // The body.
  body_rewritten: {
    says: 'The signature matches the body without spaces between its tokens, as JSON.stringify of JavaScript writes it: it was parsed and written again.',
    fix: 'Verify the bytes as they were received, and parse them after that.',
    code: 'rawBody',
  },
  body_spaced: {
    says: 'The signature matches the body with other spaces between its tokens, as json.dumps of Python writes them: it was parsed and written again.',
    fix: 'Verify the bytes as they were received, and parse them after that.',
    code: 'rawBody',
  },
  body_indented: {
    says: 'The signature matches the body with other indentation: it was pretty-printed.',
    fix: 'Verify the bytes as they were received; an editor or a log may have formatted your copy.',
    code: 'rawBody',
  },
  body_sorted: {
    says: 'The signature matches the body with its keys sorted: it was parsed and written again.',
    fix: 'Verify the bytes as they were received, and parse them after that.',
    code: 'rawBody',
  },
  body_escaped: {
    says: 'The signature matches the body with other escapes (slashes, characters beyond ASCII, < > &): it was parsed and written again, as by json_encode of PHP.',
    fix: 'Verify the bytes as they were received, and parse them after that.',
    code: 'rawBody',
  },
  body_quoted: {
    says: 'The signature matches the body wrapped in, or unwrapped from, a JSON string: a text was encoded as JSON.',
    fix: 'Pass the body unchanged. Do not encode a text as JSON again.',
    code: 'rawBody',
  },
  body_base64: {
    says: 'The signature matches the body decoded from base64: a platform such as AWS Lambda passes encoded bodies.',
    fix: 'Decode the body before the verification, if the platform says that it is encoded.',
    code: 'base64Body',
  },
  newline_extra: {
    says: 'The signature matches the body without the newline at its end: something added one, such as an editor or echo.',
    fix: 'Verify the bytes as they were received (to create a file by hand, use printf %s instead of echo).',
    code: 'rawBody',
  },
  newline_missing: {
    says: 'The signature matches the body with a newline at its end: something stripped it.',
    fix: 'Verify the bytes as they were received; do not trim.',
    code: 'rawBody',
  },
  white_space: {
    says: 'The signature matches the body without the white space around it: something added it.',
    fix: 'Verify the bytes as they were received.',
    code: 'rawBody',
  },
  line_ends: {
    says: 'The signature matches the body with other line ends (CRLF instead of LF, or the reverse).',
    fix: 'Verify the raw bytes. Git, and text mode on Windows, change line ends.',
    code: 'rawBody',
  },
  bom_extra: {
    says: 'The signature matches the body without the byte order mark at its start: an editor or a writer of UTF-8 with BOM added it.',
    fix: 'Verify the bytes as they were received, or save the file as UTF-8 without BOM.',
    code: 'rawBody',
  },
  bom_missing: {
    says: 'The signature matches the body with a byte order mark at its start: something stripped it.',
    fix: 'Verify the bytes as they were received.',
    code: 'rawBody',
  },
  encoding: {
    says: 'The signature matches the body in another encoding: it was read or written as Latin-1 or UTF-16 instead of UTF-8.',
    fix: 'Use bytes throughout, or encode the text as UTF-8.',
    code: 'rawBody',
  },
  body_data_only: {
    says: 'The signature or the body is about the field data alone, without event and delivered_at.',
    fix: 'Verify the whole body as it was received, and take data from it after that.',
    code: 'rawBody',
  },
  body_empty: {
    says: 'The body is empty, or the signature was made over an empty body: a parser or a logger has read it before.',
    fix: 'Read the raw body first, and pass it on from there.',
    code: 'rawBody',
  },
  body_object: {
    says: 'The body, or what was signed, is an object converted to text, such as [object Object], Array, {} or null.',
    fix: 'Pass the raw bytes, not the parsed object.',
    code: 'rawBody',
  },
  // Mistakes that can only be suspected.
  body_replaced: {
    says: 'The body contains U+FFFD: bytes were read in a wrong encoding and are lost.',
    fix: 'Use bytes from the socket to the verification.',
    code: 'rawBody',
  },
  body_looks_rewritten: {
    says: 'The body looks as if it was parsed and written again: its spaces, escapes or key order differ from the sender’s.',
    fix: 'Verify the bytes as they were received, and parse them after that.',
    code: 'rawBody',
  },
  secret_looks_cut: {
    says: 'The secret is not whsec_ followed by the base64 of 32 bytes: it may be cut off, or not a secret of this sender.',
    fix: 'Copy the whole secret again, including whsec_.',
  },
} as const satisfies Record<string, Mistake>;
