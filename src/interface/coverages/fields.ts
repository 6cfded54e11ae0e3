/** Fields that only coverages have: grid, bands and read parameters. */
import type { BandDraft, CoverageBand, CoverageGrid } from '../../catalog/kinds/coverage.ts';
import type { Field, FieldReader, WritableField } from '../../http/documents/field.ts';
import { readMap } from '../../http/documents/read-map.ts';
import { isXmlText, reportInvalidCharacters } from '../../http/documents/xml-text.ts';
import type { InputNode } from '../../http/serialization/input-tree.ts';
import type { OutputMember, OutputNode } from '../../http/serialization/output-tree.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import type { SampleType } from '../../raster/port/samples.ts';

export function gridField<R>(
  value: (resource: R) => { readonly grid: CoverageGrid; readonly crs: string | undefined },
): Field<R, never> {
  const numbers = ['scaleX', 'scaleY', 'shearX', 'shearY', 'translateX', 'translateY'];
  return {
    write: (resource) => buildGridNode(value(resource)),
    required: false,
    schema: {
      type: 'object',
      readOnly: true,
      description:
        'The grid of the data: columns and rows from low (inclusive) to high (exclusive), and the transform from sample centres to coordinates.',
      properties: {
        '@dimension': { type: 'string' },
        range: { type: 'object', properties: { low: { type: 'string' }, high: { type: 'string' } } },
        transform: {
          type: 'object',
          properties: Object.fromEntries(numbers.map((name) => [name, { type: 'number' }])),
        },
        crs: { type: 'string' },
      },
    },
  };
}

function buildGridNode({ grid, crs }: { readonly grid: CoverageGrid; readonly crs: string | undefined }): OutputNode {
  const { width, height, transform } = grid;
  const range = [...buildTextMember('low', '0 0'), ...buildTextMember('high', `${width} ${height}`)];
  return {
    kind: 'object',
    attributes: { dimension: '2' },
    members: [
      { name: 'range', node: { kind: 'object', members: range } },
      ...(transform === null ? [] : [{ name: 'transform', node: buildTransformNode(transform) }]),
      ...buildTextMember('crs', crs),
    ],
  };
}

/** From the centre of a sample; the port provides its outer corner. */
function buildTransformNode(transform: NonNullable<CoverageGrid['transform']>): OutputNode {
  const { originX, columnX, rowX, originY, columnY, rowY } = transform;
  const numbers = {
    scaleX: columnX,
    scaleY: rowY,
    shearX: rowX,
    shearY: columnY,
    translateX: originX + columnX / 2 + rowX / 2,
    translateY: originY + columnY / 2 + rowY / 2,
  };
  return {
    kind: 'object',
    members: Object.entries(numbers).map(([name, value]) => ({ name, node: { kind: 'value', value } })),
  };
}

const sampleTypeNames: Readonly<Record<SampleType, string>> = {
  uint8: 'UNSIGNED_8BITS',
  int8: 'SIGNED_8BITS',
  uint16: 'UNSIGNED_16BITS',
  int16: 'SIGNED_16BITS',
  uint32: 'UNSIGNED_32BITS',
  int32: 'SIGNED_32BITS',
  uint64: 'UNSIGNED_64BITS',
  int64: 'SIGNED_64BITS',
  float32: 'REAL_32BITS',
  float64: 'REAL_64BITS',
};

export function formatSampleType(type: SampleType): string {
  return sampleTypeNames[type];
}

const unbounded = { description: 'A number, -inf or inf.' } as const;

/** `<dimensions><coverageDimension>…</coverageDimension></dimensions>`: the metadata of each band. */
export function bandsField<R>(
  value: (resource: R) => readonly CoverageBand[] | readonly BandDraft[],
): WritableField<R, readonly BandDraft[]> {
  return {
    read: readBands,
    write: (resource) => ({ kind: 'list', itemName: 'coverageDimension', items: value(resource).map(buildBandNode) }),
    required: false,
    schema: {
      type: 'object',
      description: 'The bands, in the order of the data. An empty list resets them to the data.',
      properties: {
        coverageDimension: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              name: { type: 'string' },
              description: { type: 'string' },
              range: {
                type: 'object',
                description: 'Range of the values.',
                properties: { min: unbounded, max: unbounded },
              },
              nullValues: {
                type: 'object',
                description: 'The no-data values.',
                properties: { double: { type: 'array', items: { description: 'A number, or NaN.' } } },
              },
              unit: { type: 'string' },
              dimensionType: {
                type: 'object',
                readOnly: true,
                properties: { name: { type: 'string', enum: Object.values(sampleTypeNames) } },
              },
            },
          },
        },
      },
    },
  };
}

/** Bands that a client has declared for data that was not read may lack any member. */
function buildBandNode(band: CoverageBand | BandDraft): OutputNode {
  const { name, description, minimum, maximum, nullValues = [], unit } = band;
  const hasRange = minimum !== undefined || maximum !== undefined;
  const ends: readonly OutputMember[] = [
    { name: 'min', node: { kind: 'value', value: minimum ?? '-inf' } },
    { name: 'max', node: { kind: 'value', value: maximum ?? 'inf' } },
  ];
  const nulls = nullValues.map((text): OutputNode => ({ kind: 'value', value: toNumberOrText(text) }));
  return {
    kind: 'object',
    members: [
      ...buildTextMember('name', name),
      ...buildTextMember('description', description ?? undefined),
      ...(hasRange ? [{ name: 'range', node: { kind: 'object' as const, members: ends } }] : []),
      ...(nulls.length === 0
        ? []
        : [{ name: 'nullValues', node: { kind: 'list' as const, itemName: 'double', items: nulls } }]),
      ...buildTextMember('unit', unit ?? undefined),
      ...('type' in band ? [buildSampleTypeMember(band.type)] : []),
    ],
  };
}

