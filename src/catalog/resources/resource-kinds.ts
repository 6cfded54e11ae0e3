/** The kinds of published resources there are. */
import { featureTypeKind } from '../feature-types/feature-type.ts';
import { anyResourceKind, type ResourceKind } from './resource.ts';

export const resourceKinds: readonly ResourceKind[] = [anyResourceKind(featureTypeKind)];
