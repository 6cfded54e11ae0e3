/** The dimensions of a layer as configured in its metadata: time, elevation and custom dimensions. */
import type { Metadata, Resource } from '../../../catalog/kinds/resource.ts';
import { parseFlag } from '../../../lib/values/flag.ts';
import { findMemberText, listMembersNamed, type ValueTree } from '../../../lib/values/value-tree.ts';
import type { OpenedCoverage } from '../../access/open-coverage.ts';
import type { PublishedType } from '../../access/published-type.ts';

export interface LayerDimension {
  /** In lower case: `time`, `elevation` or the name of a custom dimension. */
  readonly name: string;
  readonly kind: 'time' | 'number' | 'text';
  /** The attribute, or the axis of a coverage. */
  readonly attribute: string;
  /** The attribute with the end of a period, if any. */
  readonly endAttribute: string | undefined;
  readonly presentation: 'LIST' | 'DISCRETE_INTERVAL' | 'CONTINUOUS_INTERVAL';
  /** The step of a discrete interval, in milliseconds or units. */
  readonly resolution: number | undefined;
  readonly units: string;
  readonly unitSymbol: string | undefined;
  readonly default: DefaultValue;
  /** Whether the nearest existing value replaces a missing one. */
  readonly isNearest: boolean;
  /** The maximum distance of the nearest value; undefined for any distance. */
  readonly acceptableInterval: string | undefined;
}

export interface DefaultValue {
  readonly strategy: 'MINIMUM' | 'MAXIMUM' | 'NEAREST' | 'FIXED';
  /** The reference value of the NEAREST and FIXED strategies. */
  readonly reference: string | undefined;
}

const CUSTOM_PREFIX = 'custom_dimension_';

/** Returns the enabled dimensions whose attributes exist. */
export function listLayerDimensions({ records, attributes }: PublishedType): readonly LayerDimension[] {
  return listEnabledDimensions(records.type.metadata).flatMap(({ name, info }): readonly LayerDimension[] => {
    const attribute = attributes.find((each) => each.name === findMemberText(info, 'attribute'));
    if (attribute?.kind !== 'value') return [];
    const isTime = attribute.type === 'date' || attribute.type === 'timestamp';
    const isText = ['string', 'uuid', 'time', 'boolean', 'bytes'].includes(attribute.type);
    const end = findMemberText(info, 'endAttribute');
    return [
      {
        ...readDimensionInfo(name, info, isTime),
        kind: isTime ? 'time' : isText ? 'text' : 'number',
        attribute: attribute.name,
        endAttribute: attributes.find((each) => each.name === end)?.name,
      },
    ];
  });
}

/** Returns the enabled dimensions of a coverage whose axes exist in the data. */
export async function listCoverageDimensions({
  coverage,
  description,
  values,
}: OpenedCoverage): Promise<readonly LayerDimension[]> {
  const found: LayerDimension[] = [];
  for (const { name, info } of listEnabledDimensions(coverage.metadata)) {
    const axis = description.dimensions.find((each) =>
      each.kind === 'custom' ? each.name.toLowerCase() === name.toLowerCase() : each.kind === name.toLowerCase(),
    );
    if (axis === undefined) continue;
    const [least] = await values(axis.name, 'ends');
    const kind = least instanceof Date ? 'time' : typeof least === 'number' ? 'number' : 'text';
    found.push({
      ...readDimensionInfo(name, info, kind === 'time'),
      kind,
      attribute: axis.name,
      endAttribute: undefined,
    });
  }
  return found;
}

/** Returns whether any dimension is enabled, regardless of the data. */
export function hasDimensions({ metadata }: Pick<Resource, 'metadata'>): boolean {
  return listEnabledDimensions(metadata).length > 0;
}

interface EnabledDimension {
  readonly name: string;
  readonly info: ValueTree;
}

function listEnabledDimensions(metadata: Metadata): readonly EnabledDimension[] {
  return Object.entries(metadata).flatMap(([key, entry]) => {
    const name = key.toLowerCase().startsWith(CUSTOM_PREFIX) ? key.slice(CUSTOM_PREFIX.length) : key;
    const [info] = listMembersNamed(entry, 'dimensionInfo');
    const isOn = parseFlag(findMemberText(info, 'enabled') ?? '') === true;
    return isOn && info !== undefined ? [{ name, info }] : [];
  });
}

function readDimensionInfo(
  name: string,
  info: ValueTree,
  isTime: boolean,
): Omit<LayerDimension, 'kind' | 'attribute' | 'endAttribute'> {
  const resolution = Number(findMemberText(info, 'resolution'));
  return {
    name: name.toLowerCase(),
    presentation: readPresentation(findMemberText(info, 'presentation')),
    resolution: resolution > 0 ? resolution : undefined,
    units: findMemberText(info, 'units') ?? (isTime ? 'ISO8601' : name === 'elevation' ? 'EPSG:5030' : ''),
    unitSymbol: findMemberText(info, 'unitSymbol') ?? (name === 'elevation' ? 'm' : undefined),
    default: readDefaultValue(name, listMembersNamed(info, 'defaultValue')[0]),
    isNearest: parseFlag(findMemberText(info, 'nearestMatchEnabled') ?? '') === true,
    acceptableInterval: findMemberText(info, 'acceptableInterval'),
  };
}

function readPresentation(text: string | undefined): LayerDimension['presentation'] {
  return text === 'DISCRETE_INTERVAL' || text === 'CONTINUOUS_INTERVAL' ? text : 'LIST';
}

/** By default the latest time, and the minimum of other dimensions. */
function readDefaultValue(name: string, value: ValueTree | undefined): DefaultValue {
  const reference = findMemberText(value, 'referenceValue');
  const strategy = findMemberText(value, 'strategy');
  switch (strategy) {
    case 'MINIMUM':
    case 'MAXIMUM':
    case 'NEAREST':
    case 'FIXED':
      return { strategy, reference };
    default:
      return { strategy: name === 'time' ? 'MAXIMUM' : 'MINIMUM', reference: undefined };
  }
}
