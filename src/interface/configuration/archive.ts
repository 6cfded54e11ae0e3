/** The configuration as an archive: the document, and every file of uploaded data once, called after its hash. */
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type ZipEntry, zipStream } from '../../data/encode/zip-stream.ts';
import type { OpenFileReply } from '../../http/route.ts';
import { fileOfHandle } from '../../lib/readable-file.ts';
import type { Files } from '../../records/files.ts';
import { BlobMissing } from '../../storage/blobs/port.ts';
import type { Fields } from './fields.ts';
import { filesIn } from './files.ts';
import type { ToldConfiguration, ToldResource } from './tell.ts';

export const ARCHIVE_TYPE = 'application/zip';

/** The earliest day that ZIP knows: the same configuration is the same archive. */
const FIRST_DAY = new Date(1980, 0, 1);

/** Put together on the disk first, so that what cannot be read is told and not cut off; gone once it is sent. */
export async function archiveOf(
  files: Files,
  { resources }: ToldConfiguration,
  document: () => AsyncIterable<string>,
): Promise<OpenFileReply> {
  const staging = await files.createStaging('configuration');
  try {
    const entries: ZipEntry[] = [{ name: 'configuration.json', content: () => encoded(document()) }];
    for (const hash of hashesIn(resources)) {
      const file = join(staging.path, hash);
      if (await placed(files, hash, file)) {
        entries.push({ name: `files/${hash}`, content: () => createReadStream(file) });
      }
    }
    const archive = join(staging.path, 'archive');
    await pipeline(zipStream(entries, FIRST_DAY), createWriteStream(archive, { flags: 'wx', mode: 0o600 }));
    const handle = await open(archive, 'r');
    const { size: sizeBytes } = await handle.stat();
    const opened = fileOfHandle(handle);
    const file = {
      pieces: opened.pieces,
      async close() {
        await opened.close();
        await staging.discard();
      },
    };
    return { mediaType: ARCHIVE_TYPE, sizeBytes, file };
  } catch (error) {
    await staging.discard();
    throw error;
  }
}

function hashesIn(resources: readonly ToldResource[]): ReadonlySet<string> {
  const told = resources.filter(({ fields }) => fields.includes('"sha256"'));
  return new Set(
    told.flatMap(({ fields }) => filesIn(JSON.parse(fields) as Fields).map(({ sha256 }) => sha256)).sort(),
  );
}

/** What was lost is told by the document alone. */
async function placed({ kept }: Files, hash: string, file: string): Promise<boolean> {
  try {
    await kept.blobs.placeAt(hash, file);
    return true;
  } catch (error) {
    if (error instanceof BlobMissing) {
      return false;
    }
    throw error;
  }
}

async function* encoded(text: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const piece of text) {
    yield Buffer.from(piece);
  }
}
