/**
 * Announces purged files to all nodes, so that none keeps a copy. It is a note that every node receives within a
 * second; a node that was down checks all its copies when it starts.
 */
import type { Hash } from './blobs/port.ts';
import type { Notes } from './port/port.ts';

export interface PurgedFileFeed {
  /** Resolves when it is certain that every running node will delete its copies. */
  announce(files: readonly Hash[]): Promise<void>;
  /**
   * Calls `drop` with the files that were purged on any node, including this one, since the feed was opened; without
   * arguments if there were too many to list. Returns the function that ends the subscription and waits for a running
   * call.
   */
  subscribe(drop: (files?: readonly Hash[]) => Promise<void>, failed: (reason: unknown) => void): () => Promise<void>;
}

const NOTE = 'files gone';

/** The number of files in the note. A node that missed older ones checks all its copies. */
const MAX_LISTED_FILES = 2_000;

interface PurgedFileList {
  /** The number of the last announcement that is not listed any more. */
  readonly unlisted: number;
  readonly gone: readonly (readonly [number: number, files: readonly Hash[]])[];
}

export function openPurgedFileFeed(
  notes: Pick<Notes, 'read' | 'announce' | 'getLastAnnouncement' | 'watch'>,
): PurgedFileFeed {
  let handled = notes.getLastAnnouncement();
  return {
    async announce(files) {
      if (files.length > 0)
        await notes.announce(NOTE, (text, number) => JSON.stringify(addPurgedFiles(text, number, files)));
    },

    subscribe(drop, failed) {
      async function run(): Promise<void> {
        const { unlisted, gone } = parsePurgedFiles(await notes.read(NOTE));
        const fresh = gone.filter(([number]) => number > handled);
        if (unlisted > handled) await drop();
        else if (fresh.length > 0) await drop(fresh.flatMap(([, files]) => files));
        handled = Math.max(handled, unlisted, ...fresh.map(([number]) => number));
      }
      // A failure is retried with the next announcement, and by the periodic check of every node.
      let running = run().catch(failed);
      const stop = notes.watch(() => {
        running = running.then(run).catch(failed);
      });
      return async () => {
        stop();
        await running;
      };
    },
  };
}

function parsePurgedFiles(text: string | undefined): PurgedFileList {
  return text === undefined ? { unlisted: 0, gone: [] } : (JSON.parse(text) as PurgedFileList);
}

/** The oldest entries are removed first. */
function addPurgedFiles(text: string | undefined, number: number, files: readonly Hash[]): PurgedFileList {
  const before = parsePurgedFiles(text);
  const all: PurgedFileList['gone'] = [...before.gone, [number, files]];
  let count = 0;
  const gone = all.toReversed().filter(([, each]) => {
    count += each.length;
    return count <= MAX_LISTED_FILES;
  });
  const unlisted = Math.max(before.unlisted, ...all.slice(0, all.length - gone.length).map(([each]) => each));
  return { unlisted, gone: gone.toReversed() };
}
