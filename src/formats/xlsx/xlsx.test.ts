import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { trial } from '../../../test/support/archives.ts';
import {
  column,
  createCollection,
  encodeBytes,
  geometryColumn,
  type MadeUpSet,
  never,
  wkt,
} from '../../../test/support/feature-collections.ts';
import type { FeatureEncoder } from '../port/port.ts';
import { sheetLimits } from './sheet.ts';
import { createSheetName } from './sheet-names.ts';
import { createXlsxEncoder, xlsx } from './xlsx.ts';

/** Returns the contained documents by name. */
async function encodeFiles(
  sets: readonly MadeUpSet[],
  encoder: FeatureEncoder = xlsx,
): Promise<Readonly<Record<string, string>>> {
  const unpacked = await (await trial(await encodeBytes(encoder, createCollection(sets)))).unpack();
  return Object.fromEntries(
    await Promise.all(unpacked.map(async ({ name, path }) => [name, await readFile(path, 'utf8')] as const)),
  );
}

/** Returns the cells of the first sheet by place, without their texts' elements. */
async function encodeCells(set: MadeUpSet): Promise<Readonly<Record<string, string>>> {
  const sheet = (await encodeFiles([set]))['xl/worksheets/sheet1.xml'] ?? '';
  const cells = sheet.matchAll(/<c r="([A-Z]+\d+)"([^>]*)>(?:<is><t xml:space="preserve">|<v>)([^<]*)</g);
  return Object.fromEntries([...cells].map(([, place = '', form, text]) => [place, `${text}${form}`]));
}

