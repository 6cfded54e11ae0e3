/** Packs TrueType fonts as a collection. */

/** Returns a collection (TTC) whose faces share no tables. */
export function packCollection(fonts: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(12 + fonts.length * 4);
  head.write('ttcf', 'latin1');
  head.writeUInt32BE(0x0001_0000, 4);
  head.writeUInt32BE(fonts.length, 8);
  let start = head.length;
  const faces = fonts.map((font, index) => {
    head.writeUInt32BE(start, 12 + index * 4);
    const face = Buffer.concat([font, Buffer.alloc(-font.length & 3)]);
    // The offsets of tables count from the start of the collection.
    for (let table = 0; table < font.readUInt16BE(4); table += 1) {
      const at = 12 + table * 16 + 8;
      face.writeUInt32BE(font.readUInt32BE(at) + start, at);
    }
    start += face.length;
    return face;
  });
  return Buffer.concat([head, ...faces]);
}
