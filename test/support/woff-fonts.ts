/** Packs fonts as WOFF, also damaged ones. */
import { deflateSync } from 'node:zlib';

export interface FontTable {
  readonly tag: string;
  readonly content: Buffer;
}

/** Returns the tables of a TrueType font. They share the memory of the font. */
export function listFontTables(font: Buffer): readonly FontTable[] {
  return Array.from({ length: font.readUInt16BE(4) }, (_, index) => {
    const at = 12 + index * 16;
    const offset = font.readUInt32BE(at + 8);
    const content = font.subarray(offset, offset + font.readUInt32BE(at + 12));
    return { tag: font.toString('latin1', at, at + 4), content };
  });
}

/** Packs a TrueType font with additional tables. The compressed bytes of the table `damaged` are overwritten. */
export function packWoff(font: Buffer, options: { damaged?: string; extra?: readonly FontTable[] } = {}): Buffer {
  const tables = [...listFontTables(font), ...(options.extra ?? [])];
  const head = Buffer.alloc(44 + tables.length * 20);
  head.write('wOFF', 'latin1');
  font.copy(head, 4, 0, 4);
  head.writeUInt16BE(tables.length, 12);
  let offset = head.length;
  const parts = tables.map(({ tag, content }, index) => {
    const packed = deflateSync(content);
    const stored = packed.length < content.length ? packed : content;
    const at = 44 + index * 20;
    head.write(tag, at, 'latin1');
    [offset, stored.length, content.length].forEach((value, field) => {
      head.writeUInt32BE(value, at + 4 + field * 4);
    });
    offset += stored.length;
    return tag === options.damaged ? Buffer.from(stored).fill(0x5a, 10, 200) : stored;
  });
  return Buffer.concat([head, ...parts]);
}
