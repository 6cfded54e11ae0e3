/** Checks that the nodes of one storage agree. */
import type { Nodes } from '../../storage/nodes/nodes.ts';
import type { Check, Findings } from './diagnosis.ts';

/** Node clocks decide nothing, but they affect the timestamps in logs. */
const MAX_CLOCK_OFFSET_MS = 5_000;

/** More than a node can fall behind between two of its reports. */
const MAX_CHANGES_BEHIND = 10_000;

export async function checkNodes(nodes: Nodes, findings: Findings): Promise<Check> {
  const alive = (await nodes.list()).filter(({ isAlive }) => isAlive);
  const addFinding = (code: string, message: string) => findings.add('nodes', { place: null, code, message });
  const last = Math.max(0, ...alive.map(({ position }) => position));
  for (const { name, clockAheadMs, position, cacheBytes, cacheLimitBytes } of alive) {
    if (Math.abs(clockAheadMs) > MAX_CLOCK_OFFSET_MS) {
      addFinding(
        'node-clock',
        `The clock of ${name} differs from the clock of the database by ${clockAheadMs} ms. Synchronize the clocks.`,
      );
    }
    if (last - position > MAX_CHANGES_BEHIND) {
      addFinding(
        'node-behind',
        `${name} has applied changes up to ${position}, while another node has applied ${last}.`,
      );
    }
    if (cacheBytes > cacheLimitBytes) {
      addFinding(
        'node-copies',
        `The file cache of ${name} uses ${cacheBytes} bytes and exceeds its limit of ${cacheLimitBytes} bytes.`,
      );
    }
  }
  const versions = new Set(alive.map(({ version }) => version));
  if (versions.size > 1) {
    addFinding('node-version', `The nodes run the versions ${[...versions].join(', ')}. Finish the upgrade.`);
  }
  if (await nodes.canLoseChanges()) {
    const message =
      'The database does not wait for its standbys. After a failover, the last changes can be lost. Enable synchronous replication.';
    addFinding('standby-not-awaited', message);
  }
  return findings.summarize('nodes', `${alive.length} ${alive.length === 1 ? 'node is' : 'nodes are'} active.`);
}
