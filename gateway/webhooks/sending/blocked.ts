import { blockListOf } from '../../base/addresses.ts';

/**
 * Metadata services of clouds, which hand out the machine's credentials. Only those that no reserved range covers, or that are in
 * a private network. Azure (also its wire server), Alibaba Cloud; over IPv6 AWS, Google Cloud, Oracle Cloud and Scaleway.
 * 169.254.0.0/16 is refused as a range.
 */
export const metadataAddresses = blockListOf([
  '168.63.129.16',
  '100.100.100.200',
  'fd00:ec2::/32',
  'fd20:ce::254',
  'fd00:c1::a9fe:a9fe',
  'fd00:42::42',
]);

/**
 * The "bad ports" of the Fetch standard. Browsers never connect to them, because servers of other protocols could misread a
 * request.
 */
const badPorts = [
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111, 113,
  115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556,
  563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667,
  6668, 6669, 6679, 6697, 10080,
];

/** SMB, SQL Server, Oracle, MySQL, RDP, PostgreSQL, CouchDB, Redis, Cassandra, Elasticsearch, memcached, MongoDB. */
const storePorts = [445, 1433, 1521, 3306, 3389, 5432, 5984, 6379, 9042, 9200, 9300, 11211, 27017, 27018, 27019];

/** ZooKeeper, Docker, etcd, RabbitMQ, Kubernetes, Vault, Consul, Kafka, the kubelet. */
const clusterPorts = [2181, 2375, 2376, 2377, 2379, 2380, 5672, 6443, 8200, 8500, 9092, 10250, 10255];

const blockedPorts: ReadonlySet<number> = new Set([...badPorts, ...storePorts, ...clusterPorts]);

/** Tests send to these ports of their own machine, because nothing listens there. */
const vacantPorts: ReadonlySet<number> = new Set([1, 9]);

/**
 * Returns true for a port at which no receiver of webhooks listens. `isLocal`: on this machine, where a receiver under development may
 * have any port that needs no special rights.
 */
export const isBlockedPort = (port: number, { isLocal }: { isLocal: boolean }): boolean =>
  blockedPorts.has(port) && !(isLocal && (port >= 1024 || vacantPorts.has(port)));
