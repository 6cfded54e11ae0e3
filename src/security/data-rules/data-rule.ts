/** A data rule: the rows, attributes and area of layers that some roles can read and write. */
import type { RecordBase, RecordKind } from '../../records/record.ts';
import type { Revision, RevisionRecord } from '../core/security-state.ts';

export const attributeAccesses = ['hide', 'read', 'write'] as const;

/** `write` includes `read`. */
export type AttributeAccess = (typeof attributeAccesses)[number];

export const areaModes = ['intersects', 'clip'] as const;

export interface DataRuleArea {
  /** A polygon or multipolygon as WKT, x before y. */
  readonly geometry: string;
  readonly crs: string;
  /** Whether whole features that intersect the area are visible, or only their parts inside it. */
  readonly mode: (typeof areaModes)[number];
}

/** The fields of a rule that clients set. */
export interface DataRuleContent {
  /** `workspace:layer`, `workspace:*` or `*:*`. */
  readonly layer: string;
  /** At least one role; `*` for everybody. */
  readonly roles: readonly string[];
  readonly enabled: boolean;
  /** ECQL with variables; null for all rows. */
  readonly rows: string | null;
  /** Like `rows`, for changes; null for the rows that can be read. */
  readonly writeRows: string | null;
  /** Access by attribute name; `*` for all others, which can be written by default. */
  readonly attributes: Readonly<Record<string, AttributeAccess>>;
  readonly area: DataRuleArea | null;
}

export interface DataRule extends RecordBase, DataRuleContent {
  readonly kind: 'dataRule';
}

export const dataRuleKind: RecordKind<DataRule> = {
  kind: 'dataRule',
  keys: { layer: ({ layer }) => [layer] },
  secrets: {},
};

/** Its version increases when any rule changes. It is created with the first change. */
export const dataRuleSetKind: RecordKind<RevisionRecord> = {
  kind: 'dataRuleSet',
  keys: {},
  secrets: {},
  counter: 'revision',
};

export const dataRuleSet: Revision = { kind: dataRuleSetKind, name: 'dataRules' };

/** The name of all attributes that a rule does not name, and of all layers. */
export const ANY = '*';

export function getAttributeAccess({ attributes }: Pick<DataRuleContent, 'attributes'>, name: string): AttributeAccess {
  return (Object.hasOwn(attributes, name) ? attributes[name] : attributes[ANY]) ?? 'write';
}
