/** A bundled font as a variable font, whose axes change the widths of its letters. */
import { renameFont } from './renamed-fonts.ts';
import { type FontTable, listFontTables } from './woff-fonts.ts';

/** In units of the font: how much wider letters are at the largest weight, and narrower at the smallest width. */
export const WEIGHT_UNITS = 500;
export const WIDTH_UNITS = -300;

const axes = [
  { tag: 'wght', min: 100, byDefault: 400, max: 900 },
  { tag: 'wdth', min: 75, byDefault: 100, max: 100 },
];

/** The named instances: their name in the table of names, its number, and the values of both axes. */
const instances = [
  { name: 'Heavy', id: 256, values: [900, 100] },
  { name: 'Condensed Light', id: 257, values: [300, 75] },
];

/** Returns `Survey1` with the axes `wght` (100 to 900) and `wdth` (75 to 100). */
export async function createVariableFont(): Promise<Buffer> {
  const tables = listFontTables(await renameFont());
  const glyphs = tables.find(({ tag }) => tag === 'maxp')?.content.readUInt16BE(4) ?? 0;
  return writeFont([
    ...tables.map(({ tag, content }) => ({ tag, content: tag === 'name' ? addNames(content) : content })),
    { tag: 'fvar', content: writeAxes() },
    { tag: 'gvar', content: writeDeltas(tables, glyphs) },
  ]);
}

function addNames(table: Buffer): Buffer {
  const [count, strings] = [table.readUInt16BE(2), table.readUInt16BE(4)];
  const added = instances.map(({ name, id }) => ({ id, text: Buffer.from(name, 'utf16le').swap16() }));
  const head = Buffer.from(table.subarray(0, 6));
  head.writeUInt16BE(count + added.length, 2);
  head.writeUInt16BE(strings + added.length * 12, 4);
  let offset = table.length - strings;
  const records = added.map(({ id, text }) => {
    const record = toWords([3, 1, 0x0409, id, text.length, offset]);
    offset += text.length;
    return record;
  });
  return Buffer.concat([
    ...[head, table.subarray(6, 6 + count * 12), ...records],
    ...[table.subarray(6 + count * 12), ...added.map(({ text }) => text)],
  ]);
}

function writeAxes(): Buffer {
  return Buffer.concat([
    toWords([1, 0, 16, 2, axes.length, 20, instances.length, 4 + axes.length * 4]),
    ...axes.flatMap(({ tag, min, byDefault, max }) => [
      Buffer.from(tag, 'latin1'),
      toWords([min, 0, byDefault, 0, max, 0, 0, 0]),
    ]),
    ...instances.map(({ id, values }) => toWords([id, 0, ...values.flatMap((value) => [value, 0])])),
  ]);
}

/** The third and fourth last of the points of a glyph are the ends of its width; each glyph has four more than points. */
function writeDeltas(tables: readonly FontTable[], glyphs: number): Buffer {
  const [glyf, loca, head] = ['glyf', 'loca', 'head'].map((name) => tables.find(({ tag }) => tag === name)?.content);
  if (glyf === undefined || loca === undefined || head === undefined) throw new Error('The font has no outlines.');
  const isLong = head.readInt16BE(50) === 1;
  const findOutline = (glyph: number): number =>
    isLong ? loca.readUInt32BE(glyph * 4) : loca.readUInt16BE(glyph * 2) * 2;
  const records = Array.from({ length: glyphs }, (_, glyph) => {
    const [start, end] = [findOutline(glyph), findOutline(glyph + 1)];
    const contours = start < end ? glyf.readInt16BE(start) : 0;
    if (contours <= 0) return Buffer.alloc(0);
    return writeGlyphDeltas(glyf.readUInt16BE(start + 10 + (contours - 1) * 2) + 1);
  });
  const list = Buffer.alloc((glyphs + 1) * 4);
  for (const [index, record] of records.entries())
    list.writeUInt32BE(list.readUInt32BE(index * 4) + record.length, (index + 1) * 4);
  const start = Buffer.alloc(20);
  for (const [at, value] of [
    [0, 1],
    [4, axes.length],
    [12, glyphs],
    [14, 1],
  ] as const)
    start.writeUInt16BE(value, at);
  start.writeUInt32BE(20, 8);
  start.writeUInt32BE(20 + list.length, 16);
  return Buffer.concat([start, list, ...records]);
}

const ONE = 16_384;

/** One record for each axis, with its end and the change of all points there. */
function writeGlyphDeltas(points: number): Buffer {
  const zeros = (count: number): Buffer =>
    Buffer.from(Array.from({ length: Math.ceil(count / 64) }, (_, run) => 0x80 | (Math.min(64, count - run * 64) - 1)));
  const createRecord = (units: number): Buffer =>
    Buffer.concat([
      // All points; then words for x and zeros for y.
      ...[Buffer.of(0), zeros(points + 1), Buffer.of(0x40), toWords([units & 0xffff])],
      ...[zeros(2), zeros(points + 4)],
    ]);
  const bodies = [createRecord(WEIGHT_UNITS), createRecord(WIDTH_UNITS)];
  const peaks = [
    [ONE, 0],
    [0, -ONE & 0xffff],
  ];
  const heads = bodies.map((body, index) => toWords([body.length, 0xa000, ...(peaks[index] ?? [])]));
  const record = Buffer.concat([toWords([2, 4 + 8 * 2]), ...heads, ...bodies]);
  return Buffer.concat([record, Buffer.alloc(-record.length & 3)]);
}

function toWords(values: readonly number[]): Buffer {
  const words = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) words.writeUInt16BE(value, index * 2);
  return words;
}

function writeFont(tables: readonly FontTable[]): Buffer {
  const sorted = tables.toSorted((one, other) => (one.tag < other.tag ? -1 : 1));
  const head = Buffer.alloc(12 + sorted.length * 16);
  head.writeUInt32BE(0x0001_0000, 0);
  head.writeUInt16BE(sorted.length, 4);
  let offset = head.length;
  const contents = sorted.map(({ tag, content }, index) => {
    const at = 12 + index * 16;
    head.write(tag, at, 'latin1');
    head.writeUInt32BE(offset, at + 8);
    head.writeUInt32BE(content.length, at + 12);
    const padded = Buffer.concat([content, Buffer.alloc(-content.length & 3)]);
    offset += padded.length;
    return padded;
  });
  return Buffer.concat([head, ...contents]);
}
