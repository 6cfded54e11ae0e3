/** The layers of a descriptor: those the server has, and those the document brings along. */

import type { Filter } from '../../data/filter/filter.ts';
import type { Description } from './description.ts';
import type { ForeignElement } from './foreign-element.ts';
import type { UserStyle } from './user-style.ts';

export type Layer = NamedLayer | UserLayer;

interface LayerBase extends Description {
  /** Which features of the layer are drawn; all by default. */
  readonly featureConstraints?: readonly FeatureTypeConstraint[] | undefined;
}

export interface NamedLayer extends LayerBase {
  readonly kind: 'namedLayer';
  /** The name of a layer of the server. */
  readonly name: string;
  readonly styles: readonly (NamedStyle | UserStyle)[];
}

export interface UserLayer extends LayerBase {
  readonly kind: 'userLayer';
  readonly name?: string | undefined;
  /** Where the data are. */
  readonly source?: RemoteService | InlineFeatures | undefined;
  /** The `LayerCoverageConstraints` of SLD 1.1, instead of constraints of features. */
  readonly coverageConstraints?: ForeignElement | undefined;
  readonly styles: readonly UserStyle[];
}

/** A style of the server, by its name. */
export interface NamedStyle extends Description {
  readonly kind: 'namedStyle';
  readonly name: string;
}

export interface FeatureTypeConstraint {
  readonly featureTypeName?: string | undefined;
  readonly filter?: Filter | undefined;
  /** Values of dimensions, such as `time`. */
  readonly extents: readonly { readonly name: string; readonly value: string }[];
}

export interface RemoteService {
  readonly kind: 'remoteService';
  readonly service: 'WFS' | 'WCS';
  readonly href: string;
}

export interface InlineFeatures {
  readonly kind: 'inlineFeatures';
  /** The `InlineFeature` element with the GML in it. */
  readonly element: ForeignElement;
}
