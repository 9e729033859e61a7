import { financing } from '../../stubs/dashboard.ts';
import { type Made, making, type Send } from './making.ts';

const reads: Readonly<Record<string, readonly string[]>> = {
  indicateurs: ['', '?per_page=100', '?per_page=500', '?page=2', '?page=9999', '?kpi=0', '?sort=code', '/1', '/999999'],
  interventions: ['', '?statut=rejete', '?statut=brouillon'],
  structures: ['', '?per_page=10', '?q=none', '?type=club'],
  stats: ['', '?annee=soon', '?annee=2099'],
};

/** The calls of a partner's tests of social cohesion: accepted and refused ones of each operation. */
export async function askCohesion(send: Send, token: string): Promise<Made[]> {
  const { made, ask: askAt } = making(send, () => ({ authorization: `Bearer ${token}`, accept: 'application/json' }));
  const ask = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    askAt(`${method} ${path} ${JSON.stringify(body ?? '')}`, method, `/api/v1${path}`, body, headers);
  await ask('GET', '/me');
  await ask('GET', '/me', undefined, { accept: 'text/html' });
  await ask('DELETE', '/me');
  await ask('GET', '/me', undefined, { authorization: 'Bearer 1|wrong' });
  for (const [path, queries] of Object.entries(reads)) for (const query of queries) await ask('GET', `/${path}${query}`);
  let created = 0;
  // A service may refuse a financing that equals one already stored.
  const create = (changes: object) => {
    created += 1;
    return ask('POST', '/financements', { ...financing, intitule: `Appui ${created}`, ...changes });
  };
  for (const changes of [
    ...[{ devise: 'EUR' }, { statut: undefined }, { type: undefined }, { statut: 'cloture' }, { montant: 0 }, { exercice: 2099 }],
    ...[{ note: 'x' }, { montant: 'much' }, { type: 'don' }, { type: 'mixte' }],
  ])
    await create(changes);
  await ask('POST', '/financements', '{"structure_id":');
  await create({ structure_id: 999_999 });
  await create({ structure_id: 999_999, montant: 'much' });
  const obtained = await create({ statut: 'obtenu' });
  const cancelled = await create({ statut: 'annule' });
  await create({ intitule: 'Appui' });
  await create({ intitule: 'Appui' });
  const id = ({ body }: Made) => body?.data?.id ?? 1;
  await ask('PUT', `/financements/${id(obtained)}`, { statut: 'promis' });
  await ask('PUT', `/financements/${id(obtained)}`, { ...financing, montant: 60 });
  await ask('PUT', `/financements/${id(obtained)}`, { ...financing, intitule: 'Appui suivi', montant: 60, statut: 'obtenu' });
  await ask('PUT', `/financements/${id(cancelled)}`, { statut: 'promis' });
  await ask('PUT', '/financements/999999', financing);
  return made;
}
