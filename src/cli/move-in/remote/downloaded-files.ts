/** Data files of a running source, each downloaded once to a temporary directory of this machine. */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { MoveInError } from '../report/move-in-error.ts';
import { FileUnavailableError } from '../source/source.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../source/temporary-folder.ts';
import type { KeptFiles } from './kept-files.ts';
import { fetchResource } from './list-resources.ts';
import { BodyTooLargeError, type SourceServer } from './source-server.ts';

/** Servers accept no larger uploads. */
const MAX_FILE_BYTES = 17_179_869_184;

export class DownloadedFiles {
  readonly #server: SourceServer;
  readonly #kept: KeptFiles;
  readonly #maxFileBytes: number;
  /** The paths on this machine by paths in the source; failures are kept as well, so that a repetition has the same result. */
  readonly #downloads = new Map<string, Promise<string>>();
  #folder: TemporaryFolder | undefined;

  constructor(server: SourceServer, kept: KeptFiles, maxFileBytes = MAX_FILE_BYTES) {
    this.#server = server;
    this.#kept = kept;
    this.#maxFileBytes = maxFileBytes;
  }

  /** Downloads a file unless that was done before, and returns its path on this machine. */
  locate(path: string): Promise<string> {
    const download = this.#downloads.get(path) ?? this.#download(path);
    this.#downloads.set(path, download);
    return download;
  }

  /** Removes the files. Running downloads end when the server is closed, which must be done before. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#downloads.values());
    this.#folder?.remove();
  }

  async #download(path: string): Promise<string> {
    this.#folder ??= createTemporaryFolder();
    // A number, because no name of the source may decide which file is written.
    const file = join(this.#folder.path, String(this.#downloads.size));
    const known = this.#kept.read(path);
    if (known === undefined) await this.#receive(path, file);
    else await writePieces(path, file, [known]);
    return file;
  }

  async #receive(path: string, file: string): Promise<void> {
    let isReceived = false;
    try {
      const { status } = await fetchResource(this.#server, path, {
        maxBytes: this.#maxFileBytes,
        isWanted: ({ resourceType }) => resourceType === 'resource',
        receive: async (pieces) => {
          await writePieces(path, file, pieces);
          isReceived = true;
        },
      });
      if (isReceived) return;
      const returned = status === 200 ? 'no file' : `status ${status}`;
      throw new FileUnavailableError(`the source returns ${returned} for '${path}'`);
    } catch (error) {
      if (!(error instanceof BodyTooLargeError)) throw error;
      throw new FileUnavailableError(`'${path}' has more than ${this.#maxFileBytes} bytes`);
    }
  }
}

/** Replaces what an interrupted download wrote before. */
async function writePieces(
  path: string,
  file: string,
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> {
  const handle = await runDiskStep(path, () => open(file, 'w', 0o600));
  try {
    for await (const piece of pieces) await runDiskStep(path, () => handle.appendFile(piece));
  } finally {
    await handle.close();
  }
}

async function runDiskStep<T>(path: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new MoveInError(
      'source-unreadable',
      `Cannot write a temporary file with the contents of '${path}': ${reason}. Nothing was applied. Set TMPDIR to a directory with enough space, or use --data refer.`,
    );
  }
}
