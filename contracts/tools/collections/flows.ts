/**
 * The calls of each API in the order in which a client makes them. `write.ts` makes the collections for all tools from them. So
 * each call, its values and its expected answer are written only once.
 */
import type { ServiceName } from '../../documents/services.ts';

export interface Step {
  name: string;
  /** The operationId. */
  operation: string;
  method: 'GET' | 'POST' | 'PUT';
  /** With its query. `{{name}}` is a variable here and in the body. */
  path: string;
  /** JSON with variables. */
  body?: string;
  /** True for the steps that get a token. */
  isPublic?: true;
  status: number;
  /** What a reply has: a value by its path, such as `data.items.0.price`. */
  has?: Readonly<Record<string, string | number | boolean>>;
  /** Paths that a reply has, with any value. */
  shows?: readonly string[];
  /** Variables for later steps, by the paths of their values. */
  keeps?: Readonly<Record<string, string>>;
}

export interface Flow {
  /** The variables with their values at a stub that was started without options. */
  variables: Readonly<Record<string, string | number>>;
  steps: readonly Step[];
}

const signIn = '{ "api_key": "{{apiKey}}", "api_secret": "{{apiSecret}}" }';
const sale = (rest: string) => `{
  "store_id": "{{store}}",
  "items": [{ "product_id": "{{product}}", "quantity": 2, "price": 750 }],
  "customer_phone": "+2250701020304",
  ${rest}
}`;

export const flows: Readonly<Record<ServiceName, Flow>> = {
  pos: {
    variables: {
      store: 'STORE-ABJ-01',
      product: 'PRD-0001',
      apiKey: 'pk_demo_enterprise',
      apiSecret: 'sk_demo_XjzwXYMG4tV_ZS3iSrSNE03KBAI64TwH',
    },
    steps: [
      {
        name: 'Token',
        operation: 'issueToken',
        method: 'POST',
        path: '/api/auth',
        body: signIn,
        isPublic: true,
        status: 200,
        shows: ['token'],
        keeps: { token: 'token' },
      },
      {
        name: 'Token, under the version',
        operation: 'issueTokenV1',
        method: 'POST',
        path: '/api/v1/auth',
        body: signIn,
        isPublic: true,
        status: 200,
        shows: ['token'],
      },
      {
        name: 'Inventory',
        operation: 'readInventory',
        method: 'GET',
        path: '/api/v1/inventory?store_id={{store}}',
        status: 200,
        shows: ['data.items.0.product_id'],
      },
      {
        name: 'Sale by mobile money',
        operation: 'createSale',
        method: 'POST',
        path: '/api/v1/sales',
        body: sale('"payment_method": "mobile_money",\n  "total": 1500'),
        status: 201,
        has: { 'data.status': 'pending' },
        keeps: { reference: 'data.reference' },
      },
      {
        name: 'Payment',
        operation: 'payByMobileMoney',
        method: 'POST',
        path: '/api/v1/payment/mobile',
        body: `{
  "amount": 1500,
  "phone": "+2250701020304",
  "provider": "orange_money",
  "reference": "{{reference}}"
}`,
        status: 201,
        has: { success: true },
      },
      {
        name: 'Sales report',
        operation: 'reportSales',
        method: 'GET',
        path: '/api/v1/reports/sales?store_id={{store}}',
        status: 200,
        has: { success: true },
      },
      {
        name: 'Sale that is refused',
        operation: 'createSale',
        method: 'POST',
        path: '/api/v1/sales',
        body: sale('"payment_method": "cash",\n  "total": 1'),
        status: 400,
        has: { success: false },
        shows: ['error.code'],
      },
    ],
  },
  cohesion: {
    variables: { structure: 1, token: '6|1lU_LC2CO-QxPMorjx4xDKa9Xypy59fF' },
    steps: [
      { name: 'Me', operation: 'readMe', method: 'GET', path: '/api/v1/me', status: 200 },
      {
        name: 'Indicators',
        operation: 'listIndicators',
        method: 'GET',
        path: '/api/v1/indicateurs?per_page=5&type=activite',
        status: 200,
        shows: ['data.4.id'],
        keeps: { indicator: 'data.0.id' },
      },
      {
        name: 'Indicator',
        operation: 'readIndicator',
        method: 'GET',
        path: '/api/v1/indicateurs/{{indicator}}',
        status: 200,
        shows: ['data.id'],
      },
      {
        name: 'Interventions',
        operation: 'listInterventions',
        method: 'GET',
        path: '/api/v1/interventions?q=dialogue',
        status: 200,
      },
      { name: 'Structures', operation: 'listStructures', method: 'GET', path: '/api/v1/structures', status: 200 },
      { name: 'Statistics', operation: 'readStats', method: 'GET', path: '/api/v1/stats?annee=2026', status: 200 },
      {
        name: 'Financing',
        operation: 'createFinancing',
        method: 'POST',
        path: '/api/v1/financements',
        body: `{
  "structure_id": {{structure}},
  "exercice": 2026,
  "bailleur": "Banque mondiale",
  "type": "bailleur",
  "intitule": "Appui aux comités de paix",
  "montant": 25000000,
  "statut": "promis"
}`,
        status: 201,
        has: { 'data.devise': 'XOF' },
        keeps: { financing: 'data.id' },
      },
      {
        name: 'Financing, changed',
        operation: 'updateFinancing',
        method: 'PUT',
        path: '/api/v1/financements/{{financing}}',
        body: '{ "statut": "obtenu" }',
        status: 200,
        has: { 'data.statut': 'obtenu' },
      },
      {
        name: 'Financing that is refused',
        operation: 'createFinancing',
        method: 'POST',
        path: '/api/v1/financements',
        body: '{ "montant": -1 }',
        status: 422,
        shows: ['errors.montant'],
      },
    ],
  },
};
