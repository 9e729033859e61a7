/** The chart's values.schema.json, which refuses misspelt values and settings. `node test/docs/write-tables.ts` writes it. */
import { settings } from '../../gateway/start/config.ts';

/** The chart gives these itself, or by the Secret. Certificates, demo data and a data folder have no place in it. */
const elsewhere = [
  ...['PORT', 'HOST', 'ROLE', 'TLS_CERT', 'TLS_KEY', 'DATA_DIR', 'DURABILITY', 'DEMO'],
  ...['DATABASE_URL', 'REDIS_URL', 'SECRET_KEY', 'OPERATOR_TOKEN', 'METRICS_TOKEN'],
];

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, additionalProperties: false, ...more });
const text = { type: 'string', minLength: 1 };
const count = (minimum: number) => ({ type: 'integer', minimum });
const kind = object({ replicas: count(0), resources: { type: 'object' } });

export const valuesSchema = {
  $comment: 'Written by node test/docs/write-tables.ts.',
  $schema: 'http://json-schema.org/draft-07/schema#',
  ...object({
    // Helm adds it for charts that are part of others.
    global: { type: 'object' },
    image: object({ repository: text, tag: { type: 'string' }, pullPolicy: { enum: ['Always', 'IfNotPresent', 'Never'] } }),
    secret: text,
    // Strings only: YAML reads `on` as true, and Helm writes 1000000 as 1e+06.
    settings: object(
      Object.fromEntries(
        Object.entries(settings)
          .filter(([name]) => !elsewhere.includes(name))
          .map(([name, { does }]) => [name, { type: 'string', description: does }]),
      ),
      // Otherwise no process starts.
      { anyOf: [{ required: ['TRUST_PROXY'] }, { required: ['ALLOW_PLAIN_HTTP'] }] },
    ),
    api: kind,
    worker: kind,
    autoscaling: object({
      enabled: { type: 'boolean' },
      minReplicas: count(1),
      maxReplicas: count(1),
      oldestDueSeconds: count(1),
    }),
    terminationGracePeriodSeconds: count(10),
  }),
};
