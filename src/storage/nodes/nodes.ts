/** The nodes that work on one storage, as each of them has told of itself. */

/** What a node tells of itself. */
export interface NodeReport {
  /** The change that its reads show. */
  readonly position: number;
  /** What its copies of shared files take, and may take, of its disk. */
  readonly cacheBytes: number;
  readonly cacheLimitBytes: number;
}

export interface NodeEntry extends NodeReport {
  /** Tells it from all others, also from the same one before it was started anew. */
  readonly id: string;
  /** By how much its own clock is ahead of that of the storage. */
  readonly clockAheadMs: number;
  readonly name: string;
  readonly version: string;
  readonly startedAtMs: number;
  readonly seenAtMs: number;
  /** Whether it has told of itself lately. */
  readonly isAlive: boolean;
  /** Whether it is the one that is asked. */
  readonly isHere: boolean;
}

export interface Nodes {
  /** Whether others may be at work on the same storage. */
  readonly isShared: boolean;
  /** The id of the one that is asked. */
  readonly here: string;
  /** In the order of their names. */
  list(): Promise<readonly NodeEntry[]>;
  /** Whether another database would take over that may lack the last changes. */
  canLoseChanges(): Promise<boolean>;
}

const SINGLE_NODE_ID = 'alone';

/** For a server that is alone. */
export function createSingleNode(
  entry: () => Omit<NodeEntry, 'id' | 'isAlive' | 'isHere' | 'seenAtMs'>,
  clock: () => number,
): Nodes {
  return {
    isShared: false,
    here: SINGLE_NODE_ID,
    list: async () => [{ ...entry(), id: SINGLE_NODE_ID, seenAtMs: clock(), isAlive: true, isHere: true }],
    canLoseChanges: async () => false,
  };
}
