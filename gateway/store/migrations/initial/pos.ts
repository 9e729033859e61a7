/** The tables of the point of sale. */
export const pos = [
  `create table passerelle.accounts (
    id text collate "C" not null,
    name text collate "C" not null,
    plan text collate "C" not null,
    store_ids json,
    active boolean not null,
    created_at bigint not null,
    primary key (id)
  )`,
  `create table passerelle.api_keys (
    id text collate "C" not null,
    account_id text collate "C" not null references passerelle.accounts,
    secret_hash text collate "C" not null,
    created_at bigint not null,
    last_used_at bigint,
    expires_at bigint,
    revoked_at bigint,
    primary key (id)
  )`,
  `create index api_keys_account_id_id on passerelle.api_keys (account_id, id)`,
  `create table passerelle.stores (
    id text collate "C" not null,
    name text collate "C" not null,
    city text collate "C" not null,
    currency text collate "C" not null,
    created_at bigint not null,
    synchronized_at bigint,
    primary key (id)
  )`,
  `create table passerelle.stock (
    store_id text collate "C" not null,
    product_id text collate "C" not null,
    name text collate "C" not null,
    category text collate "C" not null,
    price numeric not null,
    quantity numeric not null,
    low_threshold numeric not null,
    updated_at bigint not null,
    primary key (store_id, product_id)
  )`,
  `create table passerelle.sales (
    id text collate "C" not null,
    reference text collate "C" not null,
    account_id text collate "C" not null,
    store_id text collate "C" not null,
    status text collate "C" not null check (status in ('pending', 'completed')),
    payment_method text collate "C" not null check (payment_method in ('cash', 'card', 'mobile_money')),
    customer_phone text collate "C",
    total numeric not null,
    paid numeric not null,
    created_at bigint not null,
    completed_at bigint,
    sold_on text collate "C",
    primary key (id),
    unique (reference)
  )`,
  `create index sales_store_id_sold_on on passerelle.sales (store_id, sold_on)`,
  `create index sales_account_id_id on passerelle.sales (account_id, id)`,
  `create table passerelle.sale_items (
    sale_id text collate "C" not null,
    line integer not null,
    store_id text collate "C" not null,
    product_id text collate "C" not null,
    name text collate "C" not null,
    quantity numeric not null,
    price numeric not null,
    amount numeric not null,
    sold_on text collate "C",
    primary key (sale_id, line)
  )`,
  `create index sale_items_store_id_sold_on on passerelle.sale_items (store_id, sold_on)`,
  `create table passerelle.payments (
    id text collate "C" not null,
    sale_id text collate "C" not null,
    account_id text collate "C" not null,
    amount numeric not null,
    phone text collate "C" not null,
    provider text collate "C" not null check (provider in ('orange_money', 'mtn_momo', 'moov_money')),
    status text collate "C" not null check (status in ('pending', 'received', 'refused', 'timed_out')),
    created_at bigint not null,
    primary key (id)
  )`,
  `create index payments_sale_id_id on passerelle.payments (sale_id, id)`,
  `create table passerelle.idempotency_keys (
    account_id text collate "C" not null,
    idempotency_key text collate "C" not null,
    request_hash text collate "C" not null,
    status integer not null,
    body text collate "C" not null,
    created_at bigint not null,
    primary key (account_id, idempotency_key)
  )`,
  `create index idempotency_keys_created_at on passerelle.idempotency_keys (created_at)`,
];
