/** Values of features as attributes of a block, which is inserted at a point of each feature. */
import type { Geometry } from '../../geometry/geometry.ts';
import { findLabelPoint } from '../../tiles/vector/label-point.ts';
import type { Attribute, Feature, Value, ValueType } from '../../vector/port/port.ts';
import { formatXmlValue } from '../gml/xml-text.ts';
import type { TextWriter } from '../writing/text-writer.ts';
import { countPositions, isEmptyGeometry, isGeometry } from '../writing/writable-geometry.ts';
import { createDxfName, escapeDxfText, formatGroups } from './dxf-groups.ts';
import { type EntityTarget, formatEntityHead } from './entities.ts';

/** Finding a point of a larger geometry would take more than some milliseconds; its first position is used. */
const MAX_MARKED_POSITIONS = 100_000;

/** The limit of a text group in release 14. */
const MAX_TEXT_CHARACTERS = 255;

/** The end of a text that exceeds the limit. */
const CUT_MARK = '...';

export interface AttributeColumn {
  /** The position among the values of a feature. */
  readonly index: number;
  readonly tag: string;
  readonly type: ValueType;
}

export function listAttributeColumns(attributes: readonly Attribute[]): readonly AttributeColumn[] {
  const taken = new Set<string>();
  return attributes.flatMap((attribute, index) =>
    attribute.kind === 'geometry' ? [] : [{ index, tag: createDxfName(attribute.name, taken), type: attribute.type }],
  );
}

/** The definitions of the attributes, inside their block. They are invisible: programs show them on request. */
export function formatDefinitions(columns: readonly AttributeColumn[], target: EntityTarget): string {
  return columns
    .map(
      ({ tag }) =>
        `${formatEntityHead('ATTDEF', target)}${formatGroups([
          ...([
            [100, 'AcDbText'],
            [10, 0],
            [20, 0],
            [30, 0],
            [40, 1],
            [1, ''],
          ] as const),
          ...([
            [100, 'AcDbAttributeDefinition'],
            [3, tag],
            [2, tag],
            [70, 1],
          ] as const),
        ])}`,
    )
    .join('');
}

export interface AttributeInsert {
  readonly block: string;
  readonly columns: readonly AttributeColumn[];
  readonly geometry: Geometry;
  readonly target: EntityTarget;
}

/** Returns how many texts exceed the limit. */
export function writeAttributes(
  out: TextWriter,
  { values }: Feature,
  { block, columns, geometry, target }: AttributeInsert,
): number {
  const point = findPoint(geometry);
  if (point === undefined) return 0;
  let cutTexts = 0;
  const writePlace = (): void => {
    out.writeRaw('10\n');
    out.writeNumber(point[0]);
    out.writeRaw('\n20\n');
    out.writeNumber(point[1]);
    out.writeRaw('\n30\n0\n');
  };
  out.writeRaw(`${formatEntityHead('INSERT', target)}100\nAcDbBlockReference\n66\n1\n2\n${block}\n`);
  writePlace();
  for (const { index, tag, type } of columns) {
    const value = values[index] ?? null;
    out.writeRaw(`${formatEntityHead('ATTRIB', target)}100\nAcDbText\n`);
    writePlace();
    const { text, isCut } = value === null || isGeometry(value) ? EMPTY_TEXT : formatText(value, type);
    if (isCut) cutTexts += 1;
    out.writeRaw(`40\n1\n1\n${text}\n100\nAcDbAttribute\n2\n${tag}\n70\n1\n`);
  }
  out.writeRaw(formatEntityHead('SEQEND', target));
  return cutTexts;
}

interface AttributeText {
  readonly text: string;
  readonly isCut: boolean;
}

const EMPTY_TEXT: AttributeText = { text: '', isCut: false };

function formatText(value: NonNullable<Value>, type: ValueType): AttributeText {
  const text = escapeDxfText(formatXmlValue(value, type).slice(0, MAX_TEXT_CHARACTERS + 1));
  if (text.length <= MAX_TEXT_CHARACTERS) return { text, isCut: false };
  // Does not split an escape.
  const start = text.slice(0, MAX_TEXT_CHARACTERS - CUT_MARK.length).replace(/\\(?:U(?:\+[\dA-F]{0,3})?)?$/, '');
  return { text: `${start}${CUT_MARK}`, isCut: true };
}

function findPoint(geometry: Geometry): readonly [number, number] | undefined {
  if (isEmptyGeometry(geometry)) return undefined;
  const found = countPositions(geometry) > MAX_MARKED_POSITIONS ? undefined : findLabelPoint(geometry);
  const { ordinates } = found ?? findFirstPart(geometry);
  const [x = Number.NaN, y = Number.NaN] = ordinates;
  return Number.isFinite(x) && Number.isFinite(y) ? [x, y] : undefined;
}

function findFirstPart(geometry: Geometry): Geometry {
  const member = geometry.members?.find((each) => !isEmptyGeometry(each));
  return member === undefined ? geometry : findFirstPart(member);
}
