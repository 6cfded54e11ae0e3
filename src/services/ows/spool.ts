/**
 * Buffers text that must be complete before its first byte is sent, because it needs the catalog; long text is
 * buffered in a file.
 */
import { join } from 'node:path';
import {
  readScratchFile,
  ScratchFile,
  type ScratchFolder,
  type ScratchFolders,
} from '../../formats/writing/scratch.ts';
import type { ServiceReply } from '../../http/session/service-reply.ts';

/** Text up to this length stays in memory. */
const MAX_BUFFERED_CHARACTERS = 1_048_576;

export interface Spool {
  add(text: string): Promise<void>;
  /** Returns the complete text with a prefix and a suffix; must be the last call. */
  createBody(before: string, behind: string, signal: AbortSignal): Promise<Pick<ServiceReply, 'body' | 'release'>>;
  /** Deletes text that is not needed any more. */
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
