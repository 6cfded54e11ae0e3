/** Transactions of WFS: the edits of a user as one document, and the edits that take them back. */

import { toXmlName } from './xml-name.ts';

/** The description of a feature type. */
export interface FeatureSchema {
  readonly namespace: string;
  readonly typeName: string;
  /** Undefined for types without a geometry. */
  readonly geometry: AttributeSchema | undefined;
  readonly attributes: readonly AttributeSchema[];
}

export interface AttributeSchema {
  readonly name: string;
  /** Such as `string`, `int`, `date-time` or `Point`. */
  readonly type: string;
  readonly isNillable: boolean;
}

export interface GeometryValue {
  readonly type: string;
  readonly coordinates?: unknown;
}

export type Values = Readonly<Record<string, unknown>>;

export type Edit =
  | { readonly kind: 'insert'; readonly values: Values; readonly geometry: GeometryValue | null }
  /** Only what changes; an undefined geometry stays. */
  | {
      readonly kind: 'update';
      readonly id: string;
      readonly values: Values;
      readonly geometry: GeometryValue | null | undefined;
    }
  | { readonly kind: 'delete'; readonly id: string };

export interface EditContext {
  readonly schema: FeatureSchema;
  /** The code of the CRS of all geometries, such as EPSG:25832: x before y. */
  readonly crs: string;
}

export function formatTransaction(edits: readonly Edit[], { schema, crs }: EditContext): string {
  const actions = edits.map((edit) => formatEdit(edit, schema, crs)).join('');
  return `<wfs:Transaction service="WFS" version="2.0.0" xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:fes="http://www.opengis.net/fes/2.0" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:t="${escapeXml(schema.namespace)}">${actions}</wfs:Transaction>`;
}

function formatEdit(edit: Edit, schema: FeatureSchema, crs: string): string {
  const type = `t:${toXmlName(schema.typeName)}`;
  if (edit.kind === 'delete') return `<wfs:Delete typeName="${type}">${formatFilter(edit.id)}</wfs:Delete>`;
  const geometryName = schema.geometry?.name;
  if (edit.kind === 'insert') {
    const values = Object.entries(edit.values).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [formatElement(name, formatValue(value))],
    );
    const geometry =
      geometryName === undefined || edit.geometry === null
        ? ''
        : formatElement(geometryName, formatGml(edit.geometry, crs));
    return `<wfs:Insert><${type}>${geometry}${values.join('')}</${type}></wfs:Insert>`;
  }
  const properties = Object.entries(edit.values).map(([name, value]) =>
    formatProperty(name, value === null ? undefined : formatValue(value)),
  );
  const geometry =
    geometryName === undefined || edit.geometry === undefined
      ? ''
      : formatProperty(geometryName, edit.geometry === null ? undefined : formatGml(edit.geometry, crs));
  return `<wfs:Update typeName="${type}">${geometry}${properties.join('')}${formatFilter(edit.id)}</wfs:Update>`;
}

function formatElement(name: string, content: string): string {
  const tag = `t:${toXmlName(name)}`;
  return `<${tag}>${content}</${tag}>`;
}

/** Without a value, the attribute becomes null. */
function formatProperty(name: string, value: string | undefined): string {
  const content = value === undefined ? '' : `<wfs:Value>${value}</wfs:Value>`;
  return `<wfs:Property><wfs:ValueReference>${toXmlName(name)}</wfs:ValueReference>${content}</wfs:Property>`;
}

function formatFilter(id: string): string {
  return `<fes:Filter><fes:ResourceId rid="${escapeXml(id)}"/></fes:Filter>`;
}

function formatValue(value: unknown): string {
  return escapeXml(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

type Position = readonly number[];

/** GML 3.2 of a GeoJSON geometry. */
export function formatGml({ type, coordinates }: GeometryValue, crs: string): string {
  return formatShape(type, coordinates, ` srsName="${escapeXml(crs)}"`);
}

function formatShape(type: string, coordinates: unknown, attributes = ''): string {
  switch (type) {
    case 'Point':
      return `<gml:Point${attributes}><gml:pos>${formatPosition(coordinates as Position)}</gml:pos></gml:Point>`;
    case 'LineString':
      return `<gml:LineString${attributes}>${formatPositions(coordinates as readonly Position[])}</gml:LineString>`;
    case 'Polygon': {
      const rings = (coordinates as readonly (readonly Position[])[]).map((ring, index) => {
        const side = index === 0 ? 'exterior' : 'interior';
        return `<gml:${side}><gml:LinearRing>${formatPositions(ring)}</gml:LinearRing></gml:${side}>`;
      });
      return `<gml:Polygon${attributes}>${rings.join('')}</gml:Polygon>`;
    }
    case 'MultiPoint':
      return formatParts({ name: 'MultiPoint', member: 'pointMember', part: 'Point' }, coordinates, attributes);
    case 'MultiLineString':
      return formatParts({ name: 'MultiCurve', member: 'curveMember', part: 'LineString' }, coordinates, attributes);
    case 'MultiPolygon':
      return formatParts({ name: 'MultiSurface', member: 'surfaceMember', part: 'Polygon' }, coordinates, attributes);
    default:
      throw new Error(`Geometries of the type ${type} cannot be edited`);
  }
}

interface PartNames {
  readonly name: string;
  readonly member: string;
  readonly part: string;
}

function formatParts({ name, member, part }: PartNames, coordinates: unknown, attributes: string): string {
  const parts = (coordinates as readonly unknown[]).map(
    (each) => `<gml:${member}>${formatShape(part, each)}</gml:${member}>`,
  );
  return `<gml:${name}${attributes}>${parts.join('')}</gml:${name}>`;
}

function formatPositions(positions: readonly Position[]): string {
  const dimension = positions[0]?.length === 2 ? 2 : 3;
  return `<gml:posList srsDimension="${dimension}">${positions.map(formatPosition).join(' ')}</gml:posList>`;
}

/** With its height if it has one. */
function formatPosition(position: Position): string {
  return position.slice(0, 3).join(' ');
}

export interface StoredFeature {
  readonly id: string;
  readonly values: Values;
  readonly geometry: GeometryValue | null;
}

/** The edits that restore the features; `inserted` are the ids that the first transaction created, in order. */
export function reverseEdits(
  edits: readonly Edit[],
  originals: ReadonlyMap<string, StoredFeature>,
  inserted: readonly string[],
): readonly Edit[] {
  const ids = inserted.values();
  return edits.flatMap((edit): readonly Edit[] => {
    if (edit.kind === 'insert') {
      const id = ids.next().value;
      return id === undefined ? [] : [{ kind: 'delete', id }];
    }
    const original = originals.get(edit.id);
    if (original === undefined) return [];
    if (edit.kind === 'delete') return [{ kind: 'insert', values: original.values, geometry: original.geometry }];
    const values = Object.fromEntries(Object.keys(edit.values).map((name) => [name, original.values[name] ?? null]));
    return [
      {
        kind: 'update',
        id: edit.id,
        values,
        geometry: edit.geometry === undefined ? undefined : original.geometry,
      },
    ];
  });
}
