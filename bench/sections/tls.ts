/** Small reads over TLS. */
import { measureSecureReads, prepareTls, type ReadRate } from '../secure-reads.ts';
import { startServerChild } from '../server-child.ts';
import { type Bench, SMALL } from './section.ts';

export async function benchTls({ report, seeded }: Bench): Promise<void> {
  const plain = await startServerChild(await seeded(SMALL));
  const secure = await startServerChild(await seeded(SMALL), {}, { args: prepareTls() });
  const read = await measureSecureReads(plain, secure, '/geoserver/rest/workspaces/seed.json');
  report.add({
    what: 'GET one workspace, HTTP/2 over TLS',
    measured: formatRate(read.secure),
    baseline: `${formatRate(read.plain)} (plain HTTP/1.1)`,
    ratio: `${read.ratio.toFixed(2)}, ${read.processorRatio.toFixed(2)} by processor time`,
    aim: 'ratio at least 0.6',
    met: read.ratio >= 0.6,
  });
  await secure.stop();
  await plain.stop();
}

function formatRate({ perSecond, processorUs }: ReadRate): string {
  return `${perSecond.toFixed(0)} a second, ${processorUs.toFixed(0)} µs of processor time each`;
}
