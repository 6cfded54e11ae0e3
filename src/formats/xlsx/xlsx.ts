/** Excel workbooks (Office Open XML): one worksheet per query, ids first, geometries as well-known text. */
import { escapeAttribute } from '../../lib/xml/escape.ts';
import type { FeatureCollection, FeatureEncoder } from '../port/port.ts';
import { writeZip, type ZipEntry } from '../writing/zip-stream.ts';
import { type SheetLimits, SheetRows, sheetLimits } from './sheet.ts';
import { createSheetName } from './sheet-names.ts';

export const xlsx = createXlsxEncoder(sheetLimits);

/** With other limits than those of programs, for tests. */
export function createXlsxEncoder(limits: SheetLimits): FeatureEncoder {
  return {
    async *encode(collection, signal) {
      const { sets, options, timeStamp } = collection;
      const rowsOfSets = sets.map((set) => new SheetRows(set, options.decimals));
      try {
        await rowsOfSets[0]?.prepare(signal);
        yield* writeZip(listEntries(collection, rowsOfSets, limits, signal), timeStamp);
      } finally {
        for (const rows of rowsOfSets) rows.close();
      }
    },
  };
}

/** The entries that list the sheets are last, because the number of sheets depends on the number of rows. */
function* listEntries(
  { sets }: FeatureCollection,
  rowsOfSets: readonly SheetRows[],
  limits: SheetLimits,
  signal: AbortSignal,
): Generator<ZipEntry> {
  const taken = new Set<string>();
  const names: string[] = [];
  for (const [index, rows] of rowsOfSets.entries()) {
    do {
      names.push(createSheetName(sets[index]?.typeName.local ?? '', taken));
      yield { name: `xl/worksheets/sheet${names.length}.xml`, content: () => rows.writeSheet(limits, signal) };
    } while (rows.hasMore);
  }
  yield createTextEntry('xl/styles.xml', STYLES);
  yield createTextEntry('xl/workbook.xml', createWorkbook(names));
  yield createTextEntry('xl/_rels/workbook.xml.rels', createWorkbookRelations(names.length));
  yield createTextEntry('_rels/.rels', createRelations([['officeDocument', 'xl/workbook.xml']]));
  yield createTextEntry('[Content_Types].xml', createContentTypes(names.length));
}

function createTextEntry(name: string, text: string): ZipEntry {
  return {
    name,
    content: async function* () {
      yield Buffer.from(text);
    },
  };
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATION_TYPES = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const CONTENT_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The formats of cells in the order of `cellStyles`; the first is the default. */
const STYLES = `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

function createWorkbook(names: readonly string[]): string {
  const sheets = names.map(
    (name, index) => `<sheet name="${escapeAttribute(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  );
  return `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${RELATION_TYPES}"><sheets>${sheets.join('')}</sheets></workbook>`;
}

function createWorkbookRelations(count: number): string {
  const sheets = Array.from(
    { length: count },
    (_, index) => ['worksheet', `worksheets/sheet${index + 1}.xml`] as const,
  );
  return createRelations([...sheets, ['styles', 'styles.xml']]);
}

function createRelations(targets: readonly (readonly [type: string, target: string])[]): string {
  const relations = targets.map(
    ([type, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${RELATION_TYPES}/${type}" Target="${target}"/>`,
  );
  return `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${relations.join('')}</Relationships>`;
}

function createContentTypes(count: number): string {
  const parts = [
    ['workbook.xml', 'sheet.main'],
    ['styles.xml', 'styles'],
    ...Array.from({ length: count }, (_, index) => [`worksheets/sheet${index + 1}.xml`, 'worksheet']),
  ].map(([path, type]) => `<Override PartName="/xl/${path}" ContentType="${CONTENT_TYPE}.${type}+xml"/>`);
  return `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${parts.join('')}</Types>`;
}
