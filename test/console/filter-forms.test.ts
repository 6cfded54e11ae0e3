/** The rows of filters in the forms of the style editor: they are written as filters, and other filters stay as they are. */
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editFilter, readVisualStyle, type VisualLanguage } from '../../console/style-text/edit-style.ts';
import {
  type FilterRow,
  type FilterRows,
  hasValue,
  operators,
  setValue,
} from '../../console/style-text/filter-rows.ts';
import { applyEdit } from '../../console/style-text/text-edit.ts';
import { readCss } from '../../src/styling/css/reader.ts';
import { readSld } from '../../src/styling/sld/reader.ts';
import { writeSld } from '../../src/styling/sld/writer.ts';

const folders = ['gallery/documents', 'styles/css/accepted'];
const samples = folders.flatMap((folder) => {
  const root = new URL(`../${folder}/`, import.meta.url);
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:css|sld)$/.test(name))
    .sort()
    .map((name) => ({
      name,
      language: (name.endsWith('.css') ? 'css' : 'sld') as VisualLanguage,
      text: readFileSync(new URL(name, root), 'utf8'),
    }));
});

/** What the server reads, as one text. */
function understand(language: VisualLanguage, text: string): string {
  const { model } = language === 'css' ? readCss(text) : readSld(text);
  return writeSld(model, '1.1.0');
}

function readFilters(text: string, language: VisualLanguage): readonly (FilterRows | undefined)[] {
  const style = readVisualStyle(text, language);
  if (style === undefined) throw new Error(`No structure in ${text}`);
  return style.rules.map(({ filter }) => filter);
}

const css =
  '/* @title A */\n[old = 1] [@scale < 5000] {\n  fill: red;\n}\n\n/* kept */\n[a IN (1, 2)] { fill: blue }\n';
const sld = (version: '1.0.0' | '1.1.0', filter: string) =>
  `<StyledLayerDescriptor version="${version}" xmlns="http://www.opengis.net/sld" xmlns:se="http://www.opengis.net/se" xmlns:ogc="http://www.opengis.net/ogc"><NamedLayer>${version === '1.1.0' ? '<se:Name>a</se:Name>' : '<Name>a</Name>'}<UserStyle>${
    version === '1.1.0'
      ? `<se:FeatureTypeStyle><se:Rule><se:Name>r</se:Name>${filter}<se:PolygonSymbolizer/></se:Rule></se:FeatureTypeStyle>`
      : `<FeatureTypeStyle><Rule><Name>r</Name>${filter}<PolygonSymbolizer/></Rule></FeatureTypeStyle>`
  }</UserStyle></NamedLayer></StyledLayerDescriptor>`;

const row = (attribute: string, operator: FilterRow['operator'], value: string, isText = false): FilterRow => ({
  attribute,
  operator,
  value,
  isText,
});

