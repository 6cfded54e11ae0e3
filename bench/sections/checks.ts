/** Decisions and parsing, measured without a server. */
import { measureSldParsing } from '../sld-parsing.ts';
import { measureUrlChecks } from '../url-checks.ts';
import type { Bench } from './section.ts';

export async function benchChecks({ report, directory }: Bench): Promise<void> {
  const checks = await measureUrlChecks(await directory());
  report.add({
    what: 'decide on a URL, 1,000 checks, the last one matches, p50',
    measured: `${checks.p50Ms.toFixed(2)} ms`,
    baseline: `${checks.firstMs.toFixed(1)} ms (the first decision, which reads them all)`,
    ratio: (checks.p50Ms / checks.firstMs).toFixed(2),
    aim: 'at most 1 ms',
    met: checks.p50Ms <= 1,
  });
  const sld = measureSldParsing();
  report.add({
    what: 'read 1 MB of SLD',
    measured: `${sld.sldMegabytesPerSecond.toFixed(1)} MB/s`,
    baseline: `${sld.xmlMegabytesPerSecond.toFixed(1)} MB/s (as XML only)`,
    ratio: (sld.sldMegabytesPerSecond / sld.xmlMegabytesPerSecond).toFixed(2),
    aim: 'at least 10 MB/s',
    met: sld.sldMegabytesPerSecond >= 10,
  });
}
