/** The calls of a partner's tests of social cohesion: accepted and refused ones of each operation. */
export async function askCohesion(url: string, token: string, structure: number): Promise<void> {
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const reply = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await reply.text();
    // biome-ignore lint/suspicious/noExplicitAny: replies have any shape
    return { status: reply.status, body: (text.startsWith('{') ? JSON.parse(text) : text) as any };
  };
  await ask('GET', '/me');
  await ask('GET', '/me', undefined, { accept: 'text/html' });
  await ask('DELETE', '/me');
  await ask('GET', '/me', undefined, { authorization: 'Bearer 1|wrong' });
  for (const path of [
    ...[
      '/indicateurs',
      '/indicateurs?per_page=100',
      '/indicateurs?per_page=500',
      '/indicateurs?page=2',
      '/indicateurs?page=9999',
    ],
    ...['/indicateurs?kpi=0', '/indicateurs?sort=code', '/indicateurs/1', '/indicateurs/999999'],
    ...['/interventions', '/interventions?statut=rejete', '/interventions?statut=brouillon'],
    ...[
      '/structures',
      '/structures?per_page=10',
      '/structures?q=none',
      '/structures?type=club',
      '/stats',
      '/stats?annee=soon',
      '/stats?annee=2099',
    ],
  ])
    await ask('GET', path);
  const fields = {
    structure_id: structure,
    exercice: 2026,
    bailleur: 'UE',
    type: 'bailleur',
    intitule: 'Appui',
    montant: 50,
    statut: 'promis',
  };
  let created = 0;
  // A service may refuse a financing that equals one already stored.
  const create = (changes: object) => {
    created += 1;
    return ask('POST', '/financements', { ...fields, intitule: `Appui ${created}`, ...changes });
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
  const id = ({ body }: typeof obtained) => body?.data?.id ?? 1;
  await ask('PUT', `/financements/${id(obtained)}`, { statut: 'promis' });
  await ask('PUT', `/financements/${id(obtained)}`, { ...fields, montant: 60 });
  await ask('PUT', `/financements/${id(obtained)}`, { ...fields, intitule: 'Appui suivi', montant: 60, statut: 'obtenu' });
  await ask('PUT', `/financements/${id(cancelled)}`, { statut: 'promis' });
  await ask('PUT', '/financements/999999', { ...fields });
}
