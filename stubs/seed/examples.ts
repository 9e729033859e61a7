import type { Fixtures } from './types.ts';

/** A small seed of each API, with every kind of row. */
export const seedExamples: Fixtures = {
  pos: {
    stores: [
      {
        id: 'STORE-1',
        name: 'Épicerie du Plateau',
        city: 'Abidjan',
        products: [
          {
            product_id: 'RICE-5KG',
            name: 'Riz parfumé 5 kg',
            category: 'Alimentation',
            price: 4500,
            quantity: 40,
            low_threshold: 10,
          },
          { product_id: 'SOAP', name: 'Savon 400 g', price: 500, quantity: 3 },
        ],
      },
    ],
    accounts: [{ id: 'acc_till', name: 'Till of my tests', plan: 'pro', api_key: 'pk_tests', api_secret: 'sk_tests' }],
    sales: [
      {
        reference: 'S-CASH',
        store_id: 'STORE-1',
        items: [{ product_id: 'RICE-5KG', quantity: 2 }],
        payment_method: 'cash',
        created_at: '2026-11-01T08:00:00Z',
      },
      {
        reference: 'S-HALF-PAID',
        store_id: 'STORE-1',
        items: [{ product_id: 'SOAP', quantity: 4 }],
        payment_method: 'mobile_money',
        customer_phone: '+2250700000000',
        created_at: '2026-11-02T08:00:00Z',
        payments: [
          { amount: 1000, phone: '+2250700000000', provider: 'orange_money', created_at: '2026-11-02T08:01:00Z' },
          { amount: 1000, phone: '+2250500000000', provider: 'mtn_momo', status: 'refused', created_at: '2026-11-02T08:02:00Z' },
        ],
      },
    ],
    events: [
      {
        event: 'inventory.low',
        data: { store_id: 'STORE-1', product_id: 'SOAP', name: 'Savon 400 g', quantity: 3, low_threshold: 10 },
        created_at: '2026-11-02T08:00:00Z',
      },
    ],
  },
  cohesion: {
    users: [{ id: 1, name: 'Awa Koné', email: 'awa@example.org', role: 'gestionnaire', structure_ids: [1] }],
    structures: [{ id: 1, nom: 'ONG Paix', sigle: 'OP', type: 'ong', region: 'Gbêkê' }],
    indicators: [
      {
        id: 1,
        code: 'IND-1',
        intitule: 'Comités formés',
        type: 'resultat',
        unite: 'comités',
        cible_annuelle: 60,
        valeur_courante: 24,
      },
    ],
    interventions: [
      {
        id: 1,
        reference: 'INT-1',
        intitule: 'Dialogue à Bouaké',
        structure_id: 1,
        annee: 2026,
        statut: 'approuve',
        budget: 2500000,
      },
    ],
    financings: [
      {
        id: 1,
        structure_id: 1,
        exercice: 2026,
        bailleur: 'UE',
        type: 'bailleur',
        intitule: 'Appui',
        montant: 1000000,
        statut: 'promis',
      },
    ],
    plans: [{ annee: 2025, statut: 'closed' }],
    tokens: [{ token: '7|a-token-of-my-own-tests', name: 'my tests', user_id: 1 }],
    events: [{ event: 'plan.closed', created_at: '2026-01-10T09:00:00Z' }],
  },
};
