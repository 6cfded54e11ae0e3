/** Looks whether the nodes that work on one storage are of one mind. */
import type { Nodes } from '../../storage/nodes/nodes.ts';
import type { Check, Findings } from './diagnosis.ts';

/** Nothing is decided by the clocks of nodes, but logs are read by them. */
const MAX_CLOCK_OFFSET_MS = 5_000;

/** More than are made between two reports of a node. */
const MAX_CHANGES_BEHIND = 10_000;

export async function checkNodes(nodes: Nodes, findings: Findings): Promise<Check> {
  const alive = (await nodes.list()).filter(({ isAlive }) => isAlive);
  const addFinding = (code: string, message: string) => findings.add('nodes', { place: null, code, message });
  const last = Math.max(0, ...alive.map(({ position }) => position));
  for (const { name, clockAheadMs, position, cacheBytes, cacheLimitBytes } of alive) {
    if (Math.abs(clockAheadMs) > MAX_CLOCK_OFFSET_MS) {
      addFinding('node-clock', `The clock of ${name} is ${clockAheadMs} ms ahead of that of the database.`);
    }
    if (last - position > MAX_CHANGES_BEHIND) {
      addFinding('node-behind', `${name} shows change ${position}, while others show change ${last}.`);
    }
    if (cacheBytes > cacheLimitBytes) {
      addFinding(
        'node-copies',
        `Copies of files on ${name} take ${cacheBytes} bytes, more than its ${cacheLimitBytes}.`,
      );
    }
  }
  const versions = new Set(alive.map(({ version }) => version));
  if (versions.size > 1) {
    addFinding(
      'node-version',
      `The nodes are of the versions ${[...versions].join(', ')}; an upgrade is not finished.`,
    );
  }
  if (await nodes.canLoseChanges()) {
    const message = 'Standbys of the database are not waited for: one that takes over may lack the last changes.';
    addFinding('standby-not-awaited', message);
  }
  return findings.summarize('nodes', `${alive.length} ${alive.length === 1 ? 'node is' : 'nodes are'} at work.`);
}
