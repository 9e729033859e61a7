import type { ServersUsage } from './usage.ts';

/** What one call, one sale or one delivery costs. CPU is in microseconds, sizes are in bytes. */
export interface Cost extends ServersUsage {
  cpu_of_gateways_us: number;
  cpu_of_workers_us: number;
}

export interface Costs {
  /** Of a call that is refused before it reads anything. */
  'the record of a call': Cost;
  'a call': Cost;
  'a sale without endpoints': Cost;
  'a delivery': Cost;
}

/** What the table of sizes assumes. */
export const assumptions = {
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
  /** Which of these cores could be in another PostgreSQL. */
  postgresqlCoresOf: { records: number; reads: number; sales: number; deliveries: number };
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
  const coresFor = (microseconds: number) => (deliveriesPerSecond * microseconds) / 1e6 / load;
  const cores = (name: keyof Cost) => coresFor(each(name));
  const ofPostgresql = (what: keyof Costs) => costs[what].cpu_of_postgresql_us;
  const record = ofPostgresql('the record of a call');
  return {
    deliveriesPerDay,
    deliveriesPerSecond,
    gateways: Math.ceil(cores('cpu_of_gateways_us')),
    workers: Math.ceil(cores('cpu_of_workers_us')),
    postgresqlCores: cores('cpu_of_postgresql_us'),
    postgresqlCoresOf: {
      records: coresFor((record * (1 + callsPerSale)) / deliveriesPerSale),
      reads: coresFor(((ofPostgresql('a call') - record) * callsPerSale) / deliveriesPerSale),
      sales: coresFor((ofPostgresql('a sale without endpoints') - record) / deliveriesPerSale),
      deliveries: coresFor(ofPostgresql('a delivery')),
    },
    redisCores: cores('cpu_of_redis_us'),
    walMegabytesPerSecond: (deliveriesPerSecond * each('wal_bytes')) / 1e6,
    diskGigabytes: (deliveriesPerDay * days * each('disk_bytes')) / 1e9,
  };
}
