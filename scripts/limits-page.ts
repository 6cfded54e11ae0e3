/** Generates docs/limits.md from the settings, from src/server/settings/limits.ts and from the constants of all files. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { limits } from '../src/server/settings/limits.ts';
import { type Setting, settingsTable } from '../src/server/settings/settings-table.ts';

export interface Limit {
  readonly name: string;
  readonly value: string;
  readonly unit: string;
  /** Empty if the source does not state it. */
  readonly reason: string;
  /** A flag, or `fixed`. */
  readonly setBy: string;
  /** The source file, relative to `src`. */
  readonly file: string;
}

const sourceRoot = fileURLToPath(new URL('../src/', import.meta.url));

/** Constants with such names are limits; those of big integers are ranges of types. */
const limitName = /^(?:MAX|MIN)_|^(?!NO_).*_(?:LIMIT|BUDGET)$|TIMEOUT|DEADLINE|BUDGET_/;

/** By the last word of a name; other limits count things, which their names state. */
const units: readonly (readonly [RegExp, string])[] = [
  [/(?:_|^)(?:MS|MILLISECONDS)$|Ms$/, 'ms'],
  [/SECONDS$|Seconds$/, 's'],
  [/MB$|Mb$|MEGABYTES$|Megabytes$/, 'MB'],
  [/BYTES$|Bytes$/, 'bytes'],
  [/PIXELS?$|_SIDE$|Pixels$/, 'pixels'],
  [/CHARACTERS$|LENGTH$|Length$/, 'characters'],
  [/HOURS$|Hours$/, 'hours'],
  [/DAYS$|Days$/, 'days'],
  [/DPI$/, 'dpi'],
  [/DEPTH$|Depth$/, 'levels'],
  [/[rR]atio$|RATIO$|share$/, 'ratio'],
];

function findUnit(name: string): string {
  return units.find(([pattern]) => pattern.test(name))?.[1] ?? 'number';
}

/** Thousands are separated, and bytes are repeated in a readable unit. */
function formatValue(value: number, unit: string): string {
  const plain = value.toLocaleString('en-US', { maximumFractionDigits: 4 });
  if (unit !== 'bytes' || value < 1_048_576) return plain;
  const [size, name] = value >= 1_073_741_824 ? [value / 1_073_741_824, 'GiB'] : [value / 1_048_576, 'MiB'];
  return `${plain} (${size.toLocaleString('en-US', { maximumFractionDigits: 1 })} ${name})`;
}

