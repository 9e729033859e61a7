import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { z } from 'zod';
import { type Language, languages } from '../../../receivers/doctor/languages.ts';
import { services as documents, type ServiceName } from '../../../spec/documents/services.ts';
import type { App } from '../../http/api.ts';
import type { EventDefinition } from '../../webhooks/outbox/event.ts';
import { serviceOf } from '../../webhooks/outbox/owners.ts';
import { callerOf } from '../caller.ts';

interface ReceiverOptions {
  catalogue: readonly EventDefinition[];
  signatureHeader: string;
}

/**
 * The sample of each language, and how a line of comment begins in it. Each place is written out, because the package contains
 * the files that it finds so.
 */
const samples: Record<Language, { place: URL; comment: string }> = {
  node: { place: new URL('../../../receivers/samples/receiver.mjs', import.meta.url), comment: '//' },
  php: { place: new URL('../../../receivers/samples/receiver.php', import.meta.url), comment: '//' },
  python: { place: new URL('../../../receivers/samples/receiver.py', import.meta.url), comment: '#' },
  go: { place: new URL('../../../receivers/samples/receiver.go', import.meta.url), comment: '//' },
  java: { place: new URL('../../../receivers/samples/Receiver.java', import.meta.url), comment: '//' },
  csharp: { place: new URL('../../../receivers/samples/Receiver.cs', import.meta.url), comment: '//' },
  ruby: { place: new URL('../../../receivers/samples/receiver.rb', import.meta.url), comment: '#' },
};

/** The spellings of the documented header in the samples, each with the function that writes another header in this way. */
const spellings: readonly [RegExp, (header: string) => string][] = [
  [/X-SERVICE-Signature/g, (header) => header],
  [/x-service-signature/g, (header) => header.toLowerCase()],
  // Go's canonical form.
  [/X-Service-Signature/g, (header) => header.toLowerCase().replace(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase())],
  // PHP's `$_SERVER`.
  [/HTTP_X_SERVICE_SIGNATURE/g, (header) => `HTTP_${header.toUpperCase().replaceAll('-', '_')}`],
];

const namesFile = { 'Content-Disposition': { description: 'The name of the file.', schema: { type: 'string' } } } as const;

export function receiverRoute(app: App, options: ReceiverOptions): void {
  app.route({
    method: 'GET',
    url: '/receivers/:language',
    config: { replyHeaders: namesFile },
    schema: {
      operationId: 'readSampleReceiver',
      tags: ['Your endpoints'],
      summary: 'A receiver of your events in your language, ready to paste',
      description: 'A whole program that verifies signatures. It needs the secret of the endpoint in `SECRET`.',
      params: z.object({ language: z.enum(languages) }),
      response: { 200: { description: 'The program.', content: { 'text/plain': { schema: z.string() } } } },
    },
    handler: async (request, reply) => {
      const { place } = samples[request.params.language];
      const text = await sampleOf(request.params.language, serviceOf(callerOf(request).owner), options);
      return reply
        .type('text/plain; charset=utf-8')
        .header('content-disposition', `inline; filename="${basename(place.pathname)}"`)
        .send(text);
    },
  });
}

/** Returns the sample with the name of this gateway's signature header, and with the events of the service at its end. */
async function sampleOf(language: Language, service: ServiceName, { catalogue, signatureHeader }: ReceiverOptions) {
  const { place, comment } = samples[language];
  const text = await readFile(place, 'utf8');
  const types = catalogue.filter((event) => event.service === service).map(({ type }) => type);
  const named = spellings.reduce((code, [spelling, of]) => code.replace(spelling, of(signatureHeader)), text);
  return `${named.trimEnd()}\n\n${comment} Events of the ${documents[service].documentTitle}: ${types.join(', ')}\n`;
}
