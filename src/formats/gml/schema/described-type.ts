/** A type as its schemas tell it. */
import type { QualifiedName } from '../../../vector/port/mapping.ts';
import type { Attribute, FeatureTypeDescription } from '../../../vector/port/port.ts';

export interface DescribedType {
  readonly typeName: QualifiedName;
  readonly description: Pick<FeatureTypeDescription, 'attributes'>;
}

/** How often an attribute is there: as it says, else by whether it may be null. */
export function getOccurrences({ nillable, minOccurs, maxOccurs = 1 }: Attribute): {
  readonly min: number;
  /** -1 has no limit. */
  readonly max: number;
} {
  return { min: minOccurs ?? (nillable ? 0 : 1), max: maxOccurs };
}
