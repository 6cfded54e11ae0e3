/** Writes an export as a ZIP archive; the same configuration gives the same bytes. */
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { Leaving } from '../translate/leaving.ts';
import { openContent } from './stored-files.ts';

/** The earliest day of ZIP, in any time zone. */
const FIXED_DATE = new Date(1980, 0, 1);

export async function* streamZip(leaving: Leaving): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  const options = { mtime: FIXED_DATE, forceDosTimestamp: true };
  for (const [path, content] of leaving.files) {
    if ('bytes' in content) zip.addBuffer(content.bytes, path, options);
    else {
      zip.addReadStreamLazy(path, options, (done) => {
        openContent(leaving, content).then(
          (pieces) => done(null, Readable.from(pieces)),
          (error: unknown) => done(error, Readable.from([])),
        );
      });
    }
  }
  zip.end();
  yield* zip.outputStream as AsyncIterable<Uint8Array>;
}
