/** A feature type as input for schemas. */
import type { QualifiedName } from '../../../vector/port/mapping.ts';
import type { Attribute, FeatureTypeDescription } from '../../../vector/port/port.ts';

export interface DescribedType {
  readonly typeName: QualifiedName;
  readonly description: Pick<FeatureTypeDescription, 'attributes'>;
}

/** Returns the declared occurrence of an attribute; defaults follow its nillability. */
export function getOccurrences({ nillable, minOccurs, maxOccurs = 1 }: Attribute): {
  readonly min: number;
  /** -1 means unbounded. */
  readonly max: number;
} {
  return { min: minOccurs ?? (nillable ? 0 : 1), max: maxOccurs };
}
