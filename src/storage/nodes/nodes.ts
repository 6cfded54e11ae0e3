/** The nodes of one storage, as each has reported itself. */

/** The report of a node. */
export interface NodeReport {
  /** The last change that its reads include. */
  readonly position: number;
  /** The size and the size limit of its copies of shared files. */
  readonly cacheBytes: number;
  readonly cacheLimitBytes: number;
}

export interface NodeEntry extends NodeReport {
  /** Unique for each start of each node. */
  readonly id: string;
  /** The offset of its own clock from the clock of the storage. */
  readonly clockAheadMs: number;
  readonly name: string;
  readonly version: string;
  readonly startedAtMs: number;
  readonly seenAtMs: number;
  /** Whether it has reported recently. */
  readonly isAlive: boolean;
  /** Whether it is the responding node. */
  readonly isHere: boolean;
}

export interface Nodes {
  /** Whether other nodes may use the same storage. */
  readonly isShared: boolean;
  /** The id of the responding node. */
  readonly here: string;
  /** Lists nodes by name. */
  list(): Promise<readonly NodeEntry[]>;
  /** Returns whether a failover database may lack the last changes. */
  canLoseChanges(): Promise<boolean>;
}

const SINGLE_NODE_ID = 'alone';

/** For a single node. */
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
