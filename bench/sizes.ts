/** What one call, one sale or one delivery costs. CPU is in microseconds, sizes are in bytes. */
export interface Cost {
  cpu_of_gateways_us: number;
  cpu_of_workers_us: number;
  cpu_of_postgresql_us: number;
  cpu_of_redis_us: number;
  redis_commands: number;
  postgresql_transactions: number;
  rows_inserted: number;
  rows_updated: number;
  wal_bytes: number;
  disk_bytes: number;
}

export interface Costs {
  'a call': Cost;
  'a sale without endpoints': Cost;
  'a delivery': Cost;
}

/** What the table of sizes assumes. */
export const assumptions = {
  /** Deliveries that each sale causes. */
  deliveriesPerSale: 2,
  /** Further calls that are made for each sale. */
  callsPerSale: 4,
  /** The busiest second, as a multiple of the day's average. */
  peak: 4,
  /** The share of a core that is used at the peak. */
  load: 0.5,
  /** How long calls and attempts are kept by default. */
  days: 30,
};

export interface Size {
  deliveriesPerDay: number;
  deliveriesPerSecond: number;
  gateways: number;
  workers: number;
  postgresqlCores: number;
  redisCores: number;
  walMegabytesPerSecond: number;
  diskGigabytes: number;
}

/** Derives what an installation needs at its peak. A gateway or worker uses one core. */
export function sizeFor(deliveriesPerDay: number, costs: Costs): Size {
  const { deliveriesPerSale, callsPerSale, peak, load, days } = assumptions;
  /** Sums a cost over what happens for each delivery. */
  const each = (name: keyof Cost) =>
    costs['a delivery'][name] +
    (costs['a sale without endpoints'][name] + callsPerSale * costs['a call'][name]) / deliveriesPerSale;
  const deliveriesPerSecond = (deliveriesPerDay / 86_400) * peak;
  const cores = (name: keyof Cost) => (deliveriesPerSecond * each(name)) / 1e6 / load;
  return {
    deliveriesPerDay,
    deliveriesPerSecond,
    gateways: Math.ceil(cores('cpu_of_gateways_us')),
    workers: Math.ceil(cores('cpu_of_workers_us')),
    postgresqlCores: cores('cpu_of_postgresql_us'),
    redisCores: cores('cpu_of_redis_us'),
    walMegabytesPerSecond: (deliveriesPerSecond * each('wal_bytes')) / 1e6,
    diskGigabytes: (deliveriesPerDay * days * each('disk_bytes')) / 1e9,
  };
}
