/** How far nodes are with jobs: each tells of itself in a note of its own, which those read who are asked. */

/** One of them is where this runs. */
export interface SeedNodes {
  /** Tells this node from others. */
  readonly here: string;
  /** Whether there may be others. */
  readonly isShared: boolean;
  list(): Promise<readonly { readonly id: string; readonly isAlive: boolean }[]>;
}

export interface ProgressNotes {
  read(name: string): Promise<string | undefined>;
  listNames(beginning: string): Promise<readonly string[]>;
  write(name: string, text: string | null): Promise<void>;
}

export type SeedState = 'pending' | 'running' | 'done';

/** What a node has done of a job. */
export interface SeedPart {
  readonly state: SeedState;
  readonly done: number;
  /** By the pace so far; -1 where nothing is known. */
  readonly secondsLeft: number;
}

/** By the numbers of jobs. */
export type NodeProgress = ReadonlyMap<number, SeedPart>;

export interface SeedProgress {
  /** What this node has done; nothing is written where nobody else would read it, or nothing is new. */
  publish(own: NodeProgress): Promise<void>;
  /** What each node that is there has done, this one as it says. */
  collectAll(own: NodeProgress): Promise<readonly NodeProgress[]>;
  /** Rid of what nodes have told that are gone. */
  deleteGone(): Promise<void>;
}

const NOTE = 'tile jobs of ';

const pendingPart: SeedPart = { state: 'pending', done: 0, secondsLeft: -1 };

export function getSeedPart(progress: NodeProgress, id: number): SeedPart {
  return progress.get(id) ?? pendingPart;
}

export function openSeedProgress(notes: ProgressNotes, nodes: SeedNodes): SeedProgress {
  let told = '';

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
      if (!nodes.isShared || text === told) return;
      await notes.write(`${NOTE}${nodes.here}`, text === '' ? null : text);
      told = text;
    },
    async collectAll(own) {
      const others = nodes.isShared ? await listAliveNodes() : [];
      return [own, ...(await Promise.all(others.map(readNodeProgress)))];
    },
    async deleteGone() {
      if (!nodes.isShared) return;
      const kept = new Set([nodes.here, ...(await listAliveNodes())].map((id) => `${NOTE}${id}`));
      for (const name of await notes.listNames(NOTE)) if (!kept.has(name)) await notes.write(name, null);
    },
  };
}