function buildSampleTypeMember(type: SampleType): OutputMember {
  return {
    name: 'dimensionType',
    node: { kind: 'object', members: buildTextMember('name', formatSampleType(type)) },
  };
}

/** JSON cannot represent NaN, infinities and the largest numbers. */
function toNumberOrText(text: string): number | string {
  const number = Number(text);
  return Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number) || /[.e]/i.test(text))
    ? number
    : text;
}

/** Equals the limit of the drivers. */
const MAX_BANDS = 65_535;

function readBands(nodes: readonly InputNode[], reader: FieldReader): readonly BandDraft[] | null | undefined {
  if (nodes.some((node) => node.kind === 'nil')) {
    return null;
  }
  if (nodes.some((node) => node.kind === 'list' || node.text.trim() !== '')) {
    reader.reportError("expected bands, each in a 'coverageDimension'");
    return undefined;
  }
  const items = nodes.flatMap((node) => node.members.get('coverageDimension') ?? []);
  if (items.length === 0) {
    // An empty list selects nothing: the bands of the data are shown.
    return null;
  }
  if (items.length > MAX_BANDS) {
    reader.reportError(`found ${items.length} bands; the limit is ${MAX_BANDS}`);
    return undefined;
  }
  const bands = items.map((item, index) => readBand(item, `band ${index + 1}`, reader));
  const read = bands.filter((band) => band !== undefined);
  return read.length < bands.length ? undefined : read;
}

function readBand(item: InputNode, what: string, reader: FieldReader): BandDraft | undefined {
  const texts = new Map(['name', 'description', 'unit'].map((member) => [member, readText(item, member)]));
  if (![...texts.values()].every((text) => text == null || isXmlText(text))) {
    return reportInvalidCharacters(reader);
  }
  const name = texts.get('name');
  if (item.members.has('name') && (name ?? '') === '') {
    reader.reportError(`${what} has an empty name`);
    return undefined;
  }
  const range = readRange(item, what, reader);
  const nullValues = readNullValues(item, what, reader);
  if (range === 'wrong' || nullValues === 'wrong') {
    return undefined;
  }
  return {
    ...(name == null ? {} : { name }),
    ...toOptionalMember('description', texts.get('description')),
    ...toOptionalMember('unit', texts.get('unit')),
    ...range,
    ...(nullValues === undefined ? {} : { nullValues }),
  };
}

/** Undefined for an absent member, null for an empty one. */
function readText(item: InputNode, member: string): string | null | undefined {
  const [node] = item.members.get(member) ?? [];
  return node === undefined ? undefined : node.text.trim() || null;
}

function toOptionalMember<K extends string>(name: K, text: string | null | undefined) {
  return text === undefined ? {} : { [name]: text };
}

function readRange(
  item: InputNode,
  what: string,
  reader: FieldReader,
): Pick<BandDraft, 'minimum' | 'maximum'> | 'wrong' {
  const [node] = item.members.get('range') ?? [];
  if (node === undefined) {
    return {};
  }
  const [minimum, maximum] = ['min', 'max'].map((member) => readEnd(readText(node, member) ?? ''));
  if (minimum === undefined || maximum === undefined) {
    reader.reportError(`${what} has an invalid range; expected two numbers, -inf or inf`);
    return 'wrong';
  }
  return { minimum, maximum };
}

/** Null for an open end. */
function readEnd(text: string): number | null | undefined {
  if (text === '' || /^[+-]?(?:inf|infinity)$/i.test(text)) {
    return null;
  }
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** Keeps any notation, including NaN: the text is compared with the stored one. */
const nullValue = /^(?:[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|nan|[+-]?inf(?:inity)?)$/i;

function readNullValues(item: InputNode, what: string, reader: FieldReader): readonly string[] | undefined | 'wrong' {
  const nodes = item.members.get('nullValues');
  if (nodes === undefined) {
    return undefined;
  }
  const values = nodes.flatMap((node) => [...node.members.values()].flat()).filter(({ kind }) => kind !== 'nil');
  const texts = values.map(({ text }) => text.trim());
  const wrong = texts.find((text) => text.length > 100 || !nullValue.test(text));
  if (wrong !== undefined) {
    reader.reportError(`${what} has the null value '${excerpt(wrong)}', which is not a number`);
    return 'wrong';
  }
  return texts;
}

/** `<entry><string>key</string><string>value</string></entry>`, the notation of read parameters. */
export function parametersField<R>(
  value: (resource: R) => Readonly<Record<string, string>>,
): WritableField<R, Readonly<Record<string, string>>> {
  return {
    read: readMap,
    write: (resource) => {
      const items = Object.entries(value(resource)).map(
        ([key, text]): OutputNode => ({
          kind: 'object',
          members: [
            {
              name: 'string',
              node: { kind: 'value', value: key },
            },
            { name: 'string', node: { kind: 'value', value: text } },
          ],
        }),
      );
      return items.length === 0 ? undefined : { kind: 'list', itemName: 'entry', items };
    },
    required: false,
    schema: {
      type: 'object',
      additionalProperties: true,
      description: 'Read parameters, stored as given.',
      properties: {
        entry: {
          type: 'array',
          items: { type: 'object', properties: { string: { type: 'array', items: { type: 'string' } } } },
        },
      },
    },
  };
}

function buildTextMember(name: string, value: string | undefined): readonly OutputMember[] {
  return value === undefined ? [] : [{ name, node: { kind: 'value', value } }];
}
