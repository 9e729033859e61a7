/**
 * Metadata services of clouds that no reserved range covers, or that lie in a private network: they hand out credentials of the
 * machine. Azure (also its wire server), Alibaba Cloud, AWS and Google Cloud over IPv6. 169.254.0.0/16 is refused as a range.
 */
export const metadataAddresses: ReadonlySet<string> = new Set([
  '168.63.129.16',
  '100.100.100.200',
  'fd00:ec2::254',
  'fd20:ce::254',
]);

/** The "bad ports" of the Fetch standard, which browsers connect to for no URL: other protocols could take a request for theirs. */
const badPorts = [
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111, 113,
  115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556,
  563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667,
  6668, 6669, 6679, 6697, 10080,
];

/** SMB, SQL Server, Oracle, Docker, MySQL, RDP, PostgreSQL, Redis, memcached, MongoDB. */
const storePorts = [445, 1433, 1521, 2375, 2376, 3306, 3389, 5432, 6379, 11211, 27017];

/** Ports at which no receiver of webhooks listens. */
export const blockedPorts: ReadonlySet<number> = new Set([...badPorts, ...storePorts]);
