/** The dimensions of a layer, as its metadata says: which attributes are its time, its elevation, or another axis. */
import { parseFlag } from '../../../lib/flag.ts';
import { membersNamed, memberText, type ValueTree } from '../../../lib/value-tree.ts';
import type { PublishedType } from '../../door/published-type.ts';

export interface LayerDimension {
  /** In lower case: `time`, `elevation`, or that of a custom one. */
  readonly name: string;
  readonly kind: 'time' | 'number' | 'text';
  readonly attribute: string;
  /** Where features last for a while: the attribute with the end of that. */
  readonly endAttribute: string | undefined;
  readonly presentation: 'LIST' | 'DISCRETE_INTERVAL' | 'CONTINUOUS_INTERVAL';
  /** Of a discrete interval: milliseconds, or units. */
  readonly resolution: number | undefined;
  readonly units: string;
  readonly unitSymbol: string | undefined;
  readonly default: DefaultValue;
  /** Whether the nearest value is shown for one that is not there. */
  readonly isNearest: boolean;
  /** How far the nearest may be; undefined for any distance. */
  readonly acceptableInterval: string | undefined;
}

export interface DefaultValue {
  readonly strategy: 'MINIMUM' | 'MAXIMUM' | 'NEAREST' | 'FIXED';
  /** Of the last two: what is near, or fixed. */
  readonly reference: string | undefined;
}

const CUSTOM_PREFIX = 'custom_dimension_';

/** Those that are switched on, and whose attributes are there. */
export function dimensionsOf(type: PublishedType): readonly LayerDimension[] {
  return Object.entries(type.records.type.metadata).flatMap(([key, entry]) => {
    const [info] = membersNamed(entry, 'dimensionInfo');
    const dimension = info === undefined ? undefined : dimensionIn(key, info, type);
    return dimension === undefined ? [] : [dimension];
  });
}

function dimensionIn(key: string, info: ValueTree, type: PublishedType): LayerDimension | undefined {
  const name = key.toLowerCase().startsWith(CUSTOM_PREFIX) ? key.slice(CUSTOM_PREFIX.length) : key;
  const attribute = type.attributes.find((each) => each.name === memberText(info, 'attribute'));
  const isOn = parseFlag(memberText(info, 'enabled') ?? '') === true;
  if (!isOn || attribute?.kind !== 'value') return undefined;
  const isTime = attribute.type === 'date' || attribute.type === 'timestamp';
  const isText = ['string', 'uuid', 'time', 'boolean', 'bytes'].includes(attribute.type);
  const end = memberText(info, 'endAttribute');
  const resolution = Number(memberText(info, 'resolution'));
  return {
    name: name.toLowerCase(),
    kind: isTime ? 'time' : isText ? 'text' : 'number',
    attribute: attribute.name,
    endAttribute: type.attributes.find((each) => each.name === end)?.name,
    presentation: presentationOf(memberText(info, 'presentation')),
    resolution: resolution > 0 ? resolution : undefined,
    units: memberText(info, 'units') ?? (isTime ? 'ISO8601' : name === 'elevation' ? 'EPSG:5030' : ''),
    unitSymbol: memberText(info, 'unitSymbol') ?? (name === 'elevation' ? 'm' : undefined),
    default: defaultOf(name, membersNamed(info, 'defaultValue')[0]),
    isNearest: parseFlag(memberText(info, 'nearestMatchEnabled') ?? '') === true,
    acceptableInterval: memberText(info, 'acceptableInterval'),
  };
}

function presentationOf(text: string | undefined): LayerDimension['presentation'] {
  return text === 'DISCRETE_INTERVAL' || text === 'CONTINUOUS_INTERVAL' ? text : 'LIST';
}

/** Unless somebody says otherwise the newest time, and of everything else the least. */
function defaultOf(name: string, value: ValueTree | undefined): DefaultValue {
  const reference = memberText(value, 'referenceValue');
  const strategy = memberText(value, 'strategy');
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
