import { notFound, Refusal } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { type Rows, StoreConflict } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import type { Change } from '../../webhooks/outbox/change.ts';

type View = Row<'views'>;

/** Saves a filtered list under a name. Throws `conflict` if the list has a view of that name. */
export async function createView(
  { tx, now }: Change,
  input: Pick<View, 'list' | 'name' | 'filters' | 'created_by'>,
): Promise<View> {
  const view = { id: newId('view'), ...input, created_at: now, updated_at: now };
  await refuseSimilar(tx, view);
  const [made] = await tx.insert('views', [view]).catch(refuseTaken(input));
  return made as View;
}

/** Changes the given fields. */
export async function updateView(
  { tx, now }: Change,
  { id, ...patch }: { id: string; name?: string | undefined; filters?: View['filters'] | undefined },
): Promise<View> {
  const { list, name } = await readView(tx, id);
  const wanted = { id, list, name: patch.name ?? name };
  if (patch.name !== undefined) await refuseSimilar(tx, wanted);
  const [view] = await tx.update('views', { id }, { ...patch, updated_at: now }).catch(refuseTaken(wanted));
  return view as View;
}

export async function removeView({ tx }: Change, id: string): Promise<View> {
  const view = await readView(tx, id);
  await tx.remove('views', { id });
  return view;
}

export async function readView(rows: Rows, id: string): Promise<View> {
  const view = await rows.get('views', { id });
  if (!view) throw notFound('id', `There is no view ${JSON.stringify(id)}. It may have been deleted.`);
  return view;
}

/** Refuses a name that differs only in case from another view's. Views are made by hand, so they are few. */
async function refuseSimilar(rows: Rows, { id, list, name }: Pick<View, 'id' | 'list' | 'name'>): Promise<void> {
  const folded = (one: string) => one.normalize().toLowerCase();
  const others = await rows.list('views', { where: { list } });
  const similar = others.find((one) => one.id !== id && folded(one.name) === folded(name));
  if (similar) throw taken(similar);
}

function refuseTaken(wanted: Pick<View, 'list' | 'name'>) {
  return (error: unknown): never => {
    throw error instanceof StoreConflict ? taken(wanted) : error;
  };
}

function taken({ list, name }: Pick<View, 'list' | 'name'>): Refusal {
  const message = `The list ${list} has a view named ${JSON.stringify(name)} already. Choose another name.`;
  return new Refusal('conflict', 'already_exists', message, { details: [{ field: 'name', rule: 'unique', message }] });
}
