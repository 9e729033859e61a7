import { isRecord } from '../../contracts/tools/json.ts';

/** Changes every text in a value. */
export function textsIn(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one) => textsIn(one, change));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, textsIn(held, change)]));
}
