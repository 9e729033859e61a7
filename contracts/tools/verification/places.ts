import type { ServiceName } from '../../../spec/documents/services.ts';

/** A line of a document: section number, heading inside it, and the line's first words or a row's first cells. */
export type LineKey = { section?: string; part?: string } & ({ begins: string } | { row: string });

/** The table of a document that describes the fields of a JSON body below `at`. */
interface FieldTable {
  /** Such as `GET /api/v1/indicateurs`, or an event type. */
  of: string;
  at: string;
  part: string;
}

/** A part of a body that one line of the document describes. */
interface FieldNote {
  of: string;
  at: string;
  line: LineKey;
}

interface Places {
  /** The line about all errors. */
  errors: LineKey;
  tables: readonly FieldTable[];
  notes: readonly FieldNote[];
  /** Statuses that are described outside section 7. */
  statuses: Readonly<Record<string, LineKey>>;
  /** Gaps about statuses. The gap of a success status belongs to its operation (`...-status`). */
  statusGaps: Readonly<Record<string, string>>;
  /** A refusal by an operation that needs no token, because it checks credentials itself. */
  credentials?: { line: LineKey; gap: string };
  /** Headers and metadata keys of replies and webhooks, in lower case. */
  headers: readonly { name: RegExp; line?: LineKey; gap?: string }[];
}

const signing = { section: '6', begins: '- Subscription, delivery target, signing' };
const signature = { name: /^x-service-signature$/, line: { section: '6', begins: '1. Each delivery', part: 'Signature' } };
const throttle = /^(retry-after|(x-)?ratelimit(-.*)?)$/;
const paginated = ['indicateurs', 'interventions', 'structures'].map((name) => ({
  of: `GET /api/v1/${name}`,
  at: '$.meta',
  part: 'Pagination block (meta of every paginated list)',
}));

const pos: Places = {
  errors: { section: '7', begins: '- Error body shape' },
  tables: [{ of: 'POST /api/auth', at: '$', part: 'Token response' }],
  notes: [],
  statuses: {
    401: { section: '5', begins: '3. The token is used' },
    429: { section: '8', begins: '- Behavior when a limit is exceeded' },
    413: { section: '8', begins: '- Behavior when a limit is exceeded' },
  },
  statusGaps: {
    400: 'pos.error-conditions',
    401: 'pos.token-endpoints',
    403: 'pos.error-conditions',
    404: 'pos.error-conditions',
    405: 'pos.unknown-method',
    409: 'pos.error-conditions',
    413: 'pos.body-size',
    415: 'pos.transport-statuses',
    422: 'pos.error-conditions',
    429: 'pos.limit-exceeded',
    503: 'pos.transport-statuses',
  },
  credentials: { line: { section: '5', begins: '1. A client obtains a token' }, gap: 'pos.error-conditions' },
  headers: [
    { name: /^(x-service-signature|webhook-(id|timestamp|signature))$/, gap: 'pos.webhook-signing', line: signing },
    { name: /^content-type$/, line: { section: '4', begins: 'All calls use JSON.' } },
    { name: throttle, gap: 'pos.limit-exceeded', line: { section: '8', begins: '- Behavior when a limit is exceeded' } },
    { name: /^idempotency-/, gap: 'pos.idempotency-keys' },
    {
      name: /^(www-authenticate|authorization)$/,
      gap: 'pos.token-transport',
      line: { section: '5', begins: '4. How the token' },
    },
  ],
};

const cohesion: Places = {
  errors: { section: '7', begins: 'Body shape of errors' },
  tables: [
    { of: 'GET /api/v1/me', at: '$.data', part: 'Current user and token (data of /me)' },
    { of: 'GET /api/v1/indicateurs', at: '$.data[*]', part: 'Indicator' },
    { of: 'GET /api/v1/indicateurs/{id}', at: '$.data', part: 'Indicator' },
    { of: 'POST /api/v1/financements', at: '$.data', part: 'External financing' },
    { of: 'PUT /api/v1/financements/{id}', at: '$.data', part: 'External financing' },
    { of: 'intervention.validated', at: '$', part: 'Payload of intervention.validated' },
    ...paginated,
  ],
  notes: [
    { of: 'GET /api/v1/interventions', at: '$.data', line: { section: '2', begins: '- Interventions are listed' } },
    { of: 'GET /api/v1/structures', at: '$.data', line: { section: '2', begins: '- Only active structures' } },
    { of: 'GET /api/v1/stats', at: '$.data', line: { section: '2', begins: '- Fields of the statistics' } },
  ],
  statuses: {
    401: { section: '5', begins: '4. Missing or invalid token' },
    403: { section: '5', begins: '4. Missing or invalid token' },
    429: { section: '8', begins: 'Write throttle' },
  },
  statusGaps: {
    405: 'cohesion.unknown-method',
    413: 'cohesion.body-size',
    415: 'cohesion.accept-header',
    429: 'cohesion.throttle-exceeded',
    500: 'cohesion.transport-statuses',
    503: 'cohesion.transport-statuses',
  },
  headers: [
    { ...signature, gap: 'cohesion.webhook-secret' },
    { name: /^webhook-(id|timestamp|signature)$/, gap: 'cohesion.webhook-standard-headers', line: signature.line },
    { name: /^content-type$/, gap: 'cohesion.accept-header', line: { section: '1', begins: '- Conventions:' } },
    { name: /^cache-control$/, line: { section: '1', begins: '- Conventions:' } },
    {
      name: throttle,
      gap: 'cohesion.throttle-exceeded',
      line: { section: '8', begins: '- Throttle for reads' },
    },
    { name: /^(www-authenticate|authorization)$/, line: { section: '5', begins: '2. Every request carries' } },
  ],
};

/** The document line and gap of each place. The operation's row covers places that are not listed. */
export const places: Readonly<Record<ServiceName, Places>> = { pos, cohesion };
