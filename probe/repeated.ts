import type { FastifyRequest } from 'fastify';
import { sent } from '../contracts/tools/assumptions/conditions.ts';
import { askedOf, nothingKnown } from '../stubs/assume/asked.ts';

/** What makes two calls belong together, by the alternatives that a client notices from the second of them on. */
const marks: Readonly<Record<string, (request: FastifyRequest) => unknown[]>> = {
  // The newest token of a key is valid with it and without it.
  'pos.new-token=revokes': (request) =>
    operationOf(request) === 'POST /auth' ? [sent(askedOf(request, nothingKnown)).api_key] : [],
  'pos.idempotency-keys=by-content': (request) => {
    const operation = operationOf(request);
    const { 'idempotency-key': key } = request.headers;
    if (!operation.startsWith('POST')) return [];
    return [{ operation, body: request.body }, ...(key === undefined ? [] : [{ key }])];
  },
};

const operationOf = (request: FastifyRequest) => askedOf(request, nothingKnown).operation;

/** Notes calls, and tells which alternatives have been given a second one. */
export class Repeated {
  readonly #seen = new Map(Object.keys(marks).map((id) => [id, new Set<string>()]));
  readonly #open = new Set<string>();

  note(request: FastifyRequest): void {
    for (const [id, seen] of this.#seen)
      for (const mark of marks[id]?.(request) ?? []) {
        const text = JSON.stringify(mark) ?? '';
        if (seen.has(text)) this.#open.add(id);
        seen.add(text);
      }
  }

  /** False if the alternative shows with a second call only, and none came. */
  canShow = (id: string): boolean => !this.#seen.has(id) || this.#open.has(id);
}