describe('filters in the forms of styles', () => {
  it('mean the same after they are written again, and other rules and parts stay', () => {
    let count = 0;
    for (const { name, text, language } of samples) {
      for (const [index, filter] of readFilters(text, language).entries()) {
        const edit = filter && editFilter(text, language, index, filter);
        if (filter === undefined || edit === undefined) continue;
        count += 1;
        const written = applyEdit(text, edit);
        expect([name, readFilters(written, language)]).toEqual([name, readFilters(text, language)]);
        expect([name, understand(language, written)]).toEqual([name, understand(language, text)]);
      }
    }
    expect(count).toBeGreaterThan(100);
  });

  it('are written as filters that the server reads, whatever the values are', () => {
    const value = fc.string({ unit: fc.constantFrom(...'aZ09 %_\'"<>&][{}():;,.*/@-äß') }).map((each) => each.trim());
    const anyRow = fc.record({
      attribute: fc.constantFrom('name', 'no_of', 'Straße', 'a b', 'and', 'in'),
      operator: fc.constantFrom(...operators),
      value,
      isText: fc.boolean(),
    });
    const anyFilter = fc.record({
      join: fc.constantFrom('AND' as const, 'OR' as const),
      rows: fc.array(anyRow, { minLength: 1, maxLength: 4 }),
    });
    const simplify = ({ join, rows }: FilterRows) => ({
      join: rows.length > 1 ? join : 'AND',
      rows: rows.map(({ attribute, operator, value: each }) => [attribute, operator, hasValue(operator) ? each : '']),
    });
    fc.assert(
      fc.property(anyFilter, (filter) => {
        for (const [language, text] of [
          ['css', css],
          ['sld', sld('1.0.0', '')],
          [
            'sld',
            sld(
              '1.1.0',
              '<ogc:Filter><ogc:PropertyIsNull><ogc:PropertyName>x</ogc:PropertyName></ogc:PropertyIsNull></ogc:Filter>',
            ),
          ],
        ] as const) {
          const edit = editFilter(text, language, 0, filter);
          if (edit === undefined) throw new Error('The filter was not written');
          const written = applyEdit(text, edit);
          const [found, ...others] = readFilters(written, language);
          expect(found && simplify(found)).toEqual(simplify(filter));
          expect(others).toEqual(readFilters(text, language).slice(1));
          understand(language, written);
        }
      }),
      { numRuns: Number(process.env['STYLE_EDITS'] ?? 300) },
    );
  });

  it('are short and keep scales, titles and comments', () => {
    const filter = { join: 'OR', rows: [row('name', '=', 'Bern'), row('people', '>=', '1000')] } as const;
    const edit = editFilter(css, 'css', 0, filter);
    expect(edit && applyEdit(css, edit)).toBe(css.replace('[old = 1]', "[name = 'Bern' OR people >= 1000]"));
    const none = editFilter(css, 'css', 0, { join: 'AND', rows: [] });
    expect(none && applyEdit(css, none)).toBe(css.replace('[old = 1] ', ''));

    const plain = sld('1.0.0', '');
    const added = editFilter(plain, 'sld', 0, { join: 'AND', rows: [row('name', 'LIKE', 'B%')] });
    const withFilter = added && applyEdit(plain, added);
    expect(withFilter).toBe(
      sld(
        '1.0.0',
        '<ogc:Filter><ogc:PropertyIsLike wildCard="%" singleChar="_" escape="\\"><ogc:PropertyName>name</ogc:PropertyName><ogc:Literal>B%</ogc:Literal></ogc:PropertyIsLike></ogc:Filter>',
      ),
    );
    const removed = editFilter(withFilter ?? '', 'sld', 0, { join: 'AND', rows: [] });
    expect(removed && applyEdit(withFilter ?? '', removed)).toBe(plain);
  });

  it('that are written by hand have no rows, and forms do not change them', () => {
    const byHand = [
      ...['[a IN (1, 2)]', '[a = 1 AND b = 2 OR c = 3]', '[a = b]', '[(a = 1)]', '[NOT a = 1]', '[strLength(a) > 2]'],
      ...[
        '[a = 1] [b = 2 OR c = 3]',
        '[a = 1], [b = 2]',
        '#towns.1',
        '[a = 1 /* x */]',
        "[a ILIKE 'b%']",
        '[a + 1 = 2]',
      ],
    ].map((selector) => ['css', `${selector} { fill: red }\n`] as const);
    const literal = (inner: string) => `<ogc:PropertyName>a</ogc:PropertyName>${inner}`;
    const elements = [
      `<ogc:Not><ogc:PropertyIsEqualTo>${literal('<ogc:Literal>1</ogc:Literal>')}</ogc:PropertyIsEqualTo></ogc:Not>`,
      `<ogc:PropertyIsEqualTo matchCase="false">${literal('<ogc:Literal>1</ogc:Literal>')}</ogc:PropertyIsEqualTo>`,
      `<ogc:PropertyIsEqualTo>${literal('<ogc:Function name="f"/>')}</ogc:PropertyIsEqualTo>`,
      `<ogc:PropertyIsEqualTo>${literal('<!-- why --><ogc:Literal>1</ogc:Literal>')}</ogc:PropertyIsEqualTo>`,
      `<ogc:PropertyIsLike wildCard="*" singleChar="." escape="!">${literal('<ogc:Literal>b*</ogc:Literal>')}</ogc:PropertyIsLike>`,
      '<ogc:FeatureId fid="a.1"/>',
    ].map((inner) => ['sld', sld('1.0.0', `<ogc:Filter>${inner}</ogc:Filter>`)] as const);
    for (const [language, text] of [...byHand, ...elements, ['sld', sld('1.0.0', '<ElseFilter/>')] as const]) {
      expect([text, readFilters(text, language)[0]]).toEqual([text, undefined]);
      expect(editFilter(text, language, 0, { join: 'AND', rows: [row('a', '=', '1')] })).toBeUndefined();
    }
  });

  it('write numbers as numbers, and codes and numbers that were texts as texts', () => {
    const write = (before: FilterRow, value: string) => {
      const edit = editFilter('* { fill: red }', 'css', 0, { join: 'AND', rows: [setValue(before, value)] });
      return edit?.insert;
    };
    expect(write(row('a', '=', '', true), '7')).toBe('[a = 7]');
    expect(write(row('a', '=', '5', true), '7')).toBe("[a = '7']");
    expect(write(row('a', '=', 'x', true), '-7.5')).toBe('[a = -7.5]');
    expect(write(row('a', '=', '5'), '007')).toBe("[a = '007']");
    expect(write(row('a', '=', '5'), 'true')).toBe('[a = true]');
    expect(write(row('a', 'LIKE', '5', true), '7')).toBe("[a LIKE '7']");
  });

  it('refuse what styles cannot contain', () => {
    for (const wrong of [row('', '=', '1'), row('a"b', '=', '1'), row('a', '=', 'x\\'), row('a', '=', 'x\ny')]) {
      expect(editFilter(css, 'css', 0, { join: 'AND', rows: [wrong] })).toBeUndefined();
    }
  });
});
