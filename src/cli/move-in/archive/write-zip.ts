/** Writes the document of an archive, and the files it refers to, as a ZIP archive; the same move gives the same bytes. */
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { type CopiedFile, streamFile } from '../copy/data-copies.ts';

/** The earliest day of ZIP, in any time zone. */
const FIXED_DATE = new Date(1980, 0, 1);

export async function* writeArchive(
  document: Iterable<Uint8Array>,
  files: readonly CopiedFile[],
): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  const options = { mtime: FIXED_DATE, forceDosTimestamp: true };
  const output = zip.outputStream as Readable;
  const open = (pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>, done: (content: Readable) => void): void =>
    done(Readable.from(pieces).on('error', (error) => output.destroy(error)));
  zip.addReadStreamLazy('configuration.json', options, (done) => open(document, (content) => done(null, content)));
  for (const file of files.toSorted((one, other) => (one.sha256 < other.sha256 ? -1 : 1))) {
    zip.addReadStreamLazy(`files/${file.sha256}`, { ...options, size: file.bytes }, (done) =>
      open(streamFile(file), (content) => done(null, content)),
    );
  }
  zip.end();
  yield* output as AsyncIterable<Uint8Array>;
}