/** The settings that limit something: all with a number or a size, except the port. */
export function listSettingLimits(): readonly Limit[] {
  const settings = Object.entries(settingsTable) as readonly (readonly [string, Setting<unknown>])[];
  return settings
    .filter(([name, { kind }]) => ['N', 'SIZE'].includes(kind.placeholder) && name !== 'port')
    .map(([name, setting]) => ({
      name,
      value: setting.default === undefined ? 'see the reason' : formatSetting(setting.default, findUnit(name)),
      unit: name === 'memory' ? 'bytes' : name === 'rateLimit' ? 'requests a minute' : findUnit(name),
      reason: setting.help,
      setBy: `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
      file: 'server/settings/settings-table.ts',
    }));
}

function formatSetting(text: string, unit: string): string {
  return text === '0' ? '0 (none)' : formatValue(Number(text), unit);
}

/** The limits of `limits.ts`, with the comment of the entry or of the object around it. */
export function listServerLimits(): readonly Limit[] {
  const reasons = readEntryComments(readFileSync(`${sourceRoot}server/settings/limits.ts`, 'utf8'));
  const list = (node: object, path: string, outer: string): readonly Limit[] =>
    Object.entries(node).flatMap(([key, value]: [string, unknown]) => {
      const name = path === '' ? key : `${path}.${key}`;
      const reason = reasons.get(name) ?? outer;
      if (typeof value === 'object' && value !== null) return list(value, name, reason);
      const unit = findUnit(key);
      const file = 'server/settings/limits.ts';
      return [{ name, value: formatValue(Number(value), unit), unit, reason, setBy: 'fixed', file }];
    });
  return list(limits, '', '');
}

/** Returns the comments of an object literal by the dotted names of its entries. */
function readEntryComments(source: string): ReadonlyMap<string, string> {
  const comments = new Map<string, string>();
  const path: string[] = [];
  const body = source.slice(source.indexOf('export const limits'));
  for (const [, comment = '', key, opening, closing] of body.matchAll(
    /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*)?^ +(?:(\w+): (?:(\{$)|.*)|(\},?)$)/gm,
  )) {
    if (closing !== undefined) path.pop();
    if (key === undefined) continue;
    if (comment !== '') comments.set([...path, key].join('.'), joinLines(comment));
    if (opening !== undefined) path.push(key);
  }
  return comments;
}

function joinLines(comment: string): string {
  return comment.replaceAll(/\s*\n\s*\*?\s*/g, ' ').trim();
}

const declaration = /^(?:export )?const ([A-Z][A-Z0-9_]*)(?:: number)? = ([\w\s*+/().-]+);$/;

/** The constants of all source files. Constants right below another share its comment. */
export function listConstantLimits(): readonly Limit[] {
  const files = readdirSync(sourceRoot, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .sort();
  return files.flatMap((file) => readConstants(readFileSync(`${sourceRoot}${file}`, 'utf8'), file));
}

function readConstants(source: string, file: string): readonly Limit[] {
  const found: Limit[] = [];
  const values = new Map<string, number>();
  let comment = '';
  let isInComment = false;
  for (const line of source.split('\n')) {
    const [, name = '', expression = ''] = declaration.exec(line) ?? [];
    if (isInComment || line.startsWith('/**')) {
      comment = line.startsWith('/**') ? line.slice(3) : `${comment}\n${line}`;
      isInComment = !line.includes('*/');
    } else if (name === '') {
      comment = '';
    } else {
      const value = evaluate(expression, values);
      if (value !== undefined) values.set(name, value);
      const unit = findUnit(name);
      const reason = joinLines(comment.replace(/\*\/.*$/, ''));
      const shown = value === undefined ? `\`${expression}\`` : formatValue(value, unit);
      if (limitName.test(name) && !expression.includes('n '))
        found.push({ name, value: shown, unit, reason, setBy: 'fixed', file });
    }
  }
  return found;
}

/** Computes products, quotients and sums of numbers and constants of the same file; undefined for anything else. */
function evaluate(expression: string, values: ReadonlyMap<string, number>): number | undefined {
  const terms = expression.split(/\s*([-+*/])\s*/);
  const numbers = terms.filter((_, index) => index % 2 === 0).map((text) => values.get(text) ?? toNumber(text));
  const operators = terms.filter((_, index) => index % 2 === 1);
  if (numbers.some(Number.isNaN)) return undefined;
  // Mixed operators would need precedence, which no limit uses.
  if (new Set(operators).size > 1) return undefined;
  return numbers.reduce((left, right) => {
    if (operators[0] === '*') return left * right;
    if (operators[0] === '/') return left / right;
    return operators[0] === '-' ? left - right : left + right;
  });
}

function toNumber(text: string): number {
  return /^[\d_]+(?:\.\d+)?(?:e\d+)?$/.test(text) ? Number(text.replaceAll('_', '')) : Number.NaN;
}

/** The areas of the page, by the folder below `src`. */
const areas: Readonly<Record<string, string>> = {
  http: 'Requests and responses',
  services: 'OGC services',
  interface: 'REST',
  catalog: 'Catalog',
  security: 'Users and permissions',
  styling: 'Styles',
  rendering: 'Drawing',
  filter: 'Filters',
  formats: 'Output formats',
  vector: 'Vector data',
  raster: 'Raster data',
  remote: 'Files on other servers',
  tiles: 'Tiles',
  cascade: 'Cascaded services',
  geometry: 'Geometries',
  crs: 'Coordinate reference systems',
  gates: 'Access to URLs, archives and paths',
  workers: 'Threads',
  records: 'Records',
  storage: 'Storage',
  operations: 'Operations',
  server: 'Server',
  lib: 'Shared parts',
  cli: 'Command line',
};

export function limitsPage(): string {
  const constants = Map.groupBy(listConstantLimits(), ({ file }) =>
    file.includes('/') ? (file.split('/')[0] ?? '') : 'server',
  );
  const unknown = [...constants.keys()].filter((folder) => areas[folder] === undefined);
  if (unknown.length > 0) throw new Error(`Name the areas of the limits in src/${unknown.join(', src/')}.`);
  const sections = Object.entries(areas)
    .filter(([folder]) => constants.has(folder))
    .map(([folder, title]) => `### ${title}\n\n${formatTable(constants.get(folder) ?? [], true)}`);
  return `# Limits

<!-- Generated by \`npm run generate\` from src/server/settings and from the constants of the source. Do not edit. -->

Every limit of the server. A request that exceeds one gets a [client error](errors.md) that names the limit, or a response that
states what was left out. Limits of one layer or service, such as the maximum number of features, are
[settings](settings.md). The [memory budget](guides/size-a-server.md) reduces numbers of threads and sizes of caches.

## Options

${formatTable(listSettingLimits(), false)}

## Limits of the server

These limits are fixed.

${formatTable(listServerLimits(), false)}

## Limits of the parts

These limits are fixed as well. The file is below \`src\`.

${sections.join('\n\n')}
`;
}

function formatTable(list: readonly Limit[], hasFiles: boolean): string {
  const header = ['Limit', 'Default', 'Unit', 'Reason', 'Set by', ...(hasFiles ? ['File'] : [])];
  const rows = list.map(({ name, value, unit, reason, setBy, file }) => [
    `\`${name}\``,
    value,
    unit,
    reason.replaceAll('|', '\\|'),
    setBy === 'fixed' ? setBy : `\`${setBy}\``,
    ...(hasFiles ? [file] : []),
  ]);
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
