/** The progress of nodes with seed jobs: each node writes a note of its own, which is read on request. */

/** The nodes of the cluster, including this one. */
export interface SeedNodes {
  /** The id of this node. */
  readonly here: string;
  /** Whether there may be other nodes. */
  readonly isShared: boolean;
  list(): Promise<readonly { readonly id: string; readonly isAlive: boolean }[]>;
}

export interface ProgressNotes {
  read(name: string): Promise<string | undefined>;
  listNames(beginning: string): Promise<readonly string[]>;
  write(name: string, text: string | null): Promise<void>;
}

export type SeedState = 'pending' | 'running' | 'done';

/** The progress of a node with a job. */
export interface SeedPart {
  readonly state: SeedState;
  readonly done: number;
  /** Estimated from the progress so far; -1 if unknown. */
  readonly secondsLeft: number;
}

/** By job id. */
export type NodeProgress = ReadonlyMap<number, SeedPart>;

export interface SeedProgress {
  /** Records the progress of this node; writes nothing if there are no other nodes or nothing has changed. */
  publish(own: NodeProgress): Promise<void>;
  /** Returns the progress of each running node, with `own` for this one. */
  collectAll(own: NodeProgress): Promise<readonly NodeProgress[]>;
  /** Deletes the notes of nodes that have left. */
  deleteGone(): Promise<void>;
}

const NOTE = 'tile jobs of ';

const pendingPart: SeedPart = { state: 'pending', done: 0, secondsLeft: -1 };

export function getSeedPart(progress: NodeProgress, id: number): SeedPart {
  return progress.get(id) ?? pendingPart;
}

export function openSeedProgress(notes: ProgressNotes, nodes: SeedNodes): SeedProgress {
  let lastPublished = '';

  async function listAliveNodes(): Promise<readonly string[]> {
    const found = (await nodes.list()).filter(({ id, isAlive }) => isAlive && id !== nodes.here);
    return found.map(({ id }) => id);
  }

  async function readNodeProgress(id: string): Promise<NodeProgress> {
    return new Map(JSON.parse((await notes.read(`${NOTE}${id}`)) ?? '[]') as [number, SeedPart][]);
  }

  return {
    async publish(own) {
      const text = own.size === 0 ? '' : JSON.stringify([...own]);
      if (!nodes.isShared || text === lastPublished) return;
      await notes.write(`${NOTE}${nodes.here}`, text === '' ? null : text);
      lastPublished = text;
    },
    async collectAll(own) {
      const others = nodes.isShared ? await listAliveNodes() : [];
      return [own, ...(await Promise.all(others.map(readNodeProgress)))];
    },
    async deleteGone() {
      if (!nodes.isShared) return;
      const names = new Set([nodes.here, ...(await listAliveNodes())].map((id) => `${NOTE}${id}`));
      for (const name of await notes.listNames(NOTE)) if (!names.has(name)) await notes.write(name, null);
    },
  };
}