describe('Excel workbooks', () => {
  test('have typed cells, and texts for values that a spreadsheet would change', async () => {
    const cells = await encodeCells({
      attributes: [
        column('n', 'double'),
        column('b', 'boolean'),
        column('l', 'long'),
        column('d', 'decimal'),
        column('e', 'decimal'),
        column('day', 'date'),
        column('old', 'date'),
        column('at', 'timestamp'),
        column('exact', 'timestamp'),
        column('raw', 'bytes'),
        column('nothing', 'string'),
        column('bad', 'double'),
      ],
      rows: [
        [
          ...[1.5, true, 2n ** 60n, '12.50', '0.1234567890123456789', new Date('1900-03-01'), new Date('1900-02-28')],
          ...[new Date('2020-01-01T12:00:00Z'), '2020-01-01T00:00:00.123456Z', Buffer.of(1, 2, 3), null, Number.NaN],
        ],
      ],
    });

    expect(cells).toMatchObject({ A1: 'FID s="1" t="inlineStr"', B1: 'n s="1" t="inlineStr"' });
    expect(Object.fromEntries(Object.entries(cells).filter(([place]) => place.endsWith('2')))).toEqual({
      A2: 'places.1 t="inlineStr"',
      B2: '1.5',
      C2: '1 t="b"',
      D2: '1152921504606846976 t="inlineStr"',
      E2: '12.50',
      F2: '0.1234567890123456789 t="inlineStr"',
      G2: '61 s="2"',
      H2: '1900-02-28 t="inlineStr"',
      I2: '43831.5 s="3"',
      J2: '2020-01-01T00:00:00.123456Z t="inlineStr"',
      K2: 'AQID t="inlineStr"',
      M2: '#NUM! t="e"',
    });
  });

  test('contain texts as texts, also formulas, markup, control characters and their escapes', async () => {
    const texts = ['=HYPERLINK("http://x")', '<a>&', 'a\u0007\r', '_x0041_', ' a\n', 'snake_case', 'x'.repeat(40_000)];

    const cells = await encodeCells({ attributes: texts.map((_, at) => column(`t${at}`, 'string')), rows: [texts] });

    expect(['B2', 'C2', 'D2', 'E2', 'F2', 'G2'].map((place) => cells[place]?.replace(' t="inlineStr"', ''))).toEqual([
      '=HYPERLINK("http://x")',
      '&lt;a&gt;&amp;',
      'a_x0007__x000D_',
      '_x005F_x0041_',
      ' a\n',
      'snake_case',
    ]);
    expect(cells['H2']?.replace(' t="inlineStr"', '')).toMatch(/^x{32754}… \(truncated\)$/);
  });

  test('describe a geometry that is too long for a cell', async () => {
    const line = (count: number): string =>
      `LINESTRING (${Array.from({ length: count }, (_, at) => `${at / 7} 1`).join(', ')})`;

    const cells = await encodeCells({
      attributes: [geometryColumn()],
      rows: [[wkt(line(9_000))], [wkt(line(6_000))], [wkt(line(2_500))], [wkt('POINT (1 2)')]],
    });

    expect([cells['B2'], cells['B3'], cells['B4'], cells['B5']]).toEqual(
      ['LINESTRING with 9000 positions (too long for a cell)', 'LINESTRING with 6000 positions (too long for a cell)']
        .concat('LINESTRING with 2500 positions (too long for a cell)', 'POINT (1 2)')
        .map((text) => `${text} t="inlineStr"`),
    );
  });

  test.each([
    ['rows', { ...sheetLimits, rows: 3 }],
    ['bytes', { ...sheetLimits, bytes: 100_000 }],
  ])('continue on another sheet when one has too many %s', async (_, limits) => {
    const rows = Array.from({ length: 5 }, (_each, at) => [`${at}`.repeat(30_000), 'y'.repeat(30_000)]);
    const sets = [
      { attributes: [column('a', 'string'), column('b', 'string')], rows },
      { attributes: [column('c', 'string')], rows: [] },
    ];

    const files = await encodeFiles(sets, createXlsxEncoder(limits));

    const sheets = Object.entries(files).filter(([name]) => name.startsWith('xl/worksheets/'));
    const ids = sheets.map(([, text]) => [...text.matchAll(/places\.\d/g)].map(([id]) => id));
    expect(ids).toEqual([['places.1', 'places.2'], ['places.3', 'places.4'], ['places.5'], []]);
    expect(sheets.every(([, text]) => text.includes('<row r="1"><c r="A1"') && text.endsWith('</worksheet>'))).toBe(
      true,
    );
    expect([...(files['xl/workbook.xml'] ?? '').matchAll(/sheet name="([^"]*)"/g)].map(([, name]) => name)).toEqual([
      'places',
      'places (2)',
      'places (3)',
      'places (4)',
    ]);
    expect(files['[Content_Types].xml']?.match(/worksheet\+xml/g)).toHaveLength(4);
  });

  test('have sheet names that spreadsheet programs accept', () => {
    const taken = new Set<string>();
    const long = `${'x'.repeat(30)}😀`;

    expect(
      ['a/b:c[d]', "'q'", 'History', '', 'A', 'a', long, long].map((each) => createSheetName(each, taken)),
    ).toEqual(['a_b_c_d_', '_q_', 'History_', '_', 'A', 'a (2)', 'x'.repeat(30), `${'x'.repeat(27)} (2)`]);
  });

  test('are rejected for more columns than a sheet has', async () => {
    const attributes = Array.from({ length: 16_384 }, (_, at) => column(`c${at}`, 'string'));

    await expect(encodeFiles([{ attributes, rows: [] }])).rejects.toMatchObject({ code: 'format-columns-too-many' });
    const widest = await encodeCells({ attributes: attributes.slice(1), rows: [] });
    expect(widest['XFD1']).toBe('c16383 s="1" t="inlineStr"');
  });

  test('report an error of the source before the first byte, and stop reading for a client that disconnects', async () => {
    const [set] = createCollection([{ attributes: [column('a', 'string')], rows: [] }]).sets;
    if (set === undefined) throw new Error('No set.');
    const collect = (batches: AsyncIterable<never>) => ({ ...createCollection([]), sets: [{ ...set, batches }] });
    // biome-ignore lint/correctness/useYield: a source that fails at once.
    const failing = (async function* () {
      throw new Error('gone');
    })();
    let isClosed = false;
    const endless = {
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ value: [] as never, done: true as const }),
        return: async () => {
          isClosed = true;
          return { value: undefined, done: true as const };
        },
      }),
    };

    const first = xlsx.encode(collect(failing), never)[Symbol.asyncIterator]().next();
    await expect(first).rejects.toThrow('gone');
    for await (const _ of xlsx.encode(collect(endless as never), never)) break;
    expect(isClosed).toBe(true);
  });
});
