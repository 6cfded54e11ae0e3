/** Writes the document of an archive as a ZIP file with one entry and without a date. */
import { once } from 'node:events';
import { crc32, createDeflateRaw } from 'node:zlib';

const NAME = Buffer.from('configuration.json');

/** 1 January 1980, the earliest date of a ZIP file. */
const DATE = 0x0021;
const DEFLATED = 8;
const VERSION = 20;

/** Compressed in memory first, as the sizes precede the content. */
export async function* writeArchive(document: Iterable<Buffer>): AsyncGenerator<Buffer> {
  const deflate = createDeflateRaw();
  const packed: Buffer[] = [];
  deflate.on('data', (piece: Buffer) => packed.push(piece));
  const ended = once(deflate, 'end');
  let checksum = 0;
  let bytes = 0;
  for (const piece of document) {
    checksum = crc32(piece, checksum);
    bytes += piece.length;
    if (!deflate.write(piece)) await once(deflate, 'drain');
  }
  deflate.end();
  await ended;
  const content = Buffer.concat(packed);

  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(VERSION, 0);
  fields.writeUInt16LE(DEFLATED, 4);
  fields.writeUInt16LE(DATE, 8);
  fields.writeUInt32LE(checksum, 10);
  fields.writeUInt32LE(content.length, 14);
  fields.writeUInt32LE(bytes, 18);
  fields.writeUInt16LE(NAME.length, 22);
  const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), fields, NAME]);
  const listed = Buffer.concat([
    Buffer.from('PK\u0001\u0002'),
    Buffer.from([VERSION, 0]),
    fields,
    Buffer.alloc(14),
    NAME,
  ]);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 0, 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(local.length + content.length, 16);
  yield local;
  yield content;
  yield listed;
  yield end;
}
