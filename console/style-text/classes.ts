/** The classes of the server's classification, and the styles that draw them. */
import type { VisualLanguage } from './edit-style.ts';
import { encodeXml } from './xml-tree.ts';

export type Shape = 'polygon' | 'line' | 'point' | 'raster';

export interface ClassLimit {
  readonly sign: '=' | '>' | '>=' | '<' | '<=';
  readonly value: string;
}

export interface ValueClass {
  readonly title: string;
  readonly color: string;
  /** All of them must hold. */
  readonly limits: readonly ClassLimit[];
}

interface Comparison {
  readonly Literal: unknown;
}

interface JsonFilter {
  readonly [operator: string]: Comparison | readonly Comparison[] | JsonFilter;
}

export interface RulesDocument {
  readonly Rules: { readonly Rule: JsonRule | readonly JsonRule[] };
}

interface JsonRule {
  readonly Filter?: JsonFilter;
  readonly RasterSymbolizer?: {
    readonly ColorMap?: {
      readonly ColorMapEntry?: Readonly<Record<string, string>> | readonly Readonly<Record<string, string>>[];
    };
  };
}

const signs: Readonly<Record<string, ClassLimit['sign']>> = {
  PropertyIsEqualTo: '=',
  PropertyIsGreaterThan: '>',
  PropertyIsGreaterThanOrEqualTo: '>=',
  PropertyIsLessThan: '<',
  PropertyIsLessThanOrEqualTo: '<=',
};

/** Reads the rules of a vector layer, in their order. */
export function readClasses(
  { Rules }: RulesDocument,
  colors: (count: number) => readonly string[],
): readonly ValueClass[] {
  const rules = [Rules.Rule].flat();
  const chosen = colors(rules.length);
  return rules.map((rule, index) => ({
    title: formatTitle(readLimits(rule.Filter ?? {})),
    color: chosen[index] ?? '#808080',
    limits: readLimits(rule.Filter ?? {}),
  }));
}

/** Titles appear in legends. */
function formatTitle(limits: readonly ClassLimit[]): string {
  const [one, other] = limits;
  if (one === undefined) return '';
  if (other !== undefined) return `${one.value} – ${other.value}`;
  return one.sign === '=' ? one.value : `${one.sign} ${one.value}`;
}

function readLimits(filter: JsonFilter): readonly ClassLimit[] {
  return Object.entries(filter).flatMap(([name, content]): readonly ClassLimit[] => {
    const sign = signs[name];
    if (sign === undefined) return name === 'And' ? readLimits(content as JsonFilter) : [];
    return ([content].flat() as readonly Comparison[]).map(({ Literal }) => ({ sign, value: String(Literal) }));
  });
}

/** Reads the entries of the colour map of a raster; the first one may be transparent, for values below all classes. */
export function readColorMap(
  { Rules }: RulesDocument,
  colors: (count: number) => readonly string[],
): readonly ColorEntry[] {
  const [rule] = [Rules.Rule].flat();
  const entries = [rule?.RasterSymbolizer?.ColorMap?.ColorMapEntry ?? []].flat() as readonly Readonly<
    Record<string, unknown>
  >[];
  const hasGround = entries[0]?.['@opacity'] !== undefined;
  const chosen = colors(entries.length - (hasGround ? 1 : 0));
  return entries.map((entry, index) => {
    const isGround = hasGround && index === 0;
    return {
      quantity: String(entry['@quantity']),
      label: String(entry['@label'] ?? ''),
      opacity: isGround ? 0 : 1,
      color: chosen[hasGround ? Math.max(0, index - 1) : index] ?? '#808080',
    };
  });
}

export interface ColorEntry {
  readonly quantity: string;
  readonly label: string;
  readonly opacity: number;
  readonly color: string;
}

export interface ClassStyle {
  readonly attribute: string;
  readonly shape: Shape;
  readonly classes: readonly ValueClass[];
  /** Of outlines. */
  readonly outline: string;
}

export function writeClasses(style: ClassStyle, language: VisualLanguage): string {
  return language === 'css' ? writeCss(style) : writeSld(style);
}

const isNumber = (value: string) => /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(value);

/** In a comment of one line. */
const toComment = (title: string) => title.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ');

function formatName(attribute: string): string {
  return /^[A-Za-z_]\w*$/.test(attribute) ? attribute : `"${attribute.replaceAll('"', '""')}"`;
}

function formatLiteral(value: string): string {
  return isNumber(value) ? value : `'${value.replaceAll("'", "''")}'`;
}

function writeCss({ attribute, shape, classes, outline }: ClassStyle): string {
  const rules = classes.map(({ title, color, limits }) => {
    const condition = limits
      .map(({ sign, value }) => `${formatName(attribute)} ${sign} ${formatLiteral(value)}`)
      .join(' AND ');
    const selector = condition === '' ? '*' : `[${condition}]`;
    return `/* @title ${toComment(title)} */\n${selector} {\n${listCssLines(shape, color, outline)
      .map((line) => `  ${line}\n`)
      .join('')}}\n`;
  });
  return rules.join('\n');
}

