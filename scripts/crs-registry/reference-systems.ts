/** Writes the page that tells which codes are known, and why others are not, or not wholly. */
import type { Entries } from './entries.ts';
import { type ProjDatabase, text } from './proj-database.ts';

export function referenceSystemsPage(entries: Entries, database: ProjDatabase): string {
  const metadata = new Map(
    database.rows('SELECT * FROM metadata').map((row) => [text(row, 'key'), text(row, 'value')]),
  );
  const { geographic, projected, geocentric, compound, other, unlisted } = entries;
  const counts: readonly (readonly [what: string, codes: readonly { readonly code: string }[]])[] = [
    ['Geographic, two dimensions', geographic.filter(({ flags }) => !flags.includes('h'))],
    ['Geographic, with heights', geographic.filter(({ flags }) => flags.includes('h'))],
    ['Projected', projected],
    ['Compound: computed in their horizontal part', compound],
    ['Geocentric: known by code, name and text', geocentric],
    ['Projected, known by code, name and text only', other],
  ];
  const known = counts.reduce((sum, [, codes]) => sum + codes.length, 0);
  return `${[
    '# Reference systems',
    '',
    'Made by `npm run generate`.',
    '',
    `The registry of coordinate reference systems knows ${known} codes of EPSG and ESRI, also those that are no longer`,
    'recommended. It is made from the database of the PROJ library',
    `(${metadata.get('PROJ.VERSION')}: EPSG dataset ${metadata.get('EPSG.VERSION')}, ${metadata.get('ESRI.VERSION')}) and from the newest of Esri's published list.`,
    'The facts about EPSG codes are from the EPSG Geodetic Parameter Dataset, owned by the International Association of Oil &',
    'Gas Producers (IOGP) and used under its terms, which ask that this be said (https://epsg.org/terms-of-use.html). They',
    'were put into another form here and are provided as they are, without warranty.',
    '',
    'Each code is known in both directions: as a code, and as the text of a `.prj` file, in the words of Esri or of OGC, with',
    'or without the code in it. Where several codes stand for the same numbers and names, the text means the one that is',
    'still recommended, and of EPSG before ESRI. Codes that Esri has given up, mostly because EPSG took over the system, are',
    'not known under `ESRI`; their texts are known.',
    '',
    '| Known | EPSG | ESRI |',
    '|---|---|---|',
    ...counts.map(([what, codes]) => `| ${what} | ${countOf(codes, 'EPSG')} | ${countOf(codes, 'ESRI')} |`),
    '',
    '## Datum shifts',
    '',
    'A datum has one shift to WGS 84 here, the one that fits most of the systems that stand on it; grids are not used. Where',
    'the dataset has a shift for each country, or a grid, positions are as exact as that shift: a few metres, rarely more than ten.',
    '',
    '## Known, but not computed with',
    '',
    'Layers in these keep their code and text. Boxes of longitudes and latitudes are not computed for them.',
    '',
    ...reasonTable([
      ...other.map(({ code, reason }) => ({ code, reason })),
      ...geocentric.map(({ code }) => ({
        code,
        reason: 'geocentric: a place has three coordinates, and boxes have two',
      })),
    ]),
    '',
    '## Not known',
    '',
    ...reasonTable(unlisted),
    '',
    'Codes of other authorities are not known, but for `OGC:CRS84` and `CRS:84`, which mean WGS 84. A text that names one of them',
    'is taken for the code of EPSG or ESRI that it agrees with.',
  ].join('\n')}\n`;
}

function countOf(codes: readonly { readonly code: string }[], authority: string): number {
  return codes.filter(({ code }) => code.startsWith(`${authority}:`)).length;
}

function reasonTable(codes: readonly { readonly code: string; readonly reason: string }[]): readonly string[] {
  const groups = [...Map.groupBy(codes, ({ reason }) => reason)].sort(
    (a, b) => b[1].length - a[1].length || a[0].localeCompare(b[0]),
  );
  return [
    '| Reason | Count | Codes |',
    '|---|---|---|',
    ...groups.map(
      ([reason, members]) => `| ${sentence(reason)} | ${members.length} | ${ranges(members.map(({ code }) => code))} |`,
    ),
  ];
}

function sentence(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`;
}

/** Neighbours are told by the first and the last of them. */
function ranges(codes: readonly string[]): string {
  const parts: string[] = [];
  for (const authority of ['EPSG', 'ESRI']) {
    const numbers = codes
      .filter((code) => code.startsWith(`${authority}:`))
      .map((code) => Number(code.slice(authority.length + 1)))
      .sort((a, b) => a - b);
    const runs: { first: number; last: number }[] = [];
    for (const number of numbers) {
      const run = runs.at(-1);
      if (run !== undefined && run.last === number - 1) run.last = number;
      else runs.push({ first: number, last: number });
    }
    if (runs.length > 0)
      parts.push(
        `${authority}: ${runs.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join(', ')}`,
      );
  }
  return parts.join('; ');
}
