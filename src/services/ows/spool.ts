/** Text that is all made before the first byte of it is sent, since it needs the catalog: what is long waits in a file. */
import { join } from 'node:path';
import {
  readScratchFile,
  ScratchFile,
  type ScratchFolder,
  type ScratchFolders,
} from '../../formats/writing/scratch.ts';
import type { ServiceReply } from '../../http/session/service-reply.ts';

/** What is not longer stays in memory. */
const MAX_BUFFERED_CHARACTERS = 1_048_576;

export interface Spool {
  add(text: string): Promise<void>;
  /** All of it, with something before and behind; to be called once, and nothing after it. */
  createBody(before: string, behind: string, signal: AbortSignal): Promise<Pick<ServiceReply, 'body' | 'release'>>;
  /** For text that nobody wants any more. */
  discard(): Promise<void>;
}

export function createSpool(world: ScratchFolders): Spool {
  let held = '';
  let place: { readonly folder: ScratchFolder; readonly file: ScratchFile } | undefined;

  async function spill(): Promise<ScratchFile> {
    if (place === undefined) {
      const folder = await world.createFolder();
      place = { folder, file: await ScratchFile.create(join(folder.path, 'text')) };
    }
    place.file.append(Buffer.from(held));
    held = '';
    await place.file.flush();
    return place.file;
  }

  async function discard(): Promise<void> {
    held = '';
    const { folder, file } = place ?? {};
    place = undefined;
    await file?.close();
    await folder?.discard();
  }

  return {
    discard,
    async add(text) {
      held += text;
      if (held.length > MAX_BUFFERED_CHARACTERS) await spill();
    },
    async createBody(before, behind, signal) {
      if (place === undefined) return { body: `${before}${held}${behind}` };
      const { path } = await spill();
      return { body: wrapPieces(before, readScratchFile(path, signal), behind), release: () => void discard() };
    },
  };
}

async function* wrapPieces(
  before: string,
  pieces: AsyncIterable<Uint8Array>,
  behind: string,
): AsyncGenerator<string | Uint8Array> {
  yield before;
  yield* pieces;
  yield behind;
}
