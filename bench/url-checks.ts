/** URL checks: the duration of a decision over many checks when only the last one matches. */
import { join } from 'node:path';
import { createUrlGate } from '../src/gates/url-gate.ts';
import { openCatalog } from '../src/records/catalog.ts';
import { serverPrincipal } from '../src/security/core/administrator.ts';
import { createActiveUrlChecks } from '../src/security/url-checks/active-url-checks.ts';
import { createUrlCheck } from '../src/security/url-checks/url-checks.ts';
import { limits } from '../src/server/settings/limits.ts';
import { recordKinds } from '../src/server/storage/record-kinds.ts';
import { openSqliteStorage } from '../src/storage/sqlite/open.ts';
import { percentile } from './percentile.ts';

export interface DecisionCost {
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The first decision after a change, which reads and compiles all checks. */
  readonly firstMs: number;
  /** The first decision after an unrelated change, which reads them again. */
  readonly afterChangeMs: number;
}

const DECISIONS = 2_000;

/** `directory` is empty; the checks are stored and read as by the server. */
export async function measureUrlChecks(directory: string, count = 1_000): Promise<DecisionCost> {
  const storage = await openSqliteStorage({
    file: join(directory, 'graticule.sqlite'),
    clock: Date.now,
    kinds: recordKinds,
  });
  try {
    const catalog = openCatalog(storage);
    const gate = createUrlGate({
      checks: createActiveUrlChecks(catalog),
      resolve: async () => [{ address: '93.184.216.34', family: 4 }],
      allowPrivateAddresses: false,
      limits: limits.url,
      clock: () => performance.now(),
      deadline: (ms) => AbortSignal.timeout(ms),
    });
    for (let index = 0; index < count; index += 1) {
      const number = String(index).padStart(6, '0');
      await createUrlCheck(catalog, serverPrincipal, {
        name: `check-${number}`,
        enabled: true,
        regex: `^https?://(?:www\\.)?host-${number}\\.example\\.com(?::\\d+)?/(?:maps|styles)/.*\\.(?:png|svg|sld)$`,
      });
    }
    const last = String(count - 1).padStart(6, '0');
    const decide = async (index: number): Promise<number> => {
      const startedAt = performance.now();
      const decision = await gate.check(`https://host-${last}.example.com/styles/icon-${index}.svg`);
      const tookMs = performance.now() - startedAt;
      if (decision.kind !== 'open' || decision.check !== `check-${last}`) {
        throw new Error(`The decision was ${JSON.stringify(decision)}`);
      }
      return tookMs;
    };

    const firstMs = await decide(0);
    const costs: number[] = [];
    for (let index = 0; index < DECISIONS; index += 1) {
      costs.push(await decide(index));
    }
    await createUrlCheck(catalog, serverPrincipal, { name: 'another', regex: 'unused' });
    const afterChangeMs = await decide(1);
    return { p50Ms: percentile(costs, 0.5), p99Ms: percentile(costs, 0.99), firstMs, afterChangeMs };
  } finally {
    await storage.close();
  }
}