function listCssLines(shape: Shape, color: string, outline: string): readonly string[] {
  switch (shape) {
    case 'line':
      return [`stroke: ${color};`, 'stroke-width: 2;'];
    case 'point':
      return [
        "mark: symbol('circle');",
        'mark-size: 8;',
        `:mark { fill: ${color}; stroke: ${outline}; stroke-width: 0.5; }`,
      ];
    case 'polygon':
    case 'raster':
      return [`fill: ${color};`, `stroke: ${outline};`, 'stroke-width: 0.5;'];
  }
}

const elements: Readonly<Record<ClassLimit['sign'], string>> = {
  '=': 'PropertyIsEqualTo',
  '>': 'PropertyIsGreaterThan',
  '>=': 'PropertyIsGreaterThanOrEqualTo',
  '<': 'PropertyIsLessThan',
  '<=': 'PropertyIsLessThanOrEqualTo',
};

/** A node of an SLD document: an element with nodes in it, or with text. */
type Node = readonly [tag: string, content: string | readonly Node[]];

function writeSld(style: ClassStyle): string {
  const rules = style.classes.map(({ title, color, limits }): Node => {
    const comparisons = limits.map(
      ({ sign, value }): Node => [
        `ogc:${elements[sign]}`,
        [
          ['ogc:PropertyName', style.attribute],
          ['ogc:Literal', value],
        ],
      ],
    );
    const filter: readonly Node[] = comparisons.length > 1 ? [['ogc:And', comparisons]] : comparisons;
    return [
      'Rule',
      [
        ['Title', title],
        ...(filter.length === 0 ? [] : [['ogc:Filter', filter] as const]),
        createSymbolizer(style, color),
      ],
    ];
  });
  return createDocument(rules);
}

const parameter = (name: string, value: string): Node => [`CssParameter name="${name}"`, value];

function createSymbolizer({ shape, outline }: ClassStyle, color: string): Node {
  const fill: Node = ['Fill', [parameter('fill', color)]];
  const stroke: Node = ['Stroke', [parameter('stroke', outline), parameter('stroke-width', '0.5')]];
  switch (shape) {
    case 'line':
      return ['LineSymbolizer', [['Stroke', [parameter('stroke', color), parameter('stroke-width', '2')]]]];
    case 'point':
      return [
        'PointSymbolizer',
        [
          [
            'Graphic',
            [
              ['Mark', [['WellKnownName', 'circle'], fill, stroke]],
              ['Size', '8'],
            ],
          ],
        ],
      ];
    case 'polygon':
    case 'raster':
      return ['PolygonSymbolizer', [fill, stroke]];
  }
}

function createDocument(rules: readonly Node[]): string {
  const namespaces = 'version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc"';
  const root: Node = [
    `StyledLayerDescriptor ${namespaces}`,
    [
      [
        'NamedLayer',
        [
          ['Name', 'style'],
          ['UserStyle', [['FeatureTypeStyle', rules]]],
        ],
      ],
    ],
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>\n${writeNode(root, '')}`;
}

function writeNode([tag, content]: Node, indent: string): string {
  const name = tag.split(' ')[0] ?? tag;
  if (typeof content === 'string') return `${indent}<${tag}>${encodeXml(content)}</${name}>\n`;
  return `${indent}<${tag}>\n${content.map((each) => writeNode(each, `${indent}  `)).join('')}${indent}</${name}>\n`;
}

export function writeColorMap(entries: readonly ColorEntry[], type: string, language: VisualLanguage): string {
  if (language === 'css') {
    const written = entries.map(({ color, quantity, opacity, label }) => {
      const last = label === '' ? '' : `, '${label.replaceAll("'", '’')}'`;
      return `    color-map-entry(${color}, ${quantity}, ${opacity}${last})`;
    });
    return `* {\n  raster-channels: auto;\n  raster-color-map-type: ${type};\n  raster-color-map:\n${written.join('\n')};\n}\n`;
  }
  const quote = (text: string) => encodeXml(text).replaceAll('"', '&quot;');
  const lines = entries.map(
    ({ color, quantity, opacity, label }) =>
      `              <ColorMapEntry color="${color}" quantity="${quantity}" opacity="${opacity}"${label === '' ? '' : ` label="${quote(label)}"`}/>\n`,
  );
  const marker = 'ENTRIES';
  return createDocument([['Rule', [['RasterSymbolizer', [[`ColorMap type="${type}"`, marker]]]]]]).replace(
    marker,
    `\n${lines.join('')}            `,
  );
}
