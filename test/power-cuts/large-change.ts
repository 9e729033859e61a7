/** One change of more pages than PostgreSQL keeps in its buffers for it, as an upgrade may make. It runs while no gateway does. */
import { join } from 'node:path';
import { PglitePool } from '../../gateway/store/pglite/pool.ts';

const { DATA_DIR, DURABILITY } = process.env;
const pool = await PglitePool.open(join(DATA_DIR as string, 'postgres'), { isDurable: DURABILITY === 'disk' });
await pool.query('create table large as select repeat(md5(n::text), 30) as text from generate_series(1, 6000) n');
await pool.end();
