import { type Behaviour, section } from './behaviour.ts';

const auth = 'POST /api/auth';
const sales = 'POST /api/v1/sales';
const inventory = 'GET /api/v1/inventory';
const payment = 'POST /api/v1/payment/mobile';
const report = 'GET /api/v1/reports/sales';
const secured = [sales, inventory, payment, report];
const all = [auth, ...secured];

/** What `spec/point-of-sale.md` promises. */
export const posBehaviours: readonly Behaviour[] = [
  ...section('pos', '1. What the service does', [
    { id: 'https-only', says: 'reachable over HTTPS only', on: all },
    { id: 'base-path', says: 'Its path ends in /api/v1.', on: secured },
  ]),
  ...section('pos', '2. Resources and their fields', [
    { id: 'api-key', says: 'api_key | string', on: [auth] },
    { id: 'api-secret', says: 'api_secret | string', on: [auth] },
    { id: 'token-success', says: 'true when the token is issued', on: [auth], field: 'success' },
    { id: 'token', says: '<ACCESS_TOKEN>, a JWT-style string', on: [auth], field: 'token' },
    { id: 'token-lifetime', says: 'expires_in | integer', on: [auth], field: 'expires_in' },
    { id: 'token-type', says: 'the value is "Bearer"', on: [auth], field: 'token_type' },
    { id: 'sale-store', says: 'store_id | string | store identifier', on: [sales] },
    { id: 'sale-items', says: 'items | array of sale item', on: [sales] },
    { id: 'sale-one-line', says: 'one or more lines', on: [sales] },
    { id: 'sale-payment-method', says: 'payment_method | string', on: [sales] },
    { id: 'sale-customer-phone', says: 'customer_phone | string', on: [sales] },
    { id: 'sale-total', says: 'total | number', on: [sales] },
    { id: 'item-product', says: 'product_id | string', on: [sales] },
    { id: 'item-quantity', says: 'quantity | number', on: [sales] },
    { id: 'item-price', says: 'price | number', on: [sales] },
    { id: 'payment-amount', says: 'amount | number', on: [payment] },
    { id: 'payment-phone', says: 'phone | string | telephone number of the payer', on: [payment] },
    { id: 'payment-provider', says: 'provider | string', on: [payment] },
    { id: 'payment-three-operators', says: 'three operators are supported', on: [payment] },
    { id: 'payment-reference', says: 'reference | string | reference of the related sale', on: [payment] },
  ]),
  ...section('pos', '4. Endpoints', [
    { id: 'json', says: 'All calls use JSON.', on: all },
    { id: 'auth-path', says: 'The token operation is shown under the path /api/auth.', on: [auth] },
    { id: 'issue-token', says: 'POST | /api/auth | none | Credentials | Token response.', on: [auth] },
    { id: 'create-sale', says: 'POST | /sales | none | Sale', on: [sales] },
    { id: 'inventory-of-store', says: 'store_id (string, store identifier)', on: [inventory] },
    { id: 'inventory-current', says: 'Current inventory of the store.', on: [inventory] },
    { id: 'pay', says: 'POST | /payment/mobile | none | Mobile payment', on: [payment] },
    { id: 'report-of-store', says: 'GET | /reports/sales | store_id (string)', on: [report] },
    { id: 'report-start', says: 'start_date (date, YYYY-MM-DD)', on: [report] },
    { id: 'report-end', says: 'end_date (date, YYYY-MM-DD)', on: [report] },
  ]),
  ...section('pos', '5. Authentication', [
    { id: 'token-used', says: 'The token is used for secured requests', on: secured },
    { id: 'no-authorization', says: 'a request without valid authorization is answered with 401', on: secured },
  ]),
  ...section('pos', '6. Events', [
    { id: 'sale-completed', says: 'sale.completed |', on: ['sale.completed'] },
    { id: 'payment-received', says: 'payment.received |', on: ['payment.received'] },
    { id: 'inventory-low', says: 'inventory.low |', on: ['inventory.low'] },
    { id: 'sync-completed', says: 'sync.completed |', on: ['sync.completed'] },
  ]),
  ...section('pos', '7. Errors', [
    { id: 'status-200', says: '200 | request succeeded', on: [inventory, report] },
    { id: 'status-201', says: '201 | resource created successfully', on: [sales, payment] },
    { id: 'status-400', says: '400 | invalid request', on: all },
    { id: 'status-401', says: '401 | unauthorized', on: all },
    { id: 'status-404', says: '404 | resource not found', on: secured },
    { id: 'status-500', says: '500 | internal server error', on: all },
  ]),
  ...section('pos', '8. Limits', [
    { id: 'limit-minute', says: '100 requests per minute', on: secured, status: 429 },
    { id: 'limit-free', says: 'Free | 100 requests per minute', on: secured, status: 429 },
    { id: 'limit-pro', says: 'Pro | 1000 requests per minute', on: secured, status: 429 },
    { id: 'limit-enterprise', says: 'Enterprise | unlimited', on: secured },
  ]),
];
