/** Small reads over TLS. */
import { measureSecureReads, prepareTls } from '../secure-reads.ts';
import { startServerChild } from '../server-child.ts';
import { type Bench, SMALL } from './section.ts';

export async function benchTls({ report, seeded }: Bench): Promise<void> {
  const plain = await startServerChild(await seeded(SMALL));
  const secure = await startServerChild(await seeded(SMALL), {}, { args: prepareTls() });
  const read = await measureSecureReads(plain, secure.origin, '/geoserver/rest/workspaces/seed.json');
  report.add({
    what: 'GET one workspace, HTTP/2 over TLS',
    measured: `${read.securePerSecond.toFixed(0)} a second`,
    baseline: `${read.plainPerSecond.toFixed(0)} a second (plain HTTP/1.1)`,
    ratio: read.ratio.toFixed(2),
    aim: 'ratio at least 0.6',
    met: read.ratio >= 0.6,
  });
  await secure.stop();
  await plain.stop();
}
